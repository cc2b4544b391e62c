/**
 * The effects on the path to each stored configuration.
 *
 * Stored configurations are numbered 0, 1, … in sequence, and each has the one it was reached from. The effects
 * between the two are in one list, after those of the configuration stored before; the end of the list has the
 * effects since then. So an order is read backwards, stretch by stretch. Cost: 4 bytes per effect and 8 per
 * configuration.
 */
import { GrowingInts } from '../../../base/collections/growing.js';
import { ABSENT, PairMap } from '../../../base/collections/int-set.js';
import { grown } from '../../../base/collections/ints.js';

/** Instead of a predecessor: the start of the search. */
export const BEGINNING = -1;

export class Effects {
  /** For each configuration, its predecessor, and the start of its effects. */
  #parent: Int32Array;
  #start: Int32Array;
  #size = 0;
  readonly #list = new GrowingInts();
  /** How many entries of the list belong to configurations. */
  #kept = 0;

  /** `room`: the initial capacity in configurations. */
  constructor(room: number) {
    this.#parent = new Int32Array(room);
    this.#start = new Int32Array(room);
  }

  get bytes(): number {
    return 4 * (2 * this.#size + this.#list.length);
  }

  parentOf(configuration: number): number {
    return this.#parent[configuration];
  }

  /** Adds an effect. */
  push(operation: number): void {
    this.#list.push(operation);
  }

  /** Assigns the effects since the last call to the next configuration. */
  keep(parent: number): void {
    if (this.#size === this.#parent.length) {
      this.#parent = grown(this.#parent, 0);
      this.#start = grown(this.#start, 0);
    }
    this.#parent[this.#size] = parent;
    this.#start[this.#size++] = this.#kept;
    this.#kept = this.#list.length;
  }

  /** Discards the effects since the last stored configuration. */
  drop(): void {
    this.#list.shrink(this.#kept);
  }

  /** The effects between a configuration and its predecessor. */
  of(configuration: number): number[] {
    const effects: number[] = [];
    for (let i = this.#start[configuration]; i < this.#end(configuration); i++)
      effects.push(this.#list.at(i));
    return effects;
  }

  /** The last effect before a configuration was stored. */
  lastOf(configuration: number): number {
    return this.#list.at(this.#end(configuration) - 1);
  }

  /** All effects up to a configuration, and since the last stored one. */
  orderTo(last: number): Int32Array {
    let length = this.#list.length - this.#kept;
    for (let at = last; at !== BEGINNING; at = this.#parent[at]) length += this.#end(at) - this.#start[at];
    const order = new Int32Array(length);
    for (let i = this.#list.length; i > this.#kept; ) order[--length] = this.#list.at(--i);
    for (let at = last; at !== BEGINNING; at = this.#parent[at])
      for (let i = this.#end(at); i > this.#start[at]; ) order[--length] = this.#list.at(--i);
    return order;
  }

  #end(configuration: number): number {
    return configuration + 1 < this.#size ? this.#start[configuration + 1] : this.#kept;
  }
}

// Pending operations that need not have taken effect, because no operation depends on it.
//
// Take a linearization with the fewest pending operations, and a pending operation P in it:
//
// state b ── P ──► state s ── Q ──► state t        Q: the next operation that is no read of state s
//
// If Q leads from b to t as well, and the reads of s fit b too, then P could be omitted, and there would be fewer. So a
// search need not let Q follow P. Of many writes with unknown outcomes, only those take effect whose value is read, or
// decides a compare-and-swap, a removal or the like; and they do so directly before.
//
// Any state is still visited: what leads to it without needless operations, and at most one at the end.
//
// An *entry* stands for a state and, if a pending operation was the last to take effect and nothing depends on it yet,
// the state before it. An entry without such an operation is the state itself; others are negative.

/** Instead of the state before a pending operation: the last operation was needed. */
export const NEEDED = -1;

export class NeedlessEffects {
  /** A state and the state before it to the number of the pair. */
  readonly #pairs = new PairMap();
  readonly #states: number[] = [];
  readonly #before: number[] = [];

  get bytes(): number {
    return this.#states.length === 0 ? 0 : this.#pairs.bytes + 16 * this.#states.length;
  }

  entry(state: number, before: number): number {
    if (before === NEEDED) return state;
    let pair = this.#pairs.get(state, before);
    if (pair === ABSENT) {
      pair = this.#states.push(state) - 1;
      this.#before.push(before);
      this.#pairs.add(state, before, pair);
    }
    return ~pair;
  }

  stateOf(entry: number): number {
    return entry >= 0 ? entry : this.#states[~entry];
  }

  /** The state before the pending operation that nothing depends on yet, or NEEDED. */
  beforeOf(entry: number): number {
    return entry >= 0 ? NEEDED : this.#before[~entry];
  }
}
