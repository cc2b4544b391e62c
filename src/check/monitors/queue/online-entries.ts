/**
 * The values that were enqueued and may still be present.
 *
 * Overlapping enqueues stay unordered until their values are removed: a value may go first if all values whose
 * enqueues returned before its call are gone. Among duplicates that may go first, one is at least as good as the
 * others: its call is no later, so fewer values must go before it; and its return is no later, so it blocks fewer
 * values.
 */
import { NOT_YET, type OnlineOperation } from '../../stream/steps.js';

export interface Entry {
  /** In order of call. */
  readonly number: number;
  readonly value: number;
  readonly operation: OnlineOperation;
  returned: number;
  /** The outcome is unknown: it will never return. */
  isUnknown: boolean;
}

export type Gone = readonly number[];

export class Entries {
  readonly #all = new Map<OnlineOperation, Entry>();
  readonly #numbered = new Map<number, Entry>();
  readonly #ofValue = new Map<number, Entry[]>();
  /** In order of return. */
  readonly #returned: Entry[] = [];
  #next = 0;

  get size(): number {
    return this.#all.size;
  }

  /** In order of call. */
  all(): Iterable<Entry> {
    return this.#all.values();
  }

  of(operation: OnlineOperation): Entry {
    return this.#all.get(operation) as Entry;
  }

  numbered(number: number): Entry {
    return this.#numbered.get(number) as Entry;
  }

  add(value: number, operation: OnlineOperation): Entry {
    const entry = { number: this.#next++, value, operation, returned: NOT_YET, isUnknown: false };
    this.#all.set(operation, entry);
    this.#numbered.set(entry.number, entry);
    const duplicates = this.#ofValue.get(value);
    if (duplicates) duplicates.push(entry);
    else this.#ofValue.set(value, [entry]);
    return entry;
  }

  return(entry: Entry, now: number): void {
    entry.returned = now;
    this.#returned.push(entry);
  }

  remove(entry: Entry): void {
    this.#all.delete(entry.operation);
    this.#numbered.delete(entry.number);
    const duplicates = this.#ofValue.get(entry.value) as Entry[];
    duplicates.splice(duplicates.indexOf(entry), 1);
    if (duplicates.length === 0) this.#ofValue.delete(entry.value);
    const at = this.#returned.indexOf(entry);
    if (at >= 0) this.#returned.splice(at, 1);
  }

  /** The entries that returned before a time and are not gone; undefined if there are more than `most`. */
  standing(before: number, gone: Gone, most: number): Entry[] | undefined {
    const standing: Entry[] = [];
    for (const entry of this.#returned) {
      if (entry.returned >= before) break;
      if (gone.includes(entry.number)) continue;
      if (standing.length === most) return undefined;
      standing.push(entry);
    }
    return standing;
  }

  /** The duplicates of a value that are not gone, without those for which another is at least as good. */
  duplicates(value: number, gone: Gone): Entry[] {
    const duplicates: Entry[] = [];
    let earliest = NOT_YET;
    for (const entry of this.#ofValue.get(value) ?? []) {
      if (entry.operation.call > earliest) break;
      if (gone.includes(entry.number)) continue;
      const isOpen = entry.returned === NOT_YET;
      if (isOpen ? earliest < NOT_YET : entry.returned > earliest) continue;
      if (entry.isUnknown && duplicates.some(({ isUnknown }) => isUnknown)) continue;
      duplicates.push(entry);
      earliest = Math.min(earliest, entry.returned);
    }
    return duplicates;
  }
}
