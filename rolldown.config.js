/**
 * The bundles: one file per path that package.json exports, imports or runs, and shared chunks.
 *
 * - `dist`: ES modules for Node. Loading hundreds of small modules in each thread would double the time of a short command.
 * - `dist/commonjs`: the exports for jest, whose CommonJS mode cannot load ES modules. Node itself never loads them: its
 *   `require` takes the condition `module-sync`, so a process has one copy of the library.
 * - `dist/browser`: what needs no Node. The rest throws one sentence when it is used.
 */
import { readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { defineConfig } from 'rolldown';

const { exports, imports, bin, dependencies, peerDependencies } = JSON.parse(
  readFileSync('package.json', 'utf8'),
);
const pathsIn = (names) => (typeof names === 'string' ? [names] : Object.values(names).flatMap(pathsIn));
/** The entries whose paths match, by name, each with its source file. */
const entries = (pattern) =>
  Object.fromEntries(
    [exports, imports, bin]
      .flatMap(pathsIn)
      .flatMap((path) => pattern.exec(path)?.[1] ?? [])
      .map((entry) => [entry, `src/${entry}.ts`]),
  );

/** Runs in no browser: the modules of Node, and those that explore. */
const NEEDS_NODE = /^node:|\/(?:integrations\/[a-z-]+|search-helpers)\.[jt]s$/;
/** What users know of the functions that throw. */
const PUBLIC_NAMES = { SearchHelpers: 'the option parallel', openSync: 'FileLog' };

/** Replaces modules that need Node. What they export throws when it is called. */
const withoutNode = {
  name: 'without-node',
  resolveId: {
    filter: { id: NEEDS_NODE },
    handler: (id, importer) => ({
      id: `\0${id.startsWith('node:') ? id : relative('.', resolve(dirname(importer), id)).replace('.js', '.ts')}`,
    }),
  },
  load: {
    filter: { id: /^\0(node:|src)/ },
    async handler(id) {
      const name = id.slice(1);
      const names = name.startsWith('node:')
        ? Object.keys(await import(name)).filter((key) => key !== 'default' && /^\w+$/.test(key))
        : Array.from(
            readFileSync(name, 'utf8').matchAll(/^export .*?(?:function|class|const) (\w+)/gm),
            ([, key]) => key,
          );
      const refused = names.map((key) => `export function ${key}() { throw new Error(${refusal(key)}); }`);
      // importing the module of a runner already changes the runner
      const effect = names.includes('matchers') ? `throw new Error(${refusal('straightedge/vitest')});` : '';
      return [...refused, 'export default {};', effect].join('\n');
    },
  },
};

/**
 * Replaces what makes `check` too large for a page: algorithms that propose an order before others decide. They save time, or
 * decide more histories with a clock error.
 */
const withoutProposals = {
  name: 'without-proposals',
  load: {
    filter: { id: /\/(?:clock-order|lazy-run)\.ts$/ },
    handler: (id) =>
      Array.from(readFileSync(id, 'utf8').matchAll(/^export (?:const|function) (\w+)/gm), ([, name]) => {
        return `export const ${name} = () => undefined;`;
      }).join('\n'),
  },
};

/**
 * Reverses the imports of each module. Bundlers write modules in the order in which they find them, and in this order related
 * modules come closer together: what esbuild and Vite 7 write compresses to 1 % less. No module here depends on the order.
 */
const lastImportFirst = {
  name: 'last-import-first',
  renderChunk: (code) =>
    code.replace(/^(?:import [^\n]+\n)+/, (lines) =>
      lines
        .split(/(?<=\n)/)
        .reverse()
        .join(''),
    ),
};

const refusal = (name) =>
  JSON.stringify(
    `${PUBLIC_NAMES[name] ?? name} needs Node; in a browser, straightedge only records, checks and monitors`,
  );

const withoutTypes = {
  name: 'commander-without-types',
  resolveId: {
    filter: { id: /^@commander-js\/extra-typings$/ },
    handler: () => ({ id: 'commander', external: true }),
  },
};

const external = [/^node:/, ...Object.keys({ ...dependencies, ...peerDependencies })];
const chunkFileNames = 'shared/[name]-[hash].js';

export default defineConfig([
  {
    input: entries(/^\.\/dist\/(?!commonjs\/|browser\/)(.*)\.js$/),
    platform: 'node',
    external,
    plugins: [withoutTypes],
    output: { dir: 'dist', entryFileNames: '[name].js', chunkFileNames },
  },
  {
    input: entries(/^\.\/dist\/commonjs\/(.*)\.cjs$/),
    platform: 'node',
    external,
    output: {
      dir: 'dist/commonjs',
      format: 'cjs',
      entryFileNames: '[name].cjs',
      chunkFileNames: chunkFileNames.replace('.js', '.cjs'),
    },
  },
  {
    input: entries(/^\.\/dist\/browser\/(.*)\.js$/),
    platform: 'browser',
    plugins: [withoutNode, withoutProposals, lastImportFirst],
    tsconfig: false,
    transform: { typescript: { removeClassFieldsWithoutInitializer: true } },
    // a bundler leaves out the modules that a page does not use, and not every one simplifies the others as much
    output: {
      dir: 'dist/browser',
      preserveModules: true,
      preserveModulesRoot: 'src',
      entryFileNames: '[name].js',
      minify: { compress: true, mangle: false, codegen: { removeWhitespace: false } },
    },
  },
]);
