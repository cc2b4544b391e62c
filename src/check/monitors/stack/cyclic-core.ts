/**
 * The cyclic core: few values of a stack without a linearization, out of those that cannot be eliminated.
 *
 * The remaining values cover stretches of slots without a gap. Of one stretch, a minimum cover cannot be eliminated
 * by itself: none of its values is pushed before the stretch and popped after it, or, without peeks, it could be
 * eliminated; and inside the stretch no slot is open. If a peek prevents the elimination of a value, values that
 * cover the peek are added, until none can be eliminated. Then values are omitted one by one, the last first, as long
 * as the rest cannot be eliminated.
 */
import { pick } from '../../../base/collections/ints.js';
import type { ValueIntervals } from '../container/container.js';
import { type Container, NONE, PEEK } from '../container/container.js';
import { coverOf } from '../container/covering.js';

export interface CyclicCore {
  readonly values: readonly number[];
  /** For each value, an operation during which other values are present all the time; NONE: its initial presence. */
  readonly blocked: readonly number[];
}

/** Larger cores are not minimised. */
const FEW = 64;

export function findCyclicCore(
  container: Container,
  intervals: ValueIntervals,
  stuck: readonly number[],
): CyclicCore {
  const reduction = new CoreReduction(container, intervals);
  let values = reduction.close(shortestCover(intervals, stuck), stuck);
  if (values.length <= FEW)
    for (const v of [...values].reverse()) {
      const rest = reduction.eliminate(values.filter((other) => other !== v));
      if (values.includes(v) && rest.length > 0) values = rest;
    }
  return { values, blocked: values.map((v) => reduction.blockOf(v, values)?.operation ?? NONE) };
}

/** The smallest cover of a stretch, over all stretches. */
function shortestCover(intervals: ValueIntervals, stuck: readonly number[]): number[] {
  const { from, to } = intervals;
  const sorted = Int32Array.from(stuck).sort((a, b) => from[a] - from[b]);
  let best: number[] = [];
  for (let begin = 0; begin < sorted.length; ) {
    let end = begin;
    let reach = from[sorted[begin]];
    for (; end < sorted.length && from[sorted[end]] <= reach; end++) reach = Math.max(reach, to[sorted[end]]);
    const own = sorted.subarray(begin, end);
    const cover = coverOf(from[own[0]], reach, { from: pick(from, own), to: pick(to, own) });
    if (best.length === 0 || cover.length < best.length) best = cover.map((i) => own[i]);
    begin = end;
  }
  return best;
}

/** An operation on a value, and its slots. */
interface BlockingOperation {
  readonly operation: number;
  readonly begin: number;
  readonly end: number;
}

/** Elimination by plain loops; lists of values are in the order in which they are present. */
class CoreReduction {
  readonly #container: Container;
  readonly #intervals: ValueIntervals;
  readonly #peeks = new Map<number, BlockingOperation[]>();

  constructor(container: Container, intervals: ValueIntervals) {
    this.#container = container;
    this.#intervals = intervals;
    const { history, role, value } = container;
    const { call, return: returned } = history.columns;
    for (let k = 0; k < history.length; k++) {
      if (role[k] !== PEEK) continue;
      const own = this.#peeks.get(value[k]) ?? [];
      own.push({ operation: k, begin: call[k], end: returned[k] });
      this.#peeks.set(value[k], own);
    }
  }

  /** Adds stuck values until the values cannot be eliminated by themselves. */
  close(values: readonly number[], stuck: readonly number[]): number[] {
    if (this.#peeks.size === 0) return this.#sorted(values);
    const all = this.#sorted(stuck);
    const closed = new Set(values);
    for (;;) {
      const sorted = this.#sorted(closed);
      const free = sorted.filter((v) => !this.blockOf(v, sorted));
      if (free.length === 0) return sorted;
      for (const v of free)
        for (const other of this.#cover(this.blockOf(v, all) as BlockingOperation, v, all) ?? [])
          closed.add(other);
    }
  }

  #sorted(values: Iterable<number>): number[] {
    return [...values].sort((a, b) => this.#intervals.from[a] - this.#intervals.from[b]);
  }

  /** What remains of these values after elimination. */
  eliminate(values: readonly number[]): number[] {
    let left = [...values];
    for (;;) {
      const rest = left.filter((v) => this.blockOf(v, left));
      if (rest.length === left.length) return rest;
      left = rest;
    }
  }

  /** Of the operations on a value during which others of these are present all the time, the first to end. */
  blockOf(v: number, values: readonly number[]): BlockingOperation | undefined {
    const { put, from, to, out, taken } = this.#intervals;
    const blocks: BlockingOperation[] = [
      ...(taken[v] === NONE ? [] : [{ operation: taken[v], begin: to[v], end: out[v] }]),
      { operation: this.#container.add[v], begin: put[v], end: from[v] },
      ...(this.#peeks.get(v) ?? []),
    ];
    return blocks.sort((a, b) => a.end - b.end).find((block) => this.#cover(block, v, values));
  }

  /** A minimum cover of the slots of an operation by other values, if there is one. */
  #cover({ begin, end }: BlockingOperation, v: number, values: readonly number[]): number[] | undefined {
    const { from, to } = this.#intervals;
    const cover: number[] = [];
    let [needed, best] = [begin, NONE];
    for (let i = 0; needed < end; ) {
      for (; i < values.length && from[values[i]] <= needed; i++)
        if (values[i] !== v && (best === NONE || to[values[i]] > to[best])) best = values[i];
      if (best === NONE || to[best] <= needed) return undefined;
      cover.push(best);
      needed = to[best];
    }
    return cover;
  }
}
