/**
 * What the stream monitors of containers have in common that follow a set of configurations: roles, numbered values,
 * the results that they decline, and the cause of a violation. A subclass has the configurations.
 */
import type { Outcome } from '../../history/model/operation.js';
import { unlessLimitExceeded } from './configurations.js';
import {
  DECLINE_DUPLICATE,
  DECLINE_METHOD,
  DECLINE_RESULT,
  type OnlineCause,
  type OnlineResult,
  type StreamMonitor,
} from './monitor.js';
import type { Call, OnlineOperation, Steps } from './steps.js';
import {
  NOTHING,
  type NumberedOutcome,
  numberOutcome,
  type RoleOf,
  rolesOf,
  ValueNumbering,
} from './value-numbering.js';

export abstract class ContainerMonitor implements StreamMonitor {
  protected readonly steps: Steps;
  protected readonly roleOf: RoleOf;
  protected readonly numbering: ValueNumbering;

  constructor(steps: Steps) {
    this.steps = steps;
    this.roleOf = rolesOf(steps);
    this.numbering = new ValueNumbering(steps.values, steps.spec.family?.empty);
  }

  abstract readonly held: number;
  abstract calls(): readonly Call[] | undefined;
  protected abstract callAdd(operation: OnlineOperation, value: number): void;
  /** False if the container has no such method. */
  protected abstract callOther(operation: OnlineOperation, role: string): boolean;
  /** Follows the configurations in which the operation ends so; if there are none, it changes nothing and returns false. */
  protected abstract finish(operation: OnlineOperation, ending: NumberedOutcome, now: number): boolean;
  /** Whether a value is still in some configuration. */
  protected abstract isKnown(value: number): boolean;
  /** The values that an open removal or peek may return. */
  protected abstract allowed(operation: OnlineOperation): number[];
  /** Operations that show why a value cannot be returned: its add, and those of values in its way. */
  protected abstract inTheWayOf(value: number): readonly OnlineOperation[];

  get isInitial(): boolean {
    return this.calls()?.length === 0;
  }

  call(operation: OnlineOperation): OnlineResult {
    const role = this.roleOf(operation.method);
    if (role !== 'add')
      return role !== undefined && this.callOther(operation, role) ? undefined : DECLINE_METHOD;
    const value = this.numbering.add(operation.args[0], operation);
    // it cannot be distinguished from the result of an empty container
    if (value === NOTHING) return DECLINE_DUPLICATE;
    this.callAdd(operation, value);
    return undefined;
  }

  end(operation: OnlineOperation, now: number): OnlineResult {
    const { outcome } = operation;
    const isAdd = this.roleOf(operation.method) === 'add';
    if (outcome.kind === 'threw') return DECLINE_RESULT;
    if (isAdd && outcome.kind === 'returned' && !this.steps.values.isNothing(outcome)) return DECLINE_RESULT;
    const ending = numberOutcome(outcome, this.numbering);
    return this.finish(operation, ending, now)
      ? undefined
      : this.#cause(operation, isAdd ? 'failed' : ending);
  }

  #cause(operation: OnlineOperation, ending: NumberedOutcome): OnlineCause {
    if (typeof ending !== 'number') return { kind: 'stuck', operations: [operation], allowed: [] };
    const allowed = unlessLimitExceeded(() => this.allowed(operation));
    const outcomeOf = (value: number): Outcome => ({ kind: 'returned', value: this.numbering.itemOf(value) });
    return {
      kind: ending === NOTHING || this.isKnown(ending) ? 'stuck' : 'absent value',
      operations: [operation, ...this.inTheWayOf(ending)],
      ...(allowed && { allowed: allowed.map(outcomeOf) }),
    };
  }
}
