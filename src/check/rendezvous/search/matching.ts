/**
 * Rendezvous of two calls without a state: a matching.
 *
 *   J. Lawrence, G. Lowe. Synchronisation: specification and testing. 2025, sections 6.3 and 6.4.
 *
 * Without a state the order of rendezvous does not matter: a history is correct exactly when its calls can be paired
 * so that each returned call has a partner, or may be alone. Pending calls may be partners, but need not be.
 *
 *   1. If the spec has `pairs`, match by the exact greedy algorithm.
 *   2. If a call is left that needs a partner, build the graph of possible partners.
 *   3. If the graph is bipartite (two methods, as in a channel), extend the matching by Hopcroft and Karp's algorithm.
 *   4. For each call that is left, look for an augmenting path from it (Edmonds). The path may also end in a call that
 *      may be alone. If there is none, the calls that were reached are the reason.
 *
 * If the spec has `pairs`, a negative result is verified: according to `rendezvous` of the spec, no call of the reason
 * may fit a call outside it.
 *
 * Invariant: `mate` is a matching in the graph, and a call that has been given a partner keeps one, or may be alone.
 *
 * Cost: O(n log n) if step 1 suffices. Otherwise O(n · open) to build the graph, O(edges · √n) for step 3, and one
 * search of the graph for each call that step 4 treats.
 */
import { Blossom, hopcroftKarp } from '../../../base/algorithms/matching.js';
import { GrowingInts } from '../../../base/collections/growing.js';
import { IntHeap } from '../../../base/collections/ints.js';
import type { History } from '../../../history/history.js';
import { type Columns, NEVER } from '../../../history/model/columns.js';
import type { SyncMachine } from '../../../spec/rendezvous/sync-machine.js';
import { SpecError } from '../../../spec/spec.js';
import type { Search } from '../../model/search.js';
import { linearizable, violation } from '../../model/verdict.js';
import type { RendezvousSearchOptions, RendezvousSearchResult } from './configuration-graph.js';
import { PairRules } from './pair-rules.js';

/*
 * The graph of possible partners: its vertices are calls, joined if they overlap and fit. Built in one sweep with the
 * calls open at each moment. Cost: O(n · open).
 */

interface PairGraph {
  /** The neighbours of k are `edges[start[k]]` up to `edges[start[k + 1]]`, ascending. */
  readonly start: Int32Array;
  readonly edges: Int32Array;
}

function pairGraph(
  columns: Columns,
  fit: (a: number, b: number) => boolean,
  takesPart: (k: number) => boolean,
): PairGraph {
  const firsts = new GrowingInts();
  const seconds = new GrowingInts();
  eachOverlap(columns, takesPart, (a, b) => {
    if (!fit(a, b)) return;
    firsts.push(a);
    seconds.push(b);
  });
  const start = new Int32Array(columns.call.length + 1);
  for (let i = 0; i < firsts.length; i++) {
    start[firsts.at(i) + 1]++;
    start[seconds.at(i) + 1]++;
  }
  for (let k = 0; k < columns.call.length; k++) start[k + 1] += start[k];
  const edges = new Int32Array(2 * firsts.length);
  const next = start.slice();
  for (let i = 0; i < firsts.length; i++) {
    edges[next[firsts.at(i)]++] = seconds.at(i);
    edges[next[seconds.at(i)]++] = firsts.at(i);
  }
  return { start, edges };
}

/** Visits each two overlapping calls, the earlier one first. */
function eachOverlap(
  { events, return: returned }: Columns,
  takesPart: (k: number) => boolean,
  visit: (a: number, b: number) => void,
): void {
  const open: number[] = [];
  const place = new Int32Array(returned.length).fill(-1);
  for (const event of events) {
    const k = event >= 0 ? event : ~event;
    if (event >= 0) {
      if (!takesPart(k)) continue;
      for (let i = 0; i < open.length; i++) visit(open[i], k);
      place[k] = open.push(k) - 1;
    } else if (place[k] >= 0 && returned[k] !== NEVER) {
      const last = open.pop() as number;
      if (last !== k) {
        open[place[k]] = last;
        place[last] = place[k];
      }
    }
  }
}

const NONE = -1;

export class PairSearch implements Search<RendezvousSearchResult> {
  readonly name = 'matching of pairs';
  steps = 0;
  readonly configurations = 0;
  explained = 0;
  readonly returns: number;
  bytes = 0;
  readonly #history: History;
  readonly #rules: PairRules;
  readonly #options: Required<RendezvousSearchOptions>;
  #blossom: Blossom | undefined;
  /** Calls without a partner that need one; the last is covered next. */
  #alone: number[] = [];

  constructor(
    history: History,
    machine: SyncMachine,
    { pending = true, accepts = () => true }: RendezvousSearchOptions = {},
  ) {
    this.#history = history;
    this.#rules = new PairRules(history.columns, machine, machine.lettersOf(history));
    this.#options = { pending, accepts };
    this.returns = history.columns.events.length - history.length;
  }

  /**
   * Why the search does not apply to a history; undefined if it does. Whether there is a state is only known later.
   */
  static obstacle({ columns }: History, machine: SyncMachine): string | undefined {
    if (!PairRules.isFor(machine)) return 'more than two calls synchronise';
    return columns.after ? 'the history has "after" edges' : undefined;
  }

  advance(stepBudget: number): RendezvousSearchResult | undefined {
    const limit = this.steps + stepBudget;
    if (!this.#blossom) {
      const mate = this.#start();
      this.#alone = this.#withoutPartner(mate);
      this.steps += this.#history.length;
      if (this.#alone.length === 0) return this.#found(mate);
      this.#blossom = this.#improve(mate);
    }
    const { mate } = this.#blossom;
    while (this.#alone.length > 0) {
      if (this.steps >= limit) return undefined;
      this.steps++;
      const k = this.#alone.pop() as number;
      if (mate[k] === NONE && !this.#blossom.cover(k, (own) => this.#rules.mayBeAlone(own)))
        return this.#no(k);
    }
    return this.#found(mate);
  }

  /** A matching to start from. */
  #start(): Int32Array {
    const { pairs, letters } = this.#rules;
    if (pairs) return greedyPairs(this.#history.columns, letters, pairs);
    // calls alone can reveal a state, too
    for (let k = 0; k < this.#history.length; k++) this.#rules.isAlone(k);
    return new Int32Array(this.#history.length).fill(NONE);
  }

  #withoutPartner(mate: Int32Array): number[] {
    const alone: number[] = [];
    for (let k = mate.length - 1; k >= 0; k--)
      if (mate[k] === NONE && !this.#rules.mayBeAlone(k)) alone.push(k);
    return alone;
  }

  /** The graph, and a maximum matching without odd cycles. */
  #improve(mate: Int32Array): Blossom {
    const { columns, length } = this.#history;
    const { machine } = this.#rules;
    const takesPart = (k: number) => this.#options.pending || columns.return[k] !== NEVER;
    const { start, edges } = pairGraph(columns, (a, b) => this.#rules.fit(a, b), takesPart);
    this.bytes = 8 * edges.length + 40 * length;
    this.steps += edges.length;
    const sides = machine.modes.filter(({ roles }) => roles.length === 2).map(({ roles }) => roles);
    const lefts = new Set(sides.map(([left]) => left));
    if (!sides.some(([, right]) => lefts.has(right)) && this.#alone.length > 1) {
      const { methods } = this.#history.tables;
      hopcroftKarp(start, edges, (k) => lefts.has(methods[columns.method[k]]), mate);
      this.#alone = this.#withoutPartner(mate);
    }
    return new Blossom(start, edges, mate);
  }

  /** Pairs and calls alone as rendezvous, by the earliest possible moment of each. */
  #found(mate: Int32Array): RendezvousSearchResult {
    const { call, return: returned, events } = this.#history.columns;
    const { initial } = this.#rules.machine;
    const rendezvous: Int32Array[] = [];
    for (const k of events) {
      if (k < 0) continue;
      const other = mate[k];
      if (other === NONE && returned[k] !== NEVER) rendezvous.push(Int32Array.of(k));
      // the later of two has the moment
      if (other === NONE || call[other] > call[k]) continue;
      rendezvous.push(
        this.#rules.inOrder(other, k) ?? this.#inconsistent(other, k, 'it does not allow that'),
      );
    }
    this.explained = this.returns;
    if (this.#options.accepts(initial)) return linearizable(rendezvous);
    return violation({ moment: events.length, ends: [{ rendezvous, state: initial, waiting: [] }] });
  }

  /** A call that cannot be covered, and why. */
  #no(root: number): RendezvousSearchResult {
    const obstacle = (this.#blossom as Blossom).obstacle();
    if (this.#rules.pairs) this.#makeSure(obstacle.groups.flat(), obstacle.inner);
    return violation({
      moment: this.#history.columns.return[root],
      ends: [],
      unpaired: { root, ...obstacle },
    });
  }

  /** Verifies by the spec what the classes say of these calls. */
  #makeSure(calls: readonly number[], partners: readonly number[]): void {
    const { columns } = this.#history;
    const isCall = new Uint8Array(columns.call.length);
    const isPartner = new Uint8Array(columns.call.length);
    for (const k of calls) isCall[k] = 1;
    for (const k of partners) isPartner[k] = 1;
    const takesPart = (k: number) => this.#options.pending || columns.return[k] !== NEVER;
    eachOverlap(columns, takesPart, (a, b) => {
      if ((isCall[a] || isCall[b]) && !isPartner[a] && !isPartner[b])
        if (this.#rules.fitBySpec(a, b) && !this.#rules.fit(a, b))
          this.#inconsistent(a, b, 'it allows a rendezvous of both');
    });
  }

  #inconsistent(a: number, b: number, reason: string): never {
    const { id } = this.#history.columns;
    throw new SpecError(
      `pairs and rendezvous of the spec differ about operations ${id[a]} and ${id[b]}: ${reason}`,
    );
  }
}

/**
 * Pairs by class: an exact greedy algorithm.
 *
 * If a spec gives the class of each call and of its partner (`pairs`), the calls of a class are symmetric. Calls are
 * processed by return. A call without a partner takes, of the open and free calls of the partner's class, the one
 * that returns first. This is never worse: all candidates are open at that moment and differ only in how long they
 * stay open, and the shortest is used. A call that finds none stays alone. Pending calls have no class and are
 * ignored.
 *
 * Cost: O(n log n); one heap by return per class.
 *
 * For each operation, its partner, or -1. `own` and `other` map a letter to its class and to that of its partner, or
 * to -1.
 */
function greedyPairs(
  { events, return: returned }: Columns,
  letters: Int32Array,
  { own, other }: { readonly own: Int32Array; readonly other: Int32Array },
): Int32Array {
  const mate = new Int32Array(letters.length).fill(NONE);
  const heaps = new Map<number, IntHeap>();
  for (let m = 0; m < events.length; m++) {
    const event = events[m];
    const k = event >= 0 ? event : ~event;
    const mine = own[letters[k]];
    if (mine === NONE || returned[k] === NEVER) continue;
    if (event >= 0) {
      const heap = heaps.get(mine) ?? new IntHeap(returned);
      if (heap.first === NONE) heaps.set(mine, heap);
      heap.push(k);
      continue;
    }
    if (mate[k] !== NONE) continue;
    // a call that has a partner, has returned, or is this one cannot be used
    const heap = heaps.get(other[letters[k]]);
    while (heap && heap.first !== NONE && (mate[heap.first] !== NONE || returned[heap.first] <= m))
      heap.pop();
    if (!heap || heap.first === NONE) continue;
    mate[k] = heap.first;
    mate[heap.first] = k;
    heap.pop();
  }
  return mate;
}
