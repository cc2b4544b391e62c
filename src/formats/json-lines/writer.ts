/**
 * Writes a history in our JSON format, one operation per line, with moments as times. Reading it
 * gives the same history.
 */
import { stringify } from '../../base/values/json-values.js';
import type { History } from '../../history/history.js';
import { NEVER } from '../../history/model/columns.js';
import type { Operation } from '../../history/model/operation.js';

/**
 * Yields a history as JSON lines, one per operation; reading them gives the same history.
 *
 * @example
 * const lines = [...writeJsonLines(sketch('A  |- enqueue(1) -|'))].join('');
 * assert.equal(parseHistory(lines).length, 1);
 */
export function* writeJsonLines(history: History): Generator<string> {
  const { after } = history.columns;
  const withIds = after !== undefined || hasOverlappingCalls(history);
  for (let k = 0; k < history.length; k++) {
    const earlier = after ? Array.from(after.items.subarray(after.start[k], after.start[k + 1])) : [];
    const operation = history.at(k);
    yield line({
      ...(operation.object !== undefined && { object: operation.object }),
      ...(withIds && { id: operation.id }),
      process: operation.process,
      method: operation.method,
      args: operation.args,
      ...outcomeFields(operation),
      call: operation.call,
      ...(history.columns.return[k] !== NEVER && { return: operation.return }),
      ...(earlier.length > 0 && { after: earlier.map((position) => history.columns.id[position]) }),
    });
  }
  for (const { text, moment, until } of history.annotations)
    yield line({
      annotation: text,
      at: moment - 0.5,
      ...(until !== undefined && { until: until - 0.5 }),
    });
  if (history.stuck) yield line({ stuck: true });
}

const line = (fields: Record<string, unknown>): string =>
  `{${Object.entries(fields)
    .map(([name, value]) => `"${name}":${stringify(value)}`)
    .join(',')}}\n`;

/** The outcome fields. An operation cut off before its return is written as pending. */
function outcomeFields({ outcome, return: returned }: Operation): Record<string, unknown> {
  if (outcome.kind === 'failed') return { failed: outcome.reason ?? true };
  if (outcome.kind === 'pending') return outcome.reason === undefined ? {} : { unknown: outcome.reason };
  if (returned === Number.POSITIVE_INFINITY) return { unknown: 'it returned later' };
  return outcome.kind === 'threw' ? { threw: outcome.error } : { result: outcome.value };
}

/** True if a process has overlapping calls. */
function hasOverlappingCalls({ columns, length }: History): boolean {
  const lastReturn = new Map<number, number>();
  for (let k = 0; k < length; k++) {
    if ((lastReturn.get(columns.process[k]) ?? -1) > columns.call[k]) return true;
    if (columns.return[k] !== NEVER) lastReturn.set(columns.process[k], columns.return[k]);
  }
  return false;
}
