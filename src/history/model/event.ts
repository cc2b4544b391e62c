/** One event as it happens: a call, or the end of one. The fields are those of an event line of our format. */

/** What was recorded contradicts itself. Entries number the operations as they were added. */
export class HistoryError extends Error {
  override readonly name = 'HistoryError';
  readonly entry: number;
  /** Another entry that it contradicts. */
  readonly other: number | undefined;

  constructor(message: string, entry: number, other?: number) {
    super(message);
    this.entry = entry;
    this.other = other;
  }
}

export interface CallEvent {
  readonly type: 'call';
  readonly process: string;
  readonly method: string;
  readonly args?: readonly unknown[] | undefined;
  /** Which object is called, where there are several. */
  readonly object?: string | undefined;
  /** With ids, a process may have several calls open. */
  readonly id?: string | number | undefined;
  /** Where it stands in a file. */
  readonly line?: number | undefined;
}

interface End {
  readonly process: string;
  /** That of the call, where it has one. */
  readonly id?: string | number | undefined;
  /** That of the call; need not be told again. */
  readonly object?: string | undefined;
  readonly line?: number | undefined;
}

export type EndEvent =
  | (End & { readonly type: 'return'; readonly result?: unknown })
  | (End & { readonly type: 'throw'; readonly threw: string })
  /** It did not happen. */
  | (End & { readonly type: 'failed'; readonly failed?: string | undefined })
  /** Its caller gave up: it may have taken effect, or may yet. */
  | (End & { readonly type: 'unknown'; readonly unknown?: string | undefined });

export type HistoryEvent = CallEvent | EndEvent;

/** An event that can not follow those before it; `field` is the one at fault. */
export class EventError extends Error {
  override readonly name = 'EventError';
  readonly field: string | undefined;

  constructor(message: string, field?: string) {
    super(message);
    this.field = field;
  }
}
