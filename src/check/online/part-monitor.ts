/**
 * One part of an object: watched by the fast monitor of its kind, or else by configurations.
 *
 * A fast monitor may have to step aside. Then configurations begin where the state was known
 * last and run through what happened since: the *log*. It begins with the part, and begins
 * again whenever nothing is open and the object can be in one state only. One that grows
 * too long is given up, until it can begin again; who has to step aside meanwhile leaves
 * the part undecided.
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
import { Declined, type OnlineResult, type StreamMonitor } from '../stream/monitor.js';
import type { OnlineOperation } from '../stream/operation.js';
import type { Call, Steps } from '../stream/steps.js';
import type { OnlineCause, Unmonitored } from '../stream/violation.js';

/*
 * What the operation at fault could have answered instead, where a fast monitor found the fault.
 *
 * Configurations run through all that happened since the state was known last, the log, and stop at the same end:
 * they know all outcomes that have an order there. Left out where there would be many.
 */

const ALLOWED_LIMITS = { configurations: 2 ** 10, bytes: 2 ** 26 };

/** `log`: each operation at its call and again at its end, from a state on. */
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
  /** Those of its operations; none where the object has no parts. */
  readonly keys: PartKey[] = [];
  readonly #object: string | undefined;
  readonly #steps: Steps;
  readonly #limits: ConfigurationLimits;
  #family: StreamMonitor | undefined;
  /** Each operation at its call and again at its end, since `#begin`. */
  #log: OnlineOperation[] | undefined = [];
  /** How many were noted since one looked last whether it can begin again. */
  #noted = 0;
  /** Calls that lead to the state in which the log begins. */
  #begin: readonly Call[] = [];
  #configurations: Configurations | undefined;
  readonly #open: OnlineOperation[] = [];
  /** Why it is no longer watched. */
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
    if (!family) return this.#pursue(operation, operation.call, true);
    this.#note(operation);
    return this.#settle(() => family.call(operation), operation.call);
  }

  end(operation: OnlineOperation, now: number): OnlineCause | undefined {
    if (operation.outcome.kind !== 'pending') this.#open.splice(this.#open.indexOf(operation), 1);
    const family = this.#family;
    if (!family) return this.#pursue(operation, now, false);
    this.#note(operation);
    const cause = this.#settle(() => family.end(operation, now), now);
    if (!cause && this.#open.length === 0) this.#beginAgain();
    return cause;
  }

  /** The operations that are open, those among them whose callers gave up too. */
  get open(): readonly OnlineOperation[] {
    return this.#open;
  }

  /** Values, operations and configurations that are remembered. */
  get held(): number {
    return (this.#family?.held ?? 0) + (this.#log?.length ?? 0) + (this.#configurations?.size ?? 0);
  }

  /** Does nothing tell it from a part that was never called? */
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

  /** Nothing is open: if the state is known, the log can begin here. */
  #beginAgain(): void {
    const family = this.#family;
    // it takes as long as much is held, so not every time where that is much
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

  /** Another monitor, or else configurations, take up where the log begins and run through it. */
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
        : this.#pursue(operation, now, isCall);
      // it may have stepped aside too
      if (found || this.#family !== family) return found;
    }
    return undefined;
  }

  /** By configurations, as long as there are not too many. */
  #pursue(operation: OnlineOperation, now: number, isCall: boolean): OnlineCause | undefined {
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
