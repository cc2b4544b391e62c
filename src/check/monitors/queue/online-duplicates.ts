/**
 * An online monitor of queues with duplicate values.
 *
 *   G. Lowe. Testing for linearizability. CCPE 29(4), 2017, section 4: operations take effect just in time, when one has
 *   to return (configurations.ts). Two departures: overlapping enqueues stay unordered until their values are
 *   dequeued (online-entries.ts), and results are unknown before the return (check/stream/pending-effects.ts).
 *
 * It declines `peek`, a value that equals the result of an empty queue, and unexpected results.
 *
 * Cost: O(configurations · overlapping duplicates) per event. Memory: the values inside, and the configurations.
 */
import type { ConfigurationLimits } from '../../stream/configurations.js';
import { ContainerMonitor } from '../../stream/container-monitor.js';
import type { CreateStreamMonitor } from '../../stream/monitor.js';
import { valuesRemoved } from '../../stream/pending-effects.js';
import { type Call, NOT_YET, type OnlineOperation, type Steps } from '../../stream/steps.js';

import {
  contentOf,
  distinctContent,
  initialAdds,
  NOTHING,
  type NumberedOutcome,
} from '../../stream/value-numbering.js';
import { QueueConfigurations } from './configurations.js';

/** The numbering may keep this many values that are no longer inside. */
const SPARE_VALUES = 1024;
/** A cause shows at most this many values that are in front of another. */
const MAX_SHOWN = 4;

class DuplicateQueueMonitor extends ContainerMonitor {
  readonly #configurations: QueueConfigurations;

  constructor(steps: Steps, items: readonly unknown[], limits: ConfigurationLimits) {
    super(steps);
    this.#configurations = new QueueConfigurations(limits);
    const { entries } = this.#configurations;
    for (const operation of initialAdds(items, steps.spec.family?.roles.add as string))
      entries.return(entries.add(this.numbering.add(operation.args[0]), operation), operation.return);
  }

  get held(): number {
    const { entries, dequeues, size } = this.#configurations;
    return entries.size + dequeues.length + size;
  }

  calls(): readonly Call[] | undefined {
    const { add, remove } = this.steps.spec.family?.roles ?? {};
    const [only, ...others] = this.#configurations.all();
    if (others.length > 0 || only.gone.length > 0) return undefined;
    const calls: Call[] = (contentOf(this.steps, remove) ?? []).map(() => [remove]);
    let last = -NOT_YET;
    for (const { operation, returned } of this.#configurations.entries.all()) {
      if (operation.call < last) return undefined;
      last = returned;
      calls.push([add, ...operation.args]);
    }
    return calls;
  }

  protected callAdd(operation: OnlineOperation, value: number): void {
    this.#configurations.entries.add(value, operation);
  }

  protected callOther(operation: OnlineOperation, role: string): boolean {
    if (role !== 'remove') return false;
    this.#configurations.callDequeue(operation);
    return true;
  }

  protected finish(operation: OnlineOperation, ending: NumberedOutcome, now: number): boolean {
    const { entries } = this.#configurations;
    const isPossible =
      this.roleOf(operation.method) === 'add'
        ? this.#configurations.endEnqueue(entries.of(operation), ending, now)
        : this.#configurations.endDequeue(operation, ending);
    if (isPossible && this.numbering.size > SPARE_VALUES + 2 * entries.size)
      this.numbering.retain(this.#known());
    return isPossible;
  }

  protected isKnown(value: number): boolean {
    return this.#known().has(value);
  }

  protected allowed(operation: OnlineOperation): number[] {
    return [...this.#known().add(NOTHING)].filter((value) => this.#configurations.allows(operation, value));
  }

  protected inTheWayOf(value: number): readonly OnlineOperation[] {
    const { entries } = this.#configurations;
    const [{ gone }] = this.#configurations.all();
    const [duplicate] = entries.duplicates(value, gone);
    const before = duplicate?.operation.call ?? NOT_YET;
    const inside = Array.from(entries.all()).filter(({ returned }) => returned < before);
    return [...(duplicate ? [duplicate] : []), ...inside.slice(0, MAX_SHOWN)].map(
      ({ operation }) => operation,
    );
  }

  #known(): Set<number> {
    const known = new Set(Array.from(this.#configurations.entries.all(), ({ value }) => value));
    for (const { unclaimed } of this.#configurations.all())
      for (const value of valuesRemoved(unclaimed)) known.add(value);
    return known;
  }
}

export const queueWithDuplicates: CreateStreamMonitor = (steps, _args, limits, from) => {
  const items = distinctContent(steps, from);
  return items && new DuplicateQueueMonitor(steps, items, limits);
};
