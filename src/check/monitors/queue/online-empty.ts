/**
 * Decides whether a queue was empty when a dequeue returned "empty".
 *
 * The *gap* after an event may have been empty if each value that was present then has been removed by a dequeue that
 * is still open. The *slack* of a gap is the number of open dequeues called before it, minus the number of values
 * that were enqueued before it and are still to be removed. The slack only decreases; below zero, the gap cannot have
 * been empty. A gap is also excluded by a value that was enqueued before it and is removed by a dequeue that was
 * called after it. An "empty" result needs one gap during its call.
 *
 * If no value that is still present was enqueued before a gap, the gap stays as it is, and results that have such a
 * gap need no further attention. Gaps are kept for the other results and for open dequeues. Gaps with the same values
 * and open dequeues before them are equivalent: few of them are kept, and one of the results that depend on the same
 * gaps.
 *
 * Memory: O((values + open dequeues)²) in the worst case, and very little if the queue is often empty.
 */
import type { OnlineOperation } from '../../stream/steps.js';

interface Gap {
  readonly time: number;
  slack: number;
}

const ROOM = 64;

export class EmptyResults {
  /** In order of time. */
  #gaps: Gap[] = [];
  #waiting: OnlineOperation[] = [];
  #room = ROOM;

  get size(): number {
    return this.#gaps.length + this.#waiting.length;
  }

  /** Adds the gap after an event. */
  add(time: number, slack: number): void {
    if (slack >= 0) this.#gaps.push({ time, slack });
  }

  /** Adds an "empty" result. */
  ask(operation: OnlineOperation): void {
    this.#waiting.push(operation);
  }

  /** A dequeue that might have removed something before these gaps did not. */
  lose(from: number, to: number): void {
    for (const gap of this.#gaps) if (gap.time >= from && gap.time < to) gap.slack--;
  }

  /** A value was present in these gaps. */
  ruleOut(from: number, to: number): void {
    this.#gaps = this.#gaps.filter(({ time }) => time < from || time >= to);
  }

  /**
   * Returns an "empty" result without a gap, if there is one. `oldestValue`: when the first of the present values was
   * enqueued.
   */
  unexplained(oldestValue: number): OnlineOperation | undefined {
    if (this.#gaps.some(({ slack }) => slack < 0)) this.#gaps = this.#gaps.filter(({ slack }) => slack >= 0);
    const wrong = this.#waiting.find((answer) => !this.#gaps.some(({ time }) => isDuring(answer, time)));
    if (wrong || this.#waiting.length === 0) return wrong;
    this.#waiting = this.#waiting.filter(
      (answer) => !this.#gaps.some(({ time }) => time < oldestValue && isDuring(answer, time)),
    );
    return undefined;
  }

  /**
   * Drops gaps that are no longer needed. `open`: when the oldest dequeue that may still return was called; `borders`
   * ascend.
   */
  forget(open: number, borders: () => readonly number[]): void {
    const begin = this.#waiting.reduce((least, { call }) => Math.min(least, call), open);
    if (this.#gaps.length > 0 && this.#gaps[0].time < begin)
      this.#gaps = this.#gaps.filter(({ time }) => time >= begin);
    if (this.size <= this.#room) return;
    this.#merge(borders());
    this.#room = Math.max(ROOM, 2 * this.size);
  }

  /** Of the gaps between two borders, keeps those that waiting results need, and the last one. */
  #merge(borders: readonly number[]): void {
    const kept = new Set<Gap>();
    const lists = new Map<OnlineOperation, string>();
    let border = 0;
    for (let at = 0; at < this.#gaps.length; ) {
      while (border < borders.length && borders[border] <= this.#gaps[at].time) border++;
      const begin = at;
      const isHere = ({ time }: Gap) => border === borders.length || time < borders[border];
      while (at < this.#gaps.length && isHere(this.#gaps[at])) at++;
      kept.add(this.#gaps[at - 1]);
      for (const answer of this.#waiting) {
        const gap = this.#gaps.slice(begin, at).findLast(({ time }) => isDuring(answer, time));
        if (!gap) continue;
        kept.add(gap);
        lists.set(answer, `${lists.get(answer) ?? ''},${begin}`);
      }
    }
    const different = new Map(this.#waiting.map((answer) => [lists.get(answer), answer]));
    this.#waiting = [...different.values()];
    this.#gaps = this.#gaps.filter((gap) => kept.has(gap));
  }
}

const isDuring = ({ call, return: end }: OnlineOperation, time: number): boolean =>
  time >= call && time < end;
