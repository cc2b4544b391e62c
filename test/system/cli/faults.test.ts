/**
 * Every file and stream operation of every command fails once: the exit code and the output stay true.
 *
 * A preloaded module records what a command does with the files of its folder, and then lets one operation after another
 * fail. Streams are devices and pipes of the system: full, closed, without a writer.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { MAIN } from '../../support/processes/command-line.js';

const INJECT = fileURLToPath(new URL('../../support/fixtures/faults/inject.mjs', import.meta.url));
const root = realpathSync(mkdtempSync(join(tmpdir(), 'straightedge-faults-')));
const template = join(root, 'template');
afterAll(() => rmSync(root, { recursive: true }));

const lines = (...records: object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('');
const counter = (add: string, spec = '') => `import { scenario } from 'straightedge';
${spec === '' ? '' : "import { spec } from './counter.spec.mjs';"}
class Counter {
  count = 0;
  ${add}
}
const create = () => new Counter();
export default scenario({ create, calls: [['add']], threads: 2, callsPerThread: 1${spec} });
`;
const ATOMIC = 'async add() { return ++this.count; }';
const TORN = 'async add() { const own = this.count; await null; this.count = own + 1; return this.count; }';

mkdirSync(join(template, 'runs/more'), { recursive: true });
for (const [name, text] of Object.entries({
  'good.jsonl': lines({ process: 'A', method: 'write', args: [1], call: 1, return: 2 }),
  'bad.jsonl': lines(
    { process: 'A', method: 'write', args: [1], call: 1, return: 2 },
    { process: 'A', method: 'read', result: 7, call: 3, return: 4 },
  ),
  'events.jsonl': lines(
    { type: 'call', process: 'A', method: 'read' },
    { type: 'return', process: 'A', result: 7 },
  ),
  'records.json': lines({ who: 'A', at: 1 }),
  'records.map.mjs': `export default ({ who, at }) => ({ process: who, method: 'read', result: null, call: at, return: at + 1 });\n`,
  'register.spec.mjs': `export default { name: 'own', initial: null, methods: { read: (s) => [s, s], write: (_, v) => [v, null] } };\n`,
  'counter.spec.mjs': `export const spec = { name: 'own', initial: 0, methods: { add: (s) => [s + 1, s + 1] } };\n`,
  'good.scenario.mjs': counter(ATOMIC),
  'bad.scenario.mjs': counter(TORN),
  'stress.scenario.mjs': counter(ATOMIC, ', spec'),
  'counter.ts': `export class Counter {\n  count = 0;\n  add(): number {\n    return ++this.count;\n  }\n}\n`,
}))
  writeFileSync(join(template, name), text);
cpSync(join(template, 'good.jsonl'), join(template, 'runs/a.jsonl'));
symlinkSync('..', join(template, 'runs/more/up'));

interface Command {
  readonly name: string;
  readonly args: readonly string[];
  /** Without faults. */
  readonly code: number;
}

const COMMANDS: readonly Command[] = [
  {
    name: 'check, linearizable',
    args: [
      'check',
      'good.jsonl',
      '--spec',
      './register.spec.mjs',
      '--html',
      'r.html',
      '--reporter',
      'junit=r.xml',
    ],
    code: 0,
  },
  {
    name: 'check, violation',
    args: [
      'check',
      'bad.jsonl',
      '--spec',
      './register.spec.mjs',
      '--html',
      'r.html',
      '--reporter',
      'sarif=r.sarif',
    ],
    code: 1,
  },
  { name: 'check of a folder', args: ['check', 'runs', '--spec', 'register'], code: 0 },
  {
    name: 'check with a map',
    args: ['check', 'records.json', '--spec', 'register', '--record-map', './records.map.mjs'],
    code: 0,
  },
  { name: 'view', args: ['view', 'good.jsonl', '--html', 'r.html'], code: 0 },
  { name: 'convert', args: ['convert', 'good.jsonl', 'r.jsonl', '--spec', 'register'], code: 0 },
  { name: 'monitor', args: ['monitor', 'events.jsonl', '--spec', 'register', '--html', 'r.html'], code: 1 },
  { name: 'init', args: ['init', 'counter.ts'], code: 0 },
  { name: 'explore, holds', args: ['explore', 'good.scenario.mjs', '--html', 'r.html'], code: 0 },
  {
    name: 'explore, violation',
    args: ['explore', 'bad.scenario.mjs', '--html', 'r.html', '--reporter', 'github=r.txt'],
    code: 1,
  },
  { name: 'stress', args: ['stress', 'stress.scenario.mjs', '--rounds', '2', '--html', 'r.html'], code: 0 },
  { name: 'replay', args: ['replay', '.straightedge/failure-1.json', '--html', 'r.html'], code: 1 },
];

interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

let runs = 0;

/** Runs a command in a copy of the folder. `shell`: redirections behind the command. */
function run(args: readonly string[], { fault = '', log = '', shell = '', node = [] as string[] } = {}): Ran {
  const folder = join(root, `run${runs++}`);
  cpSync(template, folder, { recursive: true, verbatimSymlinks: true });
  const quoted = [process.execPath, ...node, MAIN, ...args].map((word) => `'${word}'`).join(' ');
  const { status, stdout, stderr, signal } = spawnSync('bash', ['-c', `${quoted} ${shell}`], {
    cwd: folder,
    encoding: 'utf8',
    timeout: 100_000,
    env: {
      ...process.env,
      NO_COLOR: '1',
      FORCE_COLOR: undefined,
      FAULT: fault,
      FAULT_LOG: log,
      FAULT_FOLDER: folder,
    },
  });
  rmSync(folder, { recursive: true });
  if (signal) throw new Error(`${args.join(' ')} did not end: ${shell} ${fault}`);
  return { status, stdout, stderr };
}

/** Milliseconds differ. */
const timeless = (text: string) => text.replace(/in \d+(\.\d+)? m?s|[\d,]+ per second/g, 'some time');

const injected = { node: ['--import', pathToFileURL(INJECT).href] };
{
  // a failure to replay
  const folder = join(root, 'made');
  cpSync(template, folder, { recursive: true, verbatimSymlinks: true });
  spawnSync(process.execPath, [MAIN, 'explore', 'bad.scenario.mjs'], { cwd: folder });
  cpSync(join(folder, '.straightedge'), join(template, '.straightedge'), { recursive: true });
}

/** To ask where a link leads is tried at night only: a command does it for nearly every file. */
const isTried = (operation: string) =>
  process.env.AGREE === 'all' || !/^(lstatSync|realpathSync)\|/.test(operation);

const CODES = ['EACCES', 'ENOENT', 'ELOOP', 'EIO', 'ENOSPC', 'EMFILE', 'BUG'];

describe.each(COMMANDS.map((command, number) => ({ ...command, number })))(
  '$name',
  ({ args, code, number }) => {
    const log = join(root, `log${args[0]}${runs}`);
    const usual = run(args, { log, ...injected });
    const operations = existsSync(log)
      ? [...new Set(readFileSync(log, 'utf8').trim().split('\n'))].filter(isTried)
      : [];

    test('works without faults, and uses files', () => {
      expect([usual.status, usual.stderr]).toEqual([code, '']);
      expect(operations.length).toBeGreaterThan(2);
    });

    test.each(['THROW', 'REJECT'])('nothing catches an error: %s', (kind) => {
      const { status, stdout, stderr } = run(args, { fault: `event||${kind}`, ...injected });
      const context = `${stdout}\n${stderr}`;
      // a command may have reported its violation by then
      expect([70, code === 1 ? 1 : 70], context).toContain(status);
      if (status === 1) expect(stdout, context).toContain('✗');
      expect(stderr, context).toMatch(/^error: unexpected error: injected;.*\n$/);
    });

    // a plain run lets every second operation fail, others for the next command, and every third of these by a bug
    const faults = operations.flatMap((operation, i) => {
      if (process.env.AGREE === 'all') return CODES.map((own) => `${operation}|${own}`);
      const [at, isLeft] = [i >> 1, (i + number) % 2];
      return isLeft
        ? []
        : [`${operation}|${at % 3 === 0 ? 'BUG' : CODES[(at + number) % (CODES.length - 1)]}`];
    });

    test.each(faults)('%s', (fault) => {
      const { status, stdout, stderr } = run(args, { fault, ...injected });
      const [operation, path, kind] = fault.split('|');
      const context = `${fault}\n${stdout}\n${stderr}`;
      expect([code, 2, ...(kind === 'BUG' ? [70] : [])], context).toContain(status);
      // a violation comes with its counterexample, and a verdict that is known is printed
      if (status === 1) expect(stdout, context).toContain('✗');
      if (status === 0) expect(timeless(stdout), context).toBe(timeless(usual.stdout));
      const isReport =
        /^r\.|\.straightedge$/.test(path) && operation === 'writeFileSync' && args[0] !== 'view';
      const isBug = kind === 'BUG';
      if (isReport) {
        expect(timeless(stdout.split('\n')[0]), context).toBe(timeless(usual.stdout.split('\n')[0]));
        expect([status, stderr], context).toEqual([
          code !== 0 ? code : isBug ? 70 : 2,
          expect.stringContaining('cannot write'),
        ]);
      }
      if (status === 2 || status === 70) expect(stderr.trim().split('\n').length, context).toBe(1);
      if (status === 70 || (isReport && isBug))
        expect(stderr, context).toContain('unexpected error: injected');
      else expect(stderr, context).not.toContain('unexpected');
      expect(stderr, context).not.toMatch(/^\s+at /m);
    });
  },
);

describe('streams', () => {
  const good = ['check', 'good.jsonl', '--spec', 'register'];
  const bad = ['check', 'bad.jsonl', '--spec', 'register'];
  const explored = ['explore', 'bad.scenario.mjs'];
  const monitored = ['monitor', 'events.jsonl', '--spec', 'register', '--json'];

  test.each([
    ['full', good, '> /dev/full', 2],
    ['full', bad, '> /dev/full', 1],
    ['full', explored, '> /dev/full', 1],
    ['full', monitored, '> /dev/full', 1],
    ['full', ['convert', 'good.jsonl', '-', '--to', 'jsonl', '--spec', 'register'], '> /dev/full', 2],
    ['full', ['--help'], '> /dev/full', 2],
  ] as const)('standard output is %s: %s %s', (_, args, shell, code) => {
    const { status, stderr } = run(args, { shell });
    expect([status, stderr]).toEqual([
      code,
      'error: cannot write standard output: no space is left on the device\n',
    ]);
  });

  test.each([
    ['closed pipe for standard output', bad, '| true; exit $PIPESTATUS', 1],
    ['closed pipe for standard output', good, '| true; exit $PIPESTATUS', 0],
    ['closed pipe for standard error', ['check', 'none.jsonl', '--spec', 'register'], '2> >(true)', 2],
    ['full standard error', ['check', 'none.jsonl', '--spec', 'register'], '2> /dev/full', 2],
    ['closed standard error', bad, '2>&-', 1],
    ['closed standard output', bad, '>&-', 1],
  ] as const)('%s: %s', (_, args, shell, code) => {
    expect(run(args, { shell }).status).toBe(code);
  });

  const full = ['--html', '/dev/full'];
  test.each([
    [[...good, ...full], 2],
    [[...bad, ...full], 1],
    [[...explored, ...full], 1],
    [['explore', 'good.scenario.mjs', '--write-observations', '/dev/full'], 2],
    [[...bad, '--reporter', 'junit=/dev/full', '--reporter', 'sarif=/dev/full'], 1],
    [['convert', 'good.jsonl', '/dev/full', '--to', 'jsonl', '--spec', 'register'], 2],
    [['view', 'good.jsonl', ...full], 2],
  ] as const)('a report on a full disk: %s', (args, code) => {
    const { status, stdout, stderr } = run(args);
    expect([status, stderr]).toEqual([
      code,
      expect.stringMatching(/^(error: cannot write \/dev\/full: no space is left on the device\n)+$/),
    ]);
    if (code === 1) expect(stdout).toContain('✗');
  });
});

describe('pipes and links', () => {
  const spec = ['--spec', 'register'];
  execFileSync('mkfifo', [join(root, 'pipe.jsonl')]);
  const pipe = join(root, 'pipe.jsonl');
  const idle = join(root, 'idle');
  execFileSync('mkfifo', [idle]);
  symlinkSync('loop', join(template, 'loop'));

  test.each([
    ['check, no writer', ['check', pipe, ...spec, '--timeout', '1s'], '', 3],
    ['check, idle standard input', ['check', '-', ...spec, '--timeout', '1s'], `0<> ${idle}`, 3],
    ['check, a writer', ['check', pipe, ...spec], `& cat bad.jsonl > ${pipe}; wait $!`, 1],
    ['check, pipe of a shell', ['check', '/dev/fd/9', ...spec], '9< <(cat bad.jsonl)', 1],
    ['check, empty pipe of a shell', ['check', '/dev/fd/9', ...spec], '9< <(true)', 2],
    ['monitor, a writer', ['monitor', pipe, ...spec], `& cat events.jsonl > ${pipe}; wait $!`, 1],
    ['replay', ['replay', pipe], '', 2],
    ['explore', ['explore', pipe], '', 2],
    ['a spec', ['check', 'good.jsonl', '--spec', pipe], '', 2],
    ['a report without a reader', ['check', 'bad.jsonl', ...spec, '--html', pipe], '', 1],
    ['a reporter without a reader', ['check', 'good.jsonl', ...spec, '--reporter', `json=${pipe}`], '', 2],
    ['a conversion without a reader', ['convert', 'good.jsonl', pipe, '--to', 'jsonl'], '', 2],
    ['a link loop', ['check', 'loop', ...spec], '', 2],
    ['a link loop as a spec', ['check', 'good.jsonl', '--spec', './loop'], '', 2],
    ['a link loop as a report', ['check', 'bad.jsonl', ...spec, '--html', 'loop'], '', 1],
    ['a link loop as a scenario', ['explore', 'loop'], '', 2],
    ['a link loop to stress', ['stress', 'loop'], '', 2],
    ['a link loop to explain', ['explain', 'loop'], '', 2],
    ['a link loop to replay', ['replay', 'loop'], '', 2],
    ['a link loop to monitor', ['monitor', 'loop', ...spec], '', 2],
    ['a link loop to convert', ['convert', 'loop', 'out.jsonl', '--to', 'jsonl'], '', 2],
    ['a link loop to init', ['init', 'loop'], '', 2],
    ['a link loop as faults', ['check', 'good.jsonl', ...spec, '--faults', 'loop'], '', 2],
    [
      'a link loop as the folder of a report',
      ['check', 'good.jsonl', ...spec, '--html', 'loop/x.html'],
      '',
      2,
    ],
    ['a folder as a scenario', ['explore', 'runs'], '', 2],
    ['a token', ['replay', `se1.${'A'.repeat(3_000)}`, '--scenario', 'good.scenario.mjs'], '', 2],
    ['a long name', ['check', 'x'.repeat(3_000), ...spec], '', 2],
  ] as const)('%s', (name, args, shell, code) => {
    const { status, stdout, stderr } = run(args, { shell });
    expect(status, `${stdout}${stderr}`).toBe(code);
    if (code === 1) expect(stdout).toContain('✗');
    expect(stderr).not.toMatch(/^\s+at |ENAMETOOLONG|unexpected/m);
    if (name.startsWith('a link loop')) expect(stdout + stderr).toContain('its symbolic links form a loop');
  });
});

test('--debug prints the stack of an unexpected error', () => {
  const fault = 'promises.open|good.jsonl|BUG';
  const { status, stderr } = run(['check', 'good.jsonl', '--spec', 'register', '--debug'], {
    fault,
    ...injected,
  });
  expect(status).toBe(70);
  expect(stderr).toContain('TypeError: injected\n');
});

test('nothing is printed to a full standard output', () => {
  const quiet = ['check', 'good.jsonl', '--spec', 'register', '--quiet'];
  expect(run(quiet, { shell: '> /dev/full' })).toMatchObject({ status: 0, stderr: '' });
});
