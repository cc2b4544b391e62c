/** What reaches the terminal and the reports: no output of user code, no control characters, no lost or unnamed file. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { runIn } from '../../support/processes/command-line.js';

const folder = mkdtempSync(join(tmpdir(), 'straightedge-output-'));
afterAll(() => rmSync(folder, { recursive: true }));
const write = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return name;
};
const lines = (...records: object[]) => records.map((record) => `${JSON.stringify(record)}\n`).join('');
const good = { process: 'A', method: 'write', args: [1], call: 1, return: 2 };

describe('what user code prints goes to standard error', () => {
  const noiseOf = (i: number) => `noise ${i} of user code`;
  /** The statements, each with a noise of its own. */
  const printing = (statements: readonly string[]) =>
    statements.map((statement, i) => `${statement.replace('…', JSON.stringify(noiseOf(i)))};`).join(' ');
  const STATEMENTS = [
    'console.log(…)',
    'console.info(…)',
    'console.table([…])',
    `process.stdout.write(… + '\\n')`,
  ];
  /** Later; not from the calls of a scenario, whose timers belong to the explored code. */
  const LATER = 'setTimeout(() => console.log(…))';
  /** To the descriptor, as some loggers do. */
  const DESCRIPTOR = [
    "writeSync(1, … + '\\n')",
    "write(1, … + '\\n', () => {})",
    "writevSync(1, [Buffer.from(… + '\\n')])",
    "writeFileSync(1, … + '\\n')",
    "appendFileSync(1, … + '\\n')",
    "createWriteStream('', { fd: 1, autoClose: false }).write(… + '\\n')",
  ].map((call) => `process.getBuiltinModule('node:fs').${call}`);
  /** By a child process that inherits the descriptor. */
  const CHILDREN = [
    "spawnSync('echo', […], { stdio: 'inherit' })",
    "spawnSync('echo', […], { stdio: ['ignore', 'inherit', 'pipe'] })",
    "spawnSync('echo', […], { stdio: [0, 1, 2] })",
    "execFileSync('echo', […], { stdio: 'inherit' })",
    "execSync('echo ' + …, { stdio: [0, 1, 2] })",
    "spawn('echo', […], { stdio: 'inherit' })",
    `fork('child.cjs', […])`,
    `fork('child.cjs', […], { stdio: ['ignore', 'inherit', 'ignore', 'ipc'] })`,
  ].map((call) => `process.getBuiltinModule('node:child_process').${call}`);
  const CHILD = 'console.log(process.argv[2]);\n';
  write('child.cjs', CHILD);
  write('good.jsonl', lines(good));
  write('records.json', lines({ at: 1 }));
  write(
    'events.jsonl',
    lines({ type: 'call', process: 'A', method: 'read' }, { type: 'return', process: 'A' }),
  );

  const IN_CALLS = printing([...STATEMENTS, ...DESCRIPTOR]);
  const WAYS = [...STATEMENTS, ...DESCRIPTOR, LATER];
  const EVERY_WAY = printing(WAYS);
  /** When a module is loaded, and in its calls. */
  const LOADING = [...WAYS, ...CHILDREN];
  const WHILE_LOADING = printing(LOADING);

  const COMMANDS: Readonly<Record<string, () => readonly string[]>> = {
    'check, spec': () => {
      write(
        'own.spec.mjs',
        `${WHILE_LOADING}\nconst print = () => { ${EVERY_WAY} };\nexport default { name: 'own', initial: null, methods: { read: (s) => (print(), [s, s]), write: (_, v) => (print(), [v, null]) } };\n`,
      );
      return ['check', 'good.jsonl', '--spec', './own.spec.mjs'];
    },
    'monitor, spec': () => ['monitor', 'events.jsonl', '--spec', './own.spec.mjs'],
    'check, map': () => {
      write(
        'own.map.mjs',
        `${WHILE_LOADING}\nexport default ({ at }) => { ${EVERY_WAY} return { process: 'A', method: 'read', result: null, call: at, return: at + 1 }; };\n`,
      );
      return ['check', 'records.json', '--spec', 'register', '--record-map', './own.map.mjs'];
    },
    'explore, scenario': () => {
      write(
        'own.scenario.mjs',
        `import { scenario } from 'straightedge';\n${WHILE_LOADING}\nconst print = () => { ${IN_CALLS} };\nclass Counter { count = 0; async add() { print(); return ++this.count; } }\nexport default scenario({ create: () => new Counter(), calls: [['add']], threads: 2, callsPerThread: 1 });\n`,
      );
      return ['explore', 'own.scenario.mjs', '--jobs', '2'];
    },
    configuration: () => {
      mkdirSync(join(folder, 'configured'), { recursive: true });
      write('configured/package.json', '{}');
      write('configured/child.cjs', CHILD);
      write('configured/good.jsonl', lines(good));
      write('configured/straightedge.config.mjs', `${WHILE_LOADING}\nexport default { spec: 'register' };\n`);
      return ['check', 'good.jsonl'];
    },
  };

  test.each(Object.keys(COMMANDS))('%s: in every way', (name) => {
    const args = COMMANDS[name]();
    const at = name === 'configuration' ? join(folder, 'configured') : folder;
    const { status, stdout, stderr } = runIn(at, [...args, '--json']);
    expect(status, stderr).toBe(0);
    for (const line of stdout.trim().split('\n')) expect(JSON.parse(line)).toHaveProperty('verdict');
    expect(LOADING.filter((_, i) => !stderr.includes(noiseOf(i)))).toEqual([]);
  });
});

describe('a value of user code that is nested too deep', () => {
  const MADE = 'let value = 0; for (let i = 0; i < 5_000; i++) value = [value];';
  const specWith = (initial: string, next: string, result: string) =>
    `${MADE} export default { name: 'deep', initial: ${initial}, methods: { read: (s) => [${next}, ${result}], write: (_, v) => [v, null] } };\n`;
  const scenarioWith = (method: string, more = '') =>
    `import { scenario } from 'straightedge';\n${MADE}\nclass Deep { ${method} }\nexport default scenario({ create: () => new Deep(), calls: [['read']], threads: 2, callsPerThread: 1${more} });\n`;
  const checked = ['good.jsonl', '--spec', './deep.spec.mjs'];
  write('reads.jsonl', lines({ ...good, method: 'read', args: [], result: null }));
  write(
    'read.jsonl',
    lines({ type: 'call', process: 'A', method: 'read' }, { type: 'return', process: 'A' }),
  );

  test.each([
    ['the initial state', ['check', ...checked], specWith('value', 's', 'null')],
    ['a state', ['check', 'reads.jsonl', ...checked.slice(1)], specWith('null', 'value', 'null')],
    ['a result', ['check', 'reads.jsonl', ...checked.slice(1)], specWith('null', 's', 'value')],
    [
      'a state of a monitor',
      ['monitor', 'read.jsonl', ...checked.slice(1)],
      specWith('null', 'value', 'null'),
    ],
    ['a result of a monitor', ['monitor', 'read.jsonl', ...checked.slice(1)], specWith('null', 's', 'value')],
    [
      'a result of async code',
      ['explore', 'deep.scenario.mjs'],
      scenarioWith('async read() { return value; }'),
    ],
    [
      'a result of a thread',
      ['explore', 'deep.scenario.mjs'],
      scenarioWith('read() { return value; }', `, backend: 'instrumented'`),
    ],
    [
      'a field of a thread',
      ['explore', 'deep.scenario.mjs'],
      scenarioWith('read() { this.field = value; return 1; }', `, backend: 'instrumented'`),
    ],
  ] as const)('%s: is no unexpected error', (_, args, text) => {
    write(args[0] === 'explore' ? 'deep.scenario.mjs' : 'deep.spec.mjs', text);
    const { status, stderr, stdout } = runIn(folder, args);
    expect([0, 2, 3], stdout + stderr).toContain(status);
    if (status !== 0) expect(stdout + stderr).toContain('a value is nested deeper than 1000 levels');
    expect(stderr).not.toContain('unexpected');
  });
});

test('each problem of a file that cannot be instrumented has a line of its own', () => {
  write(
    'parts.scenario.ts',
    `import { scenario } from 'straightedge';
namespace Parts { export const one = 1; }
class Cell { get() { using one = null; return one ?? Parts.one; } }
export default scenario({ backend: 'instrumented', create: () => new Cell(), calls: [['get']] });`,
  );
  const { status, stderr } = runIn(folder, ['explore', 'parts.scenario.ts']);
  expect(status).toBe(2);
  expect(stderr).toMatch(/parts\.scenario\.ts:3:22: a using declaration: [^\n]*$/m);
  expect(stderr).toMatch(/parts\.scenario\.ts:2:1: a namespace with values in it: [^\n]*$/m);
  expect(stderr).not.toContain('\\u{a}');
});

describe('control characters', () => {
  // bell, escape sequences of C0 and C1, carriage return, backspace, delete, line separators, bidirectional marks
  const EVIL = ['\u0007', '\u001b[2J', '\u009b2J', '\u0085', '\r', '\b', '\u007f', '\u2028', '\u202e'];
  const CONTROL = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e]/u;
  const FILES: Readonly<Record<string, (evil: string) => string>> = {
    linearizable: (evil) => lines({ ...good, process: `p${evil}`, args: [evil], result: evil && null }),
    violation: (evil) =>
      lines(
        { ...good, process: `p${evil}`, args: [`v${evil}`] },
        { process: `q${evil}`, method: 'read', result: `w${evil}`, call: 3, return: 4 },
        { annotation: `note${evil}`, at: 3 },
      ),
    invalid: (evil) => lines({ ...good, [`field${evil}`]: 1 }),
    damaged: (evil) => `${evil}{"process"`,
  };

  test.each(Object.keys(FILES))('%s: no report has any', (name) => {
    const own = join(folder, name);
    mkdirSync(own);
    EVIL.forEach((evil, i) => {
      writeFileSync(join(own, `${i}${evil}.jsonl`), FILES[name](evil));
    });
    const files = readdirSync(own);
    const reports = ['junit', 'sarif', 'github', 'json'].flatMap((reporter) => [
      '--reporter',
      `${reporter}=out.${reporter}`,
    ]);
    for (const args of [['--reporter', 'default', ...reports, '--reporter', 'default=out.txt'], ['--json']]) {
      const { stdout, stderr } = runIn(own, [
        'check',
        ...files,
        `none${EVIL.join('')}`,
        '--spec',
        'register',
        ...args,
      ]);
      for (const text of [stdout, stderr, ...reportsIn(own)])
        for (const line of text.split('\n')) expect(line).not.toMatch(CONTROL);
      expect(stdout + stderr).toContain('none\\u');
    }
    const [first] = files;
    runIn(own, ['check', first, '--spec', 'register', '--html', `${first}.html`]);
    if (name === 'violation' || name === 'linearizable')
      for (const line of readFileSync(join(own, `${first}.html`), 'utf8').split('\n'))
        expect(line.replaceAll('\t', '')).not.toMatch(CONTROL);
  });

  const reportsIn = (own: string) =>
    readdirSync(own)
      .filter((file) => file.startsWith('out.'))
      .map((file) => readFileSync(join(own, file), 'utf8'));

  test.each(['view', 'convert', 'init', 'explore', 'replay', 'monitor'])(
    '%s escapes the name of its file',
    (command) => {
      const args = { convert: ['x.jsonl'], monitor: ['--spec', 'register'] }[command] ?? [];
      const { stdout, stderr } = runIn(folder, [command, `none${EVIL.join('')}`, ...args]);
      for (const line of `${stdout}${stderr}`.split('\n')) expect(line).not.toMatch(CONTROL);
      expect(stderr).toContain('none\\u');
    },
  );
});

describe('several files', () => {
  write(
    'exit.spec.mjs',
    `export default { name: 'own', initial: null, methods: { read: (s) => [s, s], write: (_, v) => { if (v === 'exit') process.exit(0); if (v === 'crash') setTimeout(() => { throw new Error('later'); }); return [v, null]; } } };\n`,
  );
  for (const value of ['a', 'exit', 'b', 'crash', 'c'])
    write(`${value}.jsonl`, lines({ ...good, args: [value] }));

  test.each(['1', '2'])('a file that ends its thread costs only that thread; --jobs %s', (jobs) => {
    const files = ['a.jsonl', 'exit.jsonl', 'b.jsonl', 'c.jsonl'];
    const { status, stdout, stderr } = runIn(folder, [
      'check',
      ...files,
      '--spec',
      './exit.spec.mjs',
      '--jobs',
      jobs,
    ]);
    expect(status).toBe(2);
    for (const name of ['a', 'b', 'c']) expect(stdout).toMatch(new RegExp(`✓ linearizable {2}${name}.jsonl`));
    expect(stderr).toContain('exit.jsonl: the spec ended its process with code 0');
  });

  test('with equal content keep their names', () => {
    const { stdout } = runIn(folder, [
      'check',
      'a.jsonl',
      'a.jsonl',
      'b.jsonl',
      '--spec',
      'register',
      '--json',
    ]);
    const named = stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { file: string }).file);
    expect(named).toEqual(['a.jsonl', 'a.jsonl', 'b.jsonl']);
  });
});

describe('buffers of a spec count towards --max-memory', () => {
  const spec = (name: string, body: string) =>
    write(
      name,
      `const kept = [];\nexport default { name: 'own', initial: 0, methods: { write: (state) => { ${body} return [state + 1, null]; } } };\n`,
    );
  spec('slow.spec.mjs', 'kept.push(Buffer.alloc(8 << 20, 1));');
  spec('reserved.spec.mjs', 'kept.push(new ArrayBuffer(64 << 20));');
  spec('endless.spec.mjs', 'for (;;) kept.push(Buffer.alloc(1 << 20, 1));');
  write(
    'long.jsonl',
    lines(...Array.from({ length: 400 }, (_, i) => ({ ...good, args: [i], call: 2 * i, return: 2 * i + 1 }))),
  );

  test.each(['slow', 'reserved', 'endless'])('%s', (name) => {
    const { status, stdout } = runIn(folder, [
      'check',
      'long.jsonl',
      '--spec',
      `./${name}.spec.mjs`,
      '--max-memory',
      '300mb',
      '--json',
    ]);
    expect([status, JSON.parse(stdout)]).toMatchObject([3, { verdict: 'undecided', reason: 'memory' }]);
  });
});

describe('a history without operations', () => {
  const EMPTY = { empty: '', blank: '\n\n', annotated: '{"annotation":"x","at":1}\n', list: '[]\n' };
  const commands = [['check'], ['monitor']];
  test.each(
    Object.entries(EMPTY).flatMap(([name, text]) => commands.map(([command]) => ({ command, name, text }))),
  )('$command, $name: an error unless it is allowed', ({ command, name, text }) => {
    // a stream has neither annotations with times nor lists
    if (command === 'monitor' && (name === 'annotated' || name === 'list')) return;
    const file = write(`${name}.jsonl`, text);
    const args = [command, file, '--spec', 'register'];
    const refused = runIn(folder, args);
    expect([refused.status, refused.stdout]).toEqual([2, '']);
    expect(refused.stderr).toContain('no operations; add --allow-empty');
    expect(runIn(folder, [...args, '--allow-empty'])).toMatchObject({ status: 0, stderr: '' });
  });
});
