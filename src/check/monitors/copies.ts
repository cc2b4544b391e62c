/**
 * Copies of a value inside a container that gives back the one that came first: told apart by their turns.
 *
 * The first put of a value to be called is taken to be the first, and so on, and the same with its removals; the n-th removal
 * gives the n-th copy. That changes nothing if of two puts of the value the one that is called first returns first, and so
 * with its removals:
 *
 *   An order of the renamed history is one of the original, since the container treats all values alike.
 *   Take an order of the original in which q, called later than p, comes before it, both putting the value in. Then q also
 *   returns later, so each was open at both places (p from its call, before q's, to its return, behind its own place): they
 *   change places, and no answer changes. When all are in turn, the n-th removal gives the n-th copy, first in first out.
 *
 * Who never returned and may have taken a copy, or only looked at one, is in no turn; and so is one that was open
 * around another. Cost: O(n).
 */
import { type History, NEVER } from '../../history/index.js';
import type { Naming, Roles } from './naming.js';

/** What is known of a value so far. */
interface Turns {
  puts: number;
  removals: number;
  /** When the last put and the last removal to be called return. */
  lastPut: number;
  lastRemoval: number;
  isSeen: boolean;
  readonly symbols: (symbol | undefined)[];
}

export class Copies implements Naming {
  readonly #history: History;
  readonly #roles: Roles;
  readonly #turnsOf = new Map<number, Turns>();
  readonly #symbol: (symbol | undefined)[];

  private constructor(history: History, roles: Roles) {
    this.#history = history;
    this.#roles = roles;
    this.#symbol = Array.from({ length: history.length });
  }

  /** Undefined where it is not clear whose turn it is. */
  static of(history: History, roles: Roles): Copies | undefined {
    const copies = new Copies(history, roles);
    const { return: returned } = history.columns;
    for (const value of roles.initial) copies.#turns(value).puts = 1;
    let isTakenUnseen = false;
    for (let k = 0; k < history.length; k++) {
      isTakenUnseen ||= returned[k] === NEVER && roles.of(k) === 'remove';
      if (!copies.#pass(k, returned[k])) return undefined;
    }
    for (const { puts, removals, isSeen } of copies.#turnsOf.values())
      if (puts > 1 && (isSeen || isTakenUnseen || removals > puts)) return undefined;
    return copies;
  }

  symbolOf(k: number): symbol | undefined {
    return this.#symbol[k];
  }

  /** With all on the same values that could be told apart from them only by turns: called before the last of them is over. */
  withOthers(operations: readonly number[]): number[] {
    const { call, return: returned } = this.#history.columns;
    const last = operations.reduce(
      (moment, k) => Math.max(moment, returned[k] === NEVER ? call[k] : returned[k]),
      0,
    );
    const values = new Set(operations.map((k) => this.#roles.touched(k)));
    const all = new Set(operations);
    for (let k = 0; k < this.#history.length; k++)
      if (call[k] < last && this.#roles.touched(k) >= 0 && values.has(this.#roles.touched(k))) all.add(k);
    return [...all];
  }

  #turns(value: number): Turns {
    let turns = this.#turnsOf.get(value);
    if (!turns) {
      turns = { puts: 0, removals: 0, lastPut: -1, lastRemoval: -1, isSeen: false, symbols: [undefined] };
      this.#turnsOf.set(value, turns);
    }
    return turns;
  }

  /** Takes in the next operation to be called; false if it was open only within another. */
  #pass(k: number, returned: number): boolean {
    const value = this.#roles.touched(k);
    if (value < 0) return true;
    const turns = this.#turns(value);
    const role = this.#roles.of(k);
    if (role === 'peek') turns.isSeen = true;
    else if (role === 'add') {
      if (returned < turns.lastPut) return false;
      turns.lastPut = returned;
      this.#symbol[k] = nameOf(turns, turns.puts++);
    } else {
      if (returned < turns.lastRemoval) return false;
      turns.lastRemoval = returned;
      this.#symbol[k] = nameOf(turns, turns.removals++);
    }
    return true;
  }
}

/** The first copy keeps its name. */
function nameOf({ symbols }: Turns, copy: number): symbol | undefined {
  if (copy === symbols.length) symbols.push(Symbol());
  return symbols[copy];
}
