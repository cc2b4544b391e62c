/** The built command line, as a user types it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { MAIN, runHere, runIn } from '../../support/processes/command-line.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'straightedge-cli-'));
afterAll(() => rmSync(folder, { recursive: true }));

const write = (name: string, text: string | Uint8Array): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};
const run = (args: readonly string[], input = '') => runIn(folder, args, { input });
const documents = (stdout: string) =>
  stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

const GOOD =
  '{"process":"A","method":"enqueue","args":[1],"result":null,"call":1,"return":4}\n{"process":"B","method":"dequeue","args":[],"result":1,"call":2,"return":5}\n';
const BAD =
  '{"process":"A","method":"enqueue","args":[1],"result":null,"call":1,"return":2}\n{"process":"B","method":"dequeue","args":[],"result":7,"call":3,"return":4}\n';
const good = write('good.jsonl', GOOD);
const bad = write('bad.jsonl', BAD);
const broken = write('broken.jsonl', `${GOOD}{"process":"A"`);

describe('exit codes', () => {
  test('exit code 0: the history is linearizable', () => {
    const { status, stdout, stderr } = run(['check', good, '--spec', 'queue']);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toContain('✓ linearizable');
  });
  test('exit code 1: a violation, with its reason', () => {
    const { status, stdout } = run(['check', bad, '--spec', 'queue']);
    expect(status).toBe(1);
    expect(stdout).toContain('dequeue() by B (operation 1, line 2) returned 7; allowed: 1.');
  });
  test('exit code 2: invalid input, with its position', () => {
    const { status, stdout, stderr } = run(['check', broken, '--spec', 'queue']);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain('broken.jsonl:3:15: ');
  });
  test('exit code 3: undecided, with advice', () => {
    const { status, stdout } = run([
      'check',
      bad,
      ...['--spec', 'queue', '--algorithm', 'search', '--max-steps', '1'],
    ]);
    expect(status).toBe(3);
    expect(stdout).toContain('larger --max-steps');
  });
  test('several files give the worst exit code: 2 before 1 before 3 before 0', () => {
    expect(run(['check', good, bad, '--spec', 'queue']).status).toBe(1);
    expect(run(['check', broken, bad, good, '--spec', 'queue']).status).toBe(2);
    expect(run(['check', join(folder, 'absent.jsonl'), good, '--spec', 'queue']).status).toBe(2);
  });
});

describe('a usage error is exit code 2 and says what to write instead', () => {
  test.each([
    [['check', good], '--spec is missing; expected an object name, as --spec queue'],
    [['check', good, '--spce', 'queue'], "unknown option '--spce'\n(Did you mean --spec?)"],
    [['check', good, '--spec', 'quue'], 'unknown spec "quue"; did you mean queue? Expected register,'],
    [['check', good, '--spec', 'que'], 'did you mean queue? Expected'],
    [
      ['check', good, '--spec', 'queue,stack'],
      '"queue,stack" is not a spec; name the object of each: --spec orders=queue,stock=map',
    ],
    ...[
      ['export default 7', 'it is 7'],
      ['export default { initial: 0, methods: {} }', 'it has no "name", a text'],
      ['export default { name: "x", methods: {} }', 'it has no "initial" state'],
      ['export default { name: "x", initial: 0 }', 'it has no "methods"'],
      ['export default { name: "x", initial: 0, methods: {} }', 'its "methods" are empty'],
      [
        'export default { name: "x", initial: 0, rendezvous: { f: 1 } }',
        'its "rendezvous" have "f", which is not a function',
      ],
    ].map(([text, why], i): [string[], string] => [
      ['check', good, '--spec', write(`no-spec-${i}.mjs`, text)],
      `no-spec-${i}.mjs is not a spec: ${why}; expected { name, initial, methods }`,
    ]),
    [['check', good, '--spec', 'bank'], 'unknown spec "bank"; expected register,'],
    [['explore', good], 'good.jsonl is a history; use npx straightedge check'],
    [['replay', good], 'good.jsonl is a history; use npx straightedge check'],
    [['init', good], 'good.jsonl is a history; use npx straightedge check'],
    [
      ['explore', good, '--threads', '0'],
      '--threads: invalid number 0; expected a whole number of at least 1',
    ],
    [
      ['explore', good, '--random-tests', 'some'],
      '--random-tests: invalid number "some"; expected a whole number',
    ],
    ...['init', 'view', 'stress', 'replay', 'explain'].map((command): [string[], string] => [
      [command, folder],
      `error: ${folder} is a folder; expected a file\n`,
    ]),
    [['explore', folder], `error: no scenario in ${folder}; expected files that end in .scenario.ts`],
    [['convert', folder, 'x.jsonl'], 'is a folder; expected a file'],
    [['monitor', folder, '--spec', 'queue'], 'is a folder; expected a file'],
    [['check', good, '--spec', folder], 'is a folder; expected a file'],
    [['check', good, '--spec', './none.ts'], './none.ts: no such file; expected a spec'],
    [
      ['check', good, '--spec', 'queue', '--timeout', 'soon'],
      'error: --timeout: invalid time "soon"; expected a time such as 500ms, 60s or 5m',
    ],
    [['check', good, '--spec', 'queue', '--initial', 'x'], '--initial: invalid JSON x'],
    [['check', good, '--spec', 'queue', '--permits', '2'], 'queue has no option --permits'],
    [
      ['check', good, '--spec', 'queue', '--rename', 'enqueue'],
      '--rename: invalid pair "enqueue"; expected name=value',
    ],
    [
      ['check', good, '--spec', 'queue', '--rename', 'enqueue=add,dequeue=add'],
      '--rename: "add" is mapped to two methods of the spec',
    ],
    [['check', good, '--spec', 'a=queue,b=map,a=map'], '--spec names "a" twice; an object has one spec'],
    [['check', join(folder, 'absent.jsonl'), '--spec', 'queue'], 'absent.jsonl: no such file'],
    [
      ['check', good, '--spec', 'orders=queue'],
      'the history has operations without "object", but --spec names only orders',
    ],
    [
      ['check', good, '--spec', 'queue', '--algorithm', 'wgl'],
      '--algorithm: unknown algorithm "wgl"; expected auto, monitor, search, wg-tree, wg-graph,',
    ],
    [['check', good, '--spec', 'queue', '--algorithm', 'jit-graph+quue'], 'unknown search "quue"'],
    [
      [
        'check',
        write('pops.jsonl', GOOD.replace('enqueue', 'push').replace('dequeue', 'pop')),
        '--spec',
        'stack',
        '--algorithm',
        'queue',
      ],
      'the algorithm queue is not for this history: the object is not a queue',
    ],
    [['view', good, bad], "too many arguments for 'view'. Expected 1 argument but got 2."],
    [['chekc', good], "unknown command 'chekc'"],
  ])('%j', async (args, message) => {
    const { status, stdout, stderr } = await runHere(args);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
  });
});

test.each([
  'wg-tree',
  'wg-graph',
  'jit-tree',
  'jit-graph',
  'jit-breadth',
  'queue',
  'competition',
  'wg-tree+queue',
])('--algorithm %s gives the same verdict', (algorithm) => {
  expect(run(['check', bad, '--spec', 'queue', '--algorithm', algorithm, '--quiet']).status).toBe(1);
});

describe('JSON', () => {
  test('is one document a line, in order, with the fields of the contract', () => {
    const { status, stdout } = run(['check', good, bad, broken, '--spec', 'queue', '--json', '--witness']);
    expect(status).toBe(2);
    const ms = { read: expect.any(Number), check: expect.any(Number) };
    const checker = 'queue monitor';
    expect(documents(stdout)).toEqual([
      {
        file: good,
        verdict: 'linearizable',
        spec: 'queue',
        checker,
        operations: 2,
        processes: 2,
        ms,
        witness: [0, 1],
      },
      {
        file: bad,
        verdict: 'violation',
        spec: 'queue',
        checker,
        operations: 2,
        processes: 2,
        ms,
        counterexample: {
          operations: [1],
          minimal: true,
          first: true,
          allowedComplete: true,
          property: 'safety',
          cause: {
            kind: 'from nowhere',
            operation: 1,
            allowed: [{ result: 1 }],
          },
        },
        consistency: expect.objectContaining({
          extent: 'brief',
          values: expect.objectContaining({ invented: [1] }),
        }),
      },
      { file: broken, error: { line: 3, column: 15, message: expect.stringContaining('expected') } },
    ]);
  });
  test('names the parts and the limit that was reached', () => {
    const lines = ['a', 'b', 'c'].map(
      (k, i) =>
        `{"process":"${i}","method":"get","args":["${k}"],"result":${k === 'b' ? 7 : null},"call":${i},"return":${i + 1}}`,
    );
    const file = write('parts.jsonl', lines.join('\n'));
    expect(documents(run(['check', file, '--spec', 'map', '--json']).stdout)[0]).toMatchObject({
      verdict: 'violation',
      parts: { checked: 1, violation: ['b'] },
    });
    expect(
      documents(
        run(['check', bad, ...['--spec', 'queue', '--algorithm', 'search', '--json', '--max-steps', '1']])
          .stdout,
      )[0],
    ).toMatchObject({ verdict: 'undecided', reason: 'steps' });
  });
});

describe('input', () => {
  test('comes from standard input, packed files and folders', () => {
    expect(run(['check', '-', '--spec', 'queue'], GOOD).stdout).toContain('✓ linearizable  standard input ');
    expect(run(['check', write('packed.jsonl.gz', gzipSync(BAD)), '--spec', 'queue']).status).toBe(1);
    expect(
      documents(run(['check', join(ROOT, 'corpus/queue'), '--spec', 'queue', '--json']).stdout).length,
    ).toBeGreaterThan(5);
  });
  test('is adapted by --rename, --empty, --initial and --permits', () => {
    const file = write(
      'foreign.jsonl',
      '{"process":1,"method":"poll","args":[],"result":9,"call":1,"return":2}\n{"process":1,"method":"poll","args":[],"result":"EMPTY","call":3,"return":4}\n',
    );
    expect(
      run([
        'check',
        file,
        '--spec',
        'queue',
        '--rename',
        'dequeue=poll',
        '--initial',
        '[9]',
        '--empty',
        '"EMPTY"',
      ]).status,
    ).toBe(0);
    const permits = write(
      'permits.jsonl',
      '{"process":1,"method":"acquire","args":[2],"result":null,"call":1,"return":2}\n',
    );
    expect(run(['check', permits, '--spec', 'semaphore', '--permits', '2']).status).toBe(0);
    expect(run(['check', permits, '--spec', 'semaphore', '--permits', '1']).status).toBe(1);
  });
  test('that has none of the names of --rename is reported', () => {
    const args = ['check', good, '--spec', 'queue', '--rename', 'enqueue=add,dequeue=dequeue,peek=look'];
    const { status, stderr } = run(args);
    expect(status).toBe(0);
    expect(stderr).toBe(
      `${good}: --rename enqueue=add,peek=look renames nothing: the history has no such name; the name of the spec goes first, as in --rename enqueue=add\n`,
    );
    expect(run([...args, '--quiet']).stderr).toBe('');
  });
  test('with several objects is checked against several specs', () => {
    const file = write(
      'shop.jsonl',
      '{"object":"orders","process":1,"method":"dequeue","args":[],"result":null,"call":1,"return":2}\n{"object":"stock","process":1,"method":"get","args":["x"],"result":3,"call":3,"return":4}\n',
    );
    const { status, stdout } = run(['check', file, '--spec', 'orders=queue,stock=map']);
    expect(status).toBe(1);
    expect(stdout).toContain('part stock x');
  });
  test('with two callers of the same name is refused by the spec of a barrier', () => {
    const sync = (process: string, call: number) =>
      `{"process":"${process}","method":"sync","args":["x"],"call":${call},"return":${call + 2}}\n`;
    const file = write('names.jsonl', sync('A', 1) + sync('B', 2));
    const { status, stdout } = run(['check', file, '--spec', 'barrier']);
    expect(status).toBe(1);
    expect(stdout).toContain('the spec refuses it here: two calls have the');
  });
  test('is checked for progress with --stuck', () => {
    const file = write('waits.jsonl', '{"process":"A","method":"lock","args":[],"call":1}\n');
    expect(run(['check', file, '--spec', 'mutex']).status).toBe(0);
    expect(run(['check', file, '--spec', 'mutex', '--stuck']).stdout).toMatch(/is blocked\s+forever/);
  });
});

describe('a custom spec', () => {
  const spec = (name: string, methods: string) =>
    write(
      name,
      `export default { name: 'mine', initial: { n: 0 } as { n: number }, methods: { ${methods} } };`,
    );
  const history = write(
    'mine.jsonl',
    '{"process":"A","method":"f","args":[],"result":1,"call":1,"return":2}\n',
  );
  test('in TypeScript is loaded by its path', () => {
    expect(
      run([
        'check',
        history,
        '--spec',
        spec('ok.spec.ts', 'f: (s: { n: number }) => [{ n: s.n + 1 }, s.n + 1]'),
      ]).status,
    ).toBe(0);
  });
  test.each([
    ['changes its state', 'f: (s) => { s.n++; return [s, s.n]; }', 'spec mine: f() mutates its state'],
    ['throws by accident', 'f: (s) => s.x.y', 'spec mine: f() threw in state {n: 0}: TypeError'],
    ['is not a function of its state', 'f: (s) => [s, Math.random()]', 'spec mine: f() is not deterministic'],
  ])('that %s is an error naming the method', (claim, methods, message) => {
    const { status, stderr } = run([
      'check',
      history,
      '--spec',
      spec(`${claim.split(' ')[0]}.spec.ts`, methods),
    ]);
    expect(stderr).toContain(message);
    expect(status).toBe(2);
  });
  test('that never ends gives an undecided verdict', () => {
    const { status, stdout } = run([
      'check',
      history,
      '--spec',
      spec('endless.spec.ts', 'f: (s) => { for (;;); }'),
      '--timeout',
      '500ms',
      '--json',
    ]);
    expect(status).toBe(3);
    expect(documents(stdout)[0]).toMatchObject({ verdict: 'undecided', reason: 'time' });
  });
  test('that exhausts the memory gives an undecided verdict', () => {
    const { status, stdout } = run([
      'check',
      history,
      '--spec',
      spec(
        'hungry.spec.ts',
        'f: (s) => { const all = []; for (;;) all.push(new Array(100_000).fill(0.5)); }',
      ),
      '--max-memory',
      '128mb',
      '--json',
    ]);
    expect(status).toBe(3);
    expect(documents(stdout)[0]).toMatchObject({ verdict: 'undecided', reason: 'memory' });
  });
  test('that ends the process is an error', () => {
    const { status, stderr } = run([
      'check',
      history,
      '--spec',
      spec('quits.spec.ts', 'f: (s) => process.exit(0)'),
    ]);
    expect(stderr).toContain('the spec ended its process');
    expect(status).toBe(2);
  });
});

test('Ctrl-C gives exit code 130 and a partial result', async () => {
  const file = write('slow.jsonl', '{"process":"A","method":"f","args":[],"result":1,"call":1,"return":2}\n');
  const begun = join(folder, 'begun');
  const spec = write(
    'slow.spec.ts',
    `import { writeFileSync } from 'node:fs';
export default { name: 'slow', initial: 0, methods: { f: () => { writeFileSync(${JSON.stringify(begun)}, ''); for (;;); } } };`,
  );
  const child: ChildProcess = spawn(process.execPath, [MAIN, 'check', file, '--spec', spec, '--json'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  child.stdout?.on('data', (chunk) => {
    stdout += chunk;
  });
  while (!existsSync(begun)) await setTimeout(20);
  child.kill('SIGINT');
  const code = await new Promise((resolve) => child.on('exit', resolve));
  expect(code).toBe(130);
  expect(documents(stdout)[0]).toMatchObject({ verdict: 'undecided', reason: 'interrupted' });
});

test('--version prints the version of the package', () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  expect(run(['--version'])).toEqual({ status: 0, stdout: `${version}\n`, stderr: '' });
});

describe('help', () => {
  const commands = 'check view monitor convert init explore stress replay explain play worker'.split(' ');
  test('lists every command', async () => {
    const { status, stdout } = await runHere(['--help']);
    expect(status).toBe(0);
    const listed = [...stdout.matchAll(/^ {2}(\w+)(?= )/gm)].map(([, name]) => name);
    expect(listed).toEqual([...commands, 'help']);
  });
  test.each(commands)(
    '%s: help and --help print the same text, which describes each flag',
    async (command) => {
      const { status, stdout } = await runHere([command, '--help']);
      expect(status).toBe(0);
      expect(await runHere(['help', command])).toEqual({ status, stdout, stderr: '' });
      expect(stdout).toMatch(/^Usage: straightedge (play \[options\]$|\w+ .*<|.*\[file\])/m);
      const helpless = stdout.split('\n').filter((line) => /^ +--[\w-]+( <[^>]+>)?$/.test(line));
      expect(helpless).toEqual([]);
    },
  );
  test('groups the flags of check', async () => {
    const { stdout } = await runHere(['check', '--help']);
    const groups = [...stdout.matchAll(/^([A-Z]\w+):$/gm)].map(([, name]) => name);
    expect(groups).toEqual([
      'Arguments',
      'Input',
      'Object',
      'Limits',
      'Output',
      'Distribution',
      'Configuration',
      'Options',
      'Objects',
      'Examples',
    ]);
  });
});

describe('histories of Jepsen', () => {
  const event = (process: number, type: string, f: string, value: string) =>
    `{:process ${process}, :type :${type}, :f :${f}, :value ${value}}\n`;
  const keyed = write(
    'keyed.edn',
    event(0, 'invoke', 'write', '[1 5]') +
      event(0, 'ok', 'write', '[1 5]') +
      event(0, 'invoke', 'read', '[2 nil]') +
      event(0, 'ok', 'read', '[2 nil]'),
  );
  test('uses the adapter of the spec, and keys as objects with --independent', () => {
    expect(run(['check', keyed, '--spec', 'register', '--independent'])).toMatchObject({ status: 0 });
    const { status, stderr } = run(['check', keyed, '--spec', 'register']);
    expect(status).toBe(2);
    expect(stderr).toContain('keyed.edn:3:46: unexpected value [2, null] of read, which has no argument');
  });
  test('a custom spec provides its own adapter', () => {
    const spec = write(
      'cell.spec.ts',
      `import { jepsenAdapter } from 'straightedge/formats';
       export default {
         name: 'cell',
         initial: null,
         methods: { set: (_old: unknown, next: unknown) => [next, undefined], get: (value: unknown) => [value, value] },
         jepsen: jepsenAdapter([
           { f: 'write', method: 'set', argument: 'value', result: 'none' },
           { f: 'read', method: 'get', argument: 'none', result: 'value' },
         ]),
       };`,
    );
    const stale = write(
      'stale.edn',
      event(0, 'invoke', 'write', '5') +
        event(0, 'ok', 'write', '5') +
        event(0, 'invoke', 'read', 'nil') +
        event(0, 'ok', 'read', '4'),
    );
    const { status, stdout } = run(['check', stale, '--spec', spec]);
    expect(status).toBe(1);
    expect(stdout).toContain('get() by process 0 (operation 1, line 3) returned 4; allowed: 5.');
  });
});

describe('--html', () => {
  test('writes one page, and reports it', () => {
    const { status, stdout } = run(['check', bad, '--spec', 'queue', '--html', 'out.html']);
    expect(status).toBe(1);
    expect(stdout).toContain('Written: out.html');
    const page = readFileSync(join(folder, 'out.html'), 'utf8');
    expect(page).toContain('"verdict":"violation"');
    expect(page).not.toMatch(/<(?:script|link|img)[^>]*(?:src|href)=/);
  });
  test('is for one history', async () => {
    const { status, stderr } = await runHere(['check', bad, good, '--spec', 'queue', '--html', 'out.html']);
    expect([status, stderr]).toEqual([
      2,
      'error: --html needs one file, but there are 2; name one of them\n',
    ]);
  });
  test('never overwrites the history', async () => {
    const { status } = await runHere(['check', bad, '--spec', 'queue', '--html', bad]);
    expect(status).toBe(2);
    expect(readFileSync(bad, 'utf8')).toBe(BAD);
  });
  test('a page that cannot be written is an error before anything is checked', async () => {
    const { status, stderr } = await runHere(['check', bad, '--spec', 'queue', '--html', 'nowhere/out.html']);
    expect(status).toBe(2);
    expect(stderr).toContain('cannot write "nowhere/out.html": its folder does not exist');
  });
  test('view draws a history without a spec', () => {
    const { status, stdout } = run(['view', good]);
    expect([status, stdout]).toEqual([0, 'Written: good.html\n']);
    expect(readFileSync(join(folder, 'good.html'), 'utf8')).toContain('"verdict":"unchecked"');
  });
  test('view reports the position of an error in a file', () => {
    const { status, stderr } = run(['view', broken]);
    expect(status).toBe(2);
    expect(stderr).toContain('broken.jsonl:3:15: ');
  });
});

describe('--reporter', () => {
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  test('several at once, each with its file; text is printed if no other reporter prints', () => {
    const { status, stdout } = run([
      'check',
      ...[good, bad, broken, '--spec', 'queue'],
      ...['--reporter', 'junit=out.xml', '--reporter', 'sarif=out.sarif', '--reporter', 'json=out.json'],
      ...['--reporter', 'github=out.txt', '--reporter', 'default=out.log'],
    ]);
    expect(status).toBe(2);
    expect(stdout).toContain('3 files: 1 linearizable, 1 not linearizable, 1 invalid');
    expect(read('out.xml')).toContain('tests="3" failures="1" errors="1"');
    const { runs } = JSON.parse(read('out.sarif')) as {
      runs: [{ results: unknown[]; invocations: [{ toolExecutionNotifications: unknown[] }] }];
    };
    expect([runs[0].results.length, runs[0].invocations[0].toolExecutionNotifications.length]).toEqual([
      1, 1,
    ]);
    expect(documents(read('out.json')).map(({ verdict }) => verdict)).toEqual([
      'linearizable',
      'violation',
      undefined,
    ]);
    expect(read('out.txt')).toMatch(
      /^::error file=.*bad\.jsonl,line=2,[^\n]*\n::error file=.*broken\.jsonl,line=3,col=15,[^\n]*\n$/,
    );
    expect(read('out.log')).toContain('├─ dequeue() → 7 ✗ ─┤');
  });
  test('json is what --json prints', () => {
    const withoutTimes = (text: string) => text.replace(/"ms":\{[^}]*\}/, '');
    const [one, other] = [['--json'], ['--reporter', 'json']].map(
      (flags) => run(['check', bad, '--spec', 'queue', ...flags]).stdout,
    );
    expect(withoutTimes(one)).toBe(withoutTimes(other));
  });
  test('text and commands of GitHub may both be printed', () => {
    const { stdout } = run([
      'check',
      bad,
      '--spec',
      'queue',
      '--reporter',
      'default',
      '--reporter',
      'github',
    ]);
    expect(stdout).toMatch(/✗ not linearizable[\s\S]*\n::error file=/);
  });
  test('two reporters that each need standard output alone are a usage error', async () => {
    const { status, stderr } = await runHere([
      'check',
      bad,
      '--spec',
      'queue',
      '--json',
      '--reporter',
      'junit',
    ]);
    expect(status).toBe(2);
    expect(stderr).toContain(
      'the reporters junit and json cannot share standard output; give one a file: --reporter junit=out.xml',
    );
  });
  test('an unknown reporter is named', async () => {
    const { status, stderr } = await runHere(['check', bad, '--spec', 'queue', '--reporter', 'tap']);
    expect(status).toBe(2);
    expect(stderr).toContain('unknown reporter "tap"; expected default, json, junit, sarif, github');
  });
});
