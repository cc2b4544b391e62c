/**
 * Few values of a stack that have no order, out of those that can not go.
 *
 * Values that are left cover stretches of slots without a gap. Of one stretch, the fewest values that cover it are
 * stuck by themselves: none of them is pushed before it and popped behind it, or, without peeks, it could have gone; and within it no slot
 * is open. Where peeks keep a value from going, those that cover one of its peeks are added, until none can go.
 * Then values are left out one by one, the last first, as long as the rest is stuck.
 */
import { pick } from '../../../base/collections/ints.js';
import { type Container, NONE, PEEK } from '../container/container.js';
import { coverOf } from '../container/covering.js';
import type { ValueIntervals } from '../container/value-intervals.js';

export interface CyclicCore {
  readonly values: readonly number[];
  /** Of each value, an operation during which others are inside all the time; NONE: to be there at first. */
  readonly blocked: readonly number[];
  /** Can none of the values be left out? */
  readonly minimal: boolean;
}

/** More values are not tried one by one. */
const FEW = 64;

export function findCyclicCore(
  container: Container,
  lives: ValueIntervals,
  stuck: readonly number[],
): CyclicCore {
  const knot = new Knot(container, lives);
  let values = knot.close(shortestCover(lives, stuck), stuck);
  const minimal = values.length <= FEW;
  if (minimal)
    for (const v of [...values].reverse()) {
      const rest = knot.peel(values.filter((other) => other !== v));
      if (values.includes(v) && rest.length > 0) values = rest;
    }
  return { values, blocked: values.map((v) => knot.blockOf(v, values)?.operation ?? NONE), minimal };
}

/** Of all stretches, the one that the fewest values cover: these values. */
function shortestCover(lives: ValueIntervals, stuck: readonly number[]): number[] {
  const { from, to } = lives;
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

/** Some operation of a value, and the slots that it has. */
interface Block {
  readonly operation: number;
  readonly begin: number;
  readonly end: number;
}

/** Values looked at by plain loops; lists of them are in the order in which they are inside. */
class Knot {
  readonly #container: Container;
  readonly #lives: ValueIntervals;
  readonly #peeks = new Map<number, Block[]>();

  constructor(container: Container, lives: ValueIntervals) {
    this.#container = container;
    this.#lives = lives;
    const { history, role, value } = container;
    const { call, return: returned } = history.columns;
    for (let k = 0; k < history.length; k++) {
      if (role[k] !== PEEK) continue;
      const own = this.#peeks.get(value[k]) ?? [];
      own.push({ operation: k, begin: call[k], end: returned[k] });
      this.#peeks.set(value[k], own);
    }
  }

  /** More of the stuck values, so that these are stuck by themselves. */
  close(values: readonly number[], stuck: readonly number[]): number[] {
    if (this.#peeks.size === 0) return this.#sorted(values);
    const all = this.#sorted(stuck);
    const closed = new Set(values);
    for (;;) {
      const sorted = this.#sorted(closed);
      const free = sorted.filter((v) => !this.blockOf(v, sorted));
      if (free.length === 0) return sorted;
      for (const v of free)
        for (const other of this.#cover(this.blockOf(v, all) as Block, v, all) ?? []) closed.add(other);
    }
  }

  #sorted(values: Iterable<number>): number[] {
    return [...values].sort((a, b) => this.#lives.from[a] - this.#lives.from[b]);
  }

  /** What is left of these values if all go that can. */
  peel(values: readonly number[]): number[] {
    let left = [...values];
    for (;;) {
      const rest = left.filter((v) => this.blockOf(v, left));
      if (rest.length === left.length) return rest;
      left = rest;
    }
  }

  /** Of the operations of a value during which others of these are inside all the time, the first to end. */
  blockOf(v: number, values: readonly number[]): Block | undefined {
    const { put, from, to, out, taken } = this.#lives;
    const blocks: Block[] = [
      ...(taken[v] === NONE ? [] : [{ operation: taken[v], begin: to[v], end: out[v] }]),
      { operation: this.#container.add[v], begin: put[v], end: from[v] },
      ...(this.#peeks.get(v) ?? []),
    ];
    return blocks.sort((a, b) => a.end - b.end).find((block) => this.#cover(block, v, values));
  }

  /** The fewest other values that cover the slots of an operation, if they do. */
  #cover({ begin, end }: Block, v: number, values: readonly number[]): number[] | undefined {
    const { from, to } = this.#lives;
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
