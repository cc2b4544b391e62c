/**
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
import { NEVER } from '../../../history/model/columns.js';
import { type Acts, INITIAL, NO_VALUE, NOWHERE, UNCLEAR } from './operations.js';

/** Operation to a value that is made in its cell, by number: the one that it makes, and the one whose source is wanted. */
export interface Repeated {
  readonly makes: Int32Array;
  readonly wants: Int32Array;
  /** How many values there are. */
  readonly values: number;
  /** Is the value one that its cell holds at first? */
  readonly isInitial: (value: number) => boolean;
}

/** Fills in the sources that are wanted; gives for each of them the mutator that rules out the others, or NOWHERE. */
export function tellApart(
  acts: Acts,
  { makes, wants, values, isInitial }: Repeated,
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
