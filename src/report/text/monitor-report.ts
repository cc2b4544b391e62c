/** A stream that is watched, for people: how it stands on one line, and the verdict with a drawing and the reason. */
import { printable } from '../../base/index.js';
import type { OnlineDoubt, OnlineViolation } from '../../check/index.js';
import { Labels, outcomeInWords } from '../label.js';
import { count, grouped } from '../number.js';
import type { Watched } from '../watched.js';
import { type Style, styleOf } from './style.js';
import { drawTimeline } from './timeline.js';
import { wrapWords } from './wrap.js';

const MOST_DOUBTS = 10;
const MOST_ALLOWED = 8;

/** `1 204 events, 3 open, 17 held: no violation so far`. */
export function statusLine({ status: { events, open, held, verdict } }: Watched): string {
  const so = verdict === 'linearizable' ? 'no violation so far' : `${verdict} so far`;
  return `${count(events, 'event')}, ${grouped(open)} open, ${grouped(held)} held: ${so}`;
}

export function monitorReport(watched: Watched, style: Style = styleOf({})): string {
  const { verdict, status, because } = watched;
  const events = count(status.events, 'event');
  switch (verdict.kind) {
    case 'violation':
      return violationReport(watched, verdict.violation, style).join('\n');
    case 'linearizable':
      if (because === 'memory')
        return [
          headline(watched, style, style.strong(`${style.unsure} undecided`), [`after ${events}`]),
          '',
          '  Memory ran out. Try a larger --max-memory. No violation until then.',
        ].join('\n');
      return headline(watched, style, style.good(`${style.yes} no violation in ${events}`), [
        ...(status.open > 0 ? [`${grouped(status.open)} open`] : []),
        ...(because === 'interrupted' ? [because] : []),
      ]);
    case 'undecided':
      return [
        headline(watched, style, style.strong(`${style.unsure} undecided`), [events, because ?? []].flat()),
        '',
        ...verdict.doubts.slice(0, MOST_DOUBTS).flatMap((doubt) => indented(doubtInWords(doubt), style)),
        ...indented('No violation was found in all that was watched.', style),
      ].join('\n');
  }
}

function headline({ file, spec }: Watched, style: Style, verdict: string, more: readonly string[]): string {
  const facts = [file, spec, ...more].map(printable);
  return `${verdict}  ${style.faint(facts.join(style.strokes.line === '-' ? ', ' : ' · '))}`;
}

function violationReport(watched: Watched, violation: OnlineViolation, style: Style): string[] {
  const { event, line, part, shown, fault } = violation;
  const labels = new Labels(shown, style.strokes.gives);
  const { process, outcome, ...operation } = shown.at(fault);
  const place = `event ${grouped(event)}${line === undefined ? '' : `, line ${grouped(line)}`}`;
  const call = `${style.strong(labels.call({ process, outcome, ...operation }))} by ${printable(process)} (${place})`;
  const ended = {
    returned: `returned ${style.bad(outcomeInWords(outcome))}`,
    threw: `ended in ${style.bad(outcomeInWords(outcome))}`,
    failed: 'did not happen',
    pending: 'gave no answer',
  }[outcome.kind];
  return [
    headline(watched, style, style.bad(`${style.no} not linearizable`), [
      `event ${grouped(event)}`,
      ...(part === '' ? [] : [`part ${part}`]),
    ]),
    '',
    ...drawTimeline(shown, fault, style).map((row) => `  ${row}`),
    '',
    ...indented(`${call} ${ended}${allowedInWords(violation, style)}.`, style),
    ...indented(
      meets(violation)
        ? `No meetings in the ${count(event, 'event')} up to there explain it.`
        : `No order of the ${count(event, 'event')} up to there explains it.`,
      style,
    ),
    ...indented(CAUSES[violation.cause], style),
  ];
}

const meets = ({ cause }: OnlineViolation): boolean => cause === 'lonely' || cause === 'too few partners';

function allowedInWords({ allowed }: OnlineViolation, style: Style): string {
  if (!allowed || allowed.length === 0) return '';
  const words = allowed.slice(0, MOST_ALLOWED).map(outcomeInWords);
  const more = allowed.length > MOST_ALLOWED ? [style.ellipsis] : [];
  return `; allowed here: ${style.good([...words, ...more].join(', '))}`;
}

const CAUSES: Readonly<Record<OnlineViolation['cause'], string>> = {
  stuck: '',
  'absent value': 'That value was not there: nobody had put it there, or it had gone before.',
  overtaken: 'A value left before another that had been put in earlier.',
  'never empty': 'It was not empty at any moment of the call that found it so.',
  replaced: 'Two values were seen in turns, though each was written once.',
  'no such count': 'At no moment of the call was that the count.',
  'nothing left': 'There was nothing left to find.',
  'no such state': 'At no moment of the call was the object in the state that this answer needs.',
  lonely: 'A call that returned can have met nobody who was open while it was.',
  'too few partners': 'Calls that returned can only have met others who are fewer, and each meets one.',
};

const DOUBTS: Readonly<Record<OnlineDoubt['because'], string>> = {
  configurations: 'there were too many configurations',
  memory: 'configurations took too much memory; try a larger --max-memory',
  'parts tied': 'a call belongs to several parts, which had been watched one by one',
  'repeated value': 'a value came again while it was there, and what went before is forgotten',
  method: 'a method was called that the fast monitor does not know, and what went before is forgotten',
  answer: 'a call ended in a way that the fast monitor does not know, and what went before is forgotten',
};

function doubtInWords({ part, event, because }: OnlineDoubt): string {
  const what = part === '' ? 'It is' : `Part ${printable(part)} is`;
  return `${what} not watched from event ${grouped(event)} on: ${DOUBTS[because]}.`;
}

const indented = (text: string, style: Style): string[] =>
  text === '' ? [] : wrapWords(text, style.width - 2).map((line) => `  ${line}`);
