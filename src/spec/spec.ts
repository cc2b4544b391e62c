/**
 * What should happen: a sequential object, told by what each method does.
 *
 * A method takes a state and arguments and gives the next state and the result.
 * It says what it *does*, and the checker compares: so an operation whose result
 * nobody knows needs no special case, and what should have been returned is
 * known when something else was.
 */
import { show } from '../base/values/show.js';
import type { JepsenAdapter } from '../formats/common/adapter.js';
import type { AnyObject, Methods, Outcome } from '../history/model/operation.js';

/** A spec that does not keep the rules, or does not know what a history calls. The user's fault, told so. */
export class SpecError extends Error {
  override readonly name = 'SpecError';
}

/** Runs a function of the user's; what it throws by accident becomes a SpecError that tells whose fault it is. */
export function guarded<T>(whose: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof SpecError) throw error;
    const what = error instanceof Error ? `${error.name}: ${error.message}` : show(error);
    throw new SpecError(`${whose} threw ${what}`, { cause: error });
  }
}

/** What a method does in one state: the next state, and what its caller gets. */
export type Step<S, R> = readonly [next: S, result: R | Threw];

/** The caller gets an error, told by its name: `[state, threw('Closed')]`. */
export class Threw {
  readonly error: string;
  constructor(error: string) {
    this.error = error;
  }
}
export const threw = (error: string): Threw => new Threw(error);

/** The call can not happen in this state, for a reason that reports tell. Nobody may wait for it either. */
export class Refused {
  readonly reason: string;
  constructor(reason: string) {
    this.reason = reason;
  }
}
export const refuse = (reason: string): Refused => new Refused(reason);

/** Any of these will do: how a spec leaves a choice to the implementation. One that is refused adds only its reason. */
export class OneOf<S, R> {
  readonly steps: readonly Step<S, R>[];
  readonly refused: readonly Refused[];
  constructor(choices: readonly (Step<S, R> | Refused)[]) {
    this.steps = choices.filter((choice): choice is Step<S, R> => !(choice instanceof Refused));
    this.refused = choices.filter((choice) => choice instanceof Refused);
  }
}
export const oneOf = <S, R>(...choices: readonly (Step<S, R> | Refused)[]): OneOf<S, R> => new OneOf(choices);

/** The method can not run in this state: its caller waits until another changes it. */
export const blocked: unique symbol = Symbol('blocked');

export type PartKey = string | number;

/** Does the history call a method with these first arguments? */
export type Called = (method: string, ...args: unknown[]) => boolean;

// biome-ignore lint/suspicious/noExplicitAny: a spec of any state fits where the state does not matter
export interface Spec<T extends Methods<T> = AnyObject, S = any> {
  readonly name: string;
  readonly initial: S;
  /** Pure: a method never changes the state it is given. */
  readonly methods: {
    readonly [M in keyof T]: (
      state: S,
      ...args: Parameters<T[M]>
    ) => Step<S, ReturnType<T[M]>> | OneOf<S, ReturnType<T[M]>> | Refused | typeof blocked;
  };
  /** Equal keys exactly when equal states. By default the state's content. */
  readonly key?: (state: S) => unknown;
  /**
   * Operations of different parts never affect each other: each part is checked
   * alone. Of several parts: they are checked together. Undefined: of all parts.
   */
  readonly part?: (method: string, args: readonly unknown[]) => PartKey | readonly PartKey[] | undefined;
  /**
   * An operation with this outcome never changes the state, in any state that
   * allows it. Searches then need not try when to run it. An outcome that only
   * *may* leave the state alone does not count: `write(x)` where `x` stands.
   */
  readonly readOnly?: (method: string, args: readonly unknown[], outcome: Outcome, called: Called) => boolean;
  /** What this object is, for the fast monitors. */
  readonly family?: Family;
  /** How a Jepsen workload spells the calls of this object. */
  readonly jepsen?: JepsenAdapter;
}

/** A kind of object, and which method plays which role in it. Each monitor declares the roles of its kind. */
export interface Family {
  readonly kind: string;
  readonly roles: Readonly<Record<string, string>>;
  /** What a container answers when there is nothing in it. */
  readonly empty?: unknown;
  /** What it holds at first, as its kind has it: the values of a container in order, the value of a register, a count. Not told: no monitor. */
  readonly initial?: unknown;
}

/** Did the call return this very value? */
export const returns = (outcome: Outcome, value: unknown): boolean =>
  outcome.kind === 'returned' &&
  (Object.is(outcome.value, value) || (value === undefined && outcome.value === null));

/* Which parts of an object a call belongs to, as its spec says; undefined for all of them. */

export function partKeys(
  spec: Spec,
  method: string,
  args: readonly unknown[],
): readonly PartKey[] | undefined {
  const parts = guarded(`spec ${spec.name}: part of ${method}`, () => spec.part?.(method, args));
  const keys = parts === undefined || Array.isArray(parts) ? parts : [parts as PartKey];
  if (keys?.some((key) => typeof key !== 'string' && typeof key !== 'number'))
    throw new SpecError(
      `spec ${spec.name}: part of ${method} gave ${show(parts)}; expected a string, a number, a list of these or undefined`,
    );
  return keys;
}

/** Is it a promise? That is an error wherever it is asked here, so a rejection of it must not be one more. */
export function isPromise(value: unknown): boolean {
  if (!(value instanceof Promise)) return false;
  value.catch(() => undefined);
  return true;
}
