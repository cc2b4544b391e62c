/**
 * An operation: one call of one method by one process, with its outcome; its events as they happen, with the fields of an
 * event line in a file; and the errors of inconsistent events.
 */
import { InputError } from '../../base/errors.js';
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
      // `TypeError: …` says that it is an error
      return `${/^\w*Error\b/.test(outcome.error) ? '' : 'error '}${printable(outcome.error)}`;
    default:
      return 'no answer';
  }
}

export interface CallEvent {
  readonly type: 'call';
  readonly process: string;
  readonly method: string;
  readonly args?: readonly unknown[] | undefined;
  /** The object that is called, if there are several. */
  readonly object?: string | undefined;
  /** With ids, a process may have several open calls. */
  readonly id?: string | number | undefined;
  /** The line in a file. */
  readonly line?: number | undefined;
}

interface EndFields {
  readonly process: string;
  /** The id of the call, if it has one. */
  readonly id?: string | number | undefined;
  /** The object of the call; may be omitted. */
  readonly object?: string | undefined;
  readonly line?: number | undefined;
}

export type EndEvent =
  | (EndFields & { readonly type: 'return'; readonly result?: unknown })
  | (EndFields & { readonly type: 'throw'; readonly threw: string })
  /** The operation never took effect. */
  | (EndFields & { readonly type: 'failed'; readonly failed?: string | undefined })
  /** The caller gave up: the operation may take effect, now or later, or not at all. */
  | (EndFields & { readonly type: 'unknown'; readonly unknown?: string | undefined });

/** The call or the end of an operation. */
export type HistoryEvent = CallEvent | EndEvent;

/** A recording that is inconsistent. Entries number the operations in the order in which they were added. */
export class HistoryError extends InputError {
  override readonly name = 'HistoryError';
  readonly entry: number;
  /** Another entry, with which this one is inconsistent. */
  readonly other: number | undefined;

  constructor(message: string, entry: number, other?: number) {
    super(message);
    this.entry = entry;
    this.other = other;
  }
}

/** An event that cannot follow the previous ones; `field` is the faulty field. */
export class EventError extends InputError {
  override readonly name = 'EventError';
  readonly field: string | undefined;

  constructor(message: string, field?: string) {
    super(message);
    this.field = field;
  }
}
