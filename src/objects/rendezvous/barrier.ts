/** Barriers and broadcasts: a fixed or enrolled number of calls synchronises. */
import { Canonical } from '../../base/values/canonical.js';
import { Interner } from '../../base/values/interner.js';
import { show } from '../../base/values/show.js';
import type { SyncSpec } from '../../spec/rendezvous/sync-spec.js';
import { blocked, oneOf, type Refused, refuse } from '../../spec/spec.js';
import { ensure, finiteNumber, positiveNumber } from '../common/parameters.js';

/** The number of calls that synchronise. */
export interface PartiesOptions {
  /** The number of parties; 2 by default. */
  readonly parties?: number;
}

export const readParties = (name: string, { parties }: PartiesOptions): number =>
  ensure(`parties of ${name}`, parties ?? 2, positiveNumber);

/** The method of a barrier. */
export interface Barrier {
  /** A name is optional. Two calls with the same name never synchronise. */
  sync(me?: unknown): void;
}

/**
 * A barrier: `sync` blocks until all parties have called it. It can be used repeatedly.
 *
 * @example
 * A |- sync() ------|
 * B       |- sync() -|
 */
export function barrier(options: PartiesOptions = {}): SyncSpec<Barrier, null> {
  const parties = readParties('a barrier', options);
  return {
    name: 'barrier',
    initial: null,
    maxArguments: { sync: 1 },
    rendezvous: {
      'sync*': (state, ...calls) =>
        refuseSameName(calls.map(([me]) => me)) ?? [state, calls.map(() => undefined)],
    },
    sizes: () => [parties],
  };
}

/** Refuses two calls with the same name. */
const refuseDuplicateName = (name: unknown): Refused => refuse(`two calls have the same name, ${show(name)}`);

/** Refuses a rendezvous with two calls of the same name. Calls without a name are distinct. */
function refuseSameName(names: readonly unknown[]): Refused | undefined {
  const canonical = new Canonical();
  const seen = new Set<string>();
  for (const name of names) {
    if (name === undefined || name === null) continue;
    const key = canonical.key(name);
    if (seen.has(key)) return refuseDuplicateName(name);
    seen.add(key);
  }
  return undefined;
}

/** The methods of a broadcast. */
export interface Broadcast<V> {
  send(value: V): void;
  receive(): V;
}

/**
 * A broadcast: one send synchronises with `parties` receives, and each returns its value.
 *
 * @example
 * A |- send(1) ------|
 * B  |- receive() -> 1 -|
 * C   |- receive() -> 1 -|
 */
export function broadcast<V>(options: PartiesOptions = {}): SyncSpec<Broadcast<V>, null> {
  const parties = readParties('a broadcast', options);
  return {
    name: 'broadcast',
    initial: null,
    maxArguments: { send: 1, receive: 0 },
    rendezvous: {
      'send+receive*': (state, [value], ...receives) => [state, [undefined, ...receives.map(() => value)]],
    },
    sizes: () => [parties],
  };
}

/** The method of a combining barrier. */
export interface CombiningBarrier<V> {
  sync(me: unknown, value: V): V;
}

/** The parties of a combining barrier, and how it combines their values. */
export interface CombiningBarrierOptions<V> extends PartiesOptions {
  /**
   * Combines the values; their sum by default. The values come in any order, and the result of every order is allowed:
   * n! calls of `combine` for n parties.
   */
  readonly combine?: (values: readonly V[]) => V;
}

/**
 * A barrier whose calls contribute a value and all return the combined value.
 *
 * @example
 * A |- sync("a", 1) -> 3 -|
 * B    |- sync("b", 2) -> 3 -|
 */
export function combiningBarrier<V = number>(
  options: CombiningBarrierOptions<V> = {},
): SyncSpec<CombiningBarrier<V>, null> {
  const parties = readParties('a combining-barrier', options);
  const combine = options.combine ?? (sum as unknown as (values: readonly V[]) => V);
  return {
    name: 'combining-barrier',
    initial: null,
    maxArguments: { sync: 2 },
    rendezvous: {
      'sync*': (state, ...calls) => {
        const refused = refuseSameName(calls.map(([me]) => me));
        if (refused) return refused;
        const values = calls.map(([, value]) => value);
        const results = options.combine ? combineInAnyOrder(values, combine) : [combine(values)];
        const steps = results.map((result) => [state, calls.map(() => result)] as const);
        return steps.length === 1 ? steps[0] : oneOf(...steps);
      },
    },
    sizes: () => [parties],
  };
}

/** The results of all orders of the values, each once. */
function combineInAnyOrder<V>(values: readonly V[], combine: (values: readonly V[]) => V): readonly V[] {
  const results = new Interner();
  const extend = (chosen: readonly V[], rest: readonly V[]): void => {
    if (rest.length === 0) results.intern(combine(chosen));
    const tried = new Interner();
    for (const [i, value] of rest.entries()) {
      if (tried.find(value) !== undefined) continue;
      tried.intern(value);
      extend([...chosen, value], [...rest.slice(0, i), ...rest.slice(i + 1)]);
    }
  };
  extend([], values);
  return results.values as V[];
}

const sum = (values: readonly number[]): number =>
  values.reduce((total, value) => total + ensure('value of sync(me, value)', value, finiteNumber), 0);

/** The methods of a barrier with parties that come and go. */
export interface EnrollableBarrier {
  enrol(me: number | string): void;
  resign(me: number | string): void;
  sync(me: number | string): void;
}

type Name = number | string;

/**
 * A barrier with enrolment: `sync` blocks until all enrolled parties have called it. The state is
 * the list of enrolled names. Enrolling twice and synchronising without enrolment are refused.
 *
 * @example
 * A |- enrol("a") -| |- sync("a") -----|
 * B |- enrol("b") -|      |- sync("b") -|
 */
export function enrollableBarrier(): SyncSpec<EnrollableBarrier, readonly Name[]> {
  return {
    name: 'enrollable-barrier',
    initial: [],
    maxArguments: { enrol: 1, resign: 1, sync: 1 },
    rendezvous: {
      enrol: (enrolled, [me]) =>
        enrolled.includes(me) ? refuse('already enrolled') : [[...enrolled, me].sort(byName), [undefined]],
      resign: (enrolled, [me]) =>
        enrolled.includes(me) ? [enrolled.filter((own) => own !== me), [undefined]] : refuse('not enrolled'),
      'sync*': (enrolled, ...calls) => {
        const names = calls.map(([me]) => me);
        if (names.some((me) => !enrolled.includes(me))) return refuse('not enrolled');
        const refused = refuseSameName(names);
        if (refused) return refused;
        return new Set(names).size === enrolled.length ? [enrolled, calls.map(() => undefined)] : blocked;
      },
    },
    sizes: (enrolled) => (enrolled.length === 0 ? [] : [enrolled.length]),
  };
}

const byName = (a: Name, b: Name): number => {
  const [first, second] = [a, b].map((name) => `${typeof name} ${name}`);
  return first < second ? -1 : first > second ? 1 : 0;
};
