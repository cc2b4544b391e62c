/** What every format offers: bytes in as they come, a history out at the end. */

import { OptionError } from '../../base/input-error.js';
import type { History } from '../../history/history.js';
import type { Timestamp } from '../../history/model/timestamps.js';
import type { JepsenAdapter } from './adapter.js';

/* What a map of the user's takes, and what it gives. */

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

/*
 * A clock error as it is typed: `5ms`, or a plain number in the unit of the file's own times.
 *
 * Only a file that says what its times are can be asked with a unit: Jepsen's are
 * nanoseconds. Ours are numbers of any clock, and to guess at their unit could
 * raise a false alarm or hide a violation.
 */

/** Unit to the power of ten that makes nanoseconds of it. */
const POWERS: Readonly<Record<string, number>> = { ns: 0, us: 3, µs: 3, ms: 6, s: 9 };

const MOST_DIGITS = 20;

/** The clock error in the unit of the file's times. */
export function clockErrorIn(
  unit: 'nanoseconds' | 'unknown',
  error: Timestamp | undefined,
): Timestamp | undefined {
  if (error === undefined || (typeof error !== 'string' && error >= 0 && error < Infinity)) return error;
  const [text, amount, own] = /^(\d+(?:\.\d+)?)([a-zµ]*)$/.exec(String(error)) ?? [];
  if (amount === undefined || (own !== '' && !Object.hasOwn(POWERS, own)))
    throw new OptionError(
      `${JSON.stringify(String(error))} is no clock error; expected a time such as 5ms, 200us or 1s, or a number in the unit of the file's times`,
    );
  if (amount.replace('.', '').length > MOST_DIGITS)
    throw new OptionError(`a clock error of more than ${MOST_DIGITS} digits`);
  if (own === '') return amount;
  const nanoseconds = `${amount}e${POWERS[own]}`;
  if (unit === 'nanoseconds') return nanoseconds;
  throw new OptionError(
    `a clock error of ${text}, but the times of this file have no unit; expected a number in the unit of these times: ${amount} if that is ${own}, ${Number(nanoseconds)} if it is nanoseconds`,
  );
}

export interface HistoryReader {
  /** Takes the next bytes of the text. Throws a FormatError where they go wrong. */
  write(bytes: Uint8Array): void;
  end(): History;
  /** How much memory `end` takes beside what there is, estimated. */
  readonly bytesToEnd: number;
}

export interface ReadOptions {
  /** Method names of the file to those of the spec. */
  readonly rename?: ReadonlyMap<string, string> | undefined;
  /** The methods that an object has; others are an error. Undefined: any will do. */
  readonly methodsOf?: ((object: string | undefined) => readonly string[] | undefined) | undefined;
  /** How a Jepsen history spells the calls of an object; undefined: as the default adapter says. */
  readonly jepsen?: ((object: string | undefined) => JepsenAdapter | undefined) | undefined;
  /** Each value of a Jepsen history is `[key value]`, and the key names an object of its own. */
  readonly independent?: boolean | undefined;
  /**
   * Times come from several clocks, each wrong by at most so much: a number in the unit of the file's
   * times, or with a unit (`5ms`) where the file's is known, as in Jepsen's.
   */
  readonly clockError?: Timestamp | undefined;
  /** The history tells not only the order, but also the times. */
  readonly keepTimes?: boolean | undefined;
  /** The file has JSON records of any kind, and this tells what each of them means. */
  readonly map?: RecordMap | undefined;
  /** Called after each chunk of a file, with the bytes that the history would take beside; whoever has enough throws. */
  readonly watch?: ((bytesToEnd: number) => void) | undefined;
}
