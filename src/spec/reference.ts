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
 * are spot-checked: where two sequences have met, the next calls are made on
 * both, and answers or keys that differ are an error that names both sequences.
 *
 * Cost: the instance built last is kept, so walking forward costs one call a
 * step; going back costs a rebuild, as long as the shortest sequence seen.
 */
import { Canonical, hasPrivateFields, isPrimitive, show } from '../base/index.js';
import type { AnyObject, Methods } from '../history/index.js';
import { type Spec, type Step, Threw, threw } from './spec.js';
import { SpecError } from './spec-error.js';

export interface ReferenceOptions<T> {
  readonly name?: string;
  /** Equal exactly when two instances behave alike from now on. */
  readonly key?: (instance: T) => unknown;
  readonly part?: Spec['part'];
  readonly readOnly?: Spec['readOnly'];
}

/** A state: the last call of the sequence, and the state before it. */
interface Sequence {
  readonly before: Sequence | undefined;
  readonly method: string;
  readonly args: readonly unknown[];
  readonly key: string;
  /** Another sequence with the same key, and how often the two have been compared. */
  twin?: Sequence;
  compared: number;
}

const COMPARISONS = 4;

export function reference<T extends Methods<T>>(
  create: () => T,
  options: ReferenceOptions<T> = {},
): Spec<T, Sequence> {
  const canonical = new Canonical();
  const first = create();
  const name = options.name ?? (first as object).constructor?.name ?? 'reference';
  const keyOf = (instance: T): string => {
    if (options.key) return canonical.key(options.key(instance));
    checkOpen(instance as object, name);
    return canonical.key(instance);
  };
  const initial: Sequence = { before: undefined, method: '', args: [], key: keyOf(first), compared: 0 };
  const sequences = new Map([[initial.key, initial]]);
  let live: { readonly instance: T; readonly at: Sequence } | undefined;

  const rebuild = (sequence: Sequence): T => {
    if (live?.at === sequence) {
      const { instance } = live;
      live = undefined;
      return instance;
    }
    const instance = create();
    for (const call of callsOf(sequence)) run(instance, call.method, call.args, name);
    return instance;
  };

  /** Makes one call after a sequence. */
  const extend = (before: Sequence, method: string, args: readonly unknown[]) => {
    const instance = rebuild(before);
    const result = run(instance, method, args, name);
    const next: Sequence = { before, method, args, key: keyOf(instance), compared: 0 };
    return { instance, result, next };
  };

  const step = (state: Sequence, method: string, args: readonly unknown[]): Step<Sequence, unknown> => {
    const { instance, result, next } = extend(state, method, args);
    if (state.twin && state.compared < COMPARISONS) {
      state.compared++;
      const other = extend(state.twin, method, args);
      if (other.next.key !== next.key || canonical.key(other.result) !== canonical.key(result))
        throw new SpecError(
          `reference ${name}: two states have equal keys but differ. After ${showCalls(state)}, ${method}(${args.map(show).join(', ')}) ` +
            `gives ${showResult(result)}; after ${showCalls(state.twin)} it gives ${showResult(other.result)}. The key must tell them apart.`,
        );
    }
    const known = sequences.get(next.key);
    if (known) known.twin ??= next;
    else sequences.set(next.key, next);
    const at = known ?? next;
    live = { instance, at };
    return [at, result];
  };

  return {
    name,
    initial,
    methods: Object.fromEntries(
      methodsOf(first as object).map((method) => [
        method,
        (state: Sequence, ...args: unknown[]) => step(state, method, args),
      ]),
    ) as unknown as Spec<T, Sequence>['methods'],
    key: (sequence) => sequence.key,
    ...(options.part && { part: options.part }),
    ...(options.readOnly && { readOnly: options.readOnly }),
  };
}

/** Calls a method, on copies: an instance may keep and change what it is given, and what it gives. */
function run(instance: object, method: string, args: readonly unknown[], name: string): unknown {
  try {
    const result = (instance as AnyObject)[method](...args.map(copy));
    if (result instanceof Promise)
      throw new SpecError(
        `reference ${name}: ${method} gives a promise; a reference is sequential and answers at once`,
      );
    return copy(result);
  } catch (error) {
    if (error instanceof SpecError) throw error;
    return threw(error instanceof Error ? error.name : String(error));
  }
}

function copy(value: unknown): unknown {
  if (isPrimitive(value) || typeof value === 'function') return value;
  try {
    return structuredClone(value);
  } catch {
    return value;
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
  if (hidden)
    throw new SpecError(
      `reference ${name}: it has ${hidden}, so two instances can not be compared from outside; ` +
        'give reference(…, { key: (instance) => … })',
    );
}

function hiddenIn(value: unknown, seen: Set<unknown>): string | undefined {
  if (typeof value === 'function') return 'a function among its fields';
  if (isPrimitive(value) || seen.has(value)) return undefined;
  seen.add(value);
  if (hasPrivateFields(value as object)) return '#private members';
  const inside: unknown[] =
    value instanceof Map
      ? [...value].flat()
      : value instanceof Set
        ? [...value]
        : Object.values(value as object);
  for (const item of inside) {
    const hidden = hiddenIn(item, seen);
    if (hidden) return hidden;
  }
  return undefined;
}

function callsOf(sequence: Sequence): Sequence[] {
  const calls: Sequence[] = [];
  for (let call = sequence; call.before; call = call.before) calls.push(call);
  return calls.reverse();
}

const showCalls = (sequence: Sequence): string =>
  callsOf(sequence)
    .map(({ method, args }) => `${method}(${args.map(show).join(', ')})`)
    .join(', ') || 'no call';

const showResult = (result: unknown): string =>
  result instanceof Threw ? `error ${result.error}` : show(result);
