/**
 * An ordinary sequential class as a spec.
 *
 * A class changes itself, a spec must not. So a state is the *sequence of calls*
 * that leads to it, and a step rebuilds a fresh instance by that sequence and
 * makes one call more. Two sequences are one state when their instances have
 * equal keys: by the user's `key`, or by content where all content is in own
 * data fields. (A class that keeps something in #private members, closures or
 * function-valued fields can not be compared from outside: it needs a `key`.)
 *
 * A wrong key would merge states that differ and give wrong verdicts. So merges
 * are spot-checked: where two sequences have met, the first few calls after one
 * are made after the other too, and answers or keys that differ are an error
 * that names both sequences.
 *
 * A method that throws `refuse(reason)` can not be called there: whatever it has
 * done to its instance by then is thrown away with it.
 *
 * Cost: the instance built last is kept, so walking forward costs one call a
 * step; going back costs a rebuild, as long as the shortest sequence seen.
 */
import { Canonical, hasPrivateFields } from '../base/values/canonical.js';
import { copyOf } from '../base/values/copy.js';
import { isPrimitive } from '../base/values/interner.js';
import { show } from '../base/values/show.js';
import type { AnyObject } from '../history/model/operation.js';
import { isPromise, Refused, type Spec, SpecError, type Step, Threw, threw } from './spec.js';

/** What a class is to a spec: its methods, not its fields and getters. */
export type MethodsOf<C> = { [M in MethodNames<C>]: Extract<C[M], AnyMethod> };
type MethodNames<C> = { [M in keyof C]: C[M] extends AnyMethod ? M : never }[keyof C];
type AnyMethod = (...args: never[]) => unknown;

export interface ReferenceOptions<C> {
  readonly name?: string;
  /** Equal exactly when two instances behave alike from now on. */
  readonly key?: (instance: C) => unknown;
  readonly part?: Spec['part'];
  readonly readOnly?: Spec['readOnly'];
}

/** A state: the last call of the sequence, and the state before it. */
class Sequence {
  readonly before: Sequence | undefined;
  readonly method: string;
  readonly args: readonly unknown[];
  readonly key: string;
  /** A few other sequences with the same key. */
  readonly twins: Sequence[] = [];
  /** The first few calls that were made after this one, for comparing with its twins. */
  readonly tried: Trial[] = [];

  readonly #describe: (sequence: Sequence) => string;

  constructor(
    key: string,
    describe: (sequence: Sequence) => string,
    before?: Sequence,
    method = '',
    args: readonly unknown[] = [],
  ) {
    this.key = key;
    this.#describe = describe;
    this.before = before;
    this.method = method;
    this.args = args;
  }

  /** The calls, the first one first. */
  calls(): Sequence[] {
    const calls: Sequence[] = [];
    for (let call: Sequence = this; call.before; call = call.before) calls.push(call);
    return calls.reverse();
  }

  /** How it came about. */
  story(): string {
    return `after ${this.calls().map(showCall).join(', ') || 'nothing'}`;
  }

  /** What it is: the instance that the calls lead to. */
  toString(): string {
    return this.#describe(this);
  }
}

type Call = Pick<Sequence, 'method' | 'args'>;

/** A call, what it gave, and the key of the state it led to. */
interface Trial extends Call {
  readonly result: unknown;
  readonly key: string;
}

const showCall = ({ method, args }: Call): string => `${method}(${args.map(show).join(', ')})`;

/** How many calls and twins of a state are compared; of the first merges all, then one in some. */
const COMPARISONS = 4;
const ALL_MERGES = 1000;
const ONE_MERGE_IN = 64;

export function reference<C extends object>(
  create: () => C,
  options: ReferenceOptions<C> = {},
): Spec<MethodsOf<C>, Sequence> {
  const canonical = new Canonical();
  const first = create();
  const name = options.name ?? first.constructor?.name ?? 'reference';
  const keyOf = (instance: C): string => {
    if (options.key) return canonical.key(options.key(instance));
    checkOpen(instance, name);
    try {
      return canonical.key(instance);
    } catch (error) {
      throw incomparable(name, error instanceof Error ? error.message : String(error));
    }
  };
  const describe = (sequence: Sequence): string => show(rebuild(sequence));
  const initial = new Sequence(keyOf(first), describe);
  const sequences = new Map([[initial.key, initial]]);
  /** The instance built last; `own` tells that it got there by the very calls of the sequence. */
  let live: { readonly instance: C; readonly at: Sequence; readonly own: boolean } | undefined;
  let merges = 0;

  const rebuild = (sequence: Sequence): C => {
    if (live?.at === sequence) {
      const { instance } = live;
      live = undefined;
      return instance;
    }
    const instance = create();
    for (const call of sequence.calls()) run(instance, call.method, call.args, name);
    return instance;
  };

  /** Makes one call after a sequence. */
  const extend = (before: Sequence, method: string, args: readonly unknown[]) => {
    const instance = rebuild(before);
    const result = run(instance, method, args, name);
    if (result instanceof Refused) return { instance, result, next: before };
    return { instance, result, next: new Sequence(keyOf(instance), describe, before, method, args) };
  };

  const sameCall = (a: Call, b: Call): boolean =>
    a.method === b.method && canonical.key(a.args) === canonical.key(b.args);

  /** Makes a call after a state's twin that has been made after the state itself. */
  const compare = (state: Sequence, twin: Sequence, trial: Trial): void => {
    const other = extend(twin, trial.method, trial.args);
    const sameResult = canonical.key(other.result) === canonical.key(trial.result);
    if (other.next.key !== trial.key || !sameResult)
      throw new SpecError(
        `reference ${name}: two states have equal keys but differ, one ${state.story()}, the other ${twin.story()}. In the first, ` +
          `${showCall(trial)} ${sameResult ? 'leads to another state' : `gives ${showResult(trial.result)}`}; in the second ` +
          `${sameResult ? 'as well, and the two differ' : `it gives ${showResult(other.result)}`}. Give a key that tells them apart ` +
          '(by default the order of entries in a Map or Set does not count).',
      );
  };

  const step = (
    state: Sequence,
    method: string,
    args: readonly unknown[],
  ): Step<Sequence, unknown> | Refused => {
    const tries =
      state.tried.length < COMPARISONS && !state.tried.some((trial) => sameCall(trial, { method, args }));
    if (tries && !live?.own) live = undefined;
    const ownSoFar = live?.at !== state || live.own;
    const { instance, result, next } = extend(state, method, args);
    if (tries) {
      const trial = { method, args, result, key: next.key };
      state.tried.push(trial);
      for (const twin of state.twins) compare(state, twin, trial);
    }
    if (result instanceof Refused) {
      live = undefined;
      return result;
    }
    const known = sequences.get(next.key);
    if (!known) sequences.set(next.key, next);
    const at = known ?? next;
    const isTwin = known && !(known.before === state && sameCall(known, next));
    if (isTwin && at.twins.length < COMPARISONS && (merges++ < ALL_MERGES || merges % ONE_MERGE_IN === 0)) {
      at.twins.push(next);
      for (const trial of at.tried) compare(at, next, trial);
    }
    live = { instance, at, own: ownSoFar && !isTwin };
    return [at, result];
  };

  return {
    name,
    initial,
    methods: Object.fromEntries(
      methodsOf(first).map((method) => [
        method,
        (state: Sequence, ...args: unknown[]) => step(state, method, args),
      ]),
    ) as unknown as Spec<MethodsOf<C>, Sequence>['methods'],
    key: (sequence) => sequence.key,
    ...(options.part && { part: options.part }),
    ...(options.readOnly && { readOnly: options.readOnly }),
  };
}

/** Calls a method, on copies: an instance may keep and change what it is given, and what it gives. */
function run(instance: object, method: string, args: readonly unknown[], name: string): unknown {
  try {
    const result = (instance as AnyObject)[method](...args.map(copyOf));
    if (isPromise(result))
      throw new SpecError(
        `reference ${name}: ${method} gives a promise; a reference is sequential and answers at once`,
      );
    return copyOf(result);
  } catch (error) {
    if (error instanceof SpecError) throw error;
    if (error instanceof Refused) return error;
    return threw(error instanceof Error ? error.name : String(error));
  }
}

/** The names of the methods of an instance: functions on its prototypes; fields and getters are not among them. */
function methodsOf(instance: object): string[] {
  const names = new Set<string>();
  for (
    let type: object | null = Object.getPrototypeOf(instance);
    type && type !== Object.prototype;
    type = Object.getPrototypeOf(type)
  )
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(type)))
      if (name !== 'constructor' && typeof value === 'function') names.add(name);
  return [...names];
}

/** Is all that an instance remembers in own data fields, all the way down? */
function checkOpen(instance: object, name: string): void {
  const hidden = hiddenIn(instance, new Set());
  if (hidden) throw incomparable(name, `it has ${hidden}`);
}

const incomparable = (name: string, why: string): SpecError =>
  new SpecError(
    `reference ${name}: ${why}, so two instances can not be compared from outside; ` +
      'give reference(…, { key: (instance) => … })',
  );

function hiddenIn(value: unknown, seen: Set<unknown>): string | undefined {
  if (typeof value === 'function') return 'a function among its fields';
  if (isPrimitive(value) || seen.has(value)) return undefined;
  seen.add(value);
  if (hasPrivateFields(value as object)) return '#private members';
  const inside: unknown[] = Object.values(value as object);
  if (value instanceof Map) inside.push(...value.keys(), ...value.values());
  if (value instanceof Set) inside.push(...value);
  for (const item of inside) {
    const hidden = hiddenIn(item, seen);
    if (hidden) return hidden;
  }
  return undefined;
}

const showResult = (result: unknown): string =>
  result instanceof Threw
    ? `error ${result.error}`
    : result instanceof Refused
      ? `no result (refused: ${result.reason})`
      : show(result);
