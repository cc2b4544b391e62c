/** `straightedge explore` and `straightedge replay`, as a user types them. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { runIn } from './support/command-line.js';

const folder = mkdtempSync(join(tmpdir(), 'straightedge-explore-cli-'));
afterAll(() => rmSync(folder, { recursive: true }));
const run = (...args: readonly string[]) => runIn(folder, args);
const write = (name: string, text: string): string => {
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
  `import { scenario } from 'straightedge';\nimport { Counter } from './counter';\nexport default scenario({ name: 'counter', create: () => new Counter(), ${rest} });\n`;
const wrong = write('wrong.scenario.ts', scenarioOf(`calls: [['increment'], ['read']], threads: 2`));
const right = write('right.scenario.ts', scenarioOf(`test: [[['read']], [['increment']]]`));

describe('explore: exit codes', () => {
  test('0: no violation, and what was covered', () => {
    const { status, stdout, stderr } = run('explore', right);
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toContain('✓ no violation  right.scenario.ts · counter · learnt from serial runs');
    expect(stdout).toContain('Covered: 1 test: exhaustively, every schedule.');
    expect(stdout).toContain('sequential consistency');
  });

  test('1: a violation, with its interleaving', () => {
    const { status, stdout } = run('explore', wrong);
    expect(status).toBe(1);
    expect(stdout).toContain('✗ not linearizable');
    expect(stdout).toContain('counter.ts:4  const old = this.n;');
  });

  test.each([
    ['absent.ts', undefined, 'no scenario at absent.ts'],
    ['none.ts', 'export default 1', 'the default export of none.ts is no scenario'],
    ['typo.ts', scenarioOf(`calls: [['decrement']]`), 'the object has no method decrement'],
    ['empty.ts', scenarioOf(''), 'neither `calls` nor `test`'],
    [
      'throws.ts',
      scenarioOf(`test: [[['read']]]`).replace('new Counter()', '{ throw new RangeError("no") }'),
      'no',
    ],
    ['eval.ts', `${scenarioOf(`test: [[['read']]]`)}export const x = () => eval('1');`, 'eval.ts:4:'],
  ])('2: %s', (name, text, message) => {
    if (text !== undefined) write(name, text);
    const { status, stdout, stderr } = run('explore', name);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain(message);
  });

  test('3: a method that never ends, and time that runs out', () => {
    const endless = write(
      'endless.ts',
      `import { scenario } from 'straightedge';\nexport default scenario({ create: () => ({ run() { for (;;) {} } }), calls: [['run']] });`,
    );
    const { status, stdout } = run('explore', endless, '--timeout', '2s');
    expect(status).toBe(3);
    expect(stdout).toContain('? undecided  endless.ts');
  });

  test('quiet and plain characters', () => {
    expect(run('explore', wrong, '--quiet')).toMatchObject({ status: 1, stdout: '' });
    expect(run('explore', wrong, '--ascii').stdout).not.toMatch(/[^\n -~]/);
  });
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

  test('1: it happens again, though the code has moved', () => {
    const { status, stdout } = replayed(`// moved\n${code}`);
    expect(status).toBe(1);
    expect(stdout).toContain('✗ reproduced');
    expect(stdout).toContain('again.ts:5  const old = this.n;');
  });

  test('0: it passes now', () => {
    const { status, stdout } = replayed(code.replace('return old + 1', 'return 1'));
    expect([status, stdout]).toEqual([0, `✓ passes now  ${failure} · counter\n`]);
  });

  test('3: the code has left the schedule, and where', () => {
    const { status, stdout } = replayed(code.replace('this.n = old + 1;', ''));
    expect(status).toBe(3);
    expect(stdout).toContain('? diverged');
    expect(stdout).toContain('was: A reads n (again.ts:4:17). Now it is: A runs');
  });

  test('2: no failure', () => {
    expect(run('replay', 'counter.ts')).toMatchObject({ status: 2, stdout: '' });
    expect(run('replay', 'absent.json').stderr).toContain('absent.json: no such file');
  });
});
