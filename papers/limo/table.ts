/**
 * Figures 9 and 10 of LiMo as a table: how the time to check a history grows with its length.
 *
 *   P. Abdulla, S. Grahn, B. Jonsson, S. Krishna, O. Mishra. Efficient linearizability monitoring. 2025.
 *
 * Histories of 100 to 10,000 operations by 8, 16 and 32 threads, ten of each; a scheduler with a seed lets one thread
 * take a step at a time. Cells are times relative to 100 operations by as many threads. A row is wrong if a correct
 * object has a violation, or ten histories of the faulty stack have none.
 */
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { cpuTime, exponent } from '../../bench/measure.js';
import { check } from '../../src/check/check.js';
import { HistoryBuilder } from '../../src/history/builder/builder.js';
import type { History } from '../../src/history/history.js';
import { queue, stack } from '../../src/objects/collections/container.js';
import type { Spec } from '../../src/spec/spec.js';
import type { Table } from '../lib/table.js';
import { LIMO_OBJECTS, type LimoObject } from './objects.js';

const SIZES = [100, 200, 500, 1_000, 2_000, 5_000, 10_000];
const THREADS = [8, 16, 32];
const HISTORIES = 10;
const METHODS = { queue: ['enqueue', 'dequeue'], stack: ['push', 'pop'] } as const;
const SPECS = { queue: queue() as unknown as Spec, stack: stack() as unknown as Spec };

interface Row {
  readonly object: string;
  readonly threads: number;
  readonly milliseconds: readonly number[];
  readonly violations: readonly number[];
  readonly isRight: boolean;
}

type Input = Pick<Row, 'object' | 'threads'>;

export const limo: Table<Input, Row> = {
  inputs: () =>
    Object.keys(LIMO_OBJECTS).flatMap((object) => THREADS.map((threads) => ({ object, threads }))),
  nameOf: ({ object }) => object,
  rowsOf: (input, seed) => [rowOf(input, seed)],
  headOf: () =>
    `object                     threads  ms for 100${SIZES.slice(1)
      .map((n) => `x${n}`.padStart(9))
      .join('')}  exponent  violations`,
  textOf({ object, threads, milliseconds, violations }) {
    const [first, ...others] = milliseconds;
    const grows = exponent(SIZES.map((n, i) => [n, milliseconds[i]]));
    return (
      object.padEnd(27) +
      String(threads).padStart(7) +
      first.toFixed(3).padStart(12) +
      others.map((time) => (time / first).toFixed(1).padStart(9)).join('') +
      grows.toFixed(2).padStart(10) +
      `  ${violations.join(' ')}`
    );
  },
};

function rowOf({ object, threads }: Input, seed: number): Row {
  const own = LIMO_OBJECTS[object];
  // code that runs for the first time is slow, and would make all else look fast
  for (const other of Object.values(LIMO_OBJECTS)) cell(other, threads, 2_000, seed);
  const cells = SIZES.map((operations) => cell(own, threads, operations, seed));
  const violations = cells.map((one) => one.violations);
  const undecided = cells.some((one) => one.undecided > 0);
  const asExpected = own.isRight
    ? violations.every((count) => count === 0)
    : violations.every((count) => count > 0);
  return {
    object,
    threads,
    milliseconds: cells.map((one) => one.milliseconds),
    violations,
    isRight: asExpected && !undecided,
  };
}

function cell(own: LimoObject, threads: number, operations: number, seed: number) {
  let [violations, undecided, total] = [0, 0, 0];
  for (let i = 0; i < HISTORIES; i++) {
    const history = run(own, threads, operations, seed + i);
    const begin = cpuTime();
    const { kind } = check(history, SPECS[own.kind], { timeout: 60_000 });
    total += cpuTime() - begin;
    if (kind === 'violation') violations++;
    if (kind === 'undecided') undecided++;
  }
  return { violations, undecided, milliseconds: total / HISTORIES };
}

/** A history of `n` operations, half of which insert. */
function run({ kind, create }: LimoObject, threads: number, operations: number, seed: number): History {
  const generator = xoroshiro128plus(seed);
  const below = (n: number) => (generator.next() >>> 0) % n;
  const object = create(threads);
  const [add, remove] = METHODS[kind];
  const builder = new HistoryBuilder();
  const running: { readonly entry: number; readonly steps: Generator<void, unknown> }[] = [];
  let [called, ended] = [0, 0];
  while (ended < operations) {
    const thread = below(threads);
    const process = `t${thread}`;
    const own = running[thread];
    if (!own) {
      if (called === operations) continue;
      called++;
      const isAdd = below(2) === 0;
      const entry = builder.call({ process, method: isAdd ? add : remove, args: isAdd ? [called] : [] });
      running[thread] = { entry, steps: isAdd ? object.add(thread, called) : object.remove(thread) };
      continue;
    }
    const step = own.steps.next();
    if (!step.done) continue;
    builder.end(own.entry, { kind: 'returned', value: step.value });
    delete running[thread];
    ended++;
  }
  return builder.finish();
}
