/**
 * What is shipped: a file for each name that package.json exports, imports or runs, and what they share
 * in `dist/shared`. Hundreds of small modules, loaded one by one in each thread, would double the time
 * of a short command.
 *
 * Inside `src` an import names the file that declares what is imported, so an entry loads only what it needs.
 */
import { readFileSync } from 'node:fs';
import { defineConfig } from 'rolldown';

const { exports, imports, bin, dependencies, peerDependencies } = JSON.parse(
  readFileSync('package.json', 'utf8'),
);
const entries = [exports, imports, bin]
  .flatMap((names) => Object.values(names))
  .flatMap((path) => /^\.\/dist\/(.*)\.js$/.exec(path)?.[1] ?? []);

export default defineConfig({
  input: Object.fromEntries(entries.map((entry) => [entry, `src/${entry}.ts`])),
  platform: 'node',
  external: [/^node:/, ...Object.keys({ ...dependencies, ...peerDependencies })],
  output: { dir: 'dist', entryFileNames: '[name].js', chunkFileNames: 'shared/[name]-[hash].js' },
});
