/**
 * Turns a sequential class into a spec.
 *
 * Instances are mutable, but spec states must not be. A state is therefore the *sequence of calls*
 * that leads to it. A step creates a fresh instance, repeats that sequence and makes one more call.
 * Two sequences are one state if their instances have equal keys: the user's `key`, or the content
 * if all of it is in plain data fields. A class with #private members, closures or function-valued
 * fields needs a `key`.
 *
 * An incorrect key would merge different states and give incorrect verdicts. Merges are therefore
 * spot-checked: the first few calls after one sequence are repeated after the other. If results or
 * keys differ, the error names both sequences.
 *
 * A method that throws `refuse(reason)` is impossible in that state; its instance is discarded.
 *
 * Cost: the last instance is cached, so a step forward costs one call. A step back costs a rebuild,
 * which is as long as the shortest known sequence.
 */
import { thrownText } from '../base/errors.js';
import { Canonical, copyOf, hasPrivateFields, isPrimitive } from '../base/values/canonical.js';

import { show } from '../base/values/show.js';
import type { AnyObject } from '../history/model/operation.js';
import { isPromise, Refused, type Spec, SpecError, Threw, type Transition, threw } from './spec.js';

/** The methods of a class, without its fields and getters. */
export type MethodsOf<C> = { [M in MethodNames<C>]: Extract<C[M], AnyMethod> };
type MethodNames<C> = { [M in keyof C]: C[M] extends AnyMethod ? M : never }[keyof C];
type AnyMethod = (...args: never[]) => unknown;

/** Options of `reference`. */
export interface ReferenceOptions<C> {
  readonly name?: string;
  /** Two keys are equal exactly if their instances behave equally from now on. */
  readonly key?: (instance: C) => unknown;
  readonly part?: Spec['part'];
  readonly readOnly?: Spec['readOnly'];
}

/** A state: the last call of a sequence, and the state before that call. */
class CallSequence {
  readonly before: CallSequence | undefined;
  readonly method: string;
  readonly args: readonly unknown[];
  readonly key: string;
  /** Up to four other sequences with the same key. */
  readonly sameKey: CallSequence[] = [];
  /** The first calls made in this state, to be repeated after the sequences in `sameKey`. */
  readonly probes: Probe[] = [];

  readonly #describe: (sequence: CallSequence) => string;

  constructor(
    key: string,
    describe: (sequence: CallSequence) => string,
    before?: CallSequence,
    method = '',
    args: readonly unknown[] = [],
  ) {
    this.key = key;
    this.#describe = describe;
    this.before = before;
    this.method = method;
    this.args = args;
  }

  /** All calls in order. */
  calls(): CallSequence[] {
    const calls: CallSequence[] = [];
    for (let call: CallSequence = this; call.before; call = call.before) calls.push(call);
    return calls.reverse();
  }

  /** The calls as text. */
  describeCalls(): string {
    return `after ${this.calls().map(showCall).join(', ') || 'nothing'}`;
  }

  /** The instance after these calls, as text. */
  toString(): string {
    return this.#describe(this);
  }
}

type Call = Pick<CallSequence, 'method' | 'args'>;

/** A call with its result and the key of the next state. */
interface Probe extends Call {
  readonly result: unknown;
  readonly key: string;
}

const showCall = ({ method, args }: Call): string => `${method}(${args.map(show).join(', ')})`;

/** Calls and sequences compared per state. The first merges are all checked, then one in 64. */
const MAX_PROBES = 4;
const FIRST_CHECKED_MERGES = 1000;
const MERGE_CHECK_INTERVAL = 64;

/**
 * A spec that behaves like a sequential class: `reference(() => new Queue())`.
 *
 * `create` returns a fresh instance with the initial content.
 *
 * @example
 * class Stack {
 *   readonly items: number[] = [];
 *   push(item: number): void {
 *     this.items.push(item);
 *   }
 *   pop(): number | undefined {
 *     return this.items.pop();
 *   }
 * }
 * const spec = reference(() => new Stack());
 */
export function reference<C extends object>(
  create: () => C,
  options: ReferenceOptions<C> = {},
): Spec<MethodsOf<C>, CallSequence> {
  const canonical = new Canonical();
  const first = create();
  const name = options.name ?? first.constructor?.name ?? 'reference';
  const keyOf = (instance: C): string => {
    if (options.key) return canonical.key(options.key(instance));
    checkComparable(instance, name);
    try {
      return canonical.key(instance);
    } catch (error) {
      throw incomparable(name, thrownText(error));
    }
  };
  const describe = (sequence: CallSequence): string => show(rebuild(sequence));
  const initial = new CallSequence(keyOf(first), describe);
  const sequences = new Map([[initial.key, initial]]);
  /**
   * The last instance. `isExact`: the instance was built by the calls of `at` itself, not of a
   * sequence with an equal key.
   */
  let cached: { readonly instance: C; readonly at: CallSequence; readonly isExact: boolean } | undefined;
  let merges = 0;

  const rebuild = (sequence: CallSequence): C => {
    if (cached?.at === sequence) {
      const { instance } = cached;
      cached = undefined;
      return instance;
    }
    const instance = create();
    for (const call of sequence.calls()) callMethod(instance, call.method, call.args, name);
    return instance;
  };

  /** Makes one more call after a sequence. */
  const extend = (before: CallSequence, method: string, args: readonly unknown[]) => {
    const instance = rebuild(before);
    const result = callMethod(instance, method, args, name);
    if (result instanceof Refused) return { instance, result, next: before };
    return { instance, result, next: new CallSequence(keyOf(instance), describe, before, method, args) };
  };

  const sameCall = (a: Call, b: Call): boolean =>
    a.method === b.method && canonical.key(a.args) === canonical.key(b.args);

  /** Repeats a probe of a state after a sequence with an equal key, and throws if the effects differ. */
  const compare = (state: CallSequence, other: CallSequence, probe: Probe): void => {
    const repeated = extend(other, probe.method, probe.args);
    const sameResult = canonical.key(repeated.result) === canonical.key(probe.result);
    if (repeated.next.key !== probe.key || !sameResult)
      throw new SpecError(
        `reference ${name}: two different states have equal keys, one ${state.describeCalls()}, the other ${other.describeCalls()}. ` +
          (sameResult
            ? `${showCall(probe)} leads from them to states with different keys. `
            : `${showCall(probe)} gives ${showResult(probe.result)} in the first and ${showResult(repeated.result)} in the second. `) +
          'Pass a key that distinguishes them (by default, the order of entries in a Map or Set does not count).',
      );
  };

  const step = (
    state: CallSequence,
    method: string,
    args: readonly unknown[],
  ): Transition<CallSequence, unknown> | Refused => {
    const isProbe =
      state.probes.length < MAX_PROBES && !state.probes.some((probe) => sameCall(probe, { method, args }));
    if (isProbe && !cached?.isExact) cached = undefined;
    const wasExact = cached?.at !== state || cached.isExact;
    const { instance, result, next } = extend(state, method, args);
    if (isProbe) {
      const probe = { method, args, result, key: next.key };
      state.probes.push(probe);
      for (const other of state.sameKey) compare(state, other, probe);
    }
    if (result instanceof Refused) {
      cached = undefined;
      return result;
    }
    const known = sequences.get(next.key);
    if (!known) sequences.set(next.key, next);
    const at = known ?? next;
    const isOther = known && !(known.before === state && sameCall(known, next));
    if (
      isOther &&
      at.sameKey.length < MAX_PROBES &&
      (merges++ < FIRST_CHECKED_MERGES || merges % MERGE_CHECK_INTERVAL === 0)
    ) {
      at.sameKey.push(next);
      for (const probe of at.probes) compare(at, next, probe);
    }
    cached = { instance, at, isExact: wasExact && !isOther };
    return [at, result];
  };

  return {
    name,
    initial,
    methods: Object.fromEntries(
      methodNamesOf(first).map((method) => [
        method,
        (state: CallSequence, ...args: unknown[]) => step(state, method, args),
      ]),
    ) as unknown as Spec<MethodsOf<C>, CallSequence>['methods'],
    key: (sequence) => sequence.key,
    ...(options.part && { part: options.part }),
    ...(options.readOnly && { readOnly: options.readOnly }),
  };
}

/** Calls a method with copies: an instance may keep and mutate its arguments and results. */
function callMethod(instance: object, method: string, args: readonly unknown[], name: string): unknown {
  try {
    const result = (instance as AnyObject)[method](...args.map(copyOf));
    if (isPromise(result))
      throw new SpecError(
        `reference ${name}: ${method} returned a promise; a reference class is synchronous`,
      );
    return copyOf(result);
  } catch (error) {
    if (error instanceof SpecError) throw error;
    if (error instanceof Refused) return error;
    return threw(thrownText(error, 'name'));
  }
}

/** The method names of an instance: functions on its prototypes, without fields and getters. */
function methodNamesOf(instance: object): string[] {
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

/** Throws if an instance has content outside own data fields, at any depth. */
function checkComparable(instance: object, name: string): void {
  const hidden = findHiddenContent(instance, new Set());
  if (hidden) throw incomparable(name, `it has ${hidden}`);
}

const incomparable = (name: string, why: string): SpecError =>
  new SpecError(
    `reference ${name}: ${why}, so instances cannot be compared; ` +
      'pass reference(…, { key: (instance) => … })',
  );

function findHiddenContent(value: unknown, seen: Set<unknown>): string | undefined {
  if (typeof value === 'function') return 'a function among its fields';
  if (isPrimitive(value) || seen.has(value)) return undefined;
  seen.add(value);
  if (hasPrivateFields(value as object)) return '#private members';
  const inside: unknown[] = Object.values(value as object);
  if (value instanceof Map) inside.push(...value.keys(), ...value.values());
  if (value instanceof Set) inside.push(...value);
  for (const item of inside) {
    const hidden = findHiddenContent(item, seen);
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
