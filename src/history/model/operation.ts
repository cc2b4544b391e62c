/** A row of a history: one call of one method by one process, and how it ended. */
import { printable, show } from '../../base/values/show.js';

/**
 * The shape of an object under test: an interface whose members are methods.
 * The same interface types the implementation, its spec and its histories.
 */
export type Methods<T> = { [M in keyof T]: (...args: never[]) => unknown };

/** An object of unknown shape: what a history read from a file has. */
export interface AnyObject {
  // biome-ignore lint/suspicious/noExplicitAny: any method must fit, whatever it takes and gives
  [method: string]: (...args: any[]) => any;
}

/** How a call ended, if it did. */
export type Outcome<R = unknown> =
  | { readonly kind: 'returned'; readonly value: R }
  /** The object answered with an error, told by its name. */
  | { readonly kind: 'threw'; readonly error: string }
  /** Nobody knows: it may have taken effect once, at any time after its call, or not at all. */
  | { readonly kind: 'pending'; readonly reason?: string }
  /** It is known not to have happened: drawn, not checked. */
  | { readonly kind: 'failed'; readonly reason?: string };

export type Operation<T extends Methods<T> = AnyObject> = {
  [M in keyof T & string]: {
    /** Names the operation in its history and in every history cut from it: its number by call. */
    readonly id: number;
    /** Which object was called, where a history tells of several. */
    readonly object?: string;
    readonly process: string;
    readonly method: M;
    readonly args: Readonly<Parameters<T[M]>>;
    readonly outcome: Outcome<ReturnType<T[M]>>;
    /** Moments: positions in the one order of all calls and returns. */
    readonly call: number;
    /** Infinity for one that never returned, so that "a precedes b" is always `a.return < b.call`. */
    readonly return: number;
  };
}[keyof T & string];

/** Something else that happened: a fault injected, a node killed. Drawn, never checked. */
export interface Annotation {
  readonly text: string;
  /** How many calls and returns came before it. */
  readonly moment: number;
}

/* What a caller gets, in a sentence. */

export function outcomeInWords(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'returned':
      return outcome.value === undefined ? 'no result' : show(outcome.value);
    case 'threw':
      return `error ${printable(outcome.error)}`;
    default:
      return 'no answer';
  }
}
