/**
 * Sequential specifications: the expected behaviour of an object, method by method.
 *
 * A method maps a state and arguments to the next state and the result. The checker compares that
 * result with the recorded one. A pending call therefore needs no special case, and reports can
 * name the results that were allowed.
 */
import { InputError } from '../base/errors.js';
import { show, showThrown } from '../base/values/show.js';
import type { JepsenNames } from '../formats/common/adapter.js';
import type { AnyObject, Methods, Outcome } from '../history/model/operation.js';

/**
 * A sequential specification of an object with methods `T` and states `S`.
 *
 * Methods are pure: they never mutate the state or the arguments.
 *
 * @example
 * const counter: Spec<{ increment(): number }, number> = {
 *   name: 'counter',
 *   initial: 0,
 *   methods: { increment: (count) => [count + 1, count + 1] },
 * };
 */
// biome-ignore lint/suspicious/noExplicitAny: a spec of any state fits where the state does not matter
export interface Spec<T extends Methods<T> = AnyObject, S = any> {
  readonly name: string;
  readonly initial: S;
  readonly methods: {
    readonly [M in keyof T]: (state: S, ...args: Parameters<T[M]>) => Effects<S, ReturnType<T[M]>>;
  };
  /** Two states are equal exactly if their keys are equal. Default: the content of the state. */
  readonly key?: (state: S) => unknown;
  /**
   * The part, or parts, of the object that a call uses; undefined for all parts.
   * Operations of different parts never affect each other, so each part is checked alone.
   * Parts that share an operation are checked together.
   */
  readonly part?: (method: string, args: readonly unknown[]) => PartKey | readonly PartKey[] | undefined;
  /**
   * True if an operation with this outcome never changes the state, in any state that allows it.
   * Searches then need not try different positions for it. An outcome that leaves only some states
   * unchanged does not qualify: `write(x)` in a register that already holds `x`.
   */
  readonly readOnly?: (
    method: string,
    args: readonly unknown[],
    outcome: Outcome,
    isCalled: IsCalled,
  ) => boolean;
  /** The most arguments of methods. A call with more is an error, unless the surplus ones are null or undefined. */
  readonly maxArguments?: { readonly [M in keyof T]?: number };
  /** A state as reports print it. Default: its content. */
  readonly describeState?: (state: S) => string;
  /** A call as reports print it; with its outcome, if that is printed too. Undefined: `method(arguments) → result`. */
  readonly describeOperation?: (
    method: string,
    args: readonly unknown[],
    outcome: Outcome | undefined,
  ) => string | undefined;
  /** An argument or a result as reports print it. Undefined: its content. */
  readonly describeValue?: (value: unknown) => string | undefined;
  /** The kind of this object, if a monitor exists for it. */
  readonly family?: Family;
  /** Names of this object's calls in Jepsen workloads. */
  readonly jepsen?: JepsenNames;
}

/** What a method returns: a transition, a choice of transitions, `refuse(…)` or `blocked`. */
export type Effects<S, R> = Transition<S, R> | OneOf<S, R> | Refused | typeof blocked;

/** One possible effect of a call: the next state, and the result of the caller. */
export type Transition<S, R> = readonly [next: S, result: R | Threw];

/** Identifies an independent part of an object, for example a key of a map. */
export type PartKey = string | number;

/** True if the history contains a call of this method that starts with these arguments. */
export type IsCalled = (method: string, ...args: unknown[]) => boolean;

/** A kind of object with the method for each role. Each monitor declares the roles of its kind. */
export interface Family {
  readonly kind: string;
  readonly roles: Readonly<Record<string, string>>;
  /** The result of removing from an empty container. */
  readonly empty?: unknown;
  /**
   * The initial content: values of a container in order, value of a register, or count.
   * If undefined, no monitor is used.
   */
  readonly initial?: unknown;
}

/**
 * Marks values of this package. Two loaded copies of the package recognise each other's values by the mark; `instanceof`
 * is defined by it.
 */
const BRAND: unique symbol = Symbol.for('straightedge.value') as never;

/** Gives the instances of a class a mark, and lets `instanceof` look for it. */
function brand(branded: { readonly prototype: object }, name: string): void {
  Object.defineProperty(branded.prototype, BRAND, { value: name });
  const isInstance = (value: unknown): boolean =>
    typeof value === 'object' && value !== null && (value as { [BRAND]?: unknown })[BRAND] === name;
  Object.defineProperty(branded, Symbol.hasInstance, { value: isInstance });
}

/** A result: the call throws an error with this name. */
export class Threw {
  readonly error: string;
  constructor(error: string) {
    this.error = error;
  }
}
brand(Threw, 'threw');

/**
 * The call throws an error with this name: `[state, threw('Closed')]`.
 *
 * @example
 * const closed: Spec<{ read(): number }, null> = {
 *   name: 'closed file',
 *   initial: null,
 *   methods: { read: () => [null, threw('Closed')] },
 * };
 */
export const threw = (error: string): Threw => new Threw(error);

/** A call that is impossible in this state, with the reason for reports. */
export class Refused {
  readonly reason: string;
  constructor(reason: string) {
    this.reason = reason;
  }
}
brand(Refused, 'refused');

/**
 * The call is impossible in this state and must not block either. Reports print the reason.
 *
 * @example
 * const once: Spec<{ start(): void }, boolean> = {
 *   name: 'once',
 *   initial: false,
 *   methods: { start: (isStarted) => (isStarted ? refuse('already started') : [true, undefined]) },
 * };
 */
export const refuse = (reason: string): Refused => new Refused(reason);

/** A nondeterministic choice between transitions. A refused choice contributes only its reason. */
export class OneOf<S, R> {
  readonly transitions: readonly Transition<S, R>[];
  readonly refused: readonly Refused[];
  constructor(choices: readonly (Transition<S, R> | Refused)[]) {
    this.transitions = choices.filter((choice): choice is Transition<S, R> => !(choice instanceof Refused));
    this.refused = choices.filter((choice) => choice instanceof Refused);
  }
}
brand(OneOf, 'one of');

/**
 * Allows any of these transitions: `oneOf([state, true], [state, false])`.
 *
 * @example
 * const coin: Spec<{ toss(): boolean }, null> = {
 *   name: 'coin',
 *   initial: null,
 *   methods: { toss: () => oneOf([null, true], [null, false]) },
 * };
 */
export const oneOf = <S, R>(...choices: readonly (Transition<S, R> | Refused)[]): OneOf<S, R> =>
  new OneOf(choices);

/** What a method can see of the operation beside its arguments. */
export interface OperationContext<R = unknown> {
  /** The recorded outcome; `pending` if it is unknown. */
  readonly outcome: Outcome<R>;
  /** The name of the process that made the call. */
  readonly process: string;
  /**
   * The recorded times of the call and the return, as numbers in the unit of the recording. The return is Infinity if the
   * outcome is unknown. With a clock error, the call is earlier and the return later by that error, so that the interval
   * contains the true one. Times that are too long for numbers count from the first one.
   */
  readonly interval: readonly [start: number, end: number];
}

/** What a method sees beside state and arguments, and the function that sees it. */
interface ContextMethod {
  readonly sees: readonly (keyof OperationContext)[];
  readonly run: (state: unknown, context: OperationContext, ...args: unknown[]) => unknown;
}

/** The property of a method made by `withContext`. Two loaded copies of the package share the symbol. */
const CONTEXT: unique symbol = Symbol.for('straightedge.context') as never;

/**
 * A method of a spec that sees the named fields of its operation: the recorded outcome, the process, or the interval.
 * Results that the object chooses (tokens, ids, revisions) then need no extra arguments.
 *
 * The method returns the recorded result if the state allows it. If the outcome is unknown, the method describes every
 * effect that the call may have had. Only recorded histories have a context: `check`, not `monitor` or `explore`.
 *
 * @example
 * const ids: Spec<{ create(): number }, number> = {
 *   name: 'increasing ids, chosen by the server',
 *   initial: 0,
 *   methods: {
 *     create: withContext(['outcome'], (last, { outcome }) => {
 *       if (outcome.kind !== 'returned') return [last, 0];
 *       return outcome.value > last ? [outcome.value, outcome.value] : refuse(`not above ${last}`);
 *     }),
 *   },
 * };
 */
export const withContext = <S, A extends readonly unknown[], R, F extends keyof OperationContext>(
  sees: readonly F[],
  run: (state: S, context: Pick<OperationContext<R>, F>, ...args: A) => Effects<S, R>,
): ((state: S, ...args: A) => Effects<S, R>) => {
  const unknown = sees.find((field) => !CONTEXT_FIELDS.includes(field));
  if (unknown !== undefined || sees.length === 0)
    throw new SpecError(
      `withContext: ${unknown === undefined ? 'no field is named' : `unknown field ${show(unknown)}`}; expected a list of ${CONTEXT_FIELDS.join(', ')}`,
    );
  const method = (): never => {
    throw new SpecError('a method made by withContext needs a recorded operation; only check has one');
  };
  Object.defineProperty(method, CONTEXT, { value: { sees, run } });
  // the number of arguments, with the state
  Object.defineProperty(method, 'length', { value: run.length - 1 });
  return method;
};

const CONTEXT_FIELDS: readonly (keyof OperationContext)[] = ['outcome', 'process', 'interval'];

/** What a method made by `withContext` sees and runs; undefined for a method of state and arguments. */
export const contextMethod = (method: object): ContextMethod | undefined =>
  (method as { [CONTEXT]?: ContextMethod })[CONTEXT];

/** The fields that a method of a spec sees; none for a method of state and arguments. */
export function fieldsSeenBy(spec: Spec, method: string): readonly (keyof OperationContext)[] {
  return Object.hasOwn(spec.methods, method) ? (contextMethod(spec.methods[method])?.sees ?? []) : [];
}

/** Throws if a method sees the context of its operation; `why`: the reason why it must not. */
export function requireNoContext(spec: Spec, why: string): void {
  for (const method of Object.keys(spec.methods)) {
    const [field] = fieldsSeenBy(spec, method);
    if (field !== undefined)
      throw new SpecError(`spec ${spec.name}: ${method} sees the ${field} of its operation, but ${why}`);
  }
}

/** The call cannot take effect in this state: its caller waits until another call changes the state. */
export const blocked: unique symbol = Symbol.for('straightedge.blocked') as never;

/** Outcomes of histories that record undefined as such. */
const exactNulls = new WeakSet<Outcome>();

/** Marks an outcome of a history that records undefined as such: `returns` then distinguishes null from undefined. */
export function withExactNull(outcome: Outcome): Outcome {
  if (outcome.kind === 'returned' && outcome.value === null) exactNulls.add(outcome);
  return outcome;
}

/**
 * True if the call returned this value. In a history from a file, null equals undefined, because JSON has no undefined.
 *
 * @example
 * assert.equal(returns({ kind: 'returned', value: 1 }, 1), true);
 */
export const returns = (outcome: Outcome, value: unknown): boolean =>
  outcome.kind === 'returned' &&
  (outcome.value === value ||
    Object.is(outcome.value, value) ||
    (value === undefined && outcome.value === null && !exactNulls.has(outcome)));

/** A spec that breaks a rule, or a history that calls what the spec does not define. */
export class SpecError extends InputError {
  override readonly name = 'SpecError';
  /** The operation that the error concerns, if it comes from a file; `detail` is the message without it. */
  readonly place: SpecErrorPlace | undefined;

  constructor(
    message: string,
    { place, ...options }: ErrorOptions & { place?: SpecErrorPlace | undefined } = {},
  ) {
    super(message, options);
    this.place = place;
  }
}

/** A line of a file, with the name of the file if the history has several. */
interface SpecErrorPlace {
  readonly line: number;
  readonly file: string | undefined;
  readonly detail: string;
}

/** Runs a function of the user. An unexpected exception becomes a SpecError that names `subject`. */
export function runUserCode<T>(subject: string, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof SpecError) throw error;
    const what = showThrown(error);
    throw new SpecError(`${subject} threw ${what}`, { cause: error });
  }
}

/** Says which arguments of a call are surplus; undefined if none are. */
export function surplusArguments(
  spec: { readonly name: string; readonly maxArguments?: { readonly [method: string]: number | undefined } },
  method: string,
  args: readonly unknown[],
): string | undefined {
  const { maxArguments } = spec;
  const most = maxArguments && Object.hasOwn(maxArguments, method) ? maxArguments[method] : undefined;
  // recorders may fill lists of arguments up
  if (most === undefined || !args.some((value, i) => i >= most && value !== null && value !== undefined))
    return undefined;
  const given = args.length === 1 ? '1 argument' : `${args.length} arguments`;
  return `${method} has ${given}, ${args.map(show).join(', ')}; expected ${most === 0 ? 'none' : `at most ${most}`} for spec ${spec.name}. Name the spec of this object, or record only the arguments that it takes`;
}

/** The parts that a call belongs to according to its spec; undefined for all parts. */
export function partKeys(
  spec: Spec,
  method: string,
  args: readonly unknown[],
): readonly PartKey[] | undefined {
  const parts = runUserCode(`spec ${spec.name}: part of ${method}`, () => spec.part?.(method, args));
  const keys = parts === undefined || Array.isArray(parts) ? parts : [parts as PartKey];
  if (keys?.some((key) => typeof key !== 'string' && typeof key !== 'number'))
    throw new SpecError(
      `spec ${spec.name}: part of ${method} returned ${show(parts)}; expected a string, a number, a list of these or undefined`,
    );
  return keys;
}

/** True for a promise, which is an error in every spec. Its rejection is handled, so that only one error is reported. */
export function isPromise(value: unknown): boolean {
  if (!(value instanceof Promise)) return false;
  value.catch(() => undefined);
  return true;
}
