/**
 * What should happen where calls meet: an object told by its meetings.
 *
 *   J. Lawrence, G. Lowe. Synchronisation: specification and testing. 2025.
 *
 * A *meeting* is several calls that take effect together, at one point inside all of
 * them: a send and a receive, all calls of a barrier. It is named by its methods:
 *
 *   send+receive     one of each, in this order
 *   sync*            several calls of one method, so many as `sizes` says, in order of call
 *   send+receive*    one and several; a+b+c* likewise
 *   close            a call alone
 *
 * A meeting takes a state and the arguments of each call, and gives the next state and
 * the results, one for each call; or `blocked` where these can not meet in this
 * state; `oneOf` and `refuse` mean what they mean in a Spec. So an object whose calls are all
 * alone is a plain Spec: `aloneSpec` makes one of the other.
 */

import { show } from '../../base/values/show.js';
import type { JepsenAdapter } from '../../formats/common/adapter.js';
import type { AnyObject, Methods, Outcome } from '../../history/model/operation.js';
import {
  type blocked,
  type OneOf,
  type Refused,
  type Spec,
  SpecError,
  type Step,
  type Threw,
} from '../spec.js';

/** How a meeting of up to three methods may be named. */
type MeetingName<M extends string> =
  | M
  | `${M}+${M}`
  | `${M}+${M}+${M}`
  | `${M}*`
  | `${M}+${M}*`
  | `${M}+${M}+${M}*`;

/** More methods than three: there are too many names to tell them apart, so each call may be any. */
type LongName = `${string}+${string}+${string}+${string}`;

/** What each call of a meeting takes and gives, where the methods are not known. */
// biome-ignore lint/suspicious/noExplicitAny: any meeting must fit
type Anything = any;

/** The arguments of each call of a meeting. */
type CallsOf<T extends Methods<T>, N> = string extends N
  ? Anything
  : N extends `${infer A extends keyof T & string}+${infer Rest}`
    ? [Parameters<T[A]>, ...CallsOf<T, Rest>]
    : N extends `${infer M extends keyof T & string}*`
      ? Parameters<T[M]>[]
      : N extends keyof T
        ? [Parameters<T[N]>]
        : [];

/** What each call of a meeting gets. */
type ResultsOf<T extends Methods<T>, N> = string extends N
  ? Anything
  : N extends `${infer A extends keyof T & string}+${infer Rest}`
    ? readonly [ReturnType<T[A]> | Threw, ...ResultsOf<T, Rest>]
    : N extends `${infer M extends keyof T & string}*`
      ? readonly (ReturnType<T[M]> | Threw)[]
      : N extends keyof T
        ? readonly [ReturnType<T[N]> | Threw]
        : readonly [];

type Meeting<T extends Methods<T>, S, N> = (
  state: S,
  ...calls: CallsOf<T, N>
) => Step<S, ResultsOf<T, N>> | OneOf<S, ResultsOf<T, N>> | Refused | typeof blocked;

type LongMeeting<T extends Methods<T>, S> = (
  state: S,
  ...calls: string extends keyof T ? Anything : Parameters<T[keyof T]>[]
) => Step<S, LongResults<T>> | OneOf<S, LongResults<T>> | Refused | typeof blocked;

type LongResults<T extends Methods<T>> = string extends keyof T
  ? Anything
  : readonly (ReturnType<T[keyof T]> | Threw)[];

// biome-ignore lint/suspicious/noExplicitAny: a spec of any state fits where the state does not matter
export interface SyncSpec<T extends Methods<T> = AnyObject, S = any> {
  readonly name: string;
  readonly initial: S;
  /** Pure: a meeting never changes the state it is given. Calls of one method are treated alike. */
  readonly meetings: { readonly [N in MeetingName<keyof T & string>]?: Meeting<T, S, N> } & {
    readonly [N in LongName]?: LongMeeting<T, S>;
  };
  /** How many calls of the method with the star may be in a meeting, in a state. */
  readonly sizes?: (state: S, meeting: string) => readonly number[];
  /** Equal keys exactly when equal states. By default the state's content. */
  readonly key?: (state: S) => unknown;
  /**
   * Of an object without a state whose calls meet in pairs or are alone: what a call that
   * returned *is*, and what it must have met. Two calls can meet exactly when each is what the
   * other must have met. `undefined`: this call did not meet another. Makes checks of long histories fast.
   */
  readonly pairs?: (method: string, args: readonly unknown[], outcome: Outcome) => Pair | undefined;
  /**
   * Of an object without a state whose calls meet one of each method: what those who met have in
   * common, told by each of them. Calls can meet exactly when it is the same. `undefined`: this call met nobody.
   * Makes checks of long histories fast.
   */
  readonly group?: (method: string, args: readonly unknown[], outcome: Outcome) => unknown;
  /** How a Jepsen workload spells the calls of this object. */
  readonly jepsen?: JepsenAdapter;
}

/** What a call is, and what it must have met. */
export type Pair = readonly [own: unknown, other: unknown];

/** What a history can be checked against. */
export type AnySpec = Spec | SyncSpec;

// biome-ignore lint/suspicious/noExplicitAny: asked of specs of any object
export const isSyncSpec = (spec: Spec<any> | SyncSpec<any>): spec is SyncSpec =>
  typeof spec === 'object' && spec !== null && 'meetings' in spec;

/* The meetings of a spec, their names read: who takes part, and whether the last may be several. */

/** One way to meet. */
export interface Mode {
  /** Its number among the modes. */
  readonly number: number;
  readonly name: string;
  /** The methods of those who are one each, in order. */
  readonly roles: readonly string[];
  /** The method of those who are several, after them. */
  readonly many: string | undefined;
}

export function modesOf(spec: SyncSpec): readonly Mode[] {
  const names = Object.keys(spec.meetings);
  if (names.length === 0) throw new SpecError(`spec ${spec.name} has no meetings`);
  return names.map((name, number) => {
    const methods = name.split('+');
    const last = methods[methods.length - 1];
    const many = last.endsWith('*') ? last.slice(0, -1) : undefined;
    const roles = many === undefined ? methods : methods.slice(0, -1);
    if ([...roles, many].some((method) => method === '' || method?.includes('*')))
      throw new SpecError(
        `spec ${spec.name}: ${show(name)} names no meeting; expected methods joined by +, the last one with * if there are several of it`,
      );
    if (many !== undefined && !spec.sizes)
      throw new SpecError(
        `spec ${spec.name}: ${name} needs sizes: (state, meeting) => how many calls of ${many} may meet`,
      );
    return { number, name, roles, many };
  });
}

/** The names of the methods of an object of either kind. */
export function methodNames(spec: AnySpec): string[] {
  if (!isSyncSpec(spec)) return Object.keys(spec.methods);
  return [...new Set(modesOf(spec).flatMap(({ roles, many }) => (many ? [...roles, many] : roles)))];
}
