/**
 * Rendezvous of any size without a state: an exact cover.
 *
 *   J. Lawrence, G. Lowe. Synchronisation: specification and testing. 2025, section 6.5.
 *
 * Without a state the order of rendezvous does not matter. All possible rendezvous are listed, each once, at the call
 * of its last member. Then each returned call must be in exactly one chosen rendezvous, and any other call in at most
 * one. A call with one possibility left takes it; otherwise the call that returns first tries its possibilities in
 * sequence. If a call has none left, the search backtracks.
 *
 * Invariant: `left[k]` is the number of rendezvous of k without a member in a chosen one. Cost: exponential in the
 * worst case (NP-complete for three members); the memory of all possible rendezvous.
 */
import { GrowingInts } from '../../../base/collections/growing.js';
import type { History } from '../../../history/history.js';
import { NEVER } from '../../../history/model/columns.js';
import type { SyncMachine } from '../../../spec/rendezvous/sync-machine.js';
import type { Search } from '../../model/search.js';
import { linearizable, violation } from '../../model/verdict.js';
import type { RendezvousSearchOptions, RendezvousSearchResult } from './configuration-graph.js';
import { EnabledRendezvous } from './enabled-rendezvous.js';
import { HasState } from './pair-rules.js';

/** A call that is tried, and the place of its chosen rendezvous; -1 before the first. */
interface Choice {
  readonly call: number;
  place: number;
}

export class CoverSearch implements Search<RendezvousSearchResult> {
  readonly name = 'exact cover by rendezvous';
  steps = 0;
  readonly configurations = 0;
  readonly explained = 0;
  readonly returns: number;
  readonly #history: History;
  readonly #machine: SyncMachine;
  readonly #accepts: (state: number) => boolean;
  /**
   * For each possible rendezvous, the start of its members in a common list; for each call, its possible rendezvous.
   */
  readonly #start = new GrowingInts();
  readonly #members = new GrowingInts();
  readonly #gatherings: number[][];
  /**
   * For each possible rendezvous, how many of its members are covered; for each call, how many of its rendezvous are
   * free.
   */
  readonly #covered: Int32Array;
  readonly #left: Int32Array;
  readonly #isCovered: Uint8Array;
  readonly #byReturn: Int32Array;
  /** How many returned calls are not covered and have no possibility left. */
  #dead = 0;
  readonly #forced: number[] = [];
  readonly #choices: Choice[] = [];
  #isBack = false;

  constructor(
    history: History,
    machine: SyncMachine,
    { pending = true, accepts = () => true }: RendezvousSearchOptions = {},
  ) {
    const { length, columns } = history;
    this.#history = history;
    this.#machine = machine;
    this.#accepts = accepts;
    this.returns = columns.events.length - length;
    this.#gatherings = Array.from({ length }, () => []);
    this.#list(pending);
    this.#covered = new Int32Array(this.#start.length - 1);
    this.#left = Int32Array.from(this.#gatherings, (own) => own.length);
    this.#isCovered = new Uint8Array(length);
    this.#byReturn = columns.events.filter((event) => event < 0).map((event) => ~event);
    for (const k of this.#byReturn) if (this.#left[k] === 0) this.#dead++;
  }

  static obstacle({ columns }: History): string | undefined {
    return columns.after ? 'the history has "after" edges' : undefined;
  }

  get bytes(): number {
    return 12 * this.#members.length + 60 * this.#history.length;
  }

  advance(stepBudget: number): RendezvousSearchResult | undefined {
    const limit = this.steps + stepBudget;
    for (;;) {
      if (this.steps >= limit) return undefined;
      this.steps++;
      if (this.#dead === 0 && !this.#isBack) {
        const call = this.#next();
        if (call < 0) return this.#found();
        this.#choices.push({ call, place: -1 });
      }
      const choice = this.#choices[this.#choices.length - 1];
      if (!choice) return violation({ moment: 0, ends: [] });
      this.#isBack = !this.#another(choice);
      if (this.#isBack) this.#choices.pop();
    }
  }

  /** Lists all possible rendezvous. */
  #list(pending: boolean): void {
    const { events, return: returned } = this.#history.columns;
    const rendezvous = new EnabledRendezvous(this.#machine, this.#machine.lettersOf(this.#history));
    const { initial } = this.#machine;
    let open: number[] = [];
    for (const event of events) {
      if (event < 0) open = open.filter((k) => k !== ~event);
      else if (pending || returned[event] !== NEVER) {
        open.push(event);
        rendezvous.each(initial, open, event, (members, length, next) => {
          if (next !== initial) throw new HasState();
          for (let i = 0; i < length; i++) {
            this.#gatherings[members[i]].push(this.#start.length);
            this.#members.push(members[i]);
          }
          this.#start.push(this.#members.length - length);
        });
      }
    }
    this.#start.push(this.#members.length);
  }

  /** A call to cover next, or -1. */
  #next(): number {
    while (this.#forced.length > 0) {
      const k = this.#forced.pop() as number;
      if (!this.#isCovered[k] && this.#left[k] === 1) return k;
    }
    return this.#byReturn.find((k) => !this.#isCovered[k]) ?? -1;
  }

  /** Takes back the rendezvous chosen last for a call, and chooses its next free one. */
  #another(choice: Choice): boolean {
    const own = this.#gatherings[choice.call];
    if (choice.place >= 0) this.#takeBack(own[choice.place]);
    do choice.place++;
    while (choice.place < own.length && this.#covered[own[choice.place]] > 0);
    if (choice.place === own.length) return false;
    for (let i = this.#start.at(own[choice.place]); i < this.#start.at(own[choice.place] + 1); i++)
      this.#cover(this.#members.at(i));
    // a choice that leaves a call without possibilities is skipped
    return this.#dead === 0 || this.#another(choice);
  }

  #takeBack(gathering: number): void {
    for (let i = this.#start.at(gathering + 1); i > this.#start.at(gathering); )
      this.#uncover(this.#members.at(--i));
  }

  #cover(k: number): void {
    if (this.#needs(k) && this.#left[k] === 0) this.#dead--;
    this.#isCovered[k] = 1;
    for (const gathering of this.#gatherings[k])
      if (this.#covered[gathering]++ === 0) this.#count(gathering, k, -1);
  }

  #uncover(k: number): void {
    for (const gathering of this.#gatherings[k])
      if (--this.#covered[gathering] === 0) this.#count(gathering, k, 1);
    this.#isCovered[k] = 0;
    if (this.#needs(k) && this.#left[k] === 0) this.#dead++;
  }

  /** A possible rendezvous is no longer free, or free again: its other members have one less, or one more. */
  #count(gathering: number, but: number, change: 1 | -1): void {
    for (let i = this.#start.at(gathering); i < this.#start.at(gathering + 1); i++) {
      const k = this.#members.at(i);
      if (k === but) continue;
      const counts = this.#needs(k) && !this.#isCovered[k];
      if (counts && change > 0 && this.#left[k] === 0) this.#dead--;
      this.#left[k] += change;
      if (counts && change < 0 && this.#left[k] === 0) this.#dead++;
      if (counts && this.#left[k] === 1) this.#forced.push(k);
    }
  }

  #needs(k: number): boolean {
    return this.#history.columns.return[k] !== NEVER;
  }

  /** The chosen rendezvous, by the latest call in each. */
  #found(): RendezvousSearchResult {
    const chosen = this.#choices.map(({ call, place }) => this.#gatherings[call][place]);
    // they are numbered by that call
    const rendezvous = chosen
      .sort((a, b) => a - b)
      .map((gathering) => {
        const start = this.#start.at(gathering);
        return Int32Array.from({ length: this.#start.at(gathering + 1) - start }, (_, i) =>
          this.#members.at(start + i),
        );
      });
    const { initial } = this.#machine;
    if (this.#accepts(initial)) return linearizable(rendezvous);
    const { events } = this.#history.columns;
    return violation({ moment: events.length, ends: [{ rendezvous, state: initial, waiting: [] }] });
  }
}
