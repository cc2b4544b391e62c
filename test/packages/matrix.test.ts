/**
 * The packed package in fresh projects: package managers, test runners, runtimes, bundlers, compilers and versions of Node. It
 * prints a table of all cells. `npm run test:packages` runs it, and so does the nightly run; it installs about 1 GB from the
 * registry. With MATRIX_FOLDER set, that folder keeps the installed projects for the next run, which gets the package anew.
 * `npm test` has a few of these cells in test/system/package.test.ts.
 */
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pack } from '../support/processes/package.js';
import { findProgram, isMissing } from '../support/processes/requirements.js';
import { type Answer, INSTALL, PROJECTS, prepare, run } from './projects.js';
import { type Column, Table } from './table.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const INSTALLING = 1_200_000;
/** The most bytes of a page that checks. */
const PAGE = 90_000;

const scratch = process.env.MATRIX_FOLDER ?? mkdtempSync(join(tmpdir(), 'straightedge-packages-'));
const table = new Table();
const isSkipped = isMissing('registry');
if (process.env.AGREE !== 'all') table.skip('our own tests on each Node', 'AGREE=all runs them');
const chromium = findProgram('chromium');
const at = (...names: string[]): string => join(scratch, ...names);
const columns = ['20.19', '22', '24', 'newest'] as const;
const nodeOf = (column: Column): string =>
  column === 'other' ? process.execPath : at('runtimes/node_modules', `node-${column}`, 'bin/node');
let tarball = '';

/** One cell: what `body` expects holds for this tool on this Node. */
function cell(tool: string, modules: string, column: Column, body: (node: string) => Promise<void>): void {
  test.concurrent(`${tool}, ${modules}, Node ${column}`, async () => {
    table.set(tool, modules, column, '✗');
    await body(nodeOf(column));
    table.set(tool, modules, column, '✓');
  });
}

const FIRST = 'No sequential order of these calls that respects real time gives these results.\n';

/** Two tests of a suite pass; the others fail with the history, and with no line of this package. */
function expectSuite({ status, said }: Answer, failing: number, suites = 1): void {
  expect(said.split(FIRST).length - 1, said).toBeGreaterThanOrEqual(2 * suites);
  expect(said).toContain('returned 2; allowed: 1.');
  expect(said).toMatch(/reserve\(\) → true/);
  const [passed, failed] = [2 * suites, failing * suites];
  // ava counts failures only
  const ticks = said.match(/^ *✔ a (?:scenario|history)\b(?! that)/gm) ?? [];
  if (ticks.length !== passed)
    expect(said).toMatch(new RegExp(`\\bpass(?:ed)? ${passed}\\b|\\b${passed} (?:tests? )?pass`));
  expect(said).toMatch(new RegExp(`\\bfail(?:ed)? ${failed}\\b|\\b${failed} (?:tests? )?fail`));
  expect(status).not.toBe(0);
}

/** The suites in a folder of a project, as CommonJS. */
function asCommonJs(project: string, manifest: object = {}): string {
  const folder = at(project, 'commonjs');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  for (const name of ['node.suite.js', 'mocha.suite.js', 'seats.js']) {
    const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 };
    const { outputText } = ts.transpileModule(readFileSync(at(project, name), 'utf8'), { compilerOptions });
    writeFileSync(join(folder, name), outputText);
  }
  return folder;
}

async function install(name: string): Promise<void> {
  const folder = at(name);
  // of an earlier run: npm keeps the other packages, and installs only this one
  for (const stale of ['package-lock.json', 'node_modules/.package-lock.json', 'node_modules/straightedge'])
    rmSync(join(folder, stale), { recursive: true, force: true });
  prepare(folder, { ...PROJECTS[name], straightedge: `file:${tarball}` });
  const { status, said } = await run('npm', INSTALL, { cwd: folder, timeout: INSTALLING });
  if (status !== 0) throw new Error(`${name}: ${said}`);
}

beforeAll(async () => {
  if (isSkipped) return;
  mkdirSync(scratch, { recursive: true });
  tarball = pack(scratch);
  // two at a time: most of it is unpacking
  const names = Object.keys(PROJECTS);
  const installAll = async (): Promise<void> => {
    for (let name = names.shift(); name !== undefined; name = names.shift()) await install(name);
  };
  await Promise.all([installAll(), installAll()]);
  asCommonJs('others');
}, INSTALLING);

afterAll(() => {
  if (isSkipped) return;
  process.stdout.write(`${table}\n`);
  if (process.env.MATRIX_FOLDER === undefined) rmSync(scratch, { recursive: true, force: true });
}, INSTALLING);

describe.skipIf(isSkipped)('vitest', () => {
  const suite = async (project: string, node: string, ...flags: string[]): Promise<void> =>
    expectSuite(
      await run(node, ['node_modules/vitest/vitest.mjs', 'run', 'vitest.suite', ...flags], {
        cwd: at(project),
      }),
      3,
    );
  table.skip('vitest 5 on Node 20', 'vitest 5 needs Node 22');
  for (const major of ['3', '4', '5'])
    for (const column of columns.slice(major === '5' ? 1 : 0))
      cell(`vitest ${major}`, 'ES modules', column, (node) => suite(`vitest${major}`, node));

  const pools = ['forks', 'threads', 'vmForks', 'vmThreads'].map((pool) => [`--pool=${pool}`]);
  for (const flags of [
    ...pools,
    ['--pool=forks', '--no-isolate'],
    ['--pool=threads', '--no-isolate'],
    ['--globals'],
  ])
    for (const major of ['3', '4', '5'])
      cell(`vitest ${major}`, flags.join(' '), '24', (node) => suite(`vitest${major}`, node, ...flags));

  for (const major of ['3', '4', '5'])
    cell(`vitest ${major}`, 'watch', '24', async (node) => {
      const folder = at(`vitest${major}`, 'watched');
      mkdirSync(folder, { recursive: true });
      for (const name of ['vitest.suite.js', 'vitest.config.js', 'seats.js'])
        cpSync(at(`vitest${major}`, name), join(folder, name));
      let isChanged = false;
      const { said } = await run(node, ['../node_modules/vitest/vitest.mjs', 'watch', '--root', '.'], {
        cwd: folder,
        until: (text) => {
          if (!isChanged && text.includes('3 failed') && text.includes('Duration')) {
            isChanged = true;
            const seats = readFileSync(join(folder, 'seats.js'), 'utf8');
            writeFileSync(
              join(folder, 'seats.js'),
              seats.replace("seats('careless', false", "seats('careless', true"),
            );
          }
          return isChanged && /Tests +1 failed \| 4 passed/.test(text);
        },
      });
      expect(said).toMatch(/Tests +1 failed \| 4 passed/);
    });

  for (const major of ['3', '4', '5'])
    cell(`vitest ${major}`, 'types of the matchers', '24', async (node) => {
      const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--skipLibCheck'];
      const compiler = at('compilers/node_modules/typescript-5.9.3/bin/tsc');
      const { said } = await run(node, [compiler, ...flags, 'types.ts'], { cwd: at(`vitest${major}`) });
      expect(said).toBe('');
    });

  table.skip('Windows, macOS, other browsers', 'one machine, with Chromium at most');
  if (chromium === undefined) table.skip('browser mode of vitest, pages', 'no chromium');
  else
    cell('vitest 4', 'browser mode is refused', '24', async (node) => {
      const folder = at('vitest4');
      writeFileSync(
        join(folder, 'browser.config.js'),
        `import { playwright } from '@vitest/browser-playwright';
const launchOptions = { executablePath: ${JSON.stringify(chromium)}, args: ['--no-sandbox'] };
const browser = { enabled: true, headless: true, provider: playwright({ launchOptions }), instances: [{ browser: 'chromium' }], screenshotFailures: false };
export default { test: { include: ['vitest.suite.js'], browser } };`,
      );
      const args = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'browser.config.js'];
      const { status, said } = await run(node, args, { cwd: folder });
      expect(said).toContain('needs Node; in a browser, straightedge only records, checks and monitors');
      expect(status).toBe(1);
    });
});

describe.skipIf(isSkipped)('jest', () => {
  const compilerOptions = { module: 'commonjs', target: 'es2022', strict: true, esModuleInterop: true };
  const KINDS: Readonly<Record<string, { jest: object; tsconfig?: object; babel?: object }>> = {
    'ts-jest': { jest: { preset: 'ts-jest' } },
    babel: {
      jest: {},
      babel: {
        presets: [['@babel/preset-env', { targets: { node: 'current' } }], '@babel/preset-typescript'],
      },
    },
    swc: { jest: { transform: { '^.+\\.ts$': '@swc/jest' } } },
  };
  for (const major of ['29', '30'])
    for (const column of columns) {
      const project = `jest${major}`;
      cell(`jest ${major}`, 'ES modules', column, async (node) => {
        const jest = ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js'];
        const config = JSON.stringify({ transform: {}, testMatch: ['**/jest.suite.js'] });
        expectSuite(await run(node, [...jest, '--config', config, 'jest.suite'], { cwd: at(project) }), 3);
      });
      for (const [kind, { jest, babel }] of Object.entries(KINDS))
        cell(`jest ${major}`, `CommonJS, ${kind}`, column, async (node) => {
          const folder = at(project, `${kind}-${column}`);
          mkdirSync(folder, { recursive: true });
          for (const name of ['seats.ts', 'globals.jest.ts', 'imported.jest.ts'])
            cpSync(at(project, name), join(folder, name));
          const manifest = { jest: { ...jest, testMatch: ['**/*.jest.ts'] }, ...(babel && { babel }) };
          writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
          writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
          expectSuite(await run(node, ['../node_modules/jest/bin/jest.js'], { cwd: folder }), 3, 2);
        });
    }
});

describe.skipIf(isSkipped)('other runners', () => {
  for (const column of columns) {
    cell('node:test', 'ES modules', column, async (node) =>
      expectSuite(await run(node, ['--test', 'node.suite.js'], { cwd: at('others') }), 2),
    );
    cell('node:test', 'CommonJS', column, async (node) =>
      expectSuite(await run(node, ['--test', 'node.suite.js'], { cwd: at('others/commonjs') }), 2),
    );
    const mocha = at('others/node_modules/mocha/bin/mocha.js');
    cell('mocha 12', 'ES modules', column, async (node) =>
      expectSuite(await run(node, [mocha, 'mocha.suite.js'], { cwd: at('others') }), 2),
    );
    cell('mocha 12', 'CommonJS', column, async (node) =>
      expectSuite(await run(node, [mocha, 'mocha.suite.js'], { cwd: at('others/commonjs') }), 2),
    );
    cell('ava 7', 'ES modules', column, async (node) =>
      expectSuite(
        await run(node, ['node_modules/ava/entrypoints/cli.mjs', 'ava.suite.js'], { cwd: at('others') }),
        2,
      ),
    );
    cell('require() of every entry', 'the modules of import', column, async (node) => {
      const { exports } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { exports: object };
      // what belongs to a runner is loaded by the runner
      const names = Object.keys(exports).filter((name) => !/json$|vitest$|jest$/.test(name));
      const script = `const names = ${JSON.stringify(names)}.map((name) => 'straightedge' + name.slice(1));
Promise.all(names.map(async (name) => require(name) === (await import(name)))).then((same) => console.log(same.join()));`;
      const file = at('others/commonjs', 'require.cjs');
      writeFileSync(file, script);
      const { said } = await run(node, ['require.cjs'], { cwd: at('others/commonjs') });
      expect(said.trimEnd().split('\n').at(-1)).toBe(names.map(() => true).join());
    });
  }
});

describe.skipIf(isSkipped)('runtimes', () => {
  const modules = at('runtimes/node_modules');
  const bun = join(modules, `@oven/bun-${process.platform}-${process.arch}/bin/bun`);
  const deno = join(
    modules,
    `@deno/${process.platform}-${process.arch}${process.platform === 'linux' ? '-glibc' : ''}/deno`,
  );
  for (const [name, command, flags] of [
    ['Bun', bun, []],
    ['Deno', deno, ['run', '--allow-all']],
  ] as const)
    cell(`${name}`, 'checks, refuses to explore', 'other', async () => {
      const { said } = await run(command, [...flags, 'runtime.mjs'], { cwd: at('others') });
      const refusal = `exploring needs Node, and this is ${name}; run it with Node, for example npx straightedge explore. Checking and monitoring work here`;
      expect(said.trimEnd().split('\n')).toEqual([
        ...['violation', 'LinearizabilityError', 'violation', 'true', refusal, refusal],
      ]);
    });
  cell('Bun', 'bun test, matchers', 'other', async () => {
    writeFileSync(
      at('others/bun.test.js'),
      `import { expect, test } from 'bun:test';
import 'straightedge/jest';
import { sketch } from 'straightedge';
import { queue } from 'straightedge/objects';
test('right', () => expect(sketch\`A |- enqueue(1) -|  |- dequeue() -> 1 -|\`).toBeLinearizable(queue()));
test('wrong', () => expect(sketch\`A |- enqueue(1) -|  |- dequeue() -> 2 -|\`).toBeLinearizable(queue()));`,
    );
    const { said } = await run(bun, ['test', './bun.test.js'], { cwd: at('others') });
    expect(said).toContain('returned 2; allowed: 1.');
    expect(said).toMatch(/1 pass\n\s*1 fail/);
  });
});

describe.skipIf(isSkipped)('bundlers', () => {
  const bundler = (name: string, build: (node: string) => Promise<Answer>, bundle: () => string): void =>
    cell(name, 'for browsers, ≤ 90 kB gzip', '24', async (node) => {
      const { status, said } = await build(node);
      expect(status, said).toBe(0);
      const text = bundle();
      expect(gzipSync(text).length).toBeLessThanOrEqual(PAGE);
      if (chromium === undefined) return;
      const page = at('bundlers', `${name.replace(' ', '')}.html`);
      writeFileSync(page, `<body><script type="module">${text}</script></body>`);
      const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--dump-dom', `file://${page}`];
      const opened = await run(chromium, [...flags, `--user-data-dir=${page}.profile`], { cwd: scratch });
      expect(opened.said).toContain('<title>violation, undefined</title>');
    });
  const cwd = at('bundlers');
  const built = (file: string) => () => readFileSync(join(cwd, file), 'utf8');

  bundler(
    'esbuild',
    () =>
      run(
        'node_modules/.bin/esbuild',
        ['web.js', '--bundle', '--platform=browser', '--format=esm', '--minify', '--outfile=esbuild.js'],
        { cwd },
      ),
    built('esbuild.js'),
  );
  bundler(
    'Rollup',
    (node) =>
      run(
        node,
        [
          ...['node_modules/rollup/dist/bin/rollup', 'web.js', '-f', 'es', '-o', 'rollup.js'],
          ...['-p', 'node-resolve={browser:true}', '-p', 'terser'],
        ],
        { cwd },
      ),
    built('rollup.js'),
  );
  for (const [name, folder] of [
    ['Vite 7', 'vite-7'],
    ['Vite 8', 'vite'],
  ])
    bundler(
      name,
      (node) => {
        const output = { entryFileNames: `${folder}.js` };
        const config = {
          build: {
            outDir: `${folder}.out`,
            modulePreload: false,
            rollupOptions: { input: 'web.js', output },
          },
        };
        writeFileSync(join(cwd, `${folder}.config.js`), `export default ${JSON.stringify(config)}`);
        const args = [`node_modules/${folder}/bin/vite.js`, 'build', '-c', `${folder}.config.js`];
        return run(node, args, { cwd });
      },
      built(`${folder}.out/${folder}.js`),
    );
});

describe.skipIf(isSkipped)('compilers', () => {
  const OPTIONS = {
    ...{ strict: true, noEmit: true, skipLibCheck: false, exactOptionalPropertyTypes: true, types: [] },
    ...{ skipDefaultLibCheck: true, target: 'es2022', lib: ['es2022'] },
  };
  const packages = Object.keys(PROJECTS.compilers);
  for (const name of packages)
    for (const [module, moduleResolution] of [
      ['nodenext', 'nodenext'],
      ['esnext', 'bundler'],
      ['commonjs', 'node10'],
    ]) {
      const version = name.startsWith('@') ? 'native preview' : name.slice('typescript-'.length);
      const isNative = name.startsWith('@') || version.startsWith('7');
      // version 6 deprecates this resolution, and version 7 does not have it
      if (moduleResolution === 'node10' && (isNative || version.startsWith('6'))) continue;
      cell(`TypeScript ${version}`, moduleResolution, '24', async (node) => {
        const file = `tsconfig.${version.replace(' ', '-')}.${moduleResolution}.json`;
        const compilerOptions = { ...OPTIONS, module, moduleResolution };
        writeFileSync(
          at('compilers', file),
          JSON.stringify({ compilerOptions, files: ['scenarios.ts', 'seats.ts'] }),
        );
        const bin = name.startsWith('@') ? 'bin/tsgo' : 'bin/tsc';
        const args = [`node_modules/${name}/${bin}`, '-p', file];
        const { said } = await run(node, args, { cwd: at('compilers') });
        // `seats.ts` uses a timer, which no library declares here
        expect(said.split('\n').filter((line) => !/^$|setTimeout/.test(line))).toEqual([]);
      });
    }
});

/** Projects with esbuild alone, and with TypeScript alone. */
describe.skipIf(isSkipped)('decorators and accessor', () => {
  for (const [compiler, project] of [
    ['esbuild', 'bundlers'],
    ['TypeScript 5.9', 'jest30'],
  ])
    cell(compiler, 'decorators on the CLI', '24', async (node) => {
      const args = ['explore', 'decorated.scenario.ts', '--explain'];
      const main = 'node_modules/straightedge/dist/cli/main.js';
      const { status, said } = await run(node, [main, ...args], { cwd: at(project) });
      expect(said).toContain('reserve() by B returned true.');
      const lines = readFileSync(at(project, 'decorated.scenario.ts'), 'utf8').split('\n');
      const line = lines.findIndex((text) => text.includes('// the cause')) + 1;
      expect(said).toContain(`during an await at decorated.scenario.ts:${line}.`);
      expect(status).toBe(1);
    });
});

describe.skipIf(isSkipped)('package managers', () => {
  const modules = at('runtimes/node_modules');
  const scenario = `import { scenario } from 'straightedge';
class Seats { free = 1; async reserve() { if (this.free === 0) return false; await null; this.free--; return true; } }
export default scenario({ create: () => new Seats(), test: [[['reserve']], [['reserve']]] });`;
  const lines = [
    { process: 'A', method: 'enqueue', args: [1], call: 1, return: 2 },
    { process: 'A', method: 'dequeue', args: [], result: 2, call: 3, return: 4 },
  ];
  type Manager = (node: string, folder: string, ...args: string[]) => Promise<Answer>;
  const node24 = (node: string, cli: string, cwd: string, args: string[], env = {}) =>
    run(node, [cli, ...args], {
      cwd,
      env: { ...env, PATH: `${join(node, '..')}:${process.env.PATH}` },
      timeout: INSTALLING,
    });
  const npm: Manager = (node, cwd, ...args) =>
    run('npm', args, { cwd, env: { PATH: `${join(node, '..')}:${process.env.PATH}` }, timeout: INSTALLING });
  const pnpm: Manager = (node, cwd, ...args) =>
    node24(node, join(modules, 'pnpm/bin/pnpm.cjs'), cwd, args, { npm_config_store_dir: at('pnpm-store') });
  const yarn =
    (nodeLinker: string): Manager =>
    async (node, cwd, ...args) => {
      const registry = (await run('npm', ['config', 'get', 'registry'], { cwd })).said
        .trim()
        .split('\n')
        .at(-1);
      return node24(node, join(modules, '@yarnpkg/cli-dist/bin/yarn.js'), cwd, args, {
        ...{ YARN_NPM_REGISTRY_SERVER: registry, YARN_NODE_LINKER: nodeLinker, YARN_ENABLE_SCRIPTS: 'false' },
        ...{ YARN_ENABLE_TELEMETRY: '0', YARN_ENABLE_IMMUTABLE_INSTALLS: 'false' },
        ...{ YARN_UNSAFE_HTTP_WHITELIST: '*', YARN_ENABLE_HARDENED_MODE: '0' },
      });
    };
  const managers: readonly [string, Manager, string[], string[]][] = [
    ['npm', npm, INSTALL.slice(), ['exec', '--']],
    ['pnpm 10', pnpm, ['install', '--ignore-scripts'], ['exec']],
    ['Yarn 4, node_modules', yarn('node-modules'), ['install'], []],
    ['Yarn 4, PnP', yarn('pnp'), ['install'], []],
  ];
  for (const [name, manager, installs, exec] of managers)
    for (const isWorkspace of [false, true])
      cell(name, isWorkspace ? 'workspaces' : 'one project', '24', async (node) => {
        const root = at(`${name}${isWorkspace ? ' workspaces' : ''}`.replaceAll(/[ ,]+/g, '-'));
        const folder = isWorkspace ? join(root, 'packages/seats') : root;
        rmSync(root, { recursive: true, force: true });
        prepare(folder, { straightedge: `file:${tarball}` }, { name: 'seats' });
        if (isWorkspace) {
          const manifest = { name: 'root', private: true, workspaces: ['packages/*'] };
          writeFileSync(join(root, 'package.json'), JSON.stringify(manifest));
          writeFileSync(join(root, 'pnpm-workspace.yaml'), 'packages: ["packages/*"]\n');
        }
        // otherwise Yarn looks for a project above
        writeFileSync(join(root, 'yarn.lock'), '');
        writeFileSync(
          join(folder, 'orders.jsonl'),
          lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
        );
        writeFileSync(join(folder, 'late.scenario.ts'), scenario);
        const { status, said } = await manager(node, root, ...installs);
        expect(status, said).toBe(0);
        const checked = await manager(
          node,
          folder,
          ...[...exec, 'straightedge', 'check', 'orders.jsonl', '--spec', 'queue'],
        );
        expect([checked.status, checked.said]).toEqual([
          1,
          expect.stringContaining('returned 2; allowed: 1.'),
        ]);
        const explored = await manager(node, folder, ...exec, 'straightedge', 'explore', 'late.scenario.ts');
        expect([explored.status, explored.said]).toEqual([
          1,
          expect.stringContaining('reserve() by B returned true.'),
        ]);
        expectSuite(await manager(node, folder, ...exec, 'node', '--test', 'node.suite.js'), 2);
      });

  const PEERS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    lowest: { vitest: '3.0.0', jest: '29.0.0', ioredis: '5.0.0', bullmq: '5.0.0' },
    newest: { vitest: 'latest', jest: 'latest', ioredis: 'latest', bullmq: 'latest' },
  };
  for (const [name, peers] of Object.entries(PEERS))
    cell('npm', `${name} peers`, '24', async (node) => {
      const folder = at(`peers-${name}`);
      prepare(folder, { ...peers, straightedge: `file:${tarball}` });
      const { status, said } = await npm(node, folder, ...INSTALL, '--strict-peer-deps', '--dry-run');
      expect(status, said).toBe(0);
    });
});

/** The model of the event loop against each Node: every order that came is explored, and every explored order is forced. */
describe.skipIf(isSkipped)('event loop', () => {
  for (const column of columns)
    cell('event loop, 45 programs', '200 runs each', column, async (node) => {
      const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
      const args = ['run', '--project=agreement:isolated', 'test/agreement/explore/event-loop.test.ts'];
      const { status, said } = await run(node, [vitest, ...args], {
        cwd: ROOT,
        env: { EVENT_LOOP: 'all' },
        timeout: 600_000,
      });
      expect(status, said).toBe(0);
    });
});

/** The unit tests and the agreement tests on each Node, with the cases of the day: at night, since they take minutes. */
describe.skipIf(isSkipped || process.env.AGREE !== 'all')('our own tests', () => {
  const projects = ['unit*', 'agreement*'].map((name) => `--project=${name}`);
  for (const column of columns)
    cell('tests of straightedge', 'unit, agreement', column, async (node) => {
      const vitest = join(ROOT, 'node_modules/vitest/vitest.mjs');
      const { status, said } = await run(node, [vitest, 'run', ...projects], {
        cwd: ROOT,
        timeout: 3_600_000,
      });
      expect(status, said.slice(-5000)).toBe(0);
    });
});
