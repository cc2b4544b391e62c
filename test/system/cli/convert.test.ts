/** `straightedge convert`, `--record-map` and `--clock-error`, as a user types them. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { MAIN, runHere, runIn } from '../../support/processes/command-line.js';

const folder = mkdtempSync(join(tmpdir(), 'straightedge-convert-'));
afterAll(() => rmSync(folder, { recursive: true }));

const write = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return name;
};
const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
const run = (args: readonly string[], input = '') => runIn(folder, args, { input });

const EDN = `{:process 0, :type :invoke, :f :write, :value 1}
{:process 0, :type :ok, :f :write, :value 1}
{:process 1, :type :invoke, :f :read, :value nil}
{:process 1, :type :ok, :f :read, :value 1}
`;
const JSONL = `{"process":"0","method":"write","args":[1],"result":null,"call":0,"return":1}
{"process":"1","method":"read","args":[],"result":1,"call":2,"return":3}
`;
write('history.edn', EDN);

describe('convert', () => {
  test('writes the format of the file extension, and reports it in one line', () => {
    expect(run(['convert', 'history.edn', 'a.jsonl'])).toEqual({
      status: 0,
      stdout:
        'wrote a.jsonl: 2 operations of 2 processes as JSON lines; its numbers are positions, not times\n',
      stderr: '',
    });
    expect(read('a.jsonl')).toBe(JSONL);
    for (const name of ['b.edn', 'b.jsonl.gz'])
      expect(run(['convert', 'a.jsonl', name, '--quiet'])).toEqual({ status: 0, stdout: '', stderr: '' });
    expect(read('b.edn')).toBe(EDN);
    expect(gunzipSync(readFileSync(join(folder, 'b.jsonl.gz'))).toString()).toBe(JSONL);
    expect(run(['check', 'b.jsonl.gz', 'b.edn', '--spec', 'register']).status).toBe(0);
  });

  test('both commands report a list that may mean several arguments', () => {
    const cas = `${EDN}{:process 0, :type :invoke, :f :cas, :value [1 2]}\n{:process 0, :type :ok, :f :cas, :value [1 2]}\n`;
    write('cas.edn', cas);
    const { stdout } = run(['convert', 'cas.edn', 'cas.jsonl']);
    expect(stdout).toContain('cas([1, 2]) has one argument, a list. If it means several');
    expect(run(['check', 'cas.jsonl', '--spec', 'cas-register'])).toMatchObject({
      status: 2,
      stderr:
        'cas.jsonl:3:1: operation 2: cas has 1 of 2 arguments: the list [1, 2]. If the file was converted from a Jepsen history, convert it again with --spec cas-register, which splits lists into arguments\n',
    });
    const named = run(['convert', 'cas.edn', 'cas.jsonl', '--force', '--spec', 'cas-register']);
    expect(named.stdout).toBe(
      'wrote cas.jsonl: 3 operations of 2 processes as JSON lines; its numbers are positions, not times\n',
    );
    expect(run(['check', 'cas.jsonl', '--spec', 'cas-register']).status).toBe(0);
    expect(run(['convert', 'cas.edn', 'cas2.edn']).stdout).not.toContain('has one argument');
  });

  test('reads standard input and writes standard output, with nothing but the history there', () => {
    expect(run(['convert', '-', '-', '--to', 'jsonl'], EDN)).toEqual({
      status: 0,
      stdout: JSONL,
      stderr: '',
    });
  });

  test('ends quietly when its reader closes the pipe', async () => {
    const lines = Array.from(
      { length: 50_000 },
      (_, i) => `{"process":0,"method":"read","call":${2 * i},"return":${2 * i + 1}}\n`,
    );
    write('long.jsonl', lines.join(''));
    const child = spawn(process.execPath, [MAIN, 'convert', 'long.jsonl', '-', '--to', 'edn'], {
      cwd: folder,
    });
    child.stdout.once('data', () => child.stdout.destroy());
    expect(await new Promise((resolve) => child.on('exit', resolve))).toBe(0);
  });

  test('overwrites a file only with --force', () => {
    write('there.jsonl', 'mine');
    const { status, stderr } = run(['convert', 'history.edn', 'there.jsonl']);
    expect([status, stderr]).toEqual([2, 'error: there.jsonl exists; --force overwrites it\n']);
    expect(read('there.jsonl')).toBe('mine');
    expect(run(['convert', 'history.edn', 'there.jsonl', '--force']).status).toBe(0);
    expect(read('there.jsonl')).toBe(JSONL);
  });

  test('leaves no file behind when it fails', () => {
    write('old.edn', 'mine');
    write('throws.jsonl', `${JSONL}{"process":7,"method":"f","threw":"Closed","call":9,"return":10}\n`);
    const { status, stderr } = run(['convert', 'throws.jsonl', 'old.edn', '--force']);
    expect([status, stderr]).toEqual([
      2,
      'throws.jsonl: operation 2, f() by process 7 (line 3): it threw "Closed", which Jepsen cannot express\n',
    ]);
    expect(read('old.edn')).toBe('mine');
    expect(readdirSync(folder).filter((name) => name.includes('part'))).toEqual([]);
  });

  test("uses the spec's spelling of Jepsen, both ways", () => {
    write('kv.jsonl', '{"process":0,"method":"put","args":["k","v"],"call":0,"return":1}\n');
    expect(run(['convert', 'kv.jsonl', 'kv.txt', '--to', 'edn', '--spec', 'map']).status).toBe(0);
    expect(read('kv.txt')).toContain('{:process 0, :type :ok, :f :put, :key "k", :value "v"}');
    expect(run(['convert', 'kv.txt', '-', '--to', 'jsonl', '--spec', 'map']).stdout).toContain(
      '"args":["k","v"]',
    );
    expect(run(['convert', 'kv.txt', '-', '--to', 'jsonl']).stderr).toContain(
      'use a spec with keys, for example --spec map',
    );
  });

  test('--independent and --rename', () => {
    const { stdout } = run(
      ['convert', '-', '-', '--to', 'jsonl', '--independent', '--rename', 'put=write'],
      '{:process 0, :type :invoke, :f :write, :value [x 1]}\n{:process 0, :type :ok, :f :write, :value [x 1]}\n',
    );
    expect(stdout).toBe(
      '{"object":"x","process":"0","method":"put","args":[1],"result":null,"call":0,"return":1}\n',
    );
    expect(run(['convert', '-', '-', '--to', 'edn', '--independent'], stdout).stdout).toContain(
      ':value ["x" 1]',
    );
  });

  test.each([
    [['convert', 'history.edn'], "missing required argument 'to'"],
    [
      ['convert', 'history.edn', 'x.foo'],
      'unknown format of x.foo; expected a file that ends in .jsonl or .edn, or --to jsonl',
    ],
    [['convert', 'history.edn', '-'], 'unknown format of standard output; expected --to jsonl or --to edn'],
    [['convert', 'history.edn', '-', '--to', 'xml'], 'unknown format "xml"; expected jsonl or edn'],
    [['convert', 'history.edn', '.', '--to', 'edn'], 'cannot write ".": it is a folder; expected a file'],
    [['convert', 'absent.edn', 'x.edn'], 'absent.edn: no such file'],
    [['convert', 'history.edn', 'none/x.jsonl'], 'cannot write "none/x.jsonl": its folder does not exist'],
    [['convert', 'history.edn', 'x.jsonl', '--spec', 'quue'], 'unknown spec "quue"'],
    [
      ['convert', 'history.edn', 'x.jsonl', '--record-map', './none.ts'],
      './none.ts: no such file; expected a map',
    ],
    [['convert', 'history.edn', 'x.edn', '--initial', '0'], "unknown option '--initial'"],
  ])('%j is a usage error', async (args, message) => {
    const { status, stdout, stderr } = await runHere(args, folder);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
    expect(existsSync(join(folder, 'x.jsonl'))).toBe(false);
  });

  test('--help has examples', async () => {
    expect((await runHere(['convert', '--help'])).stdout).toContain(
      'straightedge convert history.edn history.jsonl',
    );
  });
});

describe('--record-map', () => {
  write(
    'etcd.map.ts',
    `export default ({ ClientId, Input, Output, Call, Return }: any) =>
      Input.Type === 'compact' ? undefined : {
        process: ClientId, method: Input.Type, args: Input.Args, result: Output, call: Call, return: Return,
      };`,
  );
  const RECORDS = [
    { ClientId: 1, Input: { Type: 'write', Args: [1] }, Call: 1, Return: 2 },
    { ClientId: 2, Input: { Type: 'compact' }, Call: 1, Return: 2 },
    { ClientId: 2, Input: { Type: 'read' }, Output: 7, Call: 3, Return: 4 },
  ];

  test('reads foreign JSON for check and convert', () => {
    write('operations.json', RECORDS.map((record) => `${JSON.stringify(record, null, 2)}\n`).join(''));
    const { status, stdout } = run([
      'check',
      'operations.json',
      '--spec',
      'register',
      '--record-map',
      './etcd.map.ts',
    ]);
    expect(status).toBe(1);
    expect(stdout).toContain('read() by process 2 (operation 1, line 20) returned 7; allowed: 1.');
    expect(
      run(['convert', 'operations.json', '-', '--to', 'jsonl', '--record-map', './etcd.map.ts']).stdout,
    ).toBe(
      '{"process":"1","method":"write","args":[1],"result":null,"call":0,"return":1}\n{"process":"2","method":"read","args":[],"result":7,"call":2,"return":3}\n',
    );
  });

  test.each([
    ['export default 5;', 'the default export of ./bad.map.ts is not a function'],
    ['throw new Error("not today");', 'cannot load ./bad.map.ts: not today'],
    ['export default (r) => r.a.b;', 'operations.json:1:2: the record map threw for this record: TypeError'],
    ['export default () => 5;', 'operations.json:1:2: the record map returned 5; expected a plain object'],
    ['export default () => process.exit(0);', 'the spec or map ended its process'],
  ])('%s is refused', (source, message) => {
    write('operations.json', JSON.stringify(RECORDS));
    write('bad.map.ts', source);
    const { status, stderr } = run([
      'check',
      'operations.json',
      '--spec',
      'register',
      '--record-map',
      './bad.map.ts',
    ]);
    expect(stderr).toContain(message);
    expect(status).toBe(2);
  });
});

describe('--clock-error', () => {
  const late = (unit: number) =>
    `{:process 0, :type :invoke, :f :write, :value 1, :time ${0 * unit}}
{:process 0, :type :ok, :f :write, :value 1, :time ${1 * unit}}
{:process 1, :type :invoke, :f :read, :value nil, :time ${3 * unit}}
{:process 1, :type :ok, :f :read, :value nil, :time ${4 * unit}}
`;
  const check = (...args: string[]) => run(['check', '-', '--spec', 'register', ...args], late(1e6));

  test("is measured by Jepsen's nanoseconds", () => {
    expect(check().status).toBe(1);
    expect(check('--clock-error', '0.999ms').status).toBe(1);
    expect(check('--clock-error', '1ms').status).toBe(0);
    expect(check('--clock-error', '1000000').status).toBe(0);
  });

  test('converts to intervals that are widened', () => {
    const { stdout } = run(['convert', '-', '-', '--to', 'jsonl', '--clock-error', '1ms'], late(1e6));
    expect(run(['check', '-', '--spec', 'register'], stdout).status).toBe(0);
  });

  test.each<[string, string, string]>([
    ['soon', JSONL, 'invalid clock error "soon"; expected a time such as 5ms, 200us or 1s, or a number'],
    ['-5', JSONL, 'invalid clock error "-5"'],
    [
      '5ms',
      JSONL,
      '-: the clock error 5ms has a unit, but the times of this file are numbers without one; expected a number: 5 if the times are in ms, 5000000 if they are in nanoseconds',
    ],
    [
      '5',
      '{"type":"call","process":"A","method":"read"}\n',
      '-:1:1: an event, but a clock error requires operations with times',
    ],
    ['5ms', EDN, '-:1:1: missing time; a clock error requires the time of each event in nanoseconds'],
  ])('%s for %j is refused', (error, text, message) => {
    const { status, stderr } = run(['check', '-', '--spec', 'register', `--clock-error=${error}`], text);
    expect(stderr).toContain(message);
    expect(status).toBe(2);
  });
});
