/** An operation: one call of one method by one process, with its outcome. */
import { printable, show } from '../../base/values/show.js';

/**
 * The methods of an object under test. One interface types the implementation, its spec and its
 * histories.
 */
export type Methods<T> = { [M in keyof T]: (...args: never[]) => unknown };

/** An object with unknown methods, as in a history from a file. */
export interface AnyObject {
  // biome-ignore lint/suspicious/noExplicitAny: any method must fit, with any arguments and result
  [method: string]: (...args: any[]) => any;
}

/** The outcome of a call. */
export type Outcome<R = unknown> =
  | { readonly kind: 'returned'; readonly value: R }
  /** The call threw an error with this name. */
  | { readonly kind: 'threw'; readonly error: string }
  /** Unknown: the call may have taken effect once, at any time after its start, or not at all. */
  | { readonly kind: 'pending'; readonly reason?: string }
  /** The call never took effect. It is drawn but not checked. */
  | { readonly kind: 'failed'; readonly reason?: string };

/** One operation of a history: process, method, arguments, outcome and times. */
export type Operation<T extends Methods<T> = AnyObject> = {
  [M in keyof T & string]: {
    /** Identifies the operation in its history and in every part of it: its index by call. */
    readonly id: number;
    /** The object that was called, if there are several. */
    readonly object?: string;
    readonly process: string;
    readonly method: M;
    readonly args: Readonly<Parameters<T[M]>>;
    readonly outcome: Outcome<ReturnType<T[M]>>;
    /** Moment of the call: its position in the total order of all calls and returns. */
    readonly call: number;
    /**
     * Moment of the return. Infinity without a return, so that "a precedes b" is always `a.return <
     * b.call`.
     */
    readonly return: number;
  };
}[keyof T & string];

/** Another event of the environment: a fault was injected, a node was killed. It is drawn but not checked. */
export interface Annotation {
  readonly text: string;
  /** The number of calls and returns before it. */
  readonly moment: number;
  /** The number of calls and returns before its end, if it describes a time and not an instant. */
  readonly until?: number;
}

/** An outcome as text, for sentences of reports. */
export function describeOutcome(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'returned':
      return show(outcome.value);
    case 'threw':
      return `error ${printable(outcome.error)}`;
    default:
      return 'no answer';
  }
}
