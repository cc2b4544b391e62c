/**
 * What one step of asynchronous code, a task with all its microtasks, has read and written; and with which other
 * steps it can not change places.
 *
 * Steps are dependent if one writes what the other reads or writes, fields or whole objects; if one of them makes a call and in the
 * other a call ends, since what ends before another begins is part of the history; or if it is not known what one of them did.
 */

/** Bits of what was done. */
const READ = 1;
const WRITTEN = 2;

/** A location is the number of an object and that of a field. */
const FIELDS = 2 ** 20;

export class Footprint {
  hasCalled = false;
  hasEnded = false;
  isUnknown = false;
  /** Location to what was done. */
  readonly #fields = new Map<number, number>();
  /** Object to what was done with any of its fields, and with all at once. */
  readonly #parts = new Map<number, number>();
  readonly #wholes = new Map<number, number>();

  read(object: number, field: number | undefined): void {
    this.#add(object, field, READ);
  }

  write(object: number, field: number | undefined): void {
    this.#add(object, field, WRITTEN);
  }

  #add(object: number, field: number | undefined, done: number): void {
    if (field === undefined) add(this.#wholes, object, done);
    else {
      add(this.#parts, object, done);
      add(this.#fields, object * FIELDS + field, done);
    }
  }

  isDependentOn(other: Footprint): boolean {
    if (this.isUnknown || other.isUnknown) return true;
    if ((this.hasCalled && other.hasEnded) || (this.hasEnded && other.hasCalled)) return true;
    return (
      conflict(this.#fields, other.#fields) ||
      conflict(this.#wholes, other.#wholes) ||
      conflict(this.#wholes, other.#parts) ||
      conflict(this.#parts, other.#wholes)
    );
  }
}

function add(map: Map<number, number>, key: number, done: number): void {
  map.set(key, (map.get(key) ?? 0) | done);
}

function conflict(some: ReadonlyMap<number, number>, others: ReadonlyMap<number, number>): boolean {
  const [small, large] = some.size < others.size ? [some, others] : [others, some];
  for (const [key, done] of small) {
    const other = large.get(key) ?? 0;
    if (other !== 0 && (done | other) & WRITTEN) return true;
  }
  return false;
}
