/**
 * Test cases: which calls each thread makes. Line-Up calls them finite tests, or matrices with a column per thread.
 *
 * The scenario gives one, or they are chosen from its calls: at random (RandomCheck) or all of a size (AutoCheck).
 * Test cases with the same columns in another order are equal, unless the object asks which thread calls.
 */
import { Random } from '../../base/random.js';
import { Interner } from '../../base/values/interner.js';
import { ResultReference } from '../../base/values/result-reference.js';
import type { PlainCall } from '../../instrument/instrumented-program.js';
import { runtime } from '../../instrument/runtime/runtime.js';
import { type Choice, isSequence, methodsOf } from './calls.js';
import type { FixedTest, Scenario } from './scenario.js';

/** The calls of one test: by thread, before all threads start, and after all have ended. */
export interface TestCase {
  readonly threads: readonly (readonly PlainCall[])[];
  readonly before: readonly PlainCall[];
  readonly after: readonly PlainCall[];
}

/** A call of a test, with the thread that makes it and the name of that thread in histories. */
export interface NumberedCall {
  readonly method: string;
  readonly args: readonly unknown[];
  readonly thread: number;
  readonly process: string;
}

/** The calls of a test as operations: those before, then thread by thread, then those after. `main` makes the first and last. */
export function callsOf({ threads, before, after }: TestCase): NumberedCall[] {
  const main = threads.length;
  const by =
    (thread: number) =>
    ([method, ...args]: PlainCall): NumberedCall => ({
      method,
      args,
      thread,
      process: processOf(thread, main),
    });
  return [
    ...before.map(by(main)),
    ...threads.flatMap((calls, thread) => calls.map(by(thread))),
    ...after.map(by(main)),
  ];
}

/** A, B, C … and main. */
const processOf = (thread: number, main: number): string =>
  thread === main ? 'main' : String.fromCharCode(65 + thread);

/** How many threads, and how many calls each of them makes. */
export interface Size {
  readonly threads: number;
  readonly callsPerThread: number;
}

/** Random choices per requested test. If they give too few distinct tests, there are fewer. */
const TRIES = 20;

export function randomTests(scenario: Scenario, size: Size, samples: number, seed: number): TestCase[] {
  const { before, after } = scenario;
  const random = new Random(seed);
  const columns = new Interner();
  const chosen = new Map<string, TestCase>();
  for (let tries = 0; tries < TRIES * samples && chosen.size < samples; tries++) {
    const threads = randomThreads(scenario, size, random);
    const key = threads
      .map((calls) => columns.intern(calls))
      .sort()
      .join();
    if (!chosen.has(key)) chosen.set(key, { threads, before, after });
  }
  return [...chosen.values()];
}

function randomThreads({ calls, oneThread }: Scenario, size: Size, random: Random): PlainCall[][] {
  const forAll = calls.filter((choice) => !methodsOf(choice).some((method) => oneThread.includes(method)));
  return Array.from({ length: size.threads }, (_, thread) => {
    const column: PlainCall[] = [];
    const choices = thread === 0 ? calls : forAll;
    const length = choices.length === 0 ? 0 : size.callsPerThread;
    for (let made = 0; made < length; made++) column.push(...madeCalls(pick(choices, random), random));
    return column;
  }).filter((column) => column.length > 0);
}

/** The calls of a choice, with arguments generated now. */
function madeCalls(choice: Choice, random: Random): readonly PlainCall[] {
  if (isSequence(choice)) return choice;
  if (!('method' in choice)) return [choice];
  // the function may be instrumented, and no thread calls it
  return [[choice.method, ...runtime.aside(() => choice.args?.(random) ?? [])]];
}

/** One of the choices, each as likely as its weight, a whole number. */
function pick(choices: readonly Choice[], random: Random): Choice {
  return random.pick(
    choices.flatMap((choice) =>
      Array.from({ length: 'method' in choice ? (choice.weight ?? 1) : 1 }, () => choice),
    ),
  );
}

/*
 * All tests of one size: AutoCheck. For generated arguments, two samples are used.
 */

type Column = readonly PlainCall[];

/** Distinct argument lists per call with generated arguments, and the attempts to find them. */
const WAYS = 2;
const ARGUMENT_TRIES = 20;

/** Sizes up to the largest, small ones first. What one thread does alone is part of what several do. */
export function sizesUpTo({ threads, callsPerThread }: Size): Size[] {
  const sizes: Size[] = [{ threads: 1, callsPerThread: threads === 1 ? callsPerThread : 1 }];
  for (let a = 2; a <= threads; a++)
    for (let b = 1; b <= callsPerThread; b++) sizes.push({ threads: a, callsPerThread: b });
  const calls = (size: Size) => size.threads * size.callsPerThread;
  return sizes.sort((a, b) => calls(a) - calls(b) || a.threads - b.threads);
}

/** Undefined where there are more than `most`. */
export function allTests(
  scenario: Scenario,
  { threads, callsPerThread }: Size,
  random: Random,
  most: number,
): TestCase[] | undefined {
  const { before, after, oneThread } = scenario;
  const choices = scenario.calls.flatMap((choice) => waysOf(choice, random));
  if (choices.length ** callsPerThread > most) return undefined;
  const isOfOne = (column: Column) => column.some(([method]) => oneThread.includes(method));
  const forAll = columnsOf(
    choices.filter((calls) => !isOfOne(calls)),
    callsPerThread,
  );
  const matrices: TestCase[] = [];
  const add = (columns: readonly Column[]): boolean => {
    const made = columns.filter((column) => column.length > 0);
    if (made.length > 0) matrices.push({ threads: made, before, after });
    return matrices.length <= most;
  };
  for (const columns of chosen(forAll, threads)) if (!add(columns)) return undefined;
  for (const first of columnsOf(choices, callsPerThread).filter(isOfOne))
    for (const rest of chosen(forAll, threads - 1)) if (!add([first, ...rest])) return undefined;
  return matrices;
}

/** The calls of a choice, once per argument list. */
function waysOf(choice: Choice, random: Random): Column[] {
  const isMadeUp = 'method' in choice && choice.args !== undefined;
  const ways = new Interner();
  for (let tries = 0; tries < (isMadeUp ? ARGUMENT_TRIES : 1) && ways.values.length < WAYS; tries++)
    ways.intern(madeCalls(choice, random));
  return ways.values as Column[];
}

/** All sequences of `length` choices. */
function columnsOf(choices: readonly Column[], length: number): Column[] {
  let columns: Column[] = [[]];
  if (choices.length === 0) return columns;
  for (let made = 0; made < length; made++)
    columns = columns.flatMap((column) => choices.map((calls) => [...column, ...calls]));
  return columns;
}

/** All multisets of `count` columns. */
function* chosen(columns: readonly Column[], count: number, from = 0): Generator<Column[]> {
  if (count === 0) yield [];
  else
    for (let i = from; i < columns.length; i++)
      for (const rest of chosen(columns, count - 1, i)) yield [columns[i], ...rest];
}

/*
 * The same calls by other threads. An object that asks which thread calls (`currentThread`) may behave differently for
 * each order of the columns, so every order is a test of its own.
 */

/** All other orders of each; undefined where there are more than `most`. */
export function reordered(matrices: readonly TestCase[], most: number): TestCase[] | undefined {
  const others: TestCase[] = [];
  for (const matrix of matrices) {
    const columns = new Interner();
    const numbers = matrix.threads.map((calls) => columns.intern(calls));
    const given = numbers.join();
    for (const order of ordersOf(numbers)) {
      if (order.join() === given) continue;
      if (others.length === most) return undefined;
      others.push({
        ...matrix,
        threads: order.map((number) => columns.values[number] as TestCase['threads'][0]),
      });
    }
  }
  return others;
}

/** Each different order of some numbers, once. */
function* ordersOf(numbers: readonly number[]): Generator<number[]> {
  if (numbers.length === 0) yield [];
  for (const first of new Set(numbers))
    for (const rest of ordersOf(numbers.toSpliced(numbers.indexOf(first), 1))) yield [first, ...rest];
}

/** The scenario with calls to choose from: its own, or those of the failing test. */
export function choicesOf(scenario: Scenario, { threads, before, after }: TestCase): Scenario {
  const calls = new Interner();
  for (const call of threads.flat()) calls.intern(call);
  return {
    ...scenario,
    test: undefined,
    calls: scenario.calls.length > 0 ? scenario.calls : (calls.values as Scenario['calls']),
    before,
    after,
  };
}

/** Have two tests the same calls? */
export const areEqual = (one: TestCase, other: TestCase): boolean => keyOf(one) === keyOf(other);
const keyOf = ({ before, threads, after }: TestCase): string => JSON.stringify([before, threads, after]);

/** What a test of a kit checks. A saved test has only its calls, which several guarantees may share. */
export function guaranteesOf({ tests = [] }: Pick<Scenario, 'tests'>, test: TestCase): string[] {
  const known = tests.includes(test) ? [test] : tests.filter((own) => areEqual(own, test));
  return [...new Set(known.flatMap(({ guarantee }: FixedTest) => guarantee ?? []))];
}

/** Each thread makes only calls that one thread of a test makes. Undefined where there are more than `most` tests. */
export function testsByRole(
  { threads, before, after }: TestCase,
  { threads: count, callsPerThread }: Size,
  most: number,
): TestCase[] | undefined {
  const roles = threads.map((calls) => {
    const different = new Interner();
    for (const call of calls) different.intern(call);
    return (different.values as PlainCall[]).map((call): Column => [call]);
  });
  const tests: TestCase[] = [];
  const choose = (from: number, columns: readonly Column[]): boolean => {
    if (columns.length === count) return tests.push({ threads: columns, before, after }) <= most;
    for (let role = from; role < roles.length; role++)
      for (const column of columnsOf(roles[role], callsPerThread))
        if (!choose(role + 1, [...columns, column])) return false;
    return true;
  };
  return choose(0, []) ? tests : undefined;
}

/** All tests in which at least two threads make their first calls of a test, by size. */
export function testsWithin({
  threads,
  before,
  after,
}: TestCase): (Size & { readonly tests: readonly TestCase[] })[] {
  let columns: Column[][] = [[]];
  for (const calls of threads)
    columns = columns.flatMap((some) =>
      Array.from({ length: calls.length + 1 }, (_, made) => [...some, calls.slice(0, made)]),
    );
  const bySize = new Map<string, Size & { readonly tests: TestCase[] }>();
  for (const some of columns) {
    const made = some.filter((calls) => calls.length > 0);
    if (made.length < 2) continue;
    const size = { threads: made.length, callsPerThread: Math.max(...made.map((calls) => calls.length)) };
    const key = `${size.threads}×${size.callsPerThread}`;
    const known = bySize.get(key) ?? { ...size, tests: [] };
    bySize.set(key, known);
    known.tests.push({ threads: made, before, after });
  }
  const calls = (size: Size) => size.threads * size.callsPerThread;
  return [...bySize.values()].sort((a, b) => calls(a) - calls(b) || a.threads - b.threads);
}

/** Does a test say which thread makes which calls: has each method one thread? */
export const hasRoles = ({ threads }: TestCase): boolean =>
  threads.length > 1 &&
  threads.every((calls, i) =>
    calls.every(([method]) =>
      threads.every((others, k) => k === i || others.every(([other]) => other !== method)),
    ),
  );

/** The scenario with each of its calls once after all others: they show what the overlapping calls have left behind. */
export function withCallsAfter(scenario: Scenario): Scenario {
  const calls = scenario.calls.flatMap((choice): readonly PlainCall[] => {
    if ('method' in choice) return [];
    return isSequence(choice) ? choice : [choice];
  });
  const isPlain = ([method, ...args]: PlainCall): boolean =>
    typeof method === 'string' && !args.some((arg) => arg instanceof ResultReference);
  return calls.every(isPlain) ? { ...scenario, after: [...scenario.after, ...calls] } : scenario;
}

/** The scenario with calls that have another first argument: a key that the scenario does not name. */
export function withOtherKeys(scenario: Scenario): Scenario {
  const others = scenario.calls.flatMap((choice): PlainCall[] => {
    if ('method' in choice || isSequence(choice)) return [];
    const [method, key, ...rest] = choice;
    if (typeof key === 'string') return [[method, `${key}2`, ...rest]];
    return typeof key === 'number' ? [[method, key + 1, ...rest]] : [];
  });
  return { ...scenario, calls: [...scenario.calls, ...others] };
}
