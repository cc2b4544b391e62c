/**
 * Searches all states of the most general client (client.ts) together with its specification.
 *
 * A state is the heap, the local state of each thread, and the set of configurations that explain what was called and returned. The
 * search is *closed* when every step of every state has been taken. Then each execution, of any number of calls, is a path of states that
 * were visited, by induction over its length. So if no return left the set of configurations empty, every history is linearizable.
 *
 *   R. Alur, K. McMillan, D. Peled. Model-checking of correctness conditions for concurrent objects. LICS 1996.
 *
 * Coroutines cannot be copied: a state is reached again by running its path from the start. Breadth first, paths are shortest, and so is
 * the first counterexample; the cost is the number of transitions times the depth of the graph. Depth first, paths become long; it
 * exists to compare the number of states.
 */
import { grown } from '../../base/collections/ints.js';
import { DEAD } from '../automata/configurations.js';
import type { StateRaces } from '../classes/data-races.js';
import {
  type CanonicalStates,
  compareForms,
  Halves,
  type StateForm,
  type StateParts,
} from './canonical-state.js';
import { type ClientCall, type ClientMove, type ClientRun, codeOf, IDLE, moveOf } from './client.js';
import type { ConfigurationSets } from './configuration-sets.js';
import { type Terms, wereInspected } from './fresh-values.js';
import { type Graph, Progress, type RefusedCall } from './progress.js';
import type { OutcomeShapes } from './spec-model.js';

/** `thread` made the call that fails. */
export interface BadPath {
  readonly kind: 'outcome' | 'wait';
  readonly moves: readonly ClientMove[];
  readonly thread: number;
  /** A call that the thread cannot even start. */
  readonly refused?: ClientCall | undefined;
}

export interface SearchOptions {
  readonly maxStates: number;
  readonly maxElements: number;
  readonly isDepthFirst?: boolean | undefined;
  readonly hasExpired: () => boolean;
  /** Did the code do something that was not observed? */
  readonly isUnobserved: () => boolean;
}

/** Why a search stopped: all steps were taken, a violation was found, or neither can be established. */
export type SearchEnd = 'closed' | 'violation' | 'limit' | 'inspected' | 'opaque' | 'threads' | 'unobserved';

interface Parts {
  readonly run: ClientRun;
  readonly states: CanonicalStates;
  readonly sets: ConfigurationSets;
  readonly terms: Terms;
  readonly outcomes: OutcomeShapes;
  readonly races: StateRaces;
}

/** States between two clock checks. */
const STATES_PER_CHECK = 64;

export class Search implements Graph {
  violation: BadPath | undefined;
  transitions = 0;
  /** The length of the longest path. */
  depth = 0;
  isLockFree = false;
  /** Edges inside calls: steps that neither call nor return. */
  edges = 0;
  from: Int32Array = new Int32Array(1024);
  to: Int32Array = new Int32Array(1024);
  readonly #run: ClientRun;
  readonly #states: CanonicalStates;
  readonly #sets: ConfigurationSets;
  readonly #terms: Terms;
  readonly #outcomes: OutcomeShapes;
  readonly #races: StateRaces;
  readonly #options: SearchOptions;
  /** State to the one before it, the move from there, its depth, its set of configurations, and what can be done in it. */
  #parent: Int32Array = new Int32Array(1024);
  #move: Int32Array = new Int32Array(1024);
  #depth: Int32Array = new Int32Array(1024);
  #set: Int32Array = new Int32Array(1024);
  #canReturn: Uint8Array = new Uint8Array(1024);
  /** State to its threads by position, and to the numbers of its values, in the run that found it. */
  readonly #order: (readonly number[])[] = [];
  readonly #names: (readonly number[])[] = [];
  readonly #elements: number[] = [];
  /** Was a thread that is inside a call ever unable to take its next step? */
  #hasBlocked = false;
  /** State to calls that an idle thread cannot start there: positions and calls. */
  readonly #refused = new Map<number, RefusedCall[]>();
  readonly halves: Halves = new Halves();
  /** The states from which no step has been taken. */
  readonly #waiting: number[] = [];
  #next = 0;

  constructor({ run, states, sets, terms, outcomes, races }: Parts, options: SearchOptions) {
    this.#run = run;
    this.#states = states;
    this.#sets = sets;
    this.#terms = terms;
    this.#outcomes = outcomes;
    this.#races = races;
    this.#options = options;
  }

  get size(): number {
    return this.#order.length;
  }

  get parts(): StateParts {
    const { heaps, locals } = this.#states;
    return { states: this.size, heaps, locals, sets: this.#sets.size };
  }

  explore(): SearchEnd {
    wereInspected();
    this.#run.reset();
    const [form] = this.#states.walk();
    this.#states.intern(form, this.#sets.initial);
    this.#add(this.#sets.initial, -1, 0, form);
    for (let taken = 0; ; taken++) {
      const end = this.#problem(taken);
      if (end !== undefined) return end;
      const state = this.#options.isDepthFirst ? this.#waiting.pop() : this.#waiting[this.#next++];
      if (state === undefined) break;
      this.#expand(state);
      if (this.violation) return this.#problem(0) ?? 'violation';
    }
    return this.#progress();
  }

  /** Nothing that was found counts if states could not be compared. */
  #problem(taken: number): SearchEnd | undefined {
    if (this.#options.isUnobserved()) return 'unobserved';
    if (this.#states.opaque !== undefined) return 'opaque';
    if (wereInspected()) return 'inspected';
    if ((this.#run.memory.isThreadObserved || this.#states.seesThreads) && this.#states.isSorting)
      return 'threads';
    const isOver =
      this.size > this.#options.maxStates || (taken % STATES_PER_CHECK === 0 && this.#options.hasExpired());
    return isOver ? 'limit' : undefined;
  }

  /** Takes every step of a state. */
  #expand(state: number): void {
    const path = this.movesTo(state);
    this.#replay(path);
    const moves = this.#movesFrom(state);
    this.#races.begin();
    for (const [i, move] of moves.entries()) {
      if (i > 0) this.#replay(path);
      this.#take(state, move);
      if (this.violation) {
        this.violation = { ...this.violation, moves: [...path, move] };
        return;
      }
    }
  }

  /** The moves that are possible in a state, to which the run has been brought. */
  #movesFrom(state: number): ClientMove[] {
    const run = this.#run;
    if (run.choosing >= 0)
      return Array.from({ length: run.alternatives }, (_, at) => ({
        kind: 'choose',
        thread: run.choosing,
        at,
      }));
    const moves: ClientMove[] = [];
    for (let thread = 0; thread < run.threads; thread++)
      if (run.letter[thread] !== IDLE) {
        if (run.isEnabled(thread)) moves.push({ kind: 'step', thread, at: 0 });
        else this.#hasBlocked = true;
      } else
        for (const [at, call] of run.alphabet.choices[run.state[thread]].entries())
          if (this.#mayCall(state, thread, call)) {
            if (this.#canStart(thread, call)) moves.push({ kind: 'call', thread, at });
            else this.#refuse(state, thread, call);
          }
    return moves;
  }

  /** The bound on elements restricts the client, not the search. */
  #mayCall(state: number, thread: number, { letter, isOfFirst }: ClientCall): boolean {
    const fresh = this.#run.alphabet.fresh[letter];
    const isBelow = fresh === 0 || this.#elements[state] + fresh <= this.#options.maxElements;
    return isBelow && !(isOfFirst && thread > 0);
  }

  #canStart(thread: number, call: ClientCall): boolean {
    const run = this.#run;
    const { paths } = run;
    const state = run.state[thread];
    // a trial is no part of a path
    run.paths = undefined;
    run.start(thread, call);
    const canStart = run.choosing >= 0 || run.isEnabled(thread);
    run.choosing = -1;
    run.cancel(thread, state);
    run.paths = paths;
    return canStart;
  }

  #refuse(state: number, thread: number, call: ClientCall): void {
    const place = this.#order[state].indexOf(thread);
    this.#refused.set(state, [...this.refusedIn(state), { place, call }]);
  }

  /** Takes a move, and adds the state that it leads to. */
  #take(state: number, move: ClientMove): void {
    const run = this.#run;
    const isCall = move.kind === 'call';
    this.transitions++;
    const created = run.isReturned.length;
    const call = isCall ? run.alphabet.choices[run.state[move.thread]][move.at] : undefined;
    const isLast = this.#do(move);
    this.#races.did(move.thread, run.accessed, run.memory);
    const result = isLast ? this.#outcomes.of(run.hasThrown, run.result, run.subject) : undefined;
    if (result) for (const name of result.names) run.isReturned[name] = true;
    const forms = this.#states.walk();
    // from here on the run is not valid any more: a specification that is learned uses it too
    const fresh = Array.from({ length: run.isReturned.length - created }, (_, i) => created + i);
    const place = this.#order[state].indexOf(move.thread);
    let set = this.#set[state];
    // values of the configurations that the object has lost have names too
    const firstFresh = this.#sets
      .namesOf(set)
      .reduce((most, name) => Math.max(most, name + 1), this.#names[state].length);
    const nameOf = (name: number) =>
      name >= created ? firstFresh + name - created : this.#names[state].indexOf(name);
    if (call) set = this.#sets.call(set, place, this.#terms.numberOf(call.letter, fresh.map(nameOf)));
    if (result) {
      const outcome = this.#terms.numberOf(result.shape, result.names.map(nameOf));
      set = this.#sets.return(set, place, outcome);
      if (!isCall) this.#canReturn[state] = 1;
    }
    if (set === DEAD) {
      this.violation = { kind: 'outcome', moves: [], thread: move.thread };
      return;
    }
    const alive = new Set(forms[0].names.map(nameOf));
    set = this.#sets.prune(set, (name) => alive.has(name));
    const best = forms
      .map((form) => ({ form, set: this.#renamed(set, this.#order[state], form, nameOf) }))
      .reduce((least, one) => (compareForms(one, least) < 0 ? one : least));
    const known = this.size;
    const next = this.#states.intern(best.form, best.set);
    if (next === known) this.#add(best.set, state, codeOf(move), best.form);
    if (!isCall && !isLast) this.#connect(state, next);
  }

  #renamed(
    set: number,
    before: readonly number[],
    form: StateForm,
    nameOf: (name: number) => number,
  ): number {
    const places = form.order.map((thread) => before.indexOf(thread));
    return this.#sets.rename(set, places, form.names.map(nameOf));
  }

  #do({ kind, thread, at }: ClientMove): boolean {
    const run = this.#run;
    if (kind === 'choose') return run.choose(at);
    if (kind === 'step') return run.step(thread);
    run.start(thread, run.alphabet.choices[run.state[thread]][at]);
    return run.choosing >= 0 ? false : run.step(thread);
  }

  #replay(path: readonly ClientMove[]): void {
    const run = this.#run;
    run.reset();
    for (const move of path)
      if (this.#do(move) && run.isReturned.length > 0)
        for (const name of this.#outcomes.of(run.hasThrown, run.result, run.subject).names)
          run.isReturned[name] = true;
  }

  #add(set: number, parent: number, move: number, { order, names, elements }: StateForm): void {
    const state = this.size;
    if (state >= this.#parent.length) {
      this.#parent = grown(this.#parent, 0);
      this.#move = grown(this.#move, 0);
      this.#depth = grown(this.#depth, 0);
      this.#set = grown(this.#set, 0);
      this.#canReturn = Uint8Array.from(this.#parent, (_, at) => this.#canReturn[at] ?? 0);
    }
    this.#parent[state] = parent;
    this.#move[state] = move;
    this.#set[state] = set;
    this.#depth[state] = parent < 0 ? 0 : this.#depth[parent] + 1;
    this.depth = Math.max(this.depth, this.#depth[state]);
    this.halves.note(this.parts);
    this.#order.push(order);
    this.#names.push(names);
    this.#elements.push(elements);
    this.#waiting.push(state);
  }

  #connect(from: number, to: number): void {
    if (this.edges === this.from.length) {
      this.from = grown(this.from, 0);
      this.to = grown(this.to, 0);
    }
    this.from[this.edges] = from;
    this.to[this.edges++] = to;
  }

  movesTo(state: number): ClientMove[] {
    const moves: ClientMove[] = [];
    for (let at = state; this.#parent[at] >= 0; at = this.#parent[at]) moves.push(moveOf(this.#move[at]));
    return moves.reverse();
  }

  /** Brings the run to a state. */
  goTo(state: number): void {
    this.#replay(this.movesTo(state));
  }

  // ── progress ──

  canReturn(state: number): boolean {
    return this.#canReturn[state] === 1;
  }

  depthOf(state: number): number {
    return this.#depth[state];
  }

  setOf(state: number): number {
    return this.#set[state];
  }

  refusedIn(state: number): readonly RefusedCall[] {
    return this.#refused.get(state) ?? [];
  }

  #progress(): SearchEnd {
    const progress = new Progress(this);
    this.isLockFree = progress.isAcyclic && !this.#hasBlocked && this.#refused.size === 0;
    const found = progress.needlessWait(this.#sets, this.#run.threads);
    if (found === undefined) return 'closed';
    const { state, place, refused } = found;
    this.violation = { kind: 'wait', moves: this.movesTo(state), thread: this.#order[state][place], refused };
    return 'violation';
  }
}
