/**
 * Events of a history as they happen, with the fields of an event line in a file; and the errors of
 * inconsistent events.
 */

import { InputError } from '../../base/errors.js';

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
