/**
 * Monitors one part of an object: by the stream monitor of its kind, or by configurations.
 *
 * A stream monitor may decline. Then configurations start in the last known state and process the *log* of later
 * events. The log starts with the part, and starts again whenever no operation is open and only one state is
 * possible. A log that grows too long is discarded, until it can start again; if the monitor declines in the
 * meantime, the part becomes undecided.
 */

import { show } from '../../base/values/show.js';
import type { Outcome } from '../../history/model/operation.js';
import type { PartKey } from '../../spec/spec.js';
import {
  ConfigurationLimitExceeded,
  type ConfigurationLimits,
  Configurations,
  unlessLimitExceeded,
} from '../stream/configurations.js';
import {
  Declined,
  type OnlineCause,
  type OnlineResult,
  type StreamMonitor,
  type Unmonitored,
} from '../stream/monitor.js';
import type { Call, OnlineOperation, Steps } from '../stream/steps.js';

/*
 * The allowed outcomes of the faulty operation, after a stream monitor found a violation: configurations process the
 * log and stop at the same end, where they know all outcomes with a linearization. Undefined if there would be many
 * configurations.
 */

const ALLOWED_LIMITS = { configurations: 2 ** 10, bytes: 2 ** 26 };

/** `log`: each operation at its call and again at its end, starting in a state. */
function allowedAtLast(
  log: readonly OnlineOperation[],
  steps: Steps,
  state: number,
): readonly Outcome[] | undefined {
  const configurations = new Configurations(steps, state, ALLOWED_LIMITS);
  const called = new Set<OnlineOperation>();
  return unlessLimitExceeded(() => {
    for (const operation of log) {
      const refusal = called.has(operation) ? configurations.end(operation) : undefined;
      if (refusal) return refusal.allowed;
      if (!called.has(operation)) configurations.call(operation);
      called.add(operation);
    }
    return undefined;
  });
}

const MAX_LOG = 2048;

export class PartMonitor {
  /** The keys of its operations; empty if the object has no parts. */
  readonly keys: PartKey[] = [];
  readonly #object: string | undefined;
  readonly #steps: Steps;
  readonly #limits: ConfigurationLimits;
  #family: StreamMonitor | undefined;
  /** Each operation at its call and again at its end, since `#begin`. */
  #log: OnlineOperation[] | undefined = [];
  /** How many events were logged since it was last checked whether the log can start again. */
  #noted = 0;
  /** Calls that lead to the state in which the log starts. */
  #begin: readonly Call[] = [];
  #configurations: Configurations | undefined;
  readonly #open: OnlineOperation[] = [];
  /** Why it is no longer monitored. */
  doubt: Unmonitored | undefined;

  constructor(
    object: string | undefined,
    steps: Steps,
    family: StreamMonitor | undefined,
    limits: ConfigurationLimits,
  ) {
    this.#object = object;
    this.#steps = steps;
    this.#limits = limits;
    this.#family = family;
    if (!family) this.#configurations = new Configurations(steps, steps.initial, limits);
  }

  /** The object, the keys, or both. */
  get name(): string {
    const keys = this.keys.map((key) => (typeof key === 'string' ? key : show(key))).join(', ');
    return [this.#object ?? '', keys].filter((name) => name !== '').join(' ');
  }

  call(operation: OnlineOperation): OnlineCause | undefined {
    this.#open.push(operation);
    const family = this.#family;
    if (!family) return this.#follow(operation, operation.call, true);
    this.#note(operation);
    return this.#settle(() => family.call(operation), operation.call);
  }

  end(operation: OnlineOperation, now: number): OnlineCause | undefined {
    if (operation.outcome.kind !== 'pending') this.#open.splice(this.#open.indexOf(operation), 1);
    const family = this.#family;
    if (!family) return this.#follow(operation, now, false);
    this.#note(operation);
    const cause = this.#settle(() => family.end(operation, now), now);
    if (!cause && this.#open.length === 0) this.#restartLog();
    return cause;
  }

  /** The open operations, including those of unknown outcome. */
  get open(): readonly OnlineOperation[] {
    return this.#open;
  }

  /** The number of values, operations and configurations in memory. */
  get held(): number {
    return (this.#family?.held ?? 0) + (this.#log?.length ?? 0) + (this.#configurations?.size ?? 0);
  }

  /** Whether it is indistinguishable from a part that was never called. */
  get isInitial(): boolean {
    if (this.#open.length > 0 || this.doubt) return false;
    return this.#family ? this.#family.isInitial : (this.#configurations?.isInitial ?? false);
  }

  get configurations(): Configurations | undefined {
    return this.#configurations;
  }

  #note(operation: OnlineOperation): void {
    this.#noted++;
    if (this.#log && this.#log.push(operation) > MAX_LOG) this.#log = undefined;
  }

  /** No operation is open: if the state is known, the log can start here. */
  #restartLog(): void {
    const family = this.#family;
    // the check is linear in what is held, so its cost is amortised
    if (!family || this.#noted < family.held) return;
    this.#noted = 0;
    const calls = family.calls();
    if (!calls) return;
    this.#begin = calls;
    if (this.#log) this.#log.length = 0;
    else this.#log = [];
  }

  #settle(find: () => OnlineResult, now: number): OnlineCause | undefined {
    const found = this.#unlessTooMany(find, now);
    if (found instanceof Declined) return this.#handOver(found, now);
    if (!found || found.allowed || !this.#log) return found;
    const allowed = allowedAtLast(this.#log, this.#steps, this.#stateAtBegin());
    return allowed ? { ...found, allowed } : found;
  }

  #stateAtBegin(): number {
    return this.#steps.run(this.#begin).state;
  }

  /** Another monitor, or configurations, process the log from its start. */
  #handOver({ reason, other }: Declined, now: number): OnlineCause | undefined {
    const log = this.#log;
    if (!log) {
      this.#giveUp(reason, now);
      return undefined;
    }
    const from = this.#stateAtBegin();
    const family = other?.(this.#steps, [], this.#limits, from);
    this.#family = family;
    if (!family) {
      this.#configurations = new Configurations(this.#steps, from, this.#limits);
      this.#log = undefined;
    }
    const called = new Set<OnlineOperation>();
    for (const operation of log) {
      const isCall = !called.has(operation);
      called.add(operation);
      const found = family
        ? this.#settle(() => (isCall ? family.call(operation) : family.end(operation, operation.return)), now)
        : this.#follow(operation, now, isCall);
      // it may have declined too
      if (found || this.#family !== family) return found;
    }
    return undefined;
  }

  /** By configurations, within the limits. */
  #follow(operation: OnlineOperation, now: number, isCall: boolean): OnlineCause | undefined {
    return this.#unlessTooMany(() => {
      if (isCall) this.#configurations?.call(operation);
      const refusal = isCall ? undefined : this.#configurations?.end(operation);
      return refusal && { kind: 'stuck', operations: [operation], allowed: refusal.allowed };
    }, now);
  }

  #unlessTooMany<F>(find: () => F, now: number): F | undefined {
    try {
      return find();
    } catch (error) {
      if (!(error instanceof ConfigurationLimitExceeded)) throw error;
      this.#giveUp(error.reason, now);
      return undefined;
    }
  }

  #giveUp(reason: Unmonitored['reason'], event: number): void {
    this.doubt = { part: this.name, event, reason };
    this.#family = undefined;
    this.#log = undefined;
    this.#configurations = undefined;
  }
}
