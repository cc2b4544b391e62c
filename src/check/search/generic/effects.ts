/**
 * What took effect on the way to each configuration that a search keeps.
 *
 * Kept configurations are numbered 0, 1, … as they come, and each remembers the one it was reached from. What took
 * effect between the two stands in one list, behind that of the configuration kept before; at its end is
 * what took effect since, of one that may not be kept. So an order is read backwards, stretch by stretch.
 * Cost: 4 bytes an effect and 8 a configuration.
 */
import { GrowingInts } from '../../../base/collections/growing.js';
import { grown } from '../../../base/collections/ints.js';

/** Instead of the configuration that one was reached from: it is where the search began. */
export const BEGINNING = -1;

export class Effects {
  /** Configuration to the one it was reached from, and to where its effects begin. */
  #parent: Int32Array;
  #start: Int32Array;
  #size = 0;
  readonly #list = new GrowingInts();
  /** How many of the list are of configurations. */
  #kept = 0;

  /** `room`: how many configurations there is room for at first. */
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

  /** One more takes effect. */
  push(operation: number): void {
    this.#list.push(operation);
  }

  /** What took effect since is that of the next configuration. */
  keep(parent: number): void {
    if (this.#size === this.#parent.length) {
      this.#parent = grown(this.#parent, 0);
      this.#start = grown(this.#start, 0);
    }
    this.#parent[this.#size] = parent;
    this.#start[this.#size++] = this.#kept;
    this.#kept = this.#list.length;
  }

  /** What took effect since did not lead to a configuration that is kept. */
  drop(): void {
    this.#list.shrink(this.#kept);
  }

  /** What took effect between a configuration and the one it was reached from. */
  of(configuration: number): number[] {
    const effects: number[] = [];
    for (let i = this.#start[configuration]; i < this.#end(configuration); i++)
      effects.push(this.#list.at(i));
    return effects;
  }

  /** All that took effect up to a configuration, and since then. */
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
