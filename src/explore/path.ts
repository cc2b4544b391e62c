/**
 * Where a run of the explorer by classes has been: a node before each step, with
 * what has been tried there, what is to be tried, and who is asleep.
 *
 * A thread that was tried at a node goes to sleep below it: whatever begins with its
 * step has been explored. It wakes when a step conflicts with what it did (P. Godefroid,
 * Partial-order methods for the verification of concurrent systems, 1996: sleep sets).
 *
 * Where a thread has to choose, the node has all alternatives and nobody races for it.
 */
import { grown, lowest } from '../base/index.js';
import { access, kindOf, locationOf } from './access.js';
import type { Execution } from './execution.js';
import type { HappensBefore } from './happens-before.js';

export class Path {
  length = 0;
  /** Nodes before this one are as in the run before. */
  repeated = 0;
  /** Node to what is being tried: a thread, or an alternative. */
  chosen: Int32Array = new Int32Array(64);
  /** Node to the threads that are enabled and to be tried, as bits. */
  enabled: Int32Array = new Int32Array(64);
  toTry: Int32Array = new Int32Array(64);
  /** Node to the threads that were tried and that are asleep, as bits. */
  #tried: Int32Array = new Int32Array(64);
  #asleep: Int32Array = new Int32Array(64);
  /** Node to how many alternatives there are to choose from; 0 where a thread takes a step. */
  #alternatives: Int32Array = new Int32Array(64);
  /** `node * threads + thread` to what a sleeping thread did, as an access; locations count from 1, 0 being none. */
  #didAsleep: Int32Array;
  readonly #execution: Execution;
  readonly #steps: HappensBefore;

  constructor(execution: Execution, steps: HappensBefore) {
    this.#execution = execution;
    this.#steps = steps;
    this.#didAsleep = new Int32Array(64 * execution.threads);
  }

  /** Forgets all nodes. */
  clear(): void {
    this.length = 0;
    this.repeated = 0;
  }

  /** A node at the end where a thread has to choose. */
  addChoice(alternatives: number): void {
    this.#add(0, 0, alternatives);
  }

  /** A node at the end. Tells false, and adds none, if all who are enabled are asleep. `last` goes first, if it can. */
  addStep(enabled: number, last: number): boolean {
    const awake = enabled & ~this.#stillAsleep();
    if (awake === 0) return false;
    this.#add(enabled, last >= 0 && awake & (1 << last) ? last : lowest(awake), 0);
    return true;
  }

  /** Goes back to the last node where something is left to try. Tells false if there is none. */
  backtrack(): boolean {
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
    const { kind, location, threads } = this.#steps;
    const thread = this.chosen[node];
    this.#tried[node] |= 1 << thread;
    this.#asleep[node] |= 1 << thread;
    this.#didAsleep[node * threads + thread] = access(kind[node], location[node] + 1);
    const left = this.toTry[node] & ~this.#tried[node] & ~this.#asleep[node];
    if (left === 0) return false;
    this.chosen[node] = lowest(left);
    return true;
  }

  #add(enabled: number, chosen: number, alternatives: number): void {
    const node = this.length;
    const asleep = this.#stillAsleep();
    if (node === this.chosen.length) this.#grow();
    for (let rest = asleep; rest !== 0; rest &= rest - 1) this.#keepAsleep(lowest(rest), node);
    this.enabled[node] = enabled;
    this.#asleep[node] = asleep;
    this.#tried[node] = 0;
    this.#alternatives[node] = alternatives;
    this.chosen[node] = chosen;
    this.toTry[node] = alternatives > 0 ? 0 : 1 << chosen;
    this.length++;
  }

  /** Those asleep at the last node whom its step did not wake. */
  #stillAsleep(): number {
    const last = this.length - 1;
    if (last < 0) return 0;
    const { kind, location, thread, threads } = this.#steps;
    let asleep = this.#asleep[last] & ~(1 << thread[last]);
    if (location[last] < 0) return asleep;
    for (let rest = asleep; rest !== 0; rest &= rest - 1) {
      const did = this.#didAsleep[last * threads + lowest(rest)];
      if (locationOf(did) === location[last] + 1 && this.#steps.conflict(kind[last], kindOf(did)))
        asleep &= ~(1 << lowest(rest));
    }
    return asleep;
  }

  #keepAsleep(thread: number, node: number): void {
    const { threads } = this.#execution;
    this.#didAsleep[node * threads + thread] = this.#didAsleep[(node - 1) * threads + thread];
  }

  #grow(): void {
    this.chosen = grown(this.chosen, 0);
    this.enabled = grown(this.enabled, 0);
    this.toTry = grown(this.toTry, 0);
    this.#tried = grown(this.#tried, 0);
    this.#asleep = grown(this.#asleep, 0);
    this.#alternatives = grown(this.#alternatives, 0);
    this.#didAsleep = grown(this.#didAsleep, this.chosen.length * this.#execution.threads);
  }
}
