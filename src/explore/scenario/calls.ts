/** The calls of a scenario: their types, their names, and the results of earlier calls that they use. */
import {
  namedCall,
  type ResultReference,
  sourcesIn,
  usedResults,
} from '../../base/values/result-reference.js';
import { show } from '../../base/values/show.js';
import { ScenarioError } from '../../execution/memory/program-error.js';
import type { AnyObject } from '../../history/model/operation.js';
import type { PlainCall } from '../../instrument/instrumented-program.js';

interface Chance {
  /** 0 … n - 1 */
  below(n: number): number;
  pick<T>(items: readonly T[]): T;
}

/** The arguments of a function; of an overloaded one, those of each of its last four signatures. */
type ArgsOf<F> = F extends {
  (...args: infer A): unknown;
  (...args: infer B): unknown;
  (...args: infer C): unknown;
  (...args: infer D): unknown;
}
  ? A | B | C | D
  : never;

/** While TypeScript does not know the object yet, any call fits; it checks calls once more when it does. */
export type Open<H> = [keyof H] extends [never] ? (H extends (...args: never) => unknown ? H : AnyObject) : H;

/** What a method gives, if it gives anything. */
type ResultOf<F> = F extends (...args: never) => infer R ? NonNullable<Awaited<R>> : never;

/** References to the methods of T whose results fit a parameter of type P. */
type ReferenceTo<T, P> = {
  [M in keyof T & string]: [ResultOf<T[M]>] extends [never]
    ? never
    : [ResultOf<T[M]>] extends [P]
      ? ResultReference<M>
      : never;
}[keyof T & string];

/** Arguments, each of which may be a result. */
type WithReferences<T, A extends readonly unknown[]> = { [I in keyof A]: A[I] | ReferenceTo<T, A[I]> };

type MethodCall<T> = {
  [M in keyof T & string]: ArgsOf<T[M]> extends infer A extends readonly unknown[]
    ? readonly [M, ...WithReferences<T, A>]
    : never;
}[keyof T & string];

/** Calls of a result: of the function that it is, or of one of its methods. */
type CallOfResult<T, M extends string, R> = R extends (...args: infer A) => unknown
  ? readonly [ResultReference<M>, ...WithReferences<T, A>]
  : R extends object
    ? {
        [N in keyof R & string]: R[N] extends (...args: infer A) => unknown
          ? readonly [ResultReference<M>, N, ...WithReferences<T, A>]
          : never;
      }[keyof R & string]
    : never;

type ResultCall<T> = { [M in keyof T & string]: CallOfResult<T, M, ResultOf<T[M]>> }[keyof T & string];

export type CallOf<T> = MethodCall<T> | ResultCall<T>;

export type MadeUp<T> = {
  [M in keyof T & string]: ArgsOf<T[M]> extends infer A extends readonly unknown[]
    ? { readonly method: M; readonly args?: (random: Chance) => A; readonly weight?: number }
    : never;
}[keyof T & string];

/** Functions that make calls of an object. A method, so that a function of a more special object fits. */
export type CallsOf<H> = Readonly<
  // biome-ignore lint/suspicious/noExplicitAny: arguments of any type, as the functions declare them
  Record<string, { call(object: H, ...args: any[]): unknown }['call']>
>;

/** The same as methods of the object. */
export type AsMethods<M> = {
  [K in keyof M]: M[K] extends (object: never, ...args: infer A) => infer R ? (...args: A) => R : never;
};

/** What may be chosen: one call, several that are kept together, or one whose arguments are made up. */
export type Choice =
  | PlainCall
  | readonly PlainCall[]
  | {
      readonly method: string;
      readonly args?: (random: Chance) => readonly unknown[];
      readonly weight?: number;
    };

/** The calls of a scenario. */
interface Called {
  readonly calls: readonly Choice[];
  readonly before: readonly PlainCall[];
  readonly after: readonly PlainCall[];
  readonly test: readonly (readonly PlainCall[])[] | undefined;
  readonly spec: object | undefined;
}

/** Is a choice several calls that are kept together? */
export const isSequence = (choice: Choice): choice is readonly PlainCall[] =>
  Array.isArray(choice) && Array.isArray(choice[0]);

/** The methods that a choice calls. */
export function methodsOf(choice: Choice): string[] {
  if (isSequence(choice)) return choice.map(([method]) => method);
  return ['method' in choice ? choice.method : choice[0]];
}

/** Calls of results as calls of methods. */
export function withNamedCalls<S extends Called>(made: S): S {
  const inOrder = <T>(calls: readonly T[]): readonly T[] =>
    Array.isArray(calls) ? (calls.map(namedCall) as T[]) : calls;
  const choiceOf = (choice: Choice): Choice =>
    (isSequence(choice) ? inOrder(choice) : namedCall(choice)) as Choice;
  return {
    ...made,
    before: inOrder(made.before),
    after: inOrder(made.after),
    test: made.test?.map(inOrder),
    calls: made.calls.map(choiceOf),
  };
}

/** A result is used after the call that gives it, by the same thread, in a list that is kept together. */
export function checkReferences({ calls, before, after, test = [], spec }: Called): void {
  const alone = calls.flatMap((choice) => ('method' in choice || isSequence(choice) ? [] : [[choice]]));
  for (const list of [before, after, ...test, ...alone, ...calls.filter(isSequence)]) {
    const missing = sourcesIn(list).findIndex((sources) => sources.includes(-1));
    const used = list.flatMap(usedResults);
    if (missing >= 0)
      throw new ScenarioError(
        `${show(list[missing])} uses a result before there is one; expected a call of that method before it, by the same thread: [['take'], ['give', result('take')]]`,
      );
    if (used.length > 0 && spec !== undefined)
      throw new ScenarioError(
        `${used.map((method) => `result('${method}')`)[0]} beside a spec, which does not know results; remove the spec, or use \`exclusive\``,
      );
  }
}

export function checkChoice(choice: Choice): void {
  if (isSequence(choice)) for (const call of choice) checkCall(call);
  else if (Array.isArray(choice)) checkCall(choice as PlainCall);
  else if (typeof (choice as { method?: unknown } | null)?.method !== 'string') refuse(choice);
}

export function checkCall(call: unknown): void {
  if (!Array.isArray(call) || typeof call[0] !== 'string') refuse(call);
}

function refuse(call: unknown): never {
  throw new ScenarioError(
    `${JSON.stringify(call)} is no call; expected a method and its arguments, such as ['push', 1]`,
  );
}
