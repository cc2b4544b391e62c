/**
 * Values that are put into a container again when they have gone: told apart by real time.
 *
 * The operations on one value fall into generations: in each it is put in once and taken out once, and all of a
 * generation have returned before any of the next is called. The last one may be unfinished. If all values are like
 * that, each generation gets a value of its own, which changes nothing:
 *
 *   An order of the renamed history is an order of the original, since the container treats all values alike.
 *   Take an order of the original. By real time the generations of a value follow each other in it. The first puts one
 *   copy in, and its removal takes one out; so it takes that very copy, no call that never returned can have
 *   taken it instead, and none is left for the next generation. So all that a generation gives is its own copy,
 *   and the order is one of the renamed history.
 *
 * Cost: O(n).
 */
import type { History } from '../../history/index.js';
import type { Naming, Roles } from './naming.js';

/** What is known of a value so far. */
interface Generation {
  readonly symbol: symbol | undefined;
  readonly isFirst: boolean;
  open: number;
  adds: number;
  removes: number;
}

export class Generations implements Naming {
  readonly #history: History;
  readonly #roles: Roles;
  /** Value to its latest generation; operation to its own. */
  readonly #latest = new Map<number, Generation>();
  readonly #own: (Generation | undefined)[];

  private constructor(history: History, roles: Roles) {
    this.#history = history;
    this.#roles = roles;
    this.#own = Array.from({ length: history.length });
    for (const value of roles.initial)
      this.#latest.set(value, { symbol: undefined, isFirst: true, open: 0, adds: 1, removes: 0 });
  }

  /** Undefined where real time does not tell them apart. */
  static of(history: History, roles: Roles): Generations | undefined {
    const generations = new Generations(history, roles);
    const { events } = history.columns;
    for (let moment = 0; moment < events.length; moment++)
      if (!generations.#pass(events[moment])) return undefined;
    return generations;
  }

  symbolOf(k: number): symbol | undefined {
    return this.#own[k]?.symbol;
  }

  /** With those that took values out that were there at first: else they would still be there. */
  withOthers(operations: readonly number[]): number[] {
    const values = new Set(operations.map((k) => this.#roles.touched(k)));
    const all = new Set(operations);
    for (let k = 0; k < this.#history.length; k++)
      if (this.#own[k]?.isFirst && values.has(this.#roles.touched(k))) all.add(k);
    return [...all];
  }

  /** Takes in the next event; false if it is not clear which generation it belongs to. */
  #pass(event: number): boolean {
    const k = event < 0 ? ~event : event;
    const value = this.#roles.touched(k);
    if (value < 0) return true;
    const role = this.#roles.of(k);
    if (event < 0) {
      const own = this.#own[k] as Generation;
      own.open--;
      // given before it was put in again: by whom it was given is for a search to tell
      return role === 'add' || own.symbol === undefined || own.adds > 0;
    }
    let own = this.#latest.get(value);
    if (!own || (own.open === 0 && own.adds === 1 && own.removes === 1)) {
      own = { symbol: own && Symbol(), isFirst: false, open: 0, adds: 0, removes: 0 };
      this.#latest.set(value, own);
    }
    this.#own[k] = own;
    own.open++;
    if (role === 'add') own.adds++;
    if (role === 'remove') own.removes++;
    return own.adds <= 1 && own.removes <= 1;
  }
}
