/**
 * All rendezvous that are enabled for open calls in a state.
 *
 * Roles with one member are tried in every order of their methods. Roles with several members are tried in order of
 * call only, because these members are symmetric in the spec: this saves k! orders of k calls.
 *
 * Cost: the number of open calls to the power of the size of a rendezvous, restricted by required members.
 */
import type { History } from '../../../history/history.js';
import { DEAD } from '../../../spec/machine/machine.js';
import { SyncMachine } from '../../../spec/rendezvous/sync-machine.js';
import type { SyncSpec } from '../../../spec/rendezvous/sync-spec.js';
import type { PartCut } from '../../model/verdict.js';
import type { ObjectHistory } from '../../parts/parts.js';

/* The history of one rendezvous object, and its machine. */

export class RendezvousPart {
  readonly name: string;
  /** The operations that took effect, or may have. */
  readonly history: History;
  readonly cuts: readonly PartCut[];
  readonly spec: SyncSpec;
  readonly machine: SyncMachine;

  constructor({ name, history, cuts }: ObjectHistory, spec: SyncSpec) {
    this.name = name ?? '';
    this.history = history.withoutFailed();
    this.cuts = cuts;
    this.spec = spec;
    this.machine = new SyncMachine(history, spec);
  }

  /** The same object with a cut of its history; `changed`: with another outcome of an operation. */
  cut(history: History, changed = false): RendezvousPart {
    const machine = changed ? new SyncMachine(history, this.spec) : this.machine;
    return Object.assign(Object.create(RendezvousPart.prototype) as RendezvousPart, {
      ...this,
      history,
      machine,
    });
  }

  /** Positions as ids. */
  ids(positions: Iterable<number>): number[] {
    const { id } = this.history.columns;
    return Array.from(positions, (k) => id[k]);
  }
}

/** Receives possible members: the first `length` of `members`. Returning true stops. */
// biome-ignore lint/suspicious/noConfusingVoidType: most visitors have nothing to say
type Gather = (members: Int32Array, length: number, mode: number) => boolean | void;
/** Receives the members of an enabled rendezvous, and the state after it. */
// biome-ignore lint/suspicious/noConfusingVoidType: most visitors have nothing to say
type Visit = (members: Int32Array, length: number, next: number) => boolean | void;

/** No call is required. */
export const ANY_CALL = -1;

export class EnabledRendezvous {
  /** The number of rendezvous tried. */
  steps = 0;
  readonly #machine: SyncMachine;
  readonly #letters: Int32Array;
  /** For each operation, the number of its method among those of the modes. */
  readonly #method: Int32Array;
  /** For each mode, the methods of roles with one member, and the method of the role with several, or -1. */
  readonly #roles: readonly Int32Array[];
  readonly #many: Int32Array;
  #members: Int32Array = new Int32Array(8);
  #memberLetters: Int32Array = new Int32Array(8);

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

  /**
   * Visits all rendezvous that operations of `open`, which ascends, can have in a state; only those that `accepts`
   * are tried.
   */
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
      for (let i = 0; i < length; i++) this.#memberLetters[i] = this.#letters[members[i]];
      const next = this.#machine.synchronise(state, mode, this.#memberLetters, length);
      return next !== DEAD && visit(members, length, next) === true;
    });
  }

  /**
   * Visits all sets of calls that have the methods of a rendezvous, whatever the spec says of them; `must` is a
   * member.
   */
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
          this.#memberLetters = new Int32Array(2 * length);
        }
        if (this.#fill({ mode, open, must, roles, many, length, visit }, 0, 0, must < 0)) return true;
      }
    }
    return false;
  }

  /** Fills the places from one on; members of the role with several are taken from `open[from]` on. */
  #fill(own: Filling, place: number, from: number, hasMust: boolean): boolean {
    const { open, must, roles, many, length } = own;
    if (place === length) return own.visit(this.#members, length, own.mode) === true;
    const isOne = place < roles.length;
    const method = isOne ? roles[place] : many;
    for (let i = isOne ? 0 : from; i < open.length; i++) {
      const k = open[i];
      if (this.#method[k] !== method) continue;
      // the last place is left to the required member
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

/** The members chosen so far. */
interface Filling {
  readonly mode: number;
  readonly open: readonly number[];
  readonly must: number;
  readonly roles: Int32Array;
  readonly many: number;
  readonly length: number;
  readonly visit: Gather;
}
