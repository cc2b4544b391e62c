/** `straightedge explore` and `straightedge replay`, as a user types them. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { MAIN, runIn } from '../../support/processes/command-line.js';

const folder = mkdtempSync(join(tmpdir(), 'straightedge-explore-cli-'));
afterAll(() => rmSync(folder, { recursive: true }));
const run = (...args: readonly string[]) => runIn(folder, args);
const write = (name: string, text: string): string => {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
  return name;
};

write(
  'counter.ts',
  `export class Counter {
  private n = 0;
  increment(): number {
    const old = this.n;
    this.n = old + 1;
    return old + 1;
  }
  read(): number {
    return this.n;
  }
}
`,
);
const scenarioOf = (rest: string) =>
  `import { scenario } from 'straightedge';\nimport { Counter } from './counter';\nexport default scenario({ name: 'counter', backend: 'instrumented', create: () => new Counter(), ${rest} });\n`;
const wrong = write('wrong.scenario.ts', scenarioOf(`calls: [['increment'], ['read']], threads: 2`));
const right = write('right.scenario.ts', scenarioOf(`test: [[['read']], [['increment']]]`));

describe('explore: exit codes', () => {
  test('exit code 0: no violation, with the coverage', () => {
    const { status, stdout, stderr } = run('explore', right);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toContain(
      '✓ no violation  right.scenario.ts · counter · expected results learned from sequential runs',
    );
    expect(stdout).toContain('Covered: 1 test, with every schedule.');
    expect(stdout).toContain('sequential consistency');
    expect(stdout).toContain('data races between counter.ts:5');
  });

  test('3: the instrumented code differs from the code itself, or cannot be compared with it', () => {
    const itself = `import { scenario } from 'straightedge';
class Cell { n = 0; size() { this.n = 1; return this.size.toString().length; } }
export default scenario({ backend: 'instrumented', create: () => new Cell(), test: [[['size']], [['size']]] });
`;
    const differs = run('explore', write('itself.scenario.ts', itself));
    expect([differs.status, differs.stderr]).toEqual([3, '']);
    expect(differs.stdout).toContain(
      '? undecided: the instrumented code differs from the code itself  itself.',
    );
    expect(differs.stdout.replaceAll(/\s+/g, ' ')).toMatch(
      /size\(\) \(itself\.scenario\.ts:2\) returns 55 in the code itself, and returns \d+ in the instrumented code/,
    );
    expect(differs.stdout).not.toContain('Covered: 1 test, with every schedule.');
    const failing = itself
      .replace(
        'create: () => new Cell()',
        "create: () => { if (new Cell().size.toString().length < 100) throw new Error('plain'); return new Cell(); }",
      )
      .replace('return this.size.toString().length', 'return this.n');
    const uncompared = run('explore', write('failing.scenario.ts', failing));
    expect(uncompared.status).toBe(3);
    expect(uncompared.stdout).toContain(
      '? undecided: the instrumented code was not compared with the code itself  failing.',
    );
    expect(uncompared.stdout.replaceAll(/\s+/g, ' ')).toContain('the code itself fails: Error: plain.');
  });

  test('3: not all of the requested size was covered, and the first line says so', () => {
    const many = write(
      'many.scenario.ts',
      scenarioOf(`calls: Array.from({ length: 101 }, (_, i) => ['read', i]), threads: 1, callsPerThread: 2`),
    );
    for (const size of [[], ['--calls-per-thread', '2']]) {
      const { status, stdout } = run('explore', many, ...size);
      expect(status).toBe(3);
      expect(stdout).toContain('? undecided: not every test up to 1×2 was covered  many.scenario.ts');
      expect(stdout).toContain('There are too many tests of the size that has to be covered');
    }
    const one = run('explore', many, '--calls-per-thread', '1');
    expect(one.status).toBe(0);
    expect(one.stdout).toContain('✓ no violation  many.scenario.ts');
  });

  test('exit code 1: a violation, with its interleaving', () => {
    const { status, stdout } = run('explore', wrong);
    expect(status).toBe(1);
    expect(stdout).toContain('✗ not linearizable');
    expect(stdout).toContain('counter.ts:4  const old = this.n;   n → 0');
    expect(stdout).toContain('counter.ts:5  this.n = old + 1;   n = 1');
  });

  test.each([
    ['absent.ts', undefined, 'absent.ts: no such file; expected a scenario'],
    ['none.ts', 'export default 1', 'the default export of none.ts is not a scenario'],
    [
      'typo.ts',
      scenarioOf(`calls: [['decrement']]`),
      'the object has no method decrement; it has increment, read\n',
    ],
    ['empty.ts', scenarioOf(''), 'neither `calls` nor `test`'],
    [
      'throws.ts',
      scenarioOf(`test: [[['read']]]`).replace('new Counter()', '{ throw new RangeError("no") }'),
      /^throws\.ts: RangeError: no\n {4}at .*throws\.ts:\d+:\d+\)\n$/,
    ],
    [
      'imports.ts',
      `${scenarioOf(`test: [[['read']]]`)}import './absent.js';`,
      "cannot load imports.ts: imports.ts imports './absent.js', which does not exist\n",
    ],
    [
      'alias.ts',
      `${scenarioOf(`test: [[['read']]]`)}import '@/absent';`,
      "alias.ts imports '@/absent', an alias that `paths` of the nearest tsconfig.json does not resolve\n",
    ],
    [
      'unfinished.ts',
      `import { scenario } from 'straightedge';\nclass Repo { rows; constructor(rows) { this.rows = rows; } size() { return this.rows.size; } }\nexport default scenario({ create: () => new Repo(), calls: [['size']], threads: 2, callsPerThread: 1 });`,
      "size always threw TypeError: Cannot read properties of undefined (reading 'size'). Is what `create` makes complete?",
    ],
    ['eval.ts', `${scenarioOf(`test: [[['read']]]`)}export const x = () => eval('1');`, 'eval.ts:4:'],
  ])('2: %s', (name, text, message) => {
    if (text !== undefined) write(name, text);
    const { status, stdout, stderr } = run('explore', name);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(message);
  });

  test('aliases of tsconfig.json lead to files, and a missing .js to the .tsx of its name', () => {
    write('aliased/tsconfig.json', '{ "compilerOptions": { "paths": { "~parts/*": ["./*"] } } }');
    write('aliased/part.tsx', 'const h = (tag: string) => tag;\nexport const part: string = h("b");');
    const scenarioWith = (specifier: string): string =>
      `import { scenario } from 'straightedge';\nimport { part } from '${specifier}';
export default scenario({ create: () => ({ run: async () => part }), calls: [['run']], threads: 2, callsPerThread: 1 });`;
    const found = run('explore', write('aliased/found.ts', scenarioWith('~parts/part')));
    expect([found.status, found.stderr]).toEqual([0, '']);
    const extended = run('explore', write('aliased/extended.ts', scenarioWith('./part.js')));
    expect([extended.status, extended.stderr]).toEqual([0, '']);
    const missing = run('explore', write('aliased/missing.ts', scenarioWith('./other.js')));
    expect([missing.status, missing.stderr]).toEqual([
      2,
      expect.stringContaining("missing.ts imports './other.js', which does not exist\n"),
    ]);
  });

  test('exit code 3: a method that never ends, and a time limit', () => {
    const endless = write(
      'endless.ts',
      `import { scenario } from 'straightedge';\nexport default scenario({ create: () => ({ run() { for (;;) {} } }), calls: [['run']] });`,
    );
    const { status, stdout } = run('explore', endless, '--timeout', '2s');
    expect(status).toBe(3);
    expect(stdout).toMatch(/^\? undecided.* endless\.ts/);
  });

  test('exit code 130: Ctrl-C, with the results so far', async () => {
    const calls = Array.from({ length: 8 }, (_, i) => `['add', ${i}]`).join();
    const long = write(
      'long.ts',
      `import { scenario } from 'straightedge';
import { writeFileSync } from 'node:fs';
class Sum { a = 0; b = 0; add(n: number) { this.a += n; this.b += n; this.a += n; this.b += n } }
writeFileSync('begun', '');
export default scenario({ create: () => new Sum(), calls: [${calls}], instrument: ['long.ts'] });`,
    );
    const child = spawn(process.execPath, [MAIN, 'explore', long, '--timeout', '2m', '--json'], {
      cwd: folder,
    });
    let output = '';
    child.stdout.on('data', (piece) => {
      output += piece;
    });
    while (!existsSync(join(folder, 'begun'))) await setTimeout(20);
    await setTimeout(500);
    child.kill('SIGINT');
    const [code] = await once(child, 'close');
    expect(code).toBe(130);
    expect(JSON.parse(output)).toMatchObject({ file: long, verdict: 'undecided', reason: 'interrupted' });
  });

  test('--quiet prints nothing, and --ascii prints only ASCII characters', () => {
    expect(run('explore', wrong, '--quiet')).toMatchObject({ status: 1, stdout: '' });
    expect(run('explore', wrong, '--ascii').stdout).not.toMatch(/[^\n -~]/);
  });
});

describe('JSON', () => {
  const explored = (...args: readonly string[]) => {
    const { status, stdout, stderr } = run('explore', ...args, '--json');
    expect(stderr).toBe('');
    return { status, document: JSON.parse(stdout) as Record<string, unknown> };
  };

  test('lists the coverage by batches of tests', () => {
    const { status, document } = explored(right, '--warn-races');
    expect(status).toBe(0);
    expect(document).toEqual({
      file: right,
      verdict: 'holds',
      scenario: 'counter',
      seed: 1,
      ms: { explore: expect.any(Number) },
      coverage: {
        isExhaustive: true,
        assumptions: [
          ...['limits', 'tests', 'steps', 'preemptions', 'instrumentation', 'accesses'].map((name) => ({
            name,
            status: 'held',
            places: [],
          })),
          { name: 'repetition', status: 'unchecked', places: [] },
          {
            name: 'memory',
            status: 'unchecked',
            places: [
              { file: 'counter.ts', line: 5, column: 5, name: 'n' },
              { file: 'counter.ts', line: 9, column: 12, name: 'n' },
            ],
          },
        ],
        tests: [{ choice: 'given', threads: 2, callsPerThread: 1, count: 1, started: 1, exhaustive: 1 }],
        executions: expect.any(Number),
        steps: expect.any(Number),
        states: expect.any(Number),
        classes: expect.any(Number),
        histories: expect.any(Number),
        learned: 4,
      },
      atomicity: { executions: 2, unserializable: 0, pairs: [] },
      races: [
        {
          name: 'n',
          places: [
            { file: 'counter.ts', line: 5, column: 5, access: 'writes' },
            { file: 'counter.ts', line: 9, column: 12, access: 'reads' },
          ],
        },
      ],
    });
  });

  test('has the test and the history of a failure, and each step with its position and value', () => {
    const { status, document } = explored(wrong);
    expect(status).toBe(1);
    expect(document).toMatchObject({
      verdict: 'violation',
      ms: { explore: expect.any(Number), shrink: expect.any(Number) },
      failure: {
        property: 'safety',
        test: { threads: [[['increment']], [['increment']]] },
        history: [
          { process: 'A', method: 'increment', args: [], result: 1, call: 0, return: 3 },
          { process: 'B', method: 'increment', args: [], result: 1, call: 1, return: 2 },
        ],
        schedule: [0, 1, 1, 0],
      },
      saved: expect.stringMatching(/failure-\d+\.json$/),
    });
    const { steps, operation } = document.failure as { steps: unknown[]; operation: number };
    expect(operation).toBe(0);
    const place = { file: 'counter.ts', name: 'n' };
    const read = { ...place, access: 'reads', value: '0', line: 4, column: 17, text: 'const old = this.n;' };
    const store = { ...place, access: 'writes', value: '1', line: 5, column: 5, text: 'this.n = old + 1;' };
    expect(steps).toEqual([
      { process: 'A', operation: 0, ...read },
      { process: 'B', operation: 1, ...read },
      { process: 'B', operation: 1, ...store },
      { process: 'A', operation: 0, ...store },
    ]);
  });

  test('has a counterexample if there is a spec', () => {
    const text = `import { scenario } from 'straightedge';\nimport { fetchAndAdd } from 'straightedge/objects';\nimport { Counter } from './counter';\nexport default scenario({ backend: 'instrumented', create: () => new Counter(), spec: fetchAndAdd(), methods: { add: (c) => c.increment() - 1 }, calls: [['add', 1]] });`;
    const { document } = explored(write('spec.scenario.ts', text));
    expect(document).toMatchObject({
      spec: 'fetch-and-add',
      failure: { counterexample: { property: 'safety', minimal: true } },
    });
  });

  test('has the result of a replay, and errors', () => {
    const { saved } = explored(wrong).document as { saved: string };
    const { status, stdout } = run('replay', saved, '--json');
    expect(status).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      file: saved,
      verdict: 'reproduced',
      failure: { operation: 0 },
    });
    expect(explored(wrong).document.saved).toBe(saved);
    const kept = { ...(JSON.parse(readFileSync(join(folder, saved), 'utf8')) as object), scenario: '' };
    const bare = write('kept.json', JSON.stringify(kept));
    expect(run('replay', bare, '--scenario', wrong).status).toBe(1);
    expect(run('replay', bare).stderr).toContain('add --scenario');
    const token = run('replay', String(explored(wrong).document.token), '--scenario', wrong);
    expect(token.status).toBe(1);
    expect(token.stdout).toContain('✗ reproduced');
    const alone = run('replay', 'se1.abc');
    expect([alone.status, alone.stderr]).toEqual([2, expect.stringContaining('token is not whole')]);
    const absent = run('explore', 'absent.ts', '--json');
    expect(absent.status).toBe(2);
  });
});

test('importing the package for a scenario does not load the instrumenter', () => {
  const script = `import { createRequire } from 'node:module'; await import(${JSON.stringify(new URL('../../../dist/api/index.js', import.meta.url).href)});
    console.log(Object.keys(createRequire(import.meta.url).cache).filter((file) => /oxc|jiti|magic-string/.test(file)).join());`;
  const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8' });
  expect(stdout).toBe('\n');
});

test('observations of one version are the expected results of another version', () => {
  const of = (name: string, body: string) =>
    write(
      name,
      `import { scenario } from 'straightedge';
class Box { n = 0; put(v: number) { ${body} } get() { return this.n } }
export default scenario({ backend: 'instrumented', create: () => new Box(), test: [[['put', 2], ['put', 1]], [['get']]] });`,
    );
  const old = of('old.ts', 'this.n = v');
  const other = of('other.ts', 'if (v > this.n) this.n = v');
  expect(run('explore', old, '--write-observations', 'box.xml', '--quiet').status).toBe(0);
  expect(readFileSync(join(folder, 'box.xml'), 'utf8')).toContain('<op id="1" name="put">value="2"</op>');
  expect(run('explore', old, '--observations', 'box.xml').stdout).toContain('✓ no violation');
  expect(run('explore', other).status).toBe(0);
  const { status, stdout } = run('explore', other, '--observations', 'box.xml');
  expect(status).toBe(1);
  expect(stdout).toContain('get() → 2 ✗');
  expect(run('explore', old, '--observations', 'other.ts').stderr).toContain(
    'other.ts: nothing where <observationset>',
  );
});

describe('replay: exit codes', () => {
  const source = scenarioOf(`calls: [['increment']], threads: 2, callsPerThread: 1`);
  const scenario = write('again.scenario.ts', source.replace('./counter', './again'));
  const code = readFileSync(join(folder, 'counter.ts'), 'utf8');
  const replayed = (text: string) => {
    write('again.ts', text);
    return run('replay', failure);
  };
  write('again.ts', code);
  const [, failure = ''] = /straightedge replay (\S+)/.exec(run('explore', scenario).stdout) ?? [];

  test('exit code 1: the violation occurs again, also if the code has moved', () => {
    const { status, stdout } = replayed(`// moved\n${code}`);
    expect(status).toBe(1);
    expect(stdout).toContain('✗ reproduced');
    expect(stdout).toContain('again.ts:5  const old = this.n;');
  });

  test('exit code 0: the schedule passes', () => {
    const { status, stdout } = replayed(code.replace('return old + 1', 'return 1'));
    expect([status, stdout]).toEqual([0, `✓ passes now  ${failure} · counter\n`]);
  });

  test('exit code 3: the code departs from the schedule, with the step', () => {
    const { status, stdout } = replayed(code.replace('this.n = old + 1;', ''));
    expect(status).toBe(3);
    expect(stdout).toContain('? undecided: the code no longer follows the saved schedule');
    const words = (text: string) => text.replace(/\s+/g, ' ');
    expect(words(stdout)).toContain(
      'the code behaves differently at step 1. It was: A reads n (again.ts:4:17). Now it is: A runs',
    );
    expect(words(stdout)).toContain('To find out, run: npx straightedge explore again.scenario.ts');
    const ended = replayed(code.replace('this.n = old + 1;', 'if (old > 5) this.n = old + 1;'));
    expect(ended.status).toBe(3);
    expect(words(ended.stdout)).toContain('Now the run ends before it.');
  });

  test('exit code 2: not a failure file', () => {
    expect(run('replay', 'counter.ts')).toMatchObject({ status: 2, stdout: '' });
    expect(run('replay', 'absent.json').stderr).toContain('absent.json: no such file');
  });
});
