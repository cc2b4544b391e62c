/**
 * Rendezvous of one call of each method, if calls record their group: an exact greedy algorithm.
 *
 * If a spec gives what the members of a rendezvous have in common (`group`), calls are processed by return. A call
 * that has not synchronised takes, of each other method, the open and free call of its group that returns first. This
 * is never worse, as for pairs.
 *
 *   all returned calls have synchronised     these rendezvous, each verified by the spec
 *   one has not                              left to a search: a pending call has no group, but may be a member
 *
 * Cost: O(n log n); one heap by return per group and method.
 */
import { IntHeap } from '../../../base/collections/ints.js';
import type { History } from '../../../history/history.js';
import { NEVER } from '../../../history/model/columns.js';
import type { SyncMachine } from '../../../spec/rendezvous/sync-machine.js';
import type { RendezvousMode } from '../../../spec/rendezvous/sync-spec.js';
import type { Search } from '../../model/search.js';
import { linearizable, violation } from '../../model/verdict.js';
import type { RendezvousSearchOptions, RendezvousSearchResult } from './configuration-graph.js';

const NONE = -1;

export class GroupSearch implements Search<RendezvousSearchResult> {
  readonly name = 'groups of calls';
  steps = 0;
  readonly configurations = 0;
  explained = 0;
  readonly returns: number;
  readonly bytes = 0;
  readonly #history: History;
  readonly #machine: SyncMachine;
  readonly #accepts: (state: number) => boolean;

  constructor(
    history: History,
    machine: SyncMachine,
    { accepts = () => true }: RendezvousSearchOptions = {},
  ) {
    this.#history = history;
    this.#machine = machine;
    this.#accepts = accepts;
    this.returns = history.columns.events.length - history.length;
  }

  /** Whether there is one mode, of one call of each method, and groups are recorded. */
  static isFor({ columns }: History, machine: SyncMachine): boolean {
    const [mode, ...others] = machine.modes;
    const isOneEach = mode.starred === undefined && new Set(mode.roles).size === mode.roles.length;
    return others.length === 0 && isOneEach && machine.hasGroups && !columns.after;
  }

  advance(): RendezvousSearchResult {
    const { columns, length } = this.#history;
    const { initial } = this.#machine;
    this.steps += length;
    const rendezvous = this.#gathered();
    const no = violation({ moment: columns.events.length, ends: [] });
    if (!rendezvous || !this.#accepts(initial)) return no;
    this.explained = this.returns;
    return linearizable(rendezvous);
  }

  /** Rendezvous of all returned calls, by the first return of each; undefined if one has none. */
  #gathered(): Int32Array[] | undefined {
    const { events, return: returned } = this.#history.columns;
    const [mode] = this.#machine.modes;
    const letters = this.#machine.lettersOf(this.#history);
    const groups = this.#machine.groupKeys();
    const places = placesOf(mode, this.#machine);
    const size = mode.roles.length;
    const isMatched = new Uint8Array(this.#history.length);
    const heaps = new Map<number, IntHeap>();
    const rendezvous: Int32Array[] = [];
    for (let m = 0; m < events.length; m++) {
      const k = events[m] >= 0 ? events[m] : ~events[m];
      const group = groups[letters[k]];
      if (returned[k] === NEVER || isMatched[k]) continue;
      if (group === NONE) return undefined;
      if (events[m] >= 0) {
        const key = group * size + places[letters[k]];
        const heap = heaps.get(key) ?? new IntHeap(returned);
        if (heap.first === NONE) heaps.set(key, heap);
        heap.push(k);
        continue;
      }
      const members = new Int32Array(size);
      for (let place = 0; place < size; place++) {
        const heap = heaps.get(group * size + place);
        while (heap && heap.first !== NONE && (isMatched[heap.first] || returned[heap.first] < m)) heap.pop();
        if (!heap || heap.first === NONE) return undefined;
        members[place] = place === places[letters[k]] ? k : heap.first;
      }
      if (!this.#isEnabled(members, letters)) return undefined;
      for (const member of members) isMatched[member] = 1;
      rendezvous.push(members);
    }
    return rendezvous;
  }

  #isEnabled(members: Int32Array, letters: Int32Array): boolean {
    const { initial, modes } = this.#machine;
    const own = members.map((k) => letters[k]);
    return this.#machine.synchronise(initial, modes[0].number, own) === initial;
  }
}

/** For each letter, the place of its method in a rendezvous. */
const placesOf = ({ roles }: RendezvousMode, machine: SyncMachine): Int32Array =>
  Int32Array.from({ length: machine.letterCount }, (_, letter) => roles.indexOf(machine.methodOf(letter)));
