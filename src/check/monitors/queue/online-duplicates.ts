/**
 * A queue, whatever values are put in again.
 *
 *   G. Lowe. Testing for linearizability. CCPE 29(4), 2017, section 4: operations take effect just in time, when one has
 *   to return (queue-configurations.ts). Here the order of what was put in stays open until it is taken out (online-entries.ts), and results are
 *   not known before they return (check/stream/unclaimed-removals.ts).
 *
 * Steps aside for `peek`, for a value that is also the answer of an empty queue, and for other answers.
 *
 * Cost: O(ways · copies that overlap) an event. Memory: what is inside, and the ways.
 */
import type { Outcome } from '../../../history/model/operation.js';
import { type ConfigurationLimits, unlessTooMany } from '../../stream/configurations.js';
import { NOT_YET, type OnlineOperation } from '../../stream/operation.js';
import type { Call, Steps } from '../../stream/steps.js';
import {
  type CreateStreamMonitor,
  DECLINE_DUPLICATE,
  DECLINE_METHOD,
  DECLINE_RESULT,
  type OnlineResult,
  type StreamMonitor,
} from '../../stream/stream-monitor.js';
import { valuesTaken } from '../../stream/unclaimed-removals.js';
import {
  type Ending,
  endingOf,
  itemsOf,
  NOTHING,
  Numbering,
  putInAtFirst,
  type RoleOf,
  rolesOf,
  unlikeNothing,
} from '../../stream/value-numbering.js';
import type { OnlineCause } from '../../stream/violation.js';
import { Ways } from './queue-configurations.js';

/** So many values may be known that need not be. */
const ROOM = 1024;
const MOST_TOLD = 4;

class QueueOfCopies implements StreamMonitor {
  readonly #steps: Steps;
  readonly #roleOf: RoleOf;
  readonly #numbering: Numbering;
  readonly #ways: Ways;

  constructor(steps: Steps, items: readonly unknown[], limits: ConfigurationLimits) {
    this.#steps = steps;
    this.#roleOf = rolesOf(steps);
    this.#numbering = new Numbering(steps.values, steps.spec.family?.empty);
    this.#ways = new Ways(limits);
    const { entries } = this.#ways;
    for (const operation of putInAtFirst(items, steps.spec.family?.roles.add as string))
      entries.return(entries.add(this.#numbering.add(operation.args[0]), operation), operation.return);
  }

  get held(): number {
    const { entries, dequeues, size } = this.#ways;
    return entries.size + dequeues.length + size;
  }

  get isInitial(): boolean {
    return this.calls()?.length === 0;
  }

  calls(): readonly Call[] | undefined {
    const { add, remove } = this.#steps.spec.family?.roles ?? {};
    const [way, ...others] = this.#ways.all();
    if (others.length > 0 || way.gone.length > 0) return undefined;
    const calls: Call[] = (itemsOf(this.#steps, remove) ?? []).map(() => [remove]);
    let last = -NOT_YET;
    for (const { operation, returned } of this.#ways.entries.all()) {
      if (operation.call < last) return undefined;
      last = returned;
      calls.push([add, ...operation.args]);
    }
    return calls;
  }

  call(operation: OnlineOperation): OnlineResult {
    const role = this.#roleOf(operation.method);
    if (role === 'remove') this.#ways.callDequeue(operation);
    else if (role !== 'add') return DECLINE_METHOD;
    else {
      const value = this.#numbering.add(operation.args[0], operation);
      if (value === NOTHING) return DECLINE_DUPLICATE;
      this.#ways.entries.add(value, operation);
    }
    return undefined;
  }

  end(operation: OnlineOperation, now: number): OnlineResult {
    const { outcome } = operation;
    const isAdd = this.#roleOf(operation.method) === 'add';
    if (outcome.kind === 'threw') return DECLINE_RESULT;
    if (isAdd && outcome.kind === 'returned' && !this.#steps.values.isNothing(outcome)) return DECLINE_RESULT;
    const ending = endingOf(outcome, this.#numbering);
    const isLeft = isAdd
      ? this.#ways.endEnqueue(this.#ways.entries.of(operation), ending, now)
      : this.#ways.endDequeue(operation, ending);
    if (!isLeft) return this.#cause(operation, isAdd ? 'failed' : ending);
    if (this.#numbering.size > ROOM + 2 * this.#ways.entries.size) this.#numbering.retain(this.#known());
    return undefined;
  }

  #known(): Set<number> {
    const known = new Set(Array.from(this.#ways.entries.all(), ({ value }) => value));
    for (const { takings } of this.#ways.all()) for (const value of valuesTaken(takings)) known.add(value);
    return known;
  }

  /** No order: told with who put in what was answered, and what was put in before it. */
  #cause(operation: OnlineOperation, ending: Ending): OnlineCause {
    if (typeof ending !== 'number') return { kind: 'stuck', operations: [operation], allowed: [] };
    const known = this.#known().add(NOTHING);
    const [{ gone }] = this.#ways.all();
    const [copy] = this.#ways.entries.copies(ending, gone);
    const before = copy?.operation.call ?? NOT_YET;
    const inside = Array.from(this.#ways.entries.all()).filter(({ returned }) => returned < before);
    const told = [...(copy ? [copy] : []), ...inside.slice(0, MOST_TOLD)];
    const allowed = unlessTooMany(() => [...known].filter((value) => this.#ways.allows(operation, value)));
    const outcomeOf = (value: number): Outcome => ({
      kind: 'returned',
      value: this.#numbering.itemOf(value),
    });
    return {
      kind: known.has(ending) ? 'stuck' : 'absent value',
      operations: [operation, ...told.map((entry) => entry.operation)],
      ...(allowed && { allowed: allowed.map(outcomeOf) }),
    };
  }
}

export const queueOfCopies: CreateStreamMonitor = (steps, _args, limits, from) => {
  const items = unlikeNothing(steps, from);
  return items && new QueueOfCopies(steps, items, limits);
};
