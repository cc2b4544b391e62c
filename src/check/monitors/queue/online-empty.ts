/**
 * Was a queue empty when it said so?
 *
 * The *gap* after an event may have been empty if each value that was inside then has left by a dequeue
 * that is still open: its *slack* is how many open dequeues were called before the gap, less how many
 * values had been put in before it and are still to be taken. It only goes down; below zero
 * the gap is out. A value that is taken by a dequeue called after the gap, and was put
 * in before it, rules it out too. An empty answer needs one gap during its call.
 *
 * A gap before which none of the values still inside was put in stays as it is: answers that have one
 * need not be watched. The others wait, and gaps are kept for them and for open dequeues. Gaps
 * that have the same values and open dequeues before them share their fate: of these few are kept, and of answers
 * that hang on the same gaps one.
 *
 * Memory: O((values + open dequeues)²) at worst, and hardly any where the queue gets empty.
 */
import type { OnlineOperation } from '../../stream/operation.js';

interface Gap {
  readonly time: number;
  slack: number;
}

const ROOM = 64;

export class EmptyResults {
  /** By time. */
  #gaps: Gap[] = [];
  #waiting: OnlineOperation[] = [];
  #room = ROOM;

  get size(): number {
    return this.#gaps.length + this.#waiting.length;
  }

  /** The gap after an event. */
  add(time: number, slack: number): void {
    if (slack >= 0) this.#gaps.push({ time, slack });
  }

  /** An empty answer. */
  ask(operation: OnlineOperation): void {
    this.#waiting.push(operation);
  }

  /** A dequeue that might have taken something before these gaps did not. */
  lose(from: number, to: number): void {
    for (const gap of this.#gaps) if (gap.time >= from && gap.time < to) gap.slack--;
  }

  /** A value was inside in these gaps. */
  ruleOut(from: number, to: number): void {
    this.#gaps = this.#gaps.filter(({ time }) => time < from || time >= to);
  }

  /** Gives an answer that no gap explains, if there is one. `oldestValue`: when the first of those inside was put in. */
  unexplained(oldestValue: number): OnlineOperation | undefined {
    if (this.#gaps.some(({ slack }) => slack < 0)) this.#gaps = this.#gaps.filter(({ slack }) => slack >= 0);
    const wrong = this.#waiting.find((answer) => !this.#gaps.some(({ time }) => isDuring(answer, time)));
    if (wrong || this.#waiting.length === 0) return wrong;
    this.#waiting = this.#waiting.filter(
      (answer) => !this.#gaps.some(({ time }) => time < oldestValue && isDuring(answer, time)),
    );
    return undefined;
  }

  /** Lets go of what nobody asks for. `open`: when the oldest dequeue that may still answer was called; `borders` ascend. */
  forget(open: number, borders: () => readonly number[]): void {
    const begin = this.#waiting.reduce((least, { call }) => Math.min(least, call), open);
    if (this.#gaps.length > 0 && this.#gaps[0].time < begin)
      this.#gaps = this.#gaps.filter(({ time }) => time >= begin);
    if (this.size <= this.#room) return;
    this.#merge(borders());
    this.#room = Math.max(ROOM, 2 * this.size);
  }

  /** Keeps of the gaps between two borders those that waiting answers need, and the last one. */
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
