/** Tests of a scenario whose calls are plain: so many at random, or all of a size. The order of threads does not matter. */
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import type { Matrix, PlainCall, Scenario } from 'straightedge/explore';

/** Threads and calls of each. */
export type Size = readonly [threads: number, calls: number];

export const cells = ([threads, calls]: Size): number => threads * calls;

export const sizeOf = ({ threads }: Matrix): Size => [
  threads.length,
  Math.max(...threads.map((calls) => calls.length)),
];

export const sizeText = (size: Size): string => size.join('×');

/** `wait ‖ set, reset, set` */
export const matrixText = ({ threads }: Matrix): string =>
  threads
    .map((calls) => calls.map(([method, ...args]) => `${method}(${args.join(', ')})`).join(', '))
    .join(' ‖ ');

const of = ({ before, after }: Scenario, threads: readonly (readonly PlainCall[])[]): Matrix => ({
  threads,
  before,
  after,
});

/** Line-Up's RandomCheck: all different, and fewer only if there are no more. */
export function randomMatrices(
  scenario: Scenario,
  [threads, calls]: Size,
  count: number,
  seed: number,
): Matrix[] {
  const generator = xoroshiro128plus(seed);
  const choices = scenario.calls as readonly PlainCall[];
  const pick = () => choices[(generator.next() >>> 0) % choices.length];
  const chosen = new Map<string, Matrix>();
  for (let tries = 0; tries < 20 * count && chosen.size < count; tries++) {
    const columns = Array.from({ length: threads }, () => Array.from({ length: calls }, pick));
    const key = columns
      .map((column) => JSON.stringify(column))
      .sort()
      .join();
    if (!chosen.has(key)) chosen.set(key, of(scenario, columns));
  }
  return [...chosen.values()];
}

export function* allMatrices(scenario: Scenario, [threads, calls]: Size): Generator<Matrix> {
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
  for (const chosen of from(0, threads)) yield of(scenario, chosen);
}
