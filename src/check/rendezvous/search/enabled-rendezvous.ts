/**
 * All meetings that some open calls can have in a state.
 *
 * Those of one each are tried in every order of their methods; those of which there are several, in
 * order of call only, since a spec treats them alike: that saves k! orders of k calls.
 *
 * Cost: the calls open to the power of how many meet, less what is asked to take part.
 */
import { DEAD } from '../../../spec/machine/machine.js';
import type { SyncMachine } from '../../../spec/rendezvous/sync-machine.js';

/** Told who may meet: the first `length` of `members`. True ends the search for more. */
// biome-ignore lint/suspicious/noConfusingVoidType: most visitors have nothing to say
export type Gather = (members: Int32Array, length: number, mode: number) => boolean | void;
/** Told who can meet, and the state after that. */
// biome-ignore lint/suspicious/noConfusingVoidType: most visitors have nothing to say
export type Visit = (members: Int32Array, length: number, next: number) => boolean | void;

/** Nobody has to take part. */
export const ANY_CALL = -1;

export class EnabledRendezvous {
  /** Meetings tried. */
  steps = 0;
  readonly #machine: SyncMachine;
  readonly #letters: Int32Array;
  /** Operation to the number of its method among those of the modes. */
  readonly #method: Int32Array;
  /** Mode to the methods of those who are one each, and of those who are several, or -1. */
  readonly #roles: readonly Int32Array[];
  readonly #many: Int32Array;
  #members: Int32Array = new Int32Array(8);
  #met: Int32Array = new Int32Array(8);

  constructor(machine: SyncMachine, letters: Int32Array) {
    this.#machine = machine;
    this.#letters = letters;
    const methods = [
      ...new Set(machine.modes.flatMap(({ roles, starred }) => [...roles, ...(starred ? [starred] : [])])),
    ];
    const ofLetter = Int32Array.from({ length: machine.letterCount }, (_, letter) =>
      methods.indexOf(machine.methodOf(letter)),
    );
    this.#method = Int32Array.from(letters, (letter) => ofLetter[letter]);
    this.#roles = machine.modes.map(({ roles }) => Int32Array.from(roles, (role) => methods.indexOf(role)));
    this.#many = Int32Array.from(machine.modes, ({ starred }) => (starred ? methods.indexOf(starred) : -1));
  }

  /** Visits all meetings that operations of `open`, which ascends, can have in a state; only those that `accepts` are tried. */
  each(
    state: number,
    open: readonly number[],
    must: number,
    visit: Visit,
    accepts: (members: Int32Array, length: number) => boolean = () => true,
  ): boolean {
    return this.gather(state, open, must, (members, length, mode) => {
      if (!accepts(members, length)) return false;
      this.steps++;
      for (let i = 0; i < length; i++) this.#met[i] = this.#letters[members[i]];
      const next = this.#machine.synchronise(state, mode, this.#met, length);
      return next !== DEAD && visit(members, length, next) === true;
    });
  }

  /** Visits all gatherings that have the methods of a meeting, whatever the spec says of them; `must` takes part. */
  gather(state: number, open: readonly number[], must: number, visit: Gather): boolean {
    for (let mode = 0; mode < this.#many.length; mode++) {
      const roles = this.#roles[mode];
      const many = this.#many[mode];
      if (must >= 0 && many !== this.#method[must] && !roles.includes(this.#method[must])) continue;
      for (const size of many < 0 ? [0] : this.#machine.allowedSizes(state, mode)) {
        const length = roles.length + size;
        if (length > open.length) continue;
        if (length > this.#members.length) {
          this.#members = new Int32Array(2 * length);
          this.#met = new Int32Array(2 * length);
        }
        if (this.#fill({ mode, open, must, roles, many, length, visit }, 0, 0, must < 0)) return true;
      }
    }
    return false;
  }

  /** Fills the places from one on; those who are several are taken from `open[from]` on. */
  #fill(own: Filling, place: number, from: number, hasMust: boolean): boolean {
    const { open, must, roles, many, length } = own;
    if (place === length) return own.visit(this.#members, length, own.mode) === true;
    const isOne = place < roles.length;
    const method = isOne ? roles[place] : many;
    for (let i = isOne ? 0 : from; i < open.length; i++) {
      const k = open[i];
      if (this.#method[k] !== method) continue;
      // the last place is left to who must take part
      if (!hasMust && place === length - 1 && k !== must) continue;
      let isIn = false;
      for (let j = 0; j < Math.min(place, roles.length); j++) isIn ||= this.#members[j] === k;
      if (isIn) continue;
      this.#members[place] = k;
      if (this.#fill(own, place + 1, isOne ? 0 : i + 1, hasMust || k === must)) return true;
    }
    return false;
  }
}

/** What is being filled. */
interface Filling {
  readonly mode: number;
  readonly open: readonly number[];
  readonly must: number;
  readonly roles: Int32Array;
  readonly many: number;
  readonly length: number;
  readonly visit: Gather;
}
