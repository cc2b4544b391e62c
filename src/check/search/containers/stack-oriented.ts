/**
 * Stack-oriented search, also for duplicate values: just in time, with all stacks that differ only below the top in
 * one graph.
 *
 * Only the top of a stack can be observed. If two concurrent values are pushed in the wrong order, this shows only
 * when they are popped, perhaps thousands of operations later, and a search that stores whole stacks repeats
 * everything in between. Here a configuration is
 *
 *   position   the next return whose operation has not taken effect yet
 *   node       the top, in a graph of all stacks (`GraphStructuredStack`)
 *   mask       which open operations have taken effect already
 *
 * and only a pop looks below the top. So n operations of which at most w are open at once have at most n · 2^w
 * positions and masks, with as many nodes. A stack is a pushdown automaton, and reachability of its end is decided in
 * polynomial time, with duplicate values or without, if the overlap is bounded. The candidates are those of
 * `JitGraph`: the operation that must return first; peeks, and operations that found nothing, as soon as they fit,
 * because they change nothing. Of equal open operations, the one that returns first: in any order in which another
 * goes before it, the two can be exchanged.
 *
 * Invariant: for a configuration, and any path down from its node, there is an order that leads to it
 * (`graphStackOrder`).
 */

import { GrowingInts } from '../../../base/collections/growing.js';
import { clearBit, grown, hasBit, setBit } from '../../../base/collections/ints.js';
import { RecordSet } from '../../../base/collections/record-set.js';
import { invariant } from '../../../base/errors.js';
import type { History } from '../../../history/history.js';
import type { Machine } from '../../../spec/machine/machine.js';
import type { Search, SearchResult } from '../../model/search.js';
import { linearizable, violation } from '../../model/verdict.js';
import { BEGINNING, Effects } from '../generic/effects.js';
import { OpenOperations } from '../generic/open-operations.js';
import { BOTTOM, GraphStructuredStack, graphStackOrder, PUT_IN } from './graph-structured-stack.js';
import { ContainerOperations, NOTHING, ReachableStates, UNKNOWN } from './operations.js';

/** Fields of a configuration's record; the mask follows. Records of one position are a group. */
const POSITION = 0;
const NODE = 1;
const MASK = 2;
const STATE_BUDGET = 20_000;
/** At most this many different tops are reported for a violation. */
const MOST_TOPS = 20;

export class StackOriented implements Search {
  readonly name = 'stack-oriented search';
  readonly returns: number;
  readonly #history: History;
  readonly #machine: Machine;
  readonly #stateBudget: number;
  readonly #operations: ContainerOperations;
  readonly #openings: OpenOperations;
  /** For each operation, its letter. */
  readonly #letters: Int32Array;
  readonly #stacks: GraphStructuredStack;
  /** Position and mask directly after an operation has taken effect. */
  readonly #stages: RecordSet;
  readonly #seen: RecordSet;
  /** For each record, the next candidate to try. */
  #next: Int32Array = new Int32Array(64);
  /** The effects on the path to each record, the push or pop first; and the link of a pop. */
  readonly #effects = new Effects(64);
  readonly #through = new GrowingInts();
  /** Records with more to try, the last one next. */
  readonly #waiting = new GrowingInts();
  /** The mask of the current configuration. */
  readonly #mask: Int32Array;
  /** The record of a configuration past all returns, once there is one. */
  #found = BEGINNING;
  #tried = 0;
  /** The furthest position of any configuration. */
  #furthest = 0;
  #reachable: ReachableStates | undefined;

  /** Only if there is no obstacle. `stateBudget`: the step budget for the states before a return. */
  constructor(history: History, machine: Machine, stateBudget: number = STATE_BUDGET) {
    const operations = ContainerOperations.read(history, machine, 'stack');
    invariant(typeof operations !== 'string', `no stack-oriented search: ${operations}`);
    this.#history = history;
    this.#machine = machine;
    this.#stateBudget = stateBudget;
    this.#operations = operations;
    const letters = machine.lettersOf(history);
    this.#letters = letters;
    const isReadOnly = new Set(letters.filter((_, k) => this.#changesNothing(k)));
    this.#openings = new OpenOperations(history.columns, letters, (letter) => isReadOnly.has(letter));
    const { returns, maskWords, usedWords } = this.#openings;
    this.returns = returns.length;
    this.#mask = new Int32Array(maskWords);
    this.#stacks = new GraphStructuredStack(operations.initial);
    this.#stages = new RecordSet(1 + maskWords, this.returns + 1);
    this.#seen = new RecordSet(MASK + maskWords, this.returns + 1, { bits: usedWords });
    this.#stages.draft();
    this.#stages.add();
    this.#enter(this.#stages.found, this.#stacks.top, BEGINNING, PUT_IN);
  }

  /** Why this search does not apply to a history; undefined if it does. */
  static obstacle(history: History, machine: Machine): string | undefined {
    const operations = ContainerOperations.read(history, machine, 'stack');
    return typeof operations === 'string' ? operations : undefined;
  }

  get steps(): number {
    return this.#tried + (this.#reachable?.steps ?? 0);
  }
  get configurations(): number {
    return this.#seen.size + (this.#reachable?.configurations ?? 0);
  }
  get bytes(): number {
    const lists =
      this.#effects.bytes + this.#openings.bytes + 4 * (this.#through.length + this.#waiting.length);
    return (
      this.#seen.bytes +
      this.#stages.bytes +
      4 * this.#seen.size +
      this.#stacks.bytes +
      lists +
      (this.#reachable?.bytes ?? 0)
    );
  }
  get explained(): number {
    return this.#furthest;
  }

  advance(stepBudget: number): SearchResult | undefined {
    const limit = this.steps + stepBudget;
    while (!this.#reachable) {
      if (this.#found !== BEGINNING) return linearizable(this.#orderTo(this.#found));
      if (this.steps >= limit) return undefined;
      this.#step();
    }
    const obstruction = this.#reachable.advance(limit - this.steps);
    return obstruction && violation(obstruction);
  }

  #step(): void {
    if (this.#waiting.length === 0) {
      this.#startStateSearch();
      return;
    }
    const at = this.#waiting.at(this.#waiting.length - 1);
    const record = at * this.#seen.width;
    const { records } = this.#seen;
    const position = records[record + POSITION];
    const next = this.#openings.nextCandidate(position, this.#next[at], records, record + MASK);
    if (next < 0) {
      this.#waiting.shrink(this.#waiting.length - 1);
      return;
    }
    this.#next[at] = next + 1;
    this.#tried++;
    const candidate = this.#openings.candidate(position, next);
    if (this.#isForestalled(candidate, position, record)) return;
    if (this.#operations.isAdd[candidate] === 1) this.#putIn(at, candidate);
    else if (!this.#changesNothing(candidate)) this.#takeOut(at, candidate);
  }

  /** Whether an equal operation is open that returns earlier. They are interchangeable, so that one goes first. */
  #isForestalled(k: number, position: number, record: number): boolean {
    const { open, slots } = this.#openings;
    const { return: returned } = this.#history.columns;
    for (let slot = 0; slot < slots; slot++) {
      const other = open[position * slots + slot];
      if (other < 0 || this.#letters[other] !== this.#letters[k] || returned[other] >= returned[k]) continue;
      if (!hasBit(this.#seen.records, record + MASK, slot)) return true;
    }
    return false;
  }

  #putIn(at: number, adder: number): void {
    const below = this.#seen.records[at * this.#seen.width + NODE];
    const stage = this.#stageAfter(at, adder);
    const { node, isNew } = this.#stacks.node(stage, this.#operations.value[adder]);
    const link = this.#stacks.link(node, below, adder, at);
    if (isNew) this.#enter(stage, node, at, PUT_IN, adder);
    else if (link !== undefined)
      for (const removal of this.#stacks.removals(node)) this.#removeThrough(link, removal);
  }

  #takeOut(at: number, remover: number): void {
    const node = this.#seen.records[at * this.#seen.width + NODE];
    const value = this.#operations.value[remover];
    if (node === BOTTOM || (value !== UNKNOWN && value !== this.#stacks.valueOf(node))) return;
    const removal = this.#stacks.remove(node, this.#stageAfter(at, remover), remover, at);
    if (removal !== undefined)
      for (const link of this.#stacks.links(node)) this.#removeThrough(link, removal);
  }

  #removeThrough(link: number, removal: number): void {
    this.#tried++;
    const { stage, remover, from } = this.#stacks.removed(removal);
    this.#enter(stage, this.#stacks.below(link), from, link, remover);
  }

  /** Settles a stage with a node on top; it is visited later, if it is new. */
  #enter(stage: number, node: number, parent: number, through: number, via?: number): void {
    if (via !== undefined) this.#effects.push(via);
    const { records, width } = this.#stages;
    for (let word = 0; word < this.#mask.length; word++) this.#mask[word] = records[stage * width + 1 + word];
    const position = this.#settle(records[stage * width], node);
    const draft = this.#seen.draft();
    this.#seen.records[draft + POSITION] = position;
    this.#seen.records[draft + NODE] = node;
    this.#seen.records.set(this.#mask, draft + MASK);
    if (!this.#seen.add()) {
      this.#effects.drop();
      return;
    }
    this.#furthest = Math.max(this.#furthest, position);
    if (position === this.returns) this.#found = this.#seen.size - 1;
    this.#effects.keep(parent);
    this.#through.push(through);
    if (this.#seen.size > this.#next.length) this.#next = grown(this.#next, 0);
    this.#waiting.push(this.#seen.size - 1);
  }

  /**
   * Steps without a choice: operations that change nothing take effect if they fit; returns of operations in effect
   * are passed.
   */
  #settle(from: number, node: number): number {
    const { open, slots, words, readOnly, returns, slotOf } = this.#openings;
    const mask = this.#mask;
    const top = node === BOTTOM ? NOTHING : this.#stacks.valueOf(node);
    for (let position = from; position < this.returns; position++) {
      for (let word = 0; word < words; word++)
        for (let left = readOnly[position * words + word] & ~mask[word]; left !== 0; left &= left - 1) {
          const k = open[position * slots + 32 * word + 31 - Math.clz32(left & -left)];
          if (this.#operations.value[k] !== top) continue;
          mask[word] |= left & -left;
          this.#effects.push(k);
        }
      const slot = slotOf[returns[position]];
      if (!hasBit(mask, 0, slot)) return position;
      clearBit(mask, slot);
    }
    return this.returns;
  }

  #startStateSearch(): void {
    const moment = this.#history.columns.return[this.#openings.returns[this.#furthest]];
    const stop = { moment, orders: () => this.#longest() };
    this.#reachable = new ReachableStates(this.#history, this.#machine, stop, this.#stateBudget);
  }

  /** Orders that get furthest, one for each value on top. */
  #longest(): Int32Array[] {
    const { records, width, size } = this.#seen;
    const byTop = new Map<number, number>();
    for (let record = 0; record < size && byTop.size < MOST_TOPS; record++) {
      const top = this.#stacks.valueOf(records[record * width + NODE]);
      if (records[record * width + POSITION] === this.#furthest && !byTop.has(top)) byTop.set(top, record);
    }
    return [...byTop.values()].map((record) => this.#orderTo(record));
  }

  #orderTo(last: number): Int32Array {
    return graphStackOrder(last, this.#stacks, this.#effects, this.#through);
  }

  /** Whether it is a peek, or found nothing. */
  #changesNothing(k: number): boolean {
    return this.#operations.isPeek[k] === 1 || this.#operations.value[k] === NOTHING;
  }

  /** The stage after one more operation has taken effect. */
  #stageAfter(at: number, operation: number): number {
    const { records, width } = this.#seen;
    for (let word = 0; word < this.#mask.length; word++) this.#mask[word] = records[at * width + MASK + word];
    setBit(this.#mask, this.#openings.bitOf[operation]);
    const draft = this.#stages.draft();
    this.#stages.records[draft] = records[at * width + POSITION];
    this.#stages.records.set(this.#mask, draft + 1);
    this.#stages.add();
    return this.#stages.found;
  }
}
