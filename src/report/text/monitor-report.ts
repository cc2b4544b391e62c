/** The report of a monitored stream on a terminal: a status line, and the verdict with drawing and explanation. */

import { printable } from '../../base/values/show.js';
import type { OnlineViolation, Unmonitored } from '../../check/stream/monitor.js';
import type { Watched } from '../common/report-types.js';
import { count, grouped, sourceName, violationTitle } from '../common/verdict-words.js';
import { isRendezvousViolation, violationSentences } from '../sentences/online.js';
import { painted, type Style, styleOf, wrapWords } from './style.js';
import { drawTimeline } from './timeline.js';

const MOST_DOUBTS = 10;

/** `1,204 events, 3 open calls, 17 entries in memory: no violation so far`. */
export function statusLine({ status: { events, open, held, verdict } }: Watched): string {
  const so = verdict === 'linearizable' ? 'no violation so far' : `${verdict} so far`;
  return `${count(events, 'event')}, ${count(open, 'open call')}, ${count(held, 'entry', 'entries')} in memory: ${so}`;
}

export function monitorReport(watched: Watched, style: Style = styleOf({})): string {
  const { verdict, status, reason } = watched;
  const events = count(status.events, 'event');
  switch (verdict.kind) {
    case 'violation':
      return violationReport(watched, verdict.violation, style).join('\n');
    case 'linearizable':
      if (reason === 'memory')
        return [
          headline(watched, style, style.strong(`${style.unsure} undecided`), [`after ${events}`]),
          '',
          '  Memory limit reached; no violation up to there. Try a larger --max-memory.',
        ].join('\n');
      return headline(watched, style, style.good(`${style.yes} no violation in ${events}`), [
        ...(status.open > 0 ? [count(status.open, 'open call')] : []),
        ...(reason === 'interrupted' ? [reason] : []),
      ]);
    case 'undecided':
      return [
        headline(watched, style, style.strong(`${style.unsure} undecided`), [events, reason ?? []].flat()),
        '',
        ...verdict.doubts.slice(0, MOST_DOUBTS).flatMap((doubt) => indented(doubtInWords(doubt), style)),
        ...indented('No violation was found in the events that were checked.', style),
      ].join('\n');
  }
}

function headline({ file, spec }: Watched, style: Style, verdict: string, more: readonly string[]): string {
  const facts = [sourceName(file), spec, ...more].map(printable);
  return `${verdict}  ${style.faint(facts.join(style.strokes.line === '-' ? ', ' : ' · '))}`;
}

function violationReport(watched: Watched, violation: OnlineViolation, style: Style): string[] {
  const { event, part, shown, fault } = violation;
  const signs = { gives: style.strokes.gives, ellipsis: style.ellipsis };
  return [
    headline(watched, style, style.bad(`${style.no} ${violationTitle(isRendezvousViolation(violation))}`), [
      `event ${grouped(event)}`,
      ...(part === '' ? [] : [`part ${part}`]),
    ]),
    '',
    ...drawTimeline(shown, shown.columns.id[fault], style).map((row) => `  ${row}`),
    '',
    ...violationSentences(violation, signs).flatMap((sentence) => indented(painted(sentence, style), style)),
  ];
}

const DOUBTS: Readonly<Record<Unmonitored['reason'], string>> = {
  configurations:
    'too many calls overlap, so there are too many possible orders; let fewer calls overlap, or record the events and use npx straightedge check',
  memory: 'the possible orders exceeded the memory limit; try a larger --max-memory',
  'parts tied': 'a call belongs to several parts that had been checked separately',
  'repeated value':
    'a value was inserted again while it was present, and the earlier events are no longer known',
  method: 'the monitor does not support a method that was called, and the earlier events are no longer known',
  answer: 'the monitor does not support the outcome of a call, and the earlier events are no longer known',
};

function doubtInWords({ part, event, reason }: Unmonitored): string {
  const what = part === '' ? 'The stream is' : `Part ${printable(part)} is`;
  return `${what} unchecked from event ${grouped(event)} on: ${DOUBTS[reason]}.`;
}

const indented = (text: string, style: Style): string[] =>
  text === '' ? [] : wrapWords(text, style.width - 2).map((line) => `  ${line}`);
