/** What a method or an option takes: as a test, and in words for who gives something else. */
import { show } from '../../base/values/show.js';

export interface Demand {
  /** Ends the sentence "the initial of a queue is …". */
  readonly words: string;
  readonly fits: (value: unknown) => boolean;
}

export const anything: Demand = { words: 'any value', fits: () => true };
export const list: Demand = { words: 'a list', fits: Array.isArray };
export const text: Demand = { words: 'a string', fits: (value) => typeof value === 'string' };
export const truth: Demand = { words: 'true or false', fits: (value) => typeof value === 'boolean' };
export const finite: Demand = {
  words: 'a finite number or a bigint',
  fits: (value) => Number.isFinite(value) || typeof value === 'bigint',
};
export const count: Demand = {
  words: 'a whole number, 0 or more',
  fits: (value) => Number.isSafeInteger(value) && (value as number) >= 0,
};

export const atLeastOne: Demand = {
  words: 'a whole number, 1 or more',
  fits: (value) => count.fits(value) && value !== 0,
};

/** The value, if it is what is wanted. */
export function demand<V>(what: string, value: V, wanted: Demand): V {
  if (!wanted.fits(value)) throw new TypeError(`${what} is ${wanted.words}, not ${show(value)}`);
  return value;
}

/** An option that may be any value, `undefined` too; null when it is not given. */
export function given<V>(options: object, name: string): V {
  return (Object.hasOwn(options, name) ? (options as Record<string, unknown>)[name] : null) as V;
}
