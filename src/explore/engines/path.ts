/**
 * Where a run of the explorer by classes has been: a node before each step, with
 * what has been tried there, what is to be tried, and who is asleep.
 *
 * A thread that was tried at a node goes to sleep below it: whatever begins with its
 * step has been explored (sleep-sets.ts).
 *
 * Where a thread has to choose, the node has all alternatives and nobody races for it.
 */
import { grown, lowestBit } from '../../base/collections/ints.js';
import type { HappensBefore } from '../classes/happens-before.js';
import type { SleepSets } from './sleep-sets.js';

export class Path {
  length = 0;
  /** Nodes before this one are as in the run before. */
  repeated = 0;
  /** Node to what is being tried: a thread, or an alternative. */
  chosen: Int32Array = new Int32Array(64);
  /** Node to the threads that are enabled and to be tried, as bits. */
  enabled: Int32Array = new Int32Array(64);
  backtrack: Int32Array = new Int32Array(64);
  /** Node to how many alternatives there are to choose from; 0 where a thread takes a step. */
  #alternatives: Int32Array = new Int32Array(64);
  readonly #steps: HappensBefore;
  readonly #sleep: SleepSets;

  constructor(steps: HappensBefore, sleep: SleepSets) {
    this.#steps = steps;
    this.#sleep = sleep;
  }

  /** Forgets all nodes. */
  clear(): void {
    this.length = 0;
    this.repeated = 0;
  }

  /** A node at the end where a thread has to choose. */
  addChoice(alternatives: number): void {
    this.#wake();
    this.#add(0, 0, alternatives);
  }

  /** A node at the end. Tells false, and adds none, if all who are enabled are asleep. `last` goes first, if it can. */
  addStep(enabled: number, last: number): boolean {
    this.#wake();
    const awake = enabled & ~this.#sleep.at(this.length);
    if (awake === 0) return false;
    this.#add(enabled, last >= 0 && awake & (1 << last) ? last : lowestBit(awake), 0);
    return true;
  }

  /** Goes back to the last node where something is left to try. Tells false if there is none. */
  next(): boolean {
    for (let node = this.length - 1; node >= 0; node--) {
      this.length = node + 1;
      this.repeated = node;
      if (this.#alternatives[node] > 0 ? this.#nextAlternative(node) : this.#nextThread(node)) return true;
    }
    return false;
  }

  #nextAlternative(node: number): boolean {
    return ++this.chosen[node] < this.#alternatives[node];
  }

  #nextThread(node: number): boolean {
    const { kind, location } = this.#steps;
    const thread = this.chosen[node];
    this.#sleep.add(node, thread, kind[node], location[node]);
    const left = this.backtrack[node] & ~this.#sleep.at(node);
    if (left === 0) return false;
    this.chosen[node] = lowestBit(left);
    return true;
  }

  #add(enabled: number, chosen: number, alternatives: number): void {
    const node = this.length;
    if (node === this.chosen.length) this.#grow();
    this.enabled[node] = enabled;
    this.#alternatives[node] = alternatives;
    this.chosen[node] = chosen;
    this.backtrack[node] = alternatives > 0 ? 0 : 1 << chosen;
    this.length++;
  }

  /** The step at the last node wakes some of those who sleep there. */
  #wake(): void {
    const { kind, location, thread } = this.#steps;
    const last = this.length - 1;
    if (last < 0) this.#sleep.clear();
    else this.#sleep.step(last, thread[last], kind[last], location[last]);
  }

  #grow(): void {
    this.chosen = grown(this.chosen, 0);
    this.enabled = grown(this.enabled, 0);
    this.backtrack = grown(this.backtrack, 0);
    this.#alternatives = grown(this.#alternatives, 0);
  }
}
