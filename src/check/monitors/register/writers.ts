/**
 * Writers: which operation wrote the value that another saw.
 *
 * This is clear if each value is written once in its cell. If a value is written several times, real time may still
 * determine the writer (`distinguish`); if not, the monitor declines.
 *
 * A cell may also return to its initial value repeatedly, each time from a value that was seen: a map whose `remove`
 * returns the previous value. If there is no blind write to the cell, no writer is needed: the initial value is
 * *recurring* (`RECURRING`), and sequences that start and end there can follow each other in any order.
 *
 * Cost: O(n).
 */

import { ABSENT, PairMap } from '../../../base/collections/int-set.js';
import { show } from '../../../base/values/show.js';
import { NEVER } from '../../../history/model/columns.js';
import {
  type Acts,
  DIFFERS,
  IDLE,
  INITIAL,
  NO_VALUE,
  NOWHERE,
  READ,
  RECURRING,
  SWAP,
  UNCLEAR,
} from './operations.js';

/*
 * Distinguishes equal values by real time.
 *
 * A value is written several times in a cell. The value that r saw can have been written by w only if
 *
 *   w was called before r returned, and
 *   no mutator x that returned is between them: w returned before x was called, and x before r was.
 *
 * If exactly one w is left, it is the writer of r in every linearization. If that holds for each r, equal values can
 * be renamed, one name per write: both histories have the same linearizations. If none is left, or several are, the
 * writer is unclear.
 *
 * For the second condition a maximum is enough: the latest call of a mutator that returned before r was called. w is
 * excluded if it returned before that call, and then for all later readers as well. The initial value was written
 * before all moments.
 *
 * Cost: O(n), because two writers that are not excluded end the scan.
 */

/**
 * For each operation, the number of a value that is written in its cell: the one that it writes, and the one whose
 * writer is wanted.
 */
interface DuplicateWrites {
  readonly written: Int32Array;
  readonly wanted: Int32Array;
  /** The number of values. */
  readonly values: number;
  /** Whether the value is the initial value of its cell. */
  readonly isInitial: (value: number) => boolean;
}

/** Fills in the wanted writers; returns for each the mutator that excludes the others, or NOWHERE. */
function distinguish(
  acts: Acts,
  { written, wanted, values, isInitial }: DuplicateWrites,
  writer: Int32Array,
): Int32Array {
  const { cell, made, history, cells } = acts;
  const { events, call, return: returned } = history.columns;
  /** For each cell, the mutator that returned and was called last, and that call. */
  const latest = new Int32Array(cells).fill(NOWHERE);
  const latestCall = new Int32Array(cells).fill(NOWHERE);
  const candidates = new PossibleWriters(history.length, values, isInitial);
  const decidedBy = new Int32Array(history.length).fill(NOWHERE);
  const countAtCall = new Int32Array(history.length);

  const settle = (k: number): void => {
    const since = candidates.count[wanted[k]] - countAtCall[k];
    if (since === 1 && writer[k] === NOWHERE) writer[k] = candidates.last[wanted[k]];
    else if (since > 0 || writer[k] === NOWHERE) writer[k] = UNCLEAR;
  };
  for (let moment = 0; moment < events.length; moment++) {
    const k = events[moment];
    if (k >= 0) {
      if (wanted[k] !== NO_VALUE) {
        const from = latestCall[cell[k]];
        writer[k] = candidates.only(wanted[k], (candidate) =>
          candidate === INITIAL ? from >= 0 : returned[candidate] < from,
        );
        decidedBy[k] = latest[cell[k]];
        countAtCall[k] = candidates.count[wanted[k]];
      }
      if (written[k] !== NO_VALUE) candidates.add(written[k], k);
    } else {
      if (wanted[~k] !== NO_VALUE) settle(~k);
      if (made[~k] !== NO_VALUE && call[~k] > latestCall[cell[~k]]) {
        latestCall[cell[~k]] = call[~k];
        latest[cell[~k]] = ~k;
      }
    }
  }
  for (let k = 0; k < history.length; k++) if (wanted[k] !== NO_VALUE && returned[k] === NEVER) settle(k);
  return decidedBy;
}

/** For each value, a list of its writers that are not excluded, the newest first. */
class PossibleWriters {
  /** For each value, the number of all its writers so far, and the last of them. */
  readonly count: Int32Array;
  readonly last: Int32Array;
  readonly #newest: Int32Array;
  readonly #older: Int32Array;

  constructor(operations: number, values: number, isInitial: (value: number) => boolean) {
    this.count = new Int32Array(values);
    this.last = new Int32Array(values);
    this.#newest = new Int32Array(values).fill(NOWHERE);
    this.#older = new Int32Array(operations);
    for (let value = 0; value < values; value++) if (isInitial(value)) this.#newest[value] = INITIAL;
  }

  add(value: number, candidate: number): void {
    this.#older[candidate] = this.#newest[value];
    this.#newest[value] = candidate;
    this.last[value] = candidate;
    this.count[value]++;
  }

  /** The only writer of a value that is not excluded; NOWHERE if there is none, UNCLEAR if there are several. */
  only(value: number, isOut: (candidate: number) => boolean): number {
    let found = NOWHERE;
    let newer = NOWHERE;
    for (let candidate = this.#newest[value]; candidate !== NOWHERE; candidate = this.#olderThan(candidate)) {
      if (isOut(candidate)) this.#drop(value, candidate, newer);
      else if (found !== NOWHERE) return UNCLEAR;
      else found = newer = candidate;
    }
    return found;
  }

  #drop(value: number, candidate: number, newer: number): void {
    if (newer === NOWHERE) this.#newest[value] = this.#olderThan(candidate);
    else this.#older[newer] = this.#olderThan(candidate);
  }

  #olderThan(candidate: number): number {
    return candidate === INITIAL ? NOWHERE : this.#older[candidate];
  }
}

export class Writers {
  readonly acts: Acts;
  /** For each operation that saw a value, the operation that wrote it. */
  readonly writer: Int32Array;
  /** For each operation, 1 if it took effect in every linearization; a pending mutator did if its value was seen. */
  readonly isDefinite: Uint8Array;
  /** For each cell, 1 if its initial value is recurring. */
  readonly isRecurring: Uint8Array;
  /**
   * For each operation that saw a duplicate value, the mutator that determines the writer, or NOWHERE. Undefined if
   * values are written once.
   */
  readonly decidedBy: Int32Array | undefined;

  private constructor(
    acts: Acts,
    isRecurring: Uint8Array,
    decidedBy: Int32Array | undefined,
    writer: Int32Array,
  ) {
    this.acts = acts;
    this.isRecurring = isRecurring;
    this.decidedBy = decidedBy;
    this.writer = writer;
    this.isDefinite = definiteOf(acts, writer);
  }

  /** The writers, or why the monitor declines. */
  static of(acts: Acts): Writers | string {
    const { role, cell, seen, made, initial, history } = acts;
    const { return: returned } = history.columns;
    const isRecurring = recurringCells(acts);

    // number the values that are written in the cells, and count how often
    const numbers = new PairMap();
    const first: number[] = [];
    const times: number[] = [];
    const written = new Int32Array(history.length).fill(NO_VALUE);
    let hasRepeated = false;
    for (let k = 0; k < history.length; k++) {
      if (made[k] === NO_VALUE || (made[k] === initial && isRecurring[cell[k]])) continue;
      let number = numbers.get(cell[k], made[k]);
      if (number === ABSENT) {
        number = times.length;
        numbers.add(cell[k], made[k], number);
        first.push(k);
        times.push(made[k] === initial ? 1 : 0);
      }
      written[k] = number;
      if (++times[number] > 1) hasRepeated = true;
    }
    for (const k of acts.unsure)
      if (times[written[k]] > 1) return `${valueInWords(acts, made[k])} is added more than once`;

    // clear cases
    const writer = new Int32Array(history.length).fill(NOWHERE);
    const wanted = new Int32Array(history.length).fill(NO_VALUE);
    for (let k = 0; k < history.length; k++) {
      if (seen[k] === NO_VALUE || role[k] === DIFFERS) continue;
      if (seen[k] === initial && isRecurring[cell[k]]) writer[k] = RECURRING;
      else {
        const number = numbers.get(cell[k], seen[k]);
        if (number === ABSENT) writer[k] = seen[k] === initial ? INITIAL : NOWHERE;
        else if (times[number] === 1) writer[k] = first[number];
        else wanted[k] = number;
      }
    }
    const isInitial = (value: number): boolean => made[first[value]] === initial;
    const decidedBy = hasRepeated
      ? distinguish(acts, { written, wanted, values: times.length, isInitial }, writer)
      : undefined;
    const writers = new Writers(acts, isRecurring, decidedBy, writer);

    for (let k = 0; k < history.length; k++) {
      if (!writers.isDefinite[k]) continue;
      if (writer[k] === UNCLEAR) return `${valueInWords(acts, seen[k])} is written more than once`;
      if (isRecurring[cell[k]] && returned[k] === NEVER && made[k] !== NO_VALUE && role[k] !== SWAP)
        return 'a pending operation replaced an unknown value';
    }
    for (let k = 0; k < history.length; k++)
      if (isRecurring[cell[k]] && returned[k] === NEVER && made[k] === initial) return 'a removal is pending';
    return writers;
  }
}

function valueInWords({ history }: Acts, number: number): string {
  const { values } = history.tables.values;
  return number < values.length ? show(values[number]) : 'the initial value';
}

/** Cells that return to their initial value, and to which no operation that returned wrote blindly. */
function recurringCells({ role, cell, made, initial, history, cells }: Acts): Uint8Array {
  const { return: returned } = history.columns;
  const [recurs, isBlind] = [new Uint8Array(cells), new Uint8Array(cells)];
  for (let k = 0; k < history.length; k++) {
    if (made[k] === NO_VALUE || returned[k] === NEVER) continue;
    if (role[k] !== SWAP) isBlind[cell[k]] = 1;
    else if (made[k] === initial) recurs[cell[k]] = 1;
  }
  for (let c = 0; c < cells; c++) if (isBlind[c]) recurs[c] = 0;
  return recurs;
}

/** Operations that returned, and the writers of the values that they saw. */
function definiteOf({ role, history }: Acts, writer: Int32Array): Uint8Array {
  const { return: returned } = history.columns;
  const isDefinite = new Uint8Array(history.length);
  for (let k = 0; k < history.length; k++) {
    if (role[k] === IDLE || returned[k] === NEVER) continue;
    isDefinite[k] = 1;
    if (role[k] !== READ && role[k] !== SWAP) continue;
    for (let mutator = writer[k]; mutator >= 0 && !isDefinite[mutator] && returned[mutator] === NEVER; ) {
      isDefinite[mutator] = 1;
      mutator = role[mutator] === SWAP ? writer[mutator] : INITIAL;
    }
  }
  return isDefinite;
}
