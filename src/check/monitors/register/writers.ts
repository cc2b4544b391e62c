/**
 * Which operation made the value that another saw.
 *
 * Where each value is made once in its cell, that is plain. Where one is made several times, real time may
 * still tell (`generations`); if not, this is beyond the monitor.
 *
 * A cell may also come back to what it held at first again and again, each time from what was seen: a map whose
 * `remove` tells the previous value. If nobody writes blindly there, no source is needed: the cell is a HUB, and
 * what begins and ends there can follow each other in any order.
 * Cost: O(n).
 */

import { ABSENT, PairMap } from '../../../base/collections/pair-map.js';
import { show } from '../../../base/values/show.js';
import { NEVER } from '../../../history/model/columns.js';
import {
  type Acts,
  DIFFERS,
  HUB,
  IDLE,
  INITIAL,
  NO_VALUE,
  NOWHERE,
  READ,
  SWAP,
  UNCLEAR,
} from './operations.js';

/*
 * Equal values told apart by real time.
 *
 * A value is made several times in a cell. What r saw can have been made by w only if
 *
 *   w was called before r returned, and
 *   no mutator x that returned is between them: w returned before x was called, and x before r was.
 *
 * If exactly one w is left, it is the source of r in every order. If that is so for each r, then to call equal
 * values by different names, one for each maker, changes nothing: an order of the one history is an order of the
 * other. Where none is left, or several are, the source is unclear.
 *
 * For the second condition a maximum is enough: the latest call of a mutator that returned before r was called.
 * w is out if it returned before that call, and then for all that are called later as well. What the cell
 * held at first was made before all moments. Cost: O(n), since two makers that are not out end the look.
 */

/** Operation to a value that is made in its cell, by number: the one that it makes, and the one whose source is wanted. */
interface DuplicateWrites {
  readonly makes: Int32Array;
  readonly wants: Int32Array;
  /** How many values there are. */
  readonly values: number;
  /** Is the value one that its cell holds at first? */
  readonly isInitial: (value: number) => boolean;
}

/** Fills in the sources that are wanted; gives for each of them the mutator that rules out the others, or NOWHERE. */
function distinguish(
  acts: Acts,
  { makes, wants, values, isInitial }: DuplicateWrites,
  source: Int32Array,
): Int32Array {
  const { cell, made, history, cells } = acts;
  const { events, call, return: returned } = history.columns;
  /** Cell to the mutator that returned and was called last, and that call. */
  const latest = new Int32Array(cells).fill(NOWHERE);
  const latestCall = new Int32Array(cells).fill(NOWHERE);
  const makers = new Makers(history.length, values, isInitial);
  const tells = new Int32Array(history.length).fill(NOWHERE);
  const madeAtCall = new Int32Array(history.length);

  const settle = (k: number): void => {
    const since = makers.count[wants[k]] - madeAtCall[k];
    if (since === 1 && source[k] === NOWHERE) source[k] = makers.last[wants[k]];
    else if (since > 0 || source[k] === NOWHERE) source[k] = UNCLEAR;
  };
  for (let moment = 0; moment < events.length; moment++) {
    const k = events[moment];
    if (k >= 0) {
      if (wants[k] !== NO_VALUE) {
        const from = latestCall[cell[k]];
        source[k] = makers.only(wants[k], (maker) =>
          maker === INITIAL ? from >= 0 : returned[maker] < from,
        );
        tells[k] = latest[cell[k]];
        madeAtCall[k] = makers.count[wants[k]];
      }
      if (makes[k] !== NO_VALUE) makers.add(makes[k], k);
    } else {
      if (wants[~k] !== NO_VALUE) settle(~k);
      if (made[~k] !== NO_VALUE && call[~k] > latestCall[cell[~k]]) {
        latestCall[cell[~k]] = call[~k];
        latest[cell[~k]] = ~k;
      }
    }
  }
  for (let k = 0; k < history.length; k++) if (wants[k] !== NO_VALUE && returned[k] === NEVER) settle(k);
  return tells;
}

/** For each value a list of those who made it and are not out yet, the newest first. */
class Makers {
  /** Value to the number of all its makers so far, and to the last. */
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

  add(value: number, maker: number): void {
    this.#older[maker] = this.#newest[value];
    this.#newest[value] = maker;
    this.last[value] = maker;
    this.count[value]++;
  }

  /** The only maker of a value, once those that are out are dropped; NOWHERE if there is none, UNCLEAR if there are several. */
  only(value: number, isOut: (maker: number) => boolean): number {
    let found = NOWHERE;
    let newer = NOWHERE;
    for (let maker = this.#newest[value]; maker !== NOWHERE; maker = this.#olderThan(maker)) {
      if (isOut(maker)) this.#drop(value, maker, newer);
      else if (found !== NOWHERE) return UNCLEAR;
      else found = newer = maker;
    }
    return found;
  }

  #drop(value: number, maker: number, newer: number): void {
    if (newer === NOWHERE) this.#newest[value] = this.#olderThan(maker);
    else this.#older[newer] = this.#olderThan(maker);
  }

  #olderThan(maker: number): number {
    return maker === INITIAL ? NOWHERE : this.#older[maker];
  }
}

export class Writers {
  readonly acts: Acts;
  /** Operation that saw a value to the one that made it. */
  readonly source: Int32Array;
  /** Operation to 1 if it took effect in every order; a mutator that never returned did if somebody saw that. */
  readonly isSure: Uint8Array;
  /** Cell to 1 if it is a hub. */
  readonly isHub: Uint8Array;
  /** Operation that saw one of several equal values to the mutator that tells which; or NOWHERE. Absent where values are made once. */
  readonly tells: Int32Array | undefined;

  private constructor(acts: Acts, isHub: Uint8Array, tells: Int32Array | undefined, source: Int32Array) {
    this.acts = acts;
    this.isHub = isHub;
    this.tells = tells;
    this.source = source;
    this.isSure = definiteOf(acts, source);
  }

  /** The sources, or what is in their way. */
  static of(acts: Acts): Writers | string {
    const { role, cell, seen, made, initial, history } = acts;
    const { return: returned } = history.columns;
    const isHub = hubsOf(acts);

    // number the values of the cells that are made, and count how often
    const numbers = new PairMap();
    const first: number[] = [];
    const times: number[] = [];
    const makes = new Int32Array(history.length).fill(NO_VALUE);
    let hasRepeated = false;
    for (let k = 0; k < history.length; k++) {
      if (made[k] === NO_VALUE || (made[k] === initial && isHub[cell[k]])) continue;
      let number = numbers.get(cell[k], made[k]);
      if (number === ABSENT) {
        number = times.length;
        numbers.add(cell[k], made[k], number);
        first.push(k);
        times.push(made[k] === initial ? 1 : 0);
      }
      makes[k] = number;
      if (++times[number] > 1) hasRepeated = true;
    }
    for (const k of acts.unsure)
      if (times[makes[k]] > 1) return `${valueInWords(acts, made[k])} is put in more than once`;

    // where it is plain
    const source = new Int32Array(history.length).fill(NOWHERE);
    const wants = new Int32Array(history.length).fill(NO_VALUE);
    for (let k = 0; k < history.length; k++) {
      if (seen[k] === NO_VALUE || role[k] === DIFFERS) continue;
      if (seen[k] === initial && isHub[cell[k]]) source[k] = HUB;
      else {
        const number = numbers.get(cell[k], seen[k]);
        if (number === ABSENT) source[k] = seen[k] === initial ? INITIAL : NOWHERE;
        else if (times[number] === 1) source[k] = first[number];
        else wants[k] = number;
      }
    }
    const isInitial = (value: number): boolean => made[first[value]] === initial;
    const tells = hasRepeated
      ? distinguish(acts, { makes, wants, values: times.length, isInitial }, source)
      : undefined;
    const sources = new Writers(acts, isHub, tells, source);

    for (let k = 0; k < history.length; k++) {
      if (!sources.isSure[k]) continue;
      if (source[k] === UNCLEAR) return `${valueInWords(acts, seen[k])} is written more than once`;
      if (isHub[cell[k]] && returned[k] === NEVER && made[k] !== NO_VALUE && role[k] !== SWAP)
        return 'an operation that never returned, of which it is not known what it replaced';
    }
    for (let k = 0; k < history.length; k++)
      if (isHub[cell[k]] && returned[k] === NEVER && made[k] === initial)
        return 'a removal that never returned';
    return sources;
  }
}

function valueInWords({ history }: Acts, number: number): string {
  const { values } = history.tables.values;
  return number < values.length ? show(values[number]) : 'the value that is there at first';
}

/** Cells that come back to what they held at first, and into which nobody who returned wrote blindly. */
function hubsOf({ role, cell, made, initial, history, cells }: Acts): Uint8Array {
  const { return: returned } = history.columns;
  const [comesBack, isBlind] = [new Uint8Array(cells), new Uint8Array(cells)];
  for (let k = 0; k < history.length; k++) {
    if (made[k] === NO_VALUE || returned[k] === NEVER) continue;
    if (role[k] !== SWAP) isBlind[cell[k]] = 1;
    else if (made[k] === initial) comesBack[cell[k]] = 1;
  }
  for (let c = 0; c < cells; c++) if (isBlind[c]) comesBack[c] = 0;
  return comesBack;
}

/** Who returned, and who made what they saw. */
function definiteOf({ role, history }: Acts, source: Int32Array): Uint8Array {
  const { return: returned } = history.columns;
  const isSure = new Uint8Array(history.length);
  for (let k = 0; k < history.length; k++) {
    if (role[k] === IDLE || returned[k] === NEVER) continue;
    isSure[k] = 1;
    if (role[k] !== READ && role[k] !== SWAP) continue;
    for (let maker = source[k]; maker >= 0 && !isSure[maker] && returned[maker] === NEVER; ) {
      isSure[maker] = 1;
      maker = role[maker] === SWAP ? source[maker] : INITIAL;
    }
  }
  return isSure;
}
