/** Tests of a scenario: random ones, or all of a size up to the order of threads; and limits on CPU time. */
import { cpuTime } from '../../bench/measure.js';
import { Deadline } from '../../src/explore/model/deadline.js';
import type { Scenario } from '../../src/explore/scenario/scenario.js';
import { randomTests as randomTestsOf, type TestCase } from '../../src/explore/scenario/test-case.js';
import type { PlainCall } from '../../src/instrument/instrumented-program.js';

/** A deadline on CPU time: a busy machine explores no less. */
export const cpuDeadline = (milliseconds: number): Deadline =>
  new Deadline(milliseconds, undefined, undefined, cpuTime);

/** Number of threads, and of calls per thread. */
export type Size = readonly [threads: number, calls: number];

export const cells = ([threads, calls]: Size): number => threads * calls;

export const sizeOf = ({ threads }: TestCase): Size => [
  threads.length,
  Math.max(...threads.map((calls) => calls.length)),
];

export const sizeText = (size: Size): string => size.join('×');

/** `wait ‖ set, reset, set` */
export const matrixText = ({ threads }: TestCase): string =>
  threads
    .map((calls) => calls.map(([method, ...args]) => `${method}(${args.join(', ')})`).join(', '))
    .join(' ‖ ');

/** Line-Up's RandomCheck. */
export const randomTests = (scenario: Scenario, size: Size, count: number, seed: number): TestCase[] =>
  randomTestsOf(scenario, { threads: size[0], callsPerThread: size[1] }, count, seed);

/** Of a scenario whose calls are plain. */
export function* allTests(scenario: Scenario, [threads, calls]: Size): Generator<TestCase> {
  let columns: (readonly PlainCall[])[] = [[]];
  for (let i = 0; i < calls; i++)
    columns = columns.flatMap((column) =>
      (scenario.calls as readonly PlainCall[]).map((call) => [...column, call]),
    );
  function* from(first: number, left: number): Generator<(readonly PlainCall[])[]> {
    if (left === 0) yield [];
    else
      for (let i = first; i < columns.length; i++)
        for (const others of from(i, left - 1)) yield [columns[i], ...others];
  }
  const { before, after } = scenario;
  for (const chosen of from(0, threads)) yield { threads: chosen, before, after };
}
