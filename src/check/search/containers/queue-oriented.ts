/**
 * Lowe's search for queues, and the reason for a "no".
 *
 * Taking out pairs (`QueuePairs`) tells whether there is an order, but not which return no
 * order gets past. If a prefix of the history has an order, each shorter one has: so bisection finds
 * that return, by the same search of about log n prefixes. Where values can be counted to a "no", the search
 * begins with the prefix before that return.
 *
 * In which states orders stood before it is looked for then, for some time (`LookingAround`).
 *
 * Cost: near O(n) for a yes, O(n log n) for a no, and looking around.
 */

import { range } from '../../../base/collections/ints.js';
import { invariant } from '../../../base/invariant.js';
import { show } from '../../../base/values/show.js';
import type { History } from '../../../history/history.js';
import type { Columns } from '../../../history/model/columns.js';
import type { Machine } from '../../../spec/machine/machine.js';
import type { Search, SearchResult } from '../../model/search.js';
import { linearizable, violation } from '../../model/verdict.js';
import { ReachableStates } from '../generic/reachable-states.js';
import { ContainerOperations } from './operations.js';
import { QueuePairs } from './queue-pairs.js';

/*
 * A short proof that a queue's history has no order: of some value more was removed than had been added.
 *
 * When a removal returns, its addition has been called. So by each return there have been at least as many calls that
 * add a value as returned removals of it. Removals of which nothing is known can only make it worse, and
 * are left out. That all counts are right proves nothing. Cost: O(events).
 */

/** How many returns come before the first one at which a count is wrong: all, if none is. */
export function returnsThatCount({ events }: Columns, { isAdd, value, values }: ContainerOperations): number {
  /** Value to how many additions were called and not yet accounted for by removals that returned. */
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

const MOST_AROUND = 200_000;

export class QueueOriented implements Search {
  readonly name = 'queue-oriented search';
  readonly returns: number;
  readonly #history: History;
  readonly #machine: Machine;
  readonly #mostAround: number;
  /** The moments of all returns. */
  readonly #moments: Int32Array;
  /** The search that runs, and with how many returns: all, or as many as counts allow; then fewer. */
  #pairs: QueuePairs;
  #length: number;
  /** With so many returns there is an order. */
  #longest = 0;
  /** The order of the longest prefix for which one has been found, and how many returns it has. */
  #order: Int32Array = new Int32Array();
  #ordered = 0;
  /** With so many there is none. */
  #shortest: number;
  /** Looks for states, once the return is known. */
  #around: ReachableStates | undefined;
  /** Steps of searches that have ended. */
  #pastSteps = 0;

  /** Only where there is no obstacle. `around`: so many steps go into the states before a return. */
  constructor(history: History, machine: Machine, around: number = MOST_AROUND) {
    this.#mostAround = around;
    const { events } = history.columns;
    this.#history = history;
    this.#machine = machine;
    this.#moments = range(events.length).filter((m) => events[m] < 0);
    this.returns = this.#moments.length;
    this.#length = returnsThatCount(history.columns, this.#read(history));
    this.#shortest = this.#length + 1;
    this.#pairs = this.#begin(this.#length);
  }

  /** Why this search is not for this history, in words; undefined where it is. */
  static obstacle(history: History, machine: Machine): string | undefined {
    const operations = ContainerOperations.read(history, machine, 'queue');
    if (typeof operations === 'string') return operations;
    const { roles, empty } = machine.family ?? {};
    if (operations.isPeek.includes(1)) return `an operation ${roles?.peek}`;
    return operations.initial.length > 0 ? `a queue that does not answer ${show(empty)} at first` : undefined;
  }

  get steps(): number {
    return this.#pastSteps + this.#pairs.steps + (this.#around?.steps ?? 0);
  }
  /** Each step leads to one. */
  get configurations(): number {
    return 1 + this.#pastSteps + this.#pairs.steps + (this.#around?.configurations ?? 0);
  }
  get bytes(): number {
    return this.#moments.byteLength + this.#pairs.bytes + (this.#around?.bytes ?? 0);
  }
  get explained(): number {
    return Math.max(this.#longest, this.#pairs.explained);
  }

  advance(fuel: number): SearchResult | undefined {
    const limit = this.steps + fuel;
    while (!this.#around) {
      this.#pairs.advance(limit - this.steps);
      const { order } = this.#pairs;
      if (order === undefined) return undefined;
      if (order && this.#length === this.returns) return linearizable(order);
      this.#narrow(order);
    }
    const obstruction = this.#around.advance(limit - this.steps);
    return obstruction && violation(obstruction);
  }

  /** The search of the prefix that has so many returns. */
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

  /** A search has ended: on to the next, until the longest prefix that has an order is known, and its order. */
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
      this.#around = new ReachableStates(this.#history, this.#machine, stop, this.#mostAround);
      return;
    }
    this.#length = isNarrow ? this.#longest : (this.#longest + this.#shortest) >>> 1;
    this.#pastSteps += steps;
    this.#pairs = this.#begin(this.#length);
  }
}
