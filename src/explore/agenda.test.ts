/** Several threads explore tests at once: the order of the tests decides which violation is reported. */
import { describe, expect, test } from 'vitest';
import { Agenda, type TestTask } from './agenda.js';
import { conclusionOf, type TestResult } from './result.js';
import { scenario } from './scenario/scenario.js';

const made = scenario({
  create: () => ({ a() {}, b() {} }),
  calls: [['a'], ['b']],
  threads: 2,
  callsPerThread: 2,
});
const agendaOf = (options = {}) => new Agenda(made, { seed: 1, timeout: 60_000, ...options });
const explored = (task: TestTask, more: Partial<TestResult> = {}): TestResult =>
  ({
    test: task.testCase,
    coverage: [{ kind: 'all' }],
    violation: undefined,
    unfinished: 0,
    unfinishedAt: [],
    races: [],
    replaced: [],
    ...more,
  }) as TestResult;
const wrong = { violation: { kind: 'outcome', operation: 0, schedule: [] }, coverage: [] } as const;
const taken = (agenda: Agenda, count: number): TestTask[] =>
  Array.from({ length: count }, () => agenda.next(count)!);
const conclusion = (agenda: Agenda) =>
  conclusionOf(
    agenda.assumptions({ atomic: [], controlled: [] }),
    agenda.batches.flatMap(({ results }) => results),
  );
const sizes = (agenda: Agenda) =>
  agenda.batches.map((batch) => [batch.threads, batch.callsPerThread, batch.results.length]);

test('the next size starts when every test of the current size has a result', () => {
  const agenda = agendaOf();
  const [one, other] = taken(agenda, 2);
  expect(agenda.next()).toBeUndefined();
  expect(agenda.isWaiting).toBe(true);
  agenda.complete(other, explored(other));
  expect(agenda.next()).toBeUndefined();
  agenda.complete(one, explored(one));
  expect(agenda.next()).toMatchObject({ batch: 1, test: 0 });
});

test('the first of several violations is reported, and results of later tests are dropped', () => {
  const agenda = agendaOf({ randomTests: 5 });
  const tasks = taken(agenda, 5);
  agenda.complete(tasks[3], explored(tasks[3], wrong));
  agenda.complete(tasks[4], explored(tasks[4]));
  agenda.complete(tasks[0], explored(tasks[0]));
  expect(agenda.firstViolation).toBe(3);
  agenda.complete(tasks[1], explored(tasks[1], wrong));
  agenda.complete(tasks[2], explored(tasks[2]));
  expect(agenda.isWaiting).toBe(false);
  expect(agenda.next()).toBeUndefined();
  expect(conclusion(agenda)).toEqual({ verdict: 'violation' });
  expect(agenda.batches[0].results.map(({ violation }) => violation !== undefined)).toEqual([false, true]);
});

test('a size that is not covered is followed by random tests, not by a larger size', () => {
  const agenda = agendaOf();
  const [one, other] = taken(agenda, 2);
  agenda.complete(one, explored(one));
  agenda.complete(other, explored(other, { coverage: [] }));
  const task = agenda.next();
  expect(task).toMatchObject({ options: { isExhaustive: false } });
  expect(sizes(agenda)).toEqual([
    [1, 1, 2],
    [2, 2, 0],
  ]);
});

describe('without a size', () => {
  const own = scenario({ create: () => ({ a() {}, b() {} }), calls: [['a'], ['b']] });
  const SIZES = ['1x1', '2x1', '3x1', '2x2', '2x3', '3x2', '3x3'];
  const sizeOf = ({ threads, callsPerThread }: { threads: number; callsPerThread: number }) =>
    `${threads}x${callsPerThread}`;

  test.each(SIZES)('%s that is not covered: it holds only if all sizes up to 2x2 are covered', (size) => {
    const agenda = new Agenda(own, { seed: 1, timeout: 60_000 });
    for (let task = agenda.next(); task; task = agenda.next()) {
      const isCovered = sizeOf(agenda.batchOf(task)) !== size || agenda.batchOf(task).choice === 'random';
      agenda.complete(task, explored(task, isCovered ? {} : { coverage: [] }));
    }
    const covered = new Set<string>();
    for (const { choice, results, tests, ...batch } of agenda.batches)
      if (choice === 'all' && results.length === tests.length) covered.add(sizeOf(batch));
    covered.delete(size);
    const isWhole = ['1x1', '2x1', '2x2'].every((one) => covered.has(one));
    expect(isWhole).toBe(!['1x1', '2x1', '2x2'].includes(size));
    expect(conclusion(agenda).verdict).toBe(isWhole ? 'holds' : 'undecided');
    if (!isWhole)
      expect(
        agenda.batches
          .filter(({ choice }) => choice === 'all')
          .map(sizeOf)
          .at(-1),
      ).toBe(size);
  });
});

test.each([
  ['3x3', '3x3'],
  ['3x2', '3x3 3x2'],
  ['2x3', '3x3 3x2 2x3'],
  ['2x2', '3x3 3x2 2x3 2x2'],
])('random tests become smaller until one can be learned: %s', (learned, expected) => {
  const own = scenario({ create: () => ({ a() {}, b() {} }), calls: [['a'], ['b']] });
  const agenda = new Agenda(own, { seed: 1, timeout: 60_000 });
  const sizeOf = (task: TestTask) => `${agenda.batchOf(task).threads}x${agenda.batchOf(task).callsPerThread}`;
  const random: string[] = [];
  for (let task = agenda.next(); task; task = agenda.next()) {
    const size = sizeOf(task);
    const isRandom = agenda.batchOf(task).choice === 'random';
    if (isRandom) random.push(size);
    const none = isRandom ? { schedules: size === learned ? 5 : 0 } : {};
    const isCovered = !isRandom && ['1x1', '2x1', '3x1'].includes(size);
    agenda.complete(task, explored(task, isCovered ? {} : { coverage: [], ...none }));
  }
  expect([...new Set(random)].join(' ')).toBe(expected);
  // of the others, one
  expect(random.filter((size) => size !== learned)).toHaveLength(expected.split(' ').length - 1);
  expect(random.filter((size) => size === learned).length).toBeGreaterThan(9);
});

test('random tests share the time in equal parts if they were asked for, else a few get enough', () => {
  const own = agendaOf({ randomTests: 10, timeout: 10_000 });
  expect(own.next()!.deadline.left).toBeLessThan(0.15 * own.deadline.left);
  const agenda = agendaOf({ timeout: 10_000 });
  const [one, other] = taken(agenda, 2);
  agenda.complete(one, explored(one, { coverage: [] }));
  agenda.complete(other, explored(other));
  expect(agenda.next()!.deadline.left).toBeGreaterThan(0.15 * agenda.deadline.left);
});

test('an exploration that covers every size holds, and adds no random tests', () => {
  const agenda = agendaOf();
  for (let task = agenda.next(); task !== undefined; task = agenda.next())
    agenda.complete(task, explored(task));
  expect(conclusion(agenda)).toEqual({ verdict: 'holds' });
  expect(sizes(agenda)).toEqual([
    [1, 1, 2],
    [2, 1, 3],
    [2, 2, 10],
  ]);
});

test('keepGoing hands out the remaining tests and larger sizes after a violation', () => {
  const agenda = agendaOf({ keepGoing: true });
  const [one, other] = taken(agenda, 2);
  agenda.complete(one, explored(one, wrong));
  agenda.complete(other, explored(other));
  expect(agenda.next()).toMatchObject({ batch: 1, test: 0 });
  expect(sizes(agenda)[0]).toEqual([1, 1, 2]);
  expect(conclusion(agenda)).toEqual({ verdict: 'violation' });
});

test('abandoned tests are listed in test order, and leave the exploration undecided', () => {
  const agenda = agendaOf({ randomTests: 3 });
  const tasks = taken(agenda, 3);
  agenda.abandon(tasks[2], 'it hangs');
  agenda.complete(tasks[1], explored(tasks[1]));
  agenda.abandon(tasks[0], 'it eats');
  expect(agenda.isWaiting).toBe(false);
  expect(agenda.abandoned.map(({ test, reason }) => [test, reason])).toEqual([
    [0, 'it eats'],
    [2, 'it hangs'],
  ]);
  expect(conclusion(agenda)).toEqual({ verdict: 'undecided', reason: 'abandoned' });
});

test('the seed of a test does not depend on how many others were handed out', () => {
  const seeds = [1, 2].map((count) => {
    const agenda = agendaOf();
    const tasks = taken(agenda, count);
    for (const task of tasks) agenda.complete(task, explored(task, { coverage: [] }));
    return agenda.next()?.options.seed;
  });
  expect(seeds[0]).toBe(seeds[1]);
});

/** Completes all tests; those of larger sizes than this many calls per thread are not covered. */
function verdictOf(
  given: Parameters<typeof scenario>[0],
  coveredUpTo: number,
  options = {},
): ReturnType<typeof conclusion> {
  const agenda = new Agenda(scenario(given), { seed: 1, timeout: 60_000, ...options });
  for (let task = agenda.next(); task !== undefined; task = agenda.next()) {
    const calls = Math.max(...task.testCase.threads.map(({ length }) => length));
    agenda.complete(task, explored(task, calls > coveredUpTo ? { coverage: [] } : {}));
  }
  return conclusion(agenda);
}

const object = { create: () => ({ a() {} }), calls: [['a']] } as const;
const many = {
  create: () => ({ a(_: number) {} }),
  calls: Array.from({ length: 101 }, (_, i) => ['a', i] as const),
} as const;
const one = { threads: 1, callsPerThread: 2 };

test.each([
  ['a size that the scenario gives', { ...object, ...one }, 2, {}, { verdict: 'holds' }],
  ['a size that the scenario gives', { ...object, ...one }, 1, {}, { verdict: 'undecided', reason: 'time' }],
  ['a size that the caller gives', object, 3, { threads: 2, callsPerThread: 3 }, { verdict: 'holds' }],
  [
    'a size that the caller gives',
    object,
    2,
    { threads: 2, callsPerThread: 3 },
    { verdict: 'undecided', reason: 'time' },
  ],
  ['no size: two threads with two calls each', object, 2, {}, { verdict: 'holds' }],
  ['no size: two threads with two calls each', object, 1, {}, { verdict: 'undecided', reason: 'time' }],
  ['a size with too many tests', { ...many, ...one }, 2, {}, { verdict: 'undecided', reason: 'tests' }],
  [
    'two threads with two calls each, of which there are too many tests,',
    many,
    9,
    {},
    { verdict: 'undecided', reason: 'tests' },
  ],
])('%s has to be covered', (_, given, coveredUpTo, options, verdict) => {
  expect(verdictOf(given as never, coveredUpTo, options)).toEqual(verdict);
});

/** Completes all tests; those of one size are not covered. */
function conclusionWithout(threads: number, callsPerThread: number, options = {}) {
  const agenda = new Agenda(scenario(object), { seed: 1, timeout: 60_000, ...options });
  for (let task = agenda.next(); task !== undefined; task = agenda.next()) {
    const batch = agenda.batchOf(task);
    const isLeft = batch.threads === threads && batch.callsPerThread === callsPerThread;
    agenda.complete(task, explored(task, isLeft ? { coverage: [] } : {}));
  }
  return conclusion(agenda);
}

const SIZES = [1, 2, 3].flatMap((a) => (a === 1 ? [[1, 1]] : [1, 2, 3].map((b) => [a, b])));

describe.each(SIZES)('if the tests of %i×%i are not covered', (a, b) => {
  test('an exploration without a size holds if they are larger than two threads with two calls', () => {
    const isSmall = a <= 2 && b <= 2;
    expect(conclusionWithout(a, b).verdict).toBe(isSmall ? 'undecided' : 'holds');
  });

  test.each(SIZES)(
    'an exploration up to %i×%i holds if they are not among its tests',
    (threads, callsPerThread) => {
      const isAmong = a <= threads && b <= callsPerThread;
      const size = { threads, callsPerThread };
      expect(conclusionWithout(a, b, size).verdict).toBe(isAmong ? 'undecided' : 'holds');
    },
  );
});
