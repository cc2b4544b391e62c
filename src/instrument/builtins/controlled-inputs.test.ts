import { afterEach, expect, test } from 'vitest';
import { instrumentedProgram } from '../../../test/support/fixtures/instrumented.js';
import { control } from '../../event-loop/control.js';
import { Execution } from '../../execution/execution.js';
import { runtime } from '../runtime/runtime.js';

afterEach(() => runtime.leave());

const CALL = [['go']] as const;

/** The results of the calls of `go`, thread by thread. Choices are taken from `choices` in order. */
function answers(body: string, calls: readonly (typeof CALL)[], choices: readonly number[] = []): unknown[] {
  const code = `import nodeCrypto, { randomUUID, randomInt } from 'node:crypto';
class Item { id = randomUUID(); other = nodeCrypto.randomUUID(); at = Date.now(); random = Math.random() }
class C { n = 0; id = Math.random(); at = new Date().getTime(); go(): unknown { ${body} } }
export const make = () => new C();`;
  const execution = new Execution(instrumentedProgram(code, { threads: calls }));
  runtime.controlled.clear();
  execution.reset();
  for (let made = 0; ; ) {
    if (execution.choosing >= 0) execution.choose(choices[made++] ?? 0);
    else if (execution.enabled() === 0) break;
    else execution.step(31 - Math.clz32(execution.enabled() & -execution.enabled()));
  }
  return Array.from(execution.outcome, (outcome) => {
    const ended = execution.outcomes.at(outcome);
    return ended.kind === 'returned' ? ended.value : ended;
  });
}

test('a random number is near 0, near a half or near 1, and no two calls get the same number', () => {
  for (const [choice, corner] of [0, 0.5, 1].entries()) {
    const numbers = answers('return Math.random()', [CALL, CALL], [choice, choice]) as number[];
    for (const number of numbers) expect(Math.abs(number - corner)).toBeLessThan(0.01);
    expect(Math.max(...numbers)).toBeLessThan(1);
    expect(new Set(numbers).size).toBe(2);
  }
});

test('repeated random numbers at one place take the three values in turn', () => {
  const [rounded] = answers(
    'const all = []; for (let i = 0; i < 7; i++) all.push(Math.round(Math.random() * 2)); return all.join()',
    [CALL],
    [1],
  );
  expect(rounded).toBe('1,2,0,1,2,0,1');
});

test('a random whole number is the first, one in the middle or the last', () => {
  const numbers = [0, 1, 2].map((choice) => answers('return randomInt(10, 15)', [CALL], [choice])[0]);
  expect(numbers).toEqual([10, 12, 14]);
});

test('ids are all different, the same in every run, and no choice', () => {
  const body =
    'return [randomUUID(), new Item().id, new Item().other, crypto.randomUUID(), nodeCrypto.randomBytes(4).toString("hex")].join()';
  const [one, other] = answers(body, [CALL, CALL]) as string[];
  expect(new Set(`${one},${other}`.split(',')).size).toBe(10);
  expect(answers(body, [CALL, CALL])).toEqual([one, other]);
});

test('the object under test gets the same random values and times in every run', () => {
  expect(answers('return [this.id, this.at].join()', [CALL])).toEqual(
    answers('return [this.id, this.at].join()', [CALL]),
  );
  expect(answers('return new Item().random !== this.id && this.at === Date.now()', [CALL])).toEqual([true]);
});

test('time stands still until the third clock check of a call, and never goes back for any thread', () => {
  const body =
    'const from = Date.now(); return [from, Date.now() - from, new Date().getTime() - from, performance.now(), new Item().at - from].join()';
  const [one, other] = answers(body, [CALL, CALL]).map((text) => (text as string).split(',').map(Number));
  expect(one.slice(1)).toEqual([0, 1, 1_001, 1_001_001]);
  expect(other.slice(1)).toEqual([0, 1, 1_002_002, 1_001_001]);
  expect(other[0] - one[0]).toBe(1_001_001);
});

test('a loop that waits for a later time ends', () => {
  const week = 7 * 24 * 3_600_000;
  expect(
    answers(`const end = Date.now() + ${week}; while (Date.now() < end) this.n; return 'over'`, [CALL]),
  ).toEqual(['over']);
});

test('a replacement of a Node function is treated as that function', () => {
  control();
  const numbers = [0, 2].map((choice) => answers('return Math.round(Math.random())', [CALL], [choice])[0]);
  expect(numbers).toEqual([0, 1]);
  expect(() => answers('setTimeout(() => {}, 1)', [CALL])).toThrow('outside of all threads');
});

test('each place with a controlled input is listed', () => {
  answers(
    'return [Math.random(), Date.now(), performance.now(), process.hrtime.bigint(), crypto.randomUUID(), new Date(), crypto.getRandomValues(new Uint8Array(2)), new Item()].length',
    [CALL],
  );
  const names = [...runtime.controlled.values()].map(({ name }) => name);
  expect(names.sort()).toEqual([
    'Date.now',
    'Date.now',
    'Math.random',
    'Math.random',
    'Math.random',
    'crypto.getRandomValues',
    'crypto.randomUUID',
    'crypto.randomUUID',
    'crypto.randomUUID',
    'new Date',
    'new Date',
    'performance.now',
    'process.hrtime',
  ]);
});
