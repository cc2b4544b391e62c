/**
 * Queue-oriented search, and the reason of a violation.
 *
 * Removing pairs (`QueuePairs`) decides whether there is a linearization, but not which return none includes. If a
 * prefix of the history is linearizable, so is each shorter one. So bisection finds that return by searching about
 * log n prefixes. If counting values refutes the history, the search starts with the prefix before that return.
 *
 * Then `ReachableStates` looks for the states before the return, within a step budget.
 *
 * Cost: near O(n) for a linearization, O(n log n) for a violation, plus the states.
 */

import { range } from '../../../base/collections/ints.js';
import { invariant } from '../../../base/errors.js';
import type { History } from '../../../history/history.js';
import type { Columns } from '../../../history/model/columns.js';
import type { Machine } from '../../../spec/machine/machine.js';
import type { Search, SearchResult } from '../../model/search.js';
import { linearizable, violation } from '../../model/verdict.js';
import { ContainerOperations, ReachableStates } from './operations.js';
import { QueuePairs } from './queue-pairs.js';

/*
 * A short proof of a violation: some value was removed more often than it had been added.
 *
 * When a removal returns, its addition has been called. So by each return, at least as many additions of a value were
 * called as removals of it have returned. Removals of unknown value can only make it worse, and are omitted. Correct
 * counts prove nothing. Cost: O(events).
 */

/** How many returns come before the first incorrect count: all, if there is none. */
export function returnsThatCount({ events }: Columns, { isAdd, value, values }: ContainerOperations): number {
  /** For each value, how many additions were called and are not matched by returned removals. */
  const left = new Int32Array(values);
  let returns = 0;
  for (const event of events) {
    const k = event >= 0 ? event : ~event;
    const isRemoved = event < 0 && isAdd[k] === 0 && value[k] >= 0;
    if (event >= 0 && isAdd[k] === 1) left[value[k]]++;
    else if (isRemoved && --left[value[k]] < 0) return returns;
    if (event < 0) returns++;
  }
  return returns;
}

const STATE_BUDGET = 200_000;

export class QueueOriented implements Search {
  readonly name = 'queue-oriented search';
  readonly returns: number;
  readonly #history: History;
  readonly #machine: Machine;
  readonly #stateBudget: number;
  /** The moments of all returns. */
  readonly #moments: Int32Array;
  /** The current search, and its number of returns: all, or as many as counts allow; then fewer. */
  #pairs: QueuePairs;
  #length: number;
  /** A prefix with this many returns is linearizable. */
  #longest = 0;
  /** The order of the longest prefix for which one was found, and its number of returns. */
  #order: Int32Array = new Int32Array();
  #ordered = 0;
  /** A prefix with this many returns is not linearizable. */
  #shortest: number;
  /** Looks for states, once the return is known. */
  #reachable: ReachableStates | undefined;
  /** Steps of finished searches. */
  #pastSteps = 0;

  /** Only if there is no obstacle. `stateBudget`: the step budget for the states before a return. */
  constructor(history: History, machine: Machine, stateBudget: number = STATE_BUDGET) {
    this.#stateBudget = stateBudget;
    const { events } = history.columns;
    this.#history = history;
    this.#machine = machine;
    this.#moments = range(events.length).filter((m) => events[m] < 0);
    this.returns = this.#moments.length;
    this.#length = returnsThatCount(history.columns, this.#read(history));
    this.#shortest = this.#length + 1;
    this.#pairs = this.#begin(this.#length);
  }

  /** Why this search does not apply to a history; undefined if it does. */
  static obstacle(history: History, machine: Machine): string | undefined {
    const operations = ContainerOperations.read(history, machine, 'queue');
    if (typeof operations === 'string') return operations;
    const { roles } = machine.spec.family ?? {};
    if (operations.isPeek.includes(1)) return `unsupported operation ${roles?.peek}`;
    return operations.initial.length > 0 ? 'the queue is not initially empty' : undefined;
  }

  get steps(): number {
    return this.#pastSteps + this.#pairs.steps + (this.#reachable?.steps ?? 0);
  }
  /** Each step leads to one. */
  get configurations(): number {
    return 1 + this.#pastSteps + this.#pairs.steps + (this.#reachable?.configurations ?? 0);
  }
  get bytes(): number {
    return this.#moments.byteLength + this.#pairs.bytes + (this.#reachable?.bytes ?? 0);
  }
  get explained(): number {
    return Math.max(this.#longest, this.#pairs.explained);
  }

  advance(stepBudget: number): SearchResult | undefined {
    const limit = this.steps + stepBudget;
    while (!this.#reachable) {
      this.#pairs.advance(limit - this.steps);
      const { order } = this.#pairs;
      if (order === undefined) return undefined;
      if (order && this.#length === this.returns) return linearizable(order);
      this.#narrow(order);
    }
    const obstruction = this.#reachable.advance(limit - this.steps);
    return obstruction && violation(obstruction);
  }

  /** The search of the prefix with this many returns. */
  #begin(length: number): QueuePairs {
    const history =
      length === this.returns ? this.#history : this.#history.prefix(this.#moments[length - 1] ?? -1);
    return new QueuePairs(history, this.#read(history), this.#machine.lettersOf(history));
  }

  #read(history: History): ContainerOperations {
    const operations = ContainerOperations.read(history, this.#machine, 'queue');
    invariant(typeof operations !== 'string', `no queue-oriented search: ${operations}`);
    return operations;
  }

  /** A search has finished: starts the next, until the longest linearizable prefix and its order are known. */
  #narrow(order: Int32Array | null): void {
    const { explained, steps } = this.#pairs;
    if (order) {
      this.#longest = this.#length;
      this.#order = order;
      this.#ordered = this.#length;
    } else {
      this.#longest = Math.max(this.#longest, explained);
      this.#shortest = this.#length;
    }
    const isNarrow = this.#shortest === this.#longest + 1;
    if (isNarrow && this.#ordered === this.#longest) {
      const stop = { moment: this.#moments[this.#longest], orders: () => [this.#order] };
      this.#reachable = new ReachableStates(this.#history, this.#machine, stop, this.#stateBudget);
      return;
    }
    this.#length = isNarrow ? this.#longest : (this.#longest + this.#shortest) >>> 1;
    this.#pastSteps += steps;
    this.#pairs = this.#begin(this.#length);
  }
}
