/**
 * The bundle: one file per path that package.json exports, imports or runs, and shared chunks in `dist/shared`.
 *
 * Loading hundreds of small modules in each thread would double the time of a short command.
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
  plugins: [
    {
      name: 'commander-without-types',
      resolveId: {
        filter: { id: /^@commander-js\/extra-typings$/ },
        handler: () => ({ id: 'commander', external: true }),
      },
    },
  ],
  output: { dir: 'dist', entryFileNames: '[name].js', chunkFileNames: 'shared/[name]-[hash].js' },
});
