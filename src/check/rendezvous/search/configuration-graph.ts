/**
 * The common part of the searches for rendezvous: a graph of configurations, explored depth first.
 *
 *   J. Lawrence, G. Lowe. Synchronisation: specification and testing. 2025, section 6.1: the
 *   configurations, and that each needs to be visited once.
 *
 * A configuration is a position in the history, the state, and the set of open calls that have synchronised. Pending
 * calls are its last bits: to have used fewer of them is never worse. Each configuration stores its predecessor and
 * the rendezvous in between, for the witness.
 *
 * Invariant: the rendezvous on the path to a configuration are a legal sequence of the spec, each at one point inside
 * all of its calls.
 */

import { GrowingInts } from '../../../base/collections/growing.js';
import { hasBit } from '../../../base/collections/ints.js';
import { RecordSet } from '../../../base/collections/record-set.js';
import type { History } from '../../../history/history.js';
import type { SyncMachine } from '../../../spec/rendezvous/sync-machine.js';
import type { Search } from '../../model/search.js';
import { type Decided, linearizable, violation } from '../../model/verdict.js';
import type { Slots } from '../../search/generic/slots.js';
import { EnabledRendezvous } from './enabled-rendezvous.js';

/** Operations are positions in the searched history. */
export type RendezvousSearchResult = Decided<readonly Int32Array[], RendezvousObstruction>;

/**
 * No sequence of rendezvous includes the event at this moment; a moment past the end means that none ends in an
 * accepted state. Only the just-in-time search knows the moment exactly; the others give one that some sequence
 * reaches.
 */
export interface RendezvousObstruction {
  readonly moment: number;
  /** Some sequences that reach the moment, in different configurations. */
  readonly ends: readonly End[];
  /** For calls that synchronise in pairs: why one has no partner. */
  readonly unpaired?: OddGroups;
}

/**
 * Groups of calls, each odd in number, that can only synchronise inside their group or with the inner ones, which are
 * fewer than the groups.
 */
export interface OddGroups {
  readonly root: number;
  readonly groups: readonly (readonly number[])[];
  readonly inner: readonly number[];
}

/** A sequence that reaches a moment, its state, and the open calls that have not synchronised. */
interface End {
  readonly rendezvous: readonly Int32Array[];
  readonly state: number;
  readonly waiting: readonly number[];
}

export interface RendezvousSearchOptions {
  /** Whether pending calls may have synchronised; true by default. */
  readonly pending?: boolean;
  /** The states to end in; any by default. */
  readonly accepts?: (state: number) => boolean;
}

/** The fields of a configuration: position and state, then the bits of calls that have synchronised. */
const POSITION = 0;
const STATE = 1;
const MASK = 2;
export const ROOT = -1;
const MAX_ENDS = 16;

export abstract class RendezvousSearch implements Search<RendezvousSearchResult> {
  abstract readonly name: string;
  steps = 0;
  explained = 0;
  readonly returns: number;
  protected readonly history: History;
  protected readonly machine: SyncMachine;
  protected readonly slots: Slots;
  protected readonly rendezvous: EnabledRendezvous;
  protected readonly usesPending: boolean;
  /** The bits of the current configuration. */
  protected readonly mask: Int32Array;
  readonly #accepts: (state: number) => boolean;
  readonly #seen: RecordSet;
  /** For each configuration, its predecessor, and the start of its rendezvous in a common list. */
  readonly #before = new GrowingInts();
  readonly #start = new GrowingInts();
  readonly #members = new GrowingInts();
  /** Configurations to visit, as twice their number; plus 1 for the second visit. */
  readonly #todo = new GrowingInts();
  /** The furthest position, and some configurations there. */
  #furthest = -1;
  #ends: number[] = [];
  #goal = ROOT;
  #visits = 0;

  constructor(
    history: History,
    machine: SyncMachine,
    slots: Slots,
    positions: number,
    letters: Int32Array,
    { pending = true, accepts = () => true }: RendezvousSearchOptions,
  ) {
    this.history = history;
    this.machine = machine;
    this.slots = slots;
    this.returns = history.columns.events.length - history.length;
    this.rendezvous = new EnabledRendezvous(machine, letters);
    this.usesPending = pending;
    this.mask = new Int32Array(slots.maskWords);
    this.#accepts = accepts;
    this.#seen = new RecordSet(MASK + slots.maskWords, positions + 1, { bits: slots.usedWords });
  }

  get configurations(): number {
    return this.#seen.size;
  }

  get bytes(): number {
    return this.#seen.bytes + 12 * this.#seen.size + 4 * (this.#members.length + this.#todo.length);
  }

  advance(stepBudget: number): RendezvousSearchResult | undefined {
    const limit = this.steps + stepBudget;
    if (this.#seen.size === 0 && this.#furthest < 0) this.begin();
    for (;;) {
      if (this.#goal !== ROOT) return linearizable(this.#rendezvousTo(this.#goal));
      if (this.#todo.length === 0) return violation(this.#obstruction());
      if (this.steps >= limit) return undefined;
      const entry = this.#todo.at(this.#todo.length - 1);
      const record = entry >> 1;
      this.#todo.shrink(this.#todo.length - 1);
      const { records, width } = this.#seen;
      for (let word = 0; word < this.mask.length; word++)
        this.mask[word] = records[record * width + MASK + word];
      const state = records[record * width + STATE];
      this.expand(record, records[record * width + POSITION], state, (entry & 1) === 1);
      // a visit counts as a step, too
      this.steps = this.rendezvous.steps + ++this.#visits;
    }
  }

  /** The states of all configurations visited so far. */
  get states(): readonly number[] {
    const { records, width, size } = this.#seen;
    const states = new Set<number>();
    for (let record = 0; record < size; record++) states.add(records[record * width + STATE]);
    return [...states];
  }

  /** Arrives at the first configuration. */
  protected abstract begin(): void;
  /** Arrives at the successors of a configuration, whose bits are in `mask`. */
  protected abstract expand(record: number, position: number, state: number, isSecondVisit: boolean): void;
  /** The moment of a position. */
  protected abstract momentOf(position: number): number;
  /** The open calls at a position that have not synchronised, by the bits in `mask`. */
  protected abstract openAt(position: number): number[];

  /** Adds a configuration with these bits, reached from another by a rendezvous or without one. */
  protected arrive(
    before: number,
    position: number,
    state: number,
    mask: Int32Array,
    members?: Int32Array,
    length = 0,
  ): void {
    const draft = this.#seen.draft();
    const { records } = this.#seen;
    records[draft + POSITION] = position;
    records[draft + STATE] = state;
    for (let word = 0; word < mask.length; word++) records[draft + MASK + word] = mask[word];
    if (!this.#seen.add()) return;
    const record = this.#seen.found;
    this.#before.push(before);
    this.#start.push(this.#members.length);
    for (let i = 0; i < length; i++) this.#members.push(members?.[i] ?? -1);
    this.#note(position, record);
    if (this.isEnd(position)) {
      if (this.#accepts(state)) this.#goal = record;
    } else this.#todo.push(2 * record);
  }

  /** Visits the configuration again when its successors have led nowhere. */
  protected again(record: number): void {
    this.#todo.push(2 * record + 1);
  }

  /** Whether all returns are included at this position. */
  protected abstract isEnd(position: number): boolean;

  /** Whether these may synchronise: of equal pending calls the earlier goes first, or both. */
  protected readonly maySynchronise = (members: Int32Array, length: number): boolean => {
    const { equalBefore, slotOf, bitOf } = this.slots;
    for (let i = 0; i < length; i++) {
      const equal = slotOf[members[i]] < 0 ? equalBefore[members[i]] : -1;
      if (equal < 0 || hasBit(this.mask, 0, bitOf[equal])) continue;
      let isIn = false;
      for (let j = 0; j < length; j++) isIn ||= members[j] === equal;
      if (!isIn) return false;
    }
    return true;
  };

  #note(position: number, record: number): void {
    if (position < this.#furthest) return;
    if (position > this.#furthest) this.#ends = [];
    this.#furthest = position;
    const moment = this.momentOf(position);
    const { events, call } = this.history.columns;
    // of the events before a moment, all but the calls are returns
    if (moment < events.length) this.explained = moment - lowerBound(call, moment);
    else this.explained = this.returns;
    if (this.#ends.length < MAX_ENDS) this.#ends.push(record);
  }

  #obstruction(): RendezvousObstruction {
    return {
      moment: this.momentOf(this.#furthest),
      ends: this.#ends.map((record) => {
        const { records, width } = this.#seen;
        for (let word = 0; word < this.mask.length; word++)
          this.mask[word] = records[record * width + MASK + word];
        return {
          rendezvous: this.#rendezvousTo(record),
          state: records[record * width + STATE],
          waiting: this.openAt(this.#furthest),
        };
      }),
    };
  }

  #rendezvousTo(last: number): Int32Array[] {
    const rendezvous: Int32Array[] = [];
    for (let record = last; record !== ROOT; record = this.#before.at(record)) {
      const start = this.#start.at(record);
      const end = record + 1 < this.#start.length ? this.#start.at(record + 1) : this.#members.length;
      if (end > start)
        rendezvous.push(Int32Array.from({ length: end - start }, (_, i) => this.#members.at(start + i)));
    }
    return rendezvous.reverse();
  }
}

/** How many of these ascending numbers are below a limit. */
function lowerBound(ascending: Int32Array, limit: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ascending[middle] < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
