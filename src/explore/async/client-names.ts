/**
 * Names of clients in states: states that differ only in which client is which get one number, also if they are of two tests.
 *
 * A client is what it has left: the calls from the current one on, as one number for all tests of an exploration
 * (`CallLists`). Calls that have returned are not part of it. Clients get positions in the order in which the state mentions
 * them. An operation is written as the position of its client and what the client has left from there on.
 *
 * Why equal states have the same continuations: take the bijection of their clients, position to position. It maps calls in
 * progress to calls of the same methods with the same arguments, and clients that can start a call to clients with the same
 * calls left. The object does not know which client calls. A client has no other state: the results that it uses are in the
 * state, and its suspended functions are in the heap. So each step of one state is a step of the other, by the image of its
 * client, and the same bijection relates the states that follow. Verdicts agree: the judge's configurations are written by
 * the same positions (`order`), and learned states with equal terms have the same runs left (learned-runs.ts).
 *
 * No two states would be equal if calls in progress were left out, but for those that are equal anyway: the configurations of the judge
 * list these calls by position and what the client has left, and one that no object mentions never returns.
 *
 * The order among clients with equal calls is arbitrary. So one state may get two numbers, which costs time but misses nothing.
 */
import { ListInterner } from '../../base/collections/interners.js';
import { isPrimitive } from '../../base/values/canonical.js';
import { ResultReference } from '../../base/values/result-reference.js';
import { OPEN, Outcomes } from '../../execution/outcomes.js';
import type { ThreadOrder } from '../automata/configurations.js';
import type { AsyncProgram } from './program.js';
import type { AsyncRun } from './run.js';

/** What the tests of one exploration share, so that states of two tests can be compared. */
export class SharedStates {
  readonly outcomes: Outcomes;
  /** Terms of learned states, and rows and images of sets of configurations. */
  readonly shapes: ListInterner = new ListInterner();
  readonly rows: ListInterner = new ListInterner();
  readonly images: ListInterner = new ListInterner();
  readonly calls: CallLists = new CallLists();
  /** Lines of states, and states as lists of lines. */
  readonly lines: Map<string, number> = new Map();
  readonly states: ListInterner = new ListInterner();
  /** Functions that are not traced and existed before the first execution. */
  readonly constants: Map<unknown, number> = new Map();
  /** States from which a test was explored completely, without a violation. */
  readonly explored: Set<number> = new Set();
  /** Tests so far. */
  tests = 0;

  constructor(hasErrorsByName: boolean) {
    this.outcomes = new Outcomes(hasErrorsByName);
  }
}

/** Numbers of lists of calls: equal lists have equal numbers in all tests. Arguments are equal if they are the same value. */
class CallLists {
  readonly #lists = new ListInterner();
  readonly #values = new Map<unknown, number>();
  readonly #roles = new ListInterner();

  /** Operation to the number of the list of it and the later calls of its thread. */
  of({ calls, beforeTo, afterFrom }: AsyncProgram): Int32Array {
    const numbers = new Int32Array(calls.length);
    for (let k = calls.length - 1; k >= 0; k--) {
      const { method, args, thread, uses = [] } = calls[k];
      const isLast = k + 1 === beforeTo || k + 1 === afterFrom || calls[k + 1]?.thread !== thread;
      const given = args.map((arg) => (arg instanceof ResultReference ? -1 : this.#valueOf(arg)));
      const sources = uses.map((operation) => k - operation);
      const list = Int32Array.of(
        this.#valueOf(method),
        args.length,
        ...given,
        ...sources,
        isLast ? -1 : numbers[k + 1],
      );
      numbers[k] = this.#lists.intern(list, list.length);
    }
    return numbers;
  }

  /** The number of an operation: the position of its client, and the list that it starts. */
  roleOf(position: number, list: number): number {
    return this.#roles.intern(Int32Array.of(position, list), 2);
  }

  #valueOf(value: unknown): number {
    const key = Object.is(value, -0) ? NEGATIVE_ZERO : value;
    const known = this.#values.get(key);
    if (known !== undefined) return known;
    this.#values.set(key, this.#values.size);
    return this.#values.size - 1;
  }
}

const NEGATIVE_ZERO = Symbol('-0');

/**
 * What a judge remembers of a history, and in which states it may be compared up to the names of clients: in those of all tests of the
 * exploration, in those of one test, or in none.
 */
export interface JudgeMemory {
  readonly scope: 'exploration' | 'test' | 'none';
  memoryIn(order: ThreadOrder): string;
}

/** The position of the calls before and after all clients. */
const MAIN = 0;

export class ClientNames {
  readonly #run: AsyncRun;
  readonly #shared: SharedStates;
  readonly #lists: Int32Array;
  readonly #test: number;
  readonly #orders = new Map<string, ThreadOrder>();
  /** Thread to its position in the current state, or -1. */
  readonly #positions: Int32Array;
  #count = 0;

  constructor(run: AsyncRun, shared: SharedStates) {
    this.#run = run;
    this.#shared = shared;
    this.#lists = shared.calls.of(run.program);
    this.#positions = new Int32Array(run.program.threads + 1);
    this.#test = shared.tests++;
  }

  /**
   * Starts a state. Without a scope, clients keep their own positions. Returns what the state starts with, and the values
   * that it contains: arguments and results that the calls left use.
   */
  begin(scope: JudgeMemory['scope']): { readonly text: string; readonly values: readonly unknown[] } {
    const { threads } = this.#run.program;
    this.#positions.fill(-1);
    this.#positions[threads] = MAIN;
    this.#count = 1;
    if (scope === 'none') for (let thread = 0; thread < threads; thread++) this.#name(thread);
    const values: unknown[] = [];
    let text = scope === 'exploration' ? '' : `test ${this.#test}`;
    for (const { first, thread, kind } of this.#clients()) {
      const own = this.#valuesFrom(first + (kind === 'calls' ? 1 : 0), first);
      if (own.length === 0) continue;
      this.#name(thread);
      text += ` ${this.of(first)}`;
      values.push(...own);
    }
    return { text, values };
  }

  /** An operation, as the state mentions it. */
  of(operation: number): string {
    return `${this.#name(this.#run.program.calls[operation].thread)}:${this.#lists[operation]}`;
  }

  /** What the state ends with: what all clients do, in the order of their positions, and the calls after them. */
  end(): string {
    const clients = this.#clients();
    for (const { thread } of clients) this.#name(thread);
    const texts = clients.map(({ kind, first }) => `${this.of(first)} ${kind}`).sort();
    return texts.join();
  }

  /** The order of this state. After `end`. */
  get order(): ThreadOrder {
    const key = this.#positions.join();
    const known = this.#orders.get(key);
    if (known) return known;
    const { calls } = this.#run.program;
    const roles = calls.map(({ thread }, k) =>
      this.#shared.calls.roleOf(this.#positions[thread], this.#lists[k]),
    );
    const order = { index: this.#orders.size, roleOf: Int32Array.from(roles), nameOf: () => -1 };
    this.#orders.set(key, order);
    return order;
  }

  #name(thread: number): number {
    if (this.#positions[thread] < 0) this.#positions[thread] = this.#count++;
    return this.#positions[thread];
  }

  /** Clients with calls left, equal ones together: the calls they are in, those they can start, and those that wait for others. */
  #clients(): { readonly thread: number; readonly first: number; readonly kind: string }[] {
    const { program, loop, outcome, events } = this.#run;
    const { calls, beforeTo, afterFrom } = program;
    const called = events.filter((k) => k >= 0 && outcome[k] === OPEN);
    const ready = loop.tasks.flatMap(({ kind, operation = -1 }) => (kind === 'call' ? [operation] : []));
    const started = [...called, ...ready];
    const isBefore = started.some((k) => k < beforeTo);
    const later = [...calls.keys()].filter((k) => {
      if (k === afterFrom) return !started.some((other) => other >= afterFrom);
      return isBefore && k >= beforeTo && k < afterFrom && calls[k - 1]?.thread !== calls[k].thread;
    });
    const list = (kind: string, operations: readonly number[]) =>
      operations.map((first) => ({ kind, first, thread: calls[first].thread }));
    return [...list('calls', called), ...list('starts', ready), ...list('waits', later)].sort(
      (a, b) =>
        a.kind.localeCompare(b.kind) || this.#lists[a.first] - this.#lists[b.first] || a.first - b.first,
    );
  }

  /** Objects and results that the calls of a client use from an operation on. */
  #valuesFrom(from: number, own: number): unknown[] {
    const { calls, beforeTo, afterFrom } = this.#run.program;
    const values: unknown[] = [];
    for (let k = from; k < calls.length && calls[k].thread === calls[own].thread; k++) {
      if (k !== own && (k === beforeTo || k === afterFrom)) break;
      const { args, uses = [] } = calls[k];
      values.push(...args.filter((arg) => !isPrimitive(arg) && !(arg instanceof ResultReference)));
      values.push(...uses.map((operation) => this.#run.results[operation]));
    }
    return values;
  }
}
