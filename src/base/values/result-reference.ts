/**
 * `result('take')` in a call of a scenario: the result of the last call of `take` by the same thread.
 *
 *   ['give', result('take')]              an argument
 *   [result('acquire')]                   the result is a function, which is called
 *   [result('open'), 'renew', 5]          a method of the result is called
 *
 * The last two are calls of methods named `result('acquire')` and `result('open').renew`.
 */
export class ResultReference<M extends string = string> {
  readonly method: M;

  constructor(method: M) {
    this.method = method;
  }

  toString(): string {
    return `result('${this.method}')`;
  }
}

/**
 * In a call of a scenario of asynchronous code: the result of the last call of `method` by the same thread.
 *
 * @example
 * class Lock {
 *   #last = Promise.resolve();
 *   async acquire() {
 *     const before = this.#last;
 *     let release = () => {};
 *     this.#last = new Promise((resolve) => (release = resolve));
 *     await before;
 *     return release;
 *   }
 * }
 * const locking = scenario({ create: () => new Lock(), calls: [[['acquire'], [result('acquire')]]] });
 */
export const result = <const M extends string>(method: M): ResultReference<M> => new ResultReference(method);

/** A call whose first item is a reference, as a call of a method. Other values are returned as they are. */
export function namedCall(call: unknown): unknown {
  if (!Array.isArray(call) || !(call[0] instanceof ResultReference)) return call;
  const [target, member, ...args] = call as [ResultReference, ...unknown[]];
  return typeof member === 'string' ? [`${target}.${member}`, ...args] : [String(target), ...call.slice(1)];
}

/** The method whose result is called, and the method of that result; undefined for other names. */
export function targetOf(
  name: string,
): { readonly method: string; readonly member: string | undefined } | undefined {
  const parts = /^result\('(.*)'\)(?:\.(.*))?$/s.exec(name);
  return parts ? { method: parts[1], member: parts[2] } : undefined;
}

/** The methods whose results a call uses. */
export function usedResults([name, ...args]: readonly [method: string, ...args: unknown[]]): string[] {
  const target = targetOf(name);
  const given = args.flatMap((arg) => (arg instanceof ResultReference ? [arg.method] : []));
  return target ? [target.method, ...given] : given;
}

/** Position of a call to the positions of the calls whose results it uses; -1 if there is none before it. */
export const sourcesIn = (
  calls: readonly (readonly [method: string, ...args: unknown[]])[],
): (readonly number[])[] =>
  calls.map((call, k) =>
    usedResults(call).map((used) => calls.slice(0, k).findLastIndex(([method]) => method === used)),
  );
