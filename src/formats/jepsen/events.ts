/**
 * A history as the events that Jepsen would have recorded.
 *
 *   returned   invoke … ok
 *   failed     invoke … fail
 *   pending    invoke, and info if there is a reason or the process goes on
 *
 * Jepsen knows no more than that. What it can not say is an error that names the
 * operation: several open calls of one process, stuck, and what spelling.ts adds.
 */
import { show } from '../../base/values/show.js';
import type { History } from '../../history/history.js';
import { NEVER } from '../../history/model/columns.js';
import { unwritable, WriteError } from '../common/write-error.js';
import { type JepsenWriteOptions, Spelling, type SpeltEvent } from './spelling.js';

/** The event, and the operation that it is of, if any. */
type Told = readonly [event: SpeltEvent, k: number | undefined];

export function* jepsenEvents(history: History, options: JepsenWriteOptions = {}): Generator<Told> {
  if (history.stuck) throw new WriteError('the history is stuck, which Jepsen has no word for');
  const { events, process, return: returned } = history.columns;
  const spelling = new Spelling(history, options);
  const annotations = [...history.annotations].sort((a, b) => a.moment - b.moment);
  let told = 0;
  /** Process to its call that no event ends. */
  const open = new Map<number, number>();

  for (let m = 0; m <= events.length; m++) {
    for (; told < annotations.length && annotations[told].moment <= m; told++)
      yield [annotationEvent(annotations[told].text), undefined];
    if (m === events.length) break;
    const k = events[m] >= 0 ? events[m] : ~events[m];
    if (events[m] < 0) {
      yield [spelling.end(k), k];
      open.delete(process[k]);
      continue;
    }
    // a process that goes on has given up what it waited for
    const before = open.get(process[k]);
    if (before !== undefined) {
      if (returned[before] !== NEVER)
        throw unwritable(history, k, 'it is called while another call of its process is open');
      yield [spelling.end(before), before];
    }
    yield [spelling.call(k), k];
    open.set(process[k], k);
  }
  for (const k of open.values()) if (spelling.hasMore(k)) yield [spelling.end(k), k];
}

/** What others than clients do is read as their name and what they did. */
function annotationEvent(text: string): SpeltEvent {
  const space = text.indexOf(' ');
  if (space < 0)
    throw new WriteError(
      `the annotation ${show(text)} is one word; Jepsen writes who did it and what: "nemesis ${text}"`,
    );
  const [process, f] = [text.slice(0, space), text.slice(space + 1)];
  return { isClient: false, process, type: 'info', f, value: null };
}
