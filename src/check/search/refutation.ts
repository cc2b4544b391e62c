/**
 * A graph search that also looks for a short proof of a violation.
 *
 * A depth-first search that cannot include a return must backtrack to the start before it can say so: an incorrect
 * result after a million operations costs a million operations of backtracking. But most incorrect results are so
 * *locally*: whatever happened long before, no linearization includes them.
 *
 * So when the search has backtracked some way, or has long tried to include the return, a second search starts at a
 * quiet moment shortly before it, from *every* possible configuration there: each state that the operations can lead
 * to in any order, with each choice of open operations that have taken effect. If none of these includes the return,
 * no linearization does. If one does, nothing is known, and the first search continues; the next proof starts eight
 * times as far back.
 *
 * In the second search, pending operations may take effect any number of times. It then need not know which have, and
 * n of them do not cause 2^n configurations. This is sound, because it only allows more.
 *
 * The second search also computes the states that linearizations may reach before the return. These may be too many;
 * those that the first search has visited are real. When it has visited all of them, or has spent enough steps, the
 * result is returned.
 *
 * It applies only to objects with few states and moments with few open operations: the number of starts is bounded by
 * MOST_STARTS.
 *
 * A queue, stack or deque has too many states. Its proof is a search from the start with most values merged
 * (merged-values.ts): all except the value of the return, if it has one; then all except that and one other.
 */
import { distinct } from '../../base/collections/ints.js';
import type { History } from '../../history/history.js';
import { PENDING } from '../../history/model/columns.js';
import { DEAD, Machine } from '../../spec/machine/machine.js';
import { SpecError } from '../../spec/spec.js';
import type { Search, SearchResult } from '../model/search.js';
import { violation } from '../model/verdict.js';
import { JitGraph, type Start } from './generic/jit-graph.js';
import { isMergeable, MergeableValues } from './merged-values.js';

/**
 * How many returns the search may backtrack, or strides it may take without progress, before a proof is tried; and
 * how this grows with each try.
 */
const PROOF_DELAY = 64;
const PROOF_DELAY_GROWTH = 8;
const MOST_STARTS = 20_000;
const MOST_STATES = 64;
const MOST_LETTERS = 1_000;
/** Steps between two checks of how far the search has backtracked. */
const STRIDE = 256;
/** Strides without progress before values are merged; steps of one proof with merged values, and how many are tried. */
const MERGING_DELAY = 4;
const MERGED_STEPS = 5_000;
const MOST_MERGED_PROOFS = 32;
/** Strides that search for states after the proof is found. */
const STRIDES_FOR_STATES = 500;

export class RefutingSearch implements Search {
  readonly #history: History;
  readonly #machine: Machine;
  readonly #search: JitGraph;
  #proofDelay: number;
  /** The last progress: the steps by then, and the returns included. */
  #progress = { steps: 0, explained: 0 };
  /** All states that the operations lead to in any order; undefined if unknown, null if there are too many. */
  #states: readonly number[] | null | undefined;
  /** The second search, while it runs. */
  #proof: JitGraph | undefined;
  /** After a proof: the states that linearizations may reach before the return. */
  #proven: readonly number[] | undefined;
  #stridesLeft = STRIDES_FOR_STATES;
  /** The furthest return for which values were merged. */
  #mergedFor = -1;
  /** Statistics of finished proofs. */
  #pastSteps = 0;
  #pastConfigurations = 0;

  constructor(history: History, machine: Machine, proofDelay: number = PROOF_DELAY) {
    this.#history = history;
    this.#machine = machine;
    this.#proofDelay = proofDelay;
    this.#search = new JitGraph(history, machine);
  }

  get name(): string {
    return this.#search.name;
  }
  get steps(): number {
    return this.#search.steps + this.#pastSteps + (this.#proof?.steps ?? 0);
  }
  get configurations(): number {
    return this.#search.configurations + this.#pastConfigurations + (this.#proof?.configurations ?? 0);
  }
  get bytes(): number {
    return this.#search.bytes + (this.#proof?.bytes ?? 0);
  }
  get explained(): number {
    return this.#search.explained;
  }
  get returns(): number {
    return this.#search.returns;
  }

  advance(stepBudget: number): SearchResult | undefined {
    const limit = this.steps + stepBudget;
    while (this.steps < limit) {
      const stride = Math.min(STRIDE, limit - this.steps);
      if (this.#proof) {
        this.#continueProof(this.#proof, stride);
        continue;
      }
      const answer = this.#search.advance(stride) ?? this.#shortAnswer();
      if (answer) return answer;
      if (this.#proven) continue;
      const delay = this.#delay();
      if (delay > MERGING_DELAY && this.#progress.explained > this.#mergedFor && this.#isRefutedByMerging())
        return violation(this.#search.obstruction());
      if (delay > this.#proofDelay) this.#tryProof();
    }
    return undefined;
  }

  /** How many returns the search has backtracked, or how many strides it has taken without progress. */
  #delay(): number {
    const { steps, explained, position } = this.#search;
    if (explained > this.#progress.explained) this.#progress = { steps, explained };
    return Math.max(explained - position, (steps - this.#progress.steps) / STRIDE);
  }

  /** Whether the furthest return has no linearization even with most values merged. */
  #isRefutedByMerging(): boolean {
    if (!isMergeable(this.#machine.spec)) return false;
    this.#mergedFor = this.#progress.explained;
    const { moment } = this.#search.obstruction();
    const { columns } = this.#history;
    if (moment === columns.events.length) return false;
    const prefix = this.#history.prefix(moment);
    const values = MergeableValues.of(prefix, this.#machine.spec);
    if (!values) return false;
    const own = values.valueOf(~columns.events[moment]);
    const first = own < 0 ? [] : [own];
    const kept = [first, ...values.others(own).map((other) => [...first, other])];
    return kept.slice(0, MOST_MERGED_PROOFS).some((some) => {
      const merged = values.keeping(...some);
      if (!merged) return false;
      const proof = new JitGraph(merged, new Machine(merged, this.#machine.spec));
      const answer = proof.advance(MERGED_STEPS);
      this.#pastSteps += proof.steps;
      this.#pastConfigurations += proof.configurations;
      return answer?.kind === 'violation';
    });
  }

  /**
   * After a proof: the violation, once all states before the return are known, or enough steps were spent on them.
   */
  #shortAnswer(): SearchResult | undefined {
    if (!this.#proven) return undefined;
    const refusal = this.#search.obstruction();
    const isComplete = this.#proven.every((state) => refusal.states.includes(state));
    return isComplete || this.#stridesLeft-- === 0 ? violation(refusal) : undefined;
  }

  /** A spec may throw in states that no linearization reaches: then there is no proof. */
  #continueProof(proof: JitGraph, stepBudget: number): void {
    try {
      const answer = proof.advance(stepBudget);
      if (answer) this.#conclude(proof, answer);
    } catch (error) {
      if (!(error instanceof SpecError)) throw error;
      this.#states = null;
      this.#proof = undefined;
    }
  }

  #tryProof(): void {
    if (this.#states === undefined) this.#states = statesOf(this.#history, this.#machine);
    const length = 2 * this.#proofDelay;
    this.#proofDelay *= PROOF_DELAY_GROWTH;
    const { after, status } = this.#history.columns;
    const hasPending = status.includes(PENDING);
    // an operation that comes "after" a pending one depends on whether that took effect
    if (this.#states === null || (after && hasPending)) return;
    const { moment } = this.#search.obstruction();
    if (moment <= length) {
      // from the start on, only the number of effects of pending operations can be relaxed
      if (hasPending) this.#proof = this.#proofIn(this.#history.window(0, moment));
      return;
    }
    const { from, open } = quietMoment(this.#history, Math.max(1, moment - 2 * length), moment - length);
    if (this.#states.length * 2 ** open > MOST_STARTS) return;
    const window = this.#history.window(from, moment);
    this.#proof = this.#proofIn(window, startsOf(this.#states, openAtFirst(window, open)));
  }

  #proofIn(window: History, starts?: readonly Start[]): JitGraph {
    return new JitGraph(window, this.#machine, { ...(starts && { starts }), reusesPending: true });
  }

  #conclude(proof: JitGraph, answer: SearchResult): void {
    this.#pastSteps += proof.steps;
    this.#pastConfigurations += proof.configurations;
    this.#proof = undefined;
    if (answer.kind === 'violation') this.#proven = answer.refutation.states;
  }
}

/** All states that the letters of a history lead to in any order; null if there are too many. */
function statesOf(history: History, machine: Machine): number[] | null {
  const letters = distinct(machine.lettersOf(history));
  if (letters.length > MOST_LETTERS) return null;
  const states = new Set([machine.initial]);
  try {
    for (const state of states)
      for (const letter of letters) {
        const next = machine.step(state, letter);
        if (next !== DEAD) states.add(next);
        if (states.size > MOST_STATES) return null;
      }
  } catch (error) {
    if (error instanceof SpecError) return null;
    throw error;
  }
  return [...states];
}

/** The moment in a range before which the fewest operations are open, not counting pending ones. */
function quietMoment({ columns }: History, low: number, high: number): { from: number; open: number } {
  const { events, call, return: returned, status } = columns;
  let open = 0;
  for (let k = 0; call[k] < low; k++) if (returned[k] >= low && status[k] !== PENDING) open++;
  let best = { from: low, open };
  for (let m = low; m < high; m++) {
    if (open < best.open) best = { from: m, open };
    if (events[m] < 0) open--;
    else if (status[events[m]] !== PENDING) open++;
  }
  return best;
}

/** The first operations of a window that are not pending. */
function openAtFirst({ columns }: History, count: number): number[] {
  const open: number[] = [];
  for (let k = 0; open.length < count; k++) if (columns.status[k] !== PENDING) open.push(k);
  return open;
}

/** Each state with each choice of open operations. */
function startsOf(states: readonly number[], open: readonly number[]): Start[] {
  const choices = Array.from({ length: 2 ** open.length }, (_, choice) =>
    open.filter((_, i) => (choice >>> i) & 1),
  );
  return states.flatMap((state) => choices.map((done) => ({ state, done })));
}
