/** What a map of the user's takes, and what it gives. */

/** An operation, an event, an annotation or `{ stuck: true }`: the fields of a line of our own format. */
export interface HistoryRecord {
  readonly process?: string | number | bigint | undefined;
  readonly method?: string | undefined;
  readonly args?: readonly unknown[] | undefined;
  readonly result?: unknown;
  readonly threw?: string | undefined;
  readonly failed?: true | string | undefined;
  readonly unknown?: string | undefined;
  readonly call?: number | bigint | undefined;
  readonly return?: number | bigint | undefined;
  readonly object?: string | undefined;
  readonly id?: string | number | bigint | undefined;
  readonly after?: readonly (string | number | bigint)[] | undefined;
  readonly type?: 'call' | 'return' | 'throw' | 'failed' | 'unknown' | undefined;
  readonly annotation?: string | undefined;
  readonly at?: number | bigint | undefined;
  readonly stuck?: true | undefined;
  readonly meta?: unknown;
}

/** What a foreign record means: one of ours, several, or nothing. */
export type RecordMap = (
  // biome-ignore lint/suspicious/noExplicitAny: only the user knows what stands in the file
  record: any,
) => HistoryRecord | readonly HistoryRecord[] | null | undefined;
