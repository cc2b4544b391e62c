/**
 * Which entries took effect before which others, though time does not show it.
 *
 * Pairs in the order in which they were told, 8 bytes each; sorted by operation,
 * by counting, when the entries have become operations. Most histories have none.
 */
import { GrowingInts } from '../../base/collections/growing.js';
import type { Columns } from '../model/columns.js';
import { HistoryError } from '../model/history-error.js';

export class AfterEntries {
  readonly #later = new GrowingInts();
  readonly #earlier = new GrowingInts();

  add(entry: number, earlier: readonly number[]): void {
    for (const other of new Set(earlier)) {
      this.#later.push(entry);
      this.#earlier.push(other);
    }
  }

  /** `numberOf` maps entries to operations. */
  columns(numberOf: Int32Array): Pick<Columns, 'after'> {
    const count = this.#later.length;
    if (count === 0) return {};
    const start = new Int32Array(numberOf.length + 1);
    for (let i = 0; i < count; i++) {
      const [entry, earlier] = [this.#later.at(i), this.#earlier.at(i)];
      if (!(earlier >= 0 && earlier < numberOf.length))
        throw new HistoryError(`it comes "after" entry ${earlier}, which there is not`, entry);
      start[numberOf[entry] + 1]++;
    }
    for (let k = 0; k < numberOf.length; k++) start[k + 1] += start[k];

    const items = new Int32Array(count);
    const next = start.slice();
    for (let i = 0; i < count; i++)
      items[next[numberOf[this.#later.at(i)]]++] = numberOf[this.#earlier.at(i)];
    return { after: { start, items } };
  }
}
