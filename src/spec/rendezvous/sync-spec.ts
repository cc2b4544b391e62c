/**
 * Specifications of objects whose calls synchronise: channels, exchangers, barriers.
 *
 *   J. Lawrence, G. Lowe. Synchronisation: specification and testing. 2025.
 *
 * A *rendezvous* is a set of calls that take effect together, at one point inside all of them: a
 * send and a receive, or all calls of a barrier. Its name lists its methods:
 *
 *   send+receive     one call of each, in this order
 *   sync*            several calls of one method, as many as `sizes` allows, in order of call
 *   send+receive*    one call and several calls; a+b+c* likewise
 *   close            one call alone
 *
 * A rendezvous maps a state and the arguments of each call to the next state and the results, one
 * for each call. It returns `blocked` if the calls cannot synchronise in this state; `oneOf` and
 * `refuse` work as in a `Spec`. A plain `Spec` is the special case in which every call is alone.
 */

import { show } from '../../base/values/show.js';
import type { JepsenNames } from '../../formats/common/adapter.js';
import type { AnyObject, Methods, Outcome } from '../../history/model/operation.js';
import {
  type blocked,
  type OneOf,
  type Refused,
  type Spec,
  SpecError,
  type Threw,
  type Transition,
} from '../spec.js';

/** The names of a rendezvous of up to three methods. */
type RendezvousName<M extends string> =
  | M
  | `${M}+${M}`
  | `${M}+${M}+${M}`
  | `${M}*`
  | `${M}+${M}*`
  | `${M}+${M}+${M}*`;

/**
 * The names of a rendezvous of more methods. TypeScript cannot enumerate them, so their calls are
 * not typed one by one.
 */
type LongName = `${string}+${string}+${string}+${string}`;

/** Arguments and results where the methods are unknown. */
// biome-ignore lint/suspicious/noExplicitAny: any rendezvous must fit
type Anything = any;

/** The arguments of each call of a rendezvous. */
type ArgumentsOf<T extends Methods<T>, N> = string extends N
  ? Anything
  : N extends `${infer A extends keyof T & string}+${infer Rest}`
    ? [Parameters<T[A]>, ...ArgumentsOf<T, Rest>]
    : N extends `${infer M extends keyof T & string}*`
      ? Parameters<T[M]>[]
      : N extends keyof T
        ? [Parameters<T[N]>]
        : [];

/** The result of each call of a rendezvous. */
type ResultsOf<T extends Methods<T>, N> = string extends N
  ? Anything
  : N extends `${infer A extends keyof T & string}+${infer Rest}`
    ? readonly [ReturnType<T[A]> | Threw, ...ResultsOf<T, Rest>]
    : N extends `${infer M extends keyof T & string}*`
      ? readonly (ReturnType<T[M]> | Threw)[]
      : N extends keyof T
        ? readonly [ReturnType<T[N]> | Threw]
        : readonly [];

type Rendezvous<T extends Methods<T>, S, N> = (
  state: S,
  ...calls: ArgumentsOf<T, N>
) => Transition<S, ResultsOf<T, N>> | OneOf<S, ResultsOf<T, N>> | Refused | typeof blocked;

type LongRendezvous<T extends Methods<T>, S> = (
  state: S,
  ...calls: string extends keyof T ? Anything : Parameters<T[keyof T]>[]
) => Transition<S, LongResults<T>> | OneOf<S, LongResults<T>> | Refused | typeof blocked;

type LongResults<T extends Methods<T>> = string extends keyof T
  ? Anything
  : readonly (ReturnType<T[keyof T]> | Threw)[];

/** A spec of an object whose calls synchronise: which calls form a rendezvous, and their results. */
// biome-ignore lint/suspicious/noExplicitAny: a spec of any state fits where the state does not matter
export interface SyncSpec<T extends Methods<T> = AnyObject, S = any> {
  readonly name: string;
  readonly initial: S;
  /** Pure: a rendezvous never mutates the state. Calls of one method are interchangeable. */
  readonly rendezvous: { readonly [N in RendezvousName<keyof T & string>]?: Rendezvous<T, S, N> } & {
    readonly [N in LongName]?: LongRendezvous<T, S>;
  };
  /** The numbers of calls of the starred method that may synchronise in a state. */
  readonly sizes?: (state: S, rendezvous: string) => readonly number[];
  /** Two states are equal exactly if their keys are equal. Default: the content of the state. */
  readonly key?: (state: S) => unknown;
  /**
   * For stateless objects whose calls synchronise in pairs or alone: the key of a returned call and
   * the key of its partner. Two calls can synchronise exactly if each has the key that the other
   * requires. Undefined if the call had no partner. Makes checks of long histories fast.
   */
  readonly pairs?: (method: string, args: readonly unknown[], outcome: Outcome) => Pair | undefined;
  /**
   * For stateless objects whose rendezvous have one call of each method: a key that exactly the
   * calls of one rendezvous have in common. Undefined if the call was alone. Makes checks of long
   * histories fast.
   */
  readonly group?: (method: string, args: readonly unknown[], outcome: Outcome) => unknown;
  /** The most arguments of methods. A call with more is an error, unless the surplus ones are null or undefined. */
  readonly maxArguments?: { readonly [M in keyof T]?: number };
  /** Names of this object's calls in Jepsen workloads. */
  readonly jepsen?: JepsenNames;
}

/** The key of a call and the key of its partner. */
export type Pair = readonly [own: unknown, other: unknown];

/** A specification that a history can be checked against. */
export type AnySpec = Spec | SyncSpec;

// biome-ignore lint/suspicious/noExplicitAny: accepts specs of any object
export const isSyncSpec = (spec: Spec<any> | SyncSpec<any>): spec is SyncSpec =>
  typeof spec === 'object' && spec !== null && 'rendezvous' in spec;

/** Why a value is not a spec; undefined if it is one. */
export function problemInSpec(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return `it is ${show(value)}`;
  const { name } = value as Partial<AnySpec>;
  if (typeof name !== 'string') return 'it has no "name", a text';
  if (!('initial' in value)) return 'it has no "initial" state';
  const [field, functions] = isSyncSpec(value as AnySpec)
    ? ['rendezvous', (value as SyncSpec).rendezvous]
    : ['methods', (value as Spec).methods];
  if (typeof functions !== 'object' || functions === null) return `it has no "${field}"`;
  const all: [string, unknown][] = Object.entries(functions);
  if (all.length === 0) return `its "${field}" are empty`;
  const [other] = all.find(([, own]) => typeof own !== 'function') ?? [];
  return other === undefined ? undefined : `its "${field}" have ${show(other)}, which is not a function`;
}

/** A rendezvous of a spec with its name parsed. */
export interface RendezvousMode {
  /** Its index among the modes of the spec. */
  readonly number: number;
  readonly name: string;
  /** The methods with exactly one call, in order. */
  readonly roles: readonly string[];
  /** The method with several calls, after the roles. */
  readonly starred: string | undefined;
}

export function rendezvousModes(spec: SyncSpec): readonly RendezvousMode[] {
  const names = Object.keys(spec.rendezvous);
  if (names.length === 0) throw new SpecError(`spec ${spec.name} defines no rendezvous`);
  return names.map((name, number) => {
    const methods = name.split('+');
    const last = methods[methods.length - 1];
    const starred = last.endsWith('*') ? last.slice(0, -1) : undefined;
    const roles = starred === undefined ? methods : methods.slice(0, -1);
    if ([...roles, starred].some((method) => method === '' || method?.includes('*')))
      throw new SpecError(
        `spec ${spec.name}: ${show(name)} is not a rendezvous name; expected methods joined by +, the last one with * if it has several calls`,
      );
    if (starred !== undefined && !spec.sizes)
      throw new SpecError(
        `spec ${spec.name}: ${name} needs sizes: (state, rendezvous) => numbers of ${starred} calls that may synchronise`,
      );
    return { number, name, roles, starred };
  });
}

/** The method names of a spec of either kind. */
export function methodNames(spec: AnySpec): string[] {
  if (!isSyncSpec(spec)) return Object.keys(spec.methods);
  return [
    ...new Set(
      rendezvousModes(spec).flatMap(({ roles, starred }) => (starred ? [...roles, starred] : roles)),
    ),
  ];
}
