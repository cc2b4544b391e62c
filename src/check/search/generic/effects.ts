/**
 * The effects on the path to each stored configuration.
 *
 * Stored configurations are numbered 0, 1, … in sequence, and each has the one it was reached from. The effects
 * between the two are in one list, after those of the configuration stored before; the end of the list has the
 * effects since then. So an order is read backwards, stretch by stretch. Cost: 4 bytes per effect and 8 per
 * configuration.
 */
import { GrowingInts } from '../../../base/collections/growing.js';
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
