/**
 * Sets of configurations of a client, as integers: all explanations of what was called and returned.
 *
 * A configuration is a state of the specification, and for each pending call whether it has taken effect, and with which outcome. As in
 * explore/automata/configurations.ts, but pending calls belong to positions of threads and not to operations, so there may be any number
 * of calls; and states, calls and outcomes are terms, so that values can be renamed.
 *
 *   call      the call is pending; whatever is pending may take effect
 *   return    keep the configurations in which the call has taken effect with this outcome; none left: not linearizable
 *   rename    threads and values get other numbers
 *   prune     drop configurations in which a call took effect with a value that no thread can return any more
 */
import { ABSENT, PairMap } from '../../base/collections/int-set.js';
import { ListInterner } from '../../base/collections/interners.js';
import { DEAD, permutations } from '../automata/configurations.js';
import type { Term, Terms } from './fresh-values.js';

/** One possible effect of a call. */
export interface SpecEffect {
  readonly outcome: Slotted;
  readonly next: Slotted;
}

export interface Slotted {
  readonly shape: number;
  readonly slots: readonly number[];
}

export interface SpecModel {
  readonly initial: Term;
  /** How many shapes of states there are so far. */
  readonly size: number;
  /** What a call may do in a state; none if it blocks or is impossible. */
  effects(shape: number, letter: number, thread: number): readonly SpecEffect[];
  /** May a call be blocked forever in a state, if no other call is made? */
  blocks(shape: number, letter: number, thread: number): boolean;
}

/** A thread without a pending call; a pending call that has not taken effect. */
const NO_CALL = -2;
const OPEN = -1;

/** More values that occur in the same places stay in the order in which they were found: a state may get two numbers, which is sound. */
const MOST_TIED = 5;

interface ConfigurationSet {
  /** Position of a thread to the term of its pending call, or NO_CALL. */
  readonly calls: readonly number[];
  /** A state term, then for each position NO_CALL, OPEN or the term of an outcome. */
  readonly rows: readonly (readonly number[])[];
}

export class ConfigurationSets {
  readonly initial: number;
  /** The largest number of configurations in a set. */
  largest = 1;
  readonly #model: SpecModel;
  readonly #terms: Terms;
  readonly #threads: number;
  readonly #seesThreads: boolean;
  readonly #sets: ConfigurationSet[] = [];
  readonly #numbers = new ListInterner();
  readonly #calls = new PairMap();
  readonly #returns = new PairMap();
  readonly #renamed = new Map<string, number>();

  /** `seesThreads`: what a call does depends on its thread. */
  constructor(
    model: SpecModel,
    terms: Terms,
    { threads, seesThreads, initial }: { threads: number; seesThreads: boolean; initial: number },
  ) {
    this.#model = model;
    this.#terms = terms;
    this.#threads = threads;
    this.#seesThreads = seesThreads;
    const idle = Array.from({ length: threads }, () => NO_CALL);
    this.initial = this.#numberOf(idle, [[initial, ...idle]]);
  }

  /** The number of different sets. */
  get size(): number {
    return this.#sets.length;
  }

  /** After the call of an idle thread; the term has the letter and its values. */
  call(set: number, place: number, call: number): number {
    const key = set * this.#threads + place;
    const known = this.#calls.get(key, call);
    if (known !== ABSENT) return known;
    const { calls, rows } = this.#sets[set];
    const open = calls.with(place, call);
    const next = this.#numberOf(
      open,
      this.#closed(
        open,
        rows.map((row) => row.with(place + 1, OPEN)),
      ),
    );
    this.#calls.add(key, call, next);
    return next;
  }

  /** After a return with an outcome, or DEAD if no configuration is left. */
  return(set: number, place: number, outcome: number): number {
    const key = set * this.#threads + place;
    const known = this.#returns.get(key, outcome);
    if (known !== ABSENT) return known;
    const { calls, rows } = this.#sets[set];
    const left = rows.filter((row) => row[place + 1] === outcome);
    const next =
      left.length === 0
        ? DEAD
        : this.#numberOf(
            calls.with(place, NO_CALL),
            left.map((row) => row.with(place + 1, NO_CALL)),
          );
    this.#returns.add(key, outcome, next);
    return next;
  }

  /** The set with other positions (`order`: new to old) and other names of values (`names`: new to old). */
  rename(set: number, order: ArrayLike<number>, names: readonly number[]): number {
    const held = this.namesOf(set);
    const hasNames = held.length > 0;
    const isSame =
      !hasNames || (names.every((name, i) => name === i) && held.every((name) => name < names.length));
    if (isSame && isIdentity(order)) return set;
    const key = `${set} ${Array.prototype.join.call(order)} ${hasNames ? names.join() : ''}`;
    let renamed = this.#renamed.get(key);
    if (renamed === undefined) {
      renamed = this.#rename(set, Array.from(order), names);
      this.#renamed.set(key, renamed);
    }
    return renamed;
  }

  /**
   * Values that are nowhere in the object get the numbers after the others. The set does not determine their order, so all orders are
   * tried that `#ordersOf` leaves, and the least number is taken: it is the same for all sets that differ only in these names.
   */
  #rename(set: number, order: readonly number[], names: readonly number[]): number {
    const { calls, rows } = this.#sets[set];
    const numbers = this.#ordersOf(set, order, names).map((lost) => {
      const all = [...names, ...lost];
      const rename = (name: number): number => all.indexOf(name);
      const term = (number: number): number => (number < 0 ? number : this.#terms.renamed(number, rename));
      return this.#numberOf(
        order.map((place) => term(calls[place])),
        rows.map((row) => [term(row[0]), ...order.map((place) => term(row[place + 1]))]),
      );
    });
    return Math.min(...numbers);
  }

  /** The orders of the values that only the set holds: sorted by where they occur in it, and equal ones in every order. */
  #ordersOf(set: number, order: readonly number[], names: readonly number[]): number[][] {
    const lost = this.namesOf(set).filter((name) => !names.includes(name));
    if (lost.length < 2) return [lost];
    const { calls, rows } = this.#sets[set];
    const textOf = (number: number, own: number): string => {
      if (number < 0) return String(number);
      const { shape, names: held } = this.#terms.at(number);
      return `${shape}(${held.map((name) => (name === own ? 'own' : names.indexOf(name))).join()})`;
    };
    const occurrences = (own: number): string =>
      [calls, ...rows]
        .map((row, i) => {
          const texts = order.map((place) => textOf(row[i === 0 ? place : place + 1], own));
          return i === 0 ? texts.join() : `${textOf(row[0], own)} ${texts.join()}`;
        })
        .sort()
        .join('|');
    const groups = new Map<string, number[]>();
    for (const name of lost) {
      const key = occurrences(name);
      groups.set(key, [...(groups.get(key) ?? []), name]);
    }
    return [...groups.entries()]
      .sort(([one], [other]) => (one < other ? -1 : 1))
      .map(([, group]) => (group.length <= MOST_TIED ? permutations(group) : [group]))
      .reduce((before, ways) => before.flatMap((one) => ways.map((way) => [...one, ...way])), [
        [],
      ] as number[][]);
  }

  /** The set without configurations whose outcomes contain a value that is not alive. */
  prune(set: number, isAlive: (name: number) => boolean): number {
    const { calls, rows } = this.#sets[set];
    const canReturn = (outcome: number) => outcome < 0 || this.#terms.at(outcome).names.every(isAlive);
    const left = rows.filter((row) => row.every((outcome, i) => i === 0 || canReturn(outcome)));
    return left.length === rows.length || left.length === 0 ? set : this.#numberOf(calls, left);
  }

  /** The values in a set. */
  namesOf(set: number): readonly number[] {
    const known = this.#namesOf[set];
    if (known !== undefined) return known;
    const { calls, rows } = this.#sets[set];
    const names = new Set<number>();
    for (const number of [...calls, ...rows.flat()])
      if (number >= 0) for (const name of this.#terms.at(number).names) names.add(name);
    this.#namesOf[set] = [...names];
    return this.#namesOf[set];
  }
  readonly #namesOf: (readonly number[])[] = [];

  /** May the pending call of a thread be blocked forever, if no other pending call takes effect (Line-Up, definition 2)? */
  mayBlock(set: number, place: number): boolean {
    const { calls } = this.#sets[set];
    return this.mayBlockCall(set, place, this.#terms.at(calls[place]).shape);
  }

  /** The same for a call that an idle thread cannot start. */
  mayBlockCall(set: number, place: number, letter: number): boolean {
    return this.#sets[set].rows.some(
      ([state, ...outcomes]) =>
        outcomes.every((outcome) => outcome < 0) &&
        this.#model.blocks(this.#terms.at(state).shape, letter, this.#threadAt(place)),
    );
  }

  hasCall(set: number, place: number): boolean {
    return this.#sets[set].calls[place] !== NO_CALL;
  }

  /** Lets pending calls take effect, in every order. */
  #closed(calls: readonly number[], rows: readonly (readonly number[])[]): (readonly number[])[] {
    const all = new Map(rows.map((row) => [row.join(), row]));
    for (const row of all.values())
      for (let place = 0; place < this.#threads; place++) {
        if (row[place + 1] !== OPEN) continue;
        const { shape, names } = this.#terms.at(row[0]);
        const call = this.#terms.at(calls[place]);
        const values = [...names, ...call.names];
        for (const { outcome, next } of this.#effects(shape, call.shape, place)) {
          const after = row.slice();
          after[0] = this.#termOf(next, values);
          after[place + 1] = this.#termOf(outcome, values);
          const key = after.join();
          if (!all.has(key)) all.set(key, after);
        }
      }
    return [...all.values()];
  }

  #effects(shape: number, letter: number, place: number): readonly SpecEffect[] {
    return this.#model.effects(shape, letter, this.#threadAt(place));
  }

  #threadAt(place: number): number {
    return this.#seesThreads ? place : 0;
  }

  #termOf({ shape, slots }: SpecEffect['next'], values: readonly number[]): number {
    return this.#terms.numberOf(
      shape,
      slots.map((slot) => values[slot]),
    );
  }

  /** Sets with equal rows have equal numbers. */
  #numberOf(calls: readonly number[], rows: readonly (readonly number[])[]): number {
    const distinct = [...new Map(rows.map((row) => [row.join(), row])).entries()]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([, row]) => row);
    const list = Int32Array.from([...calls, ...distinct.flat()]);
    const number = this.#numbers.intern(list, list.length);
    if (number === this.#sets.length) {
      this.#sets.push({ calls, rows: distinct });
      this.largest = Math.max(this.largest, distinct.length);
    }
    return number;
  }
}

function isIdentity(order: ArrayLike<number>): boolean {
  for (let i = 0; i < order.length; i++) if (order[i] !== i) return false;
  return true;
}
