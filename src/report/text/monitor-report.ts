/** A stream that is watched, for people: how it stands on one line, and the verdict with a drawing and the reason. */

import { printable } from '../../base/index.js';
import type { OnlineDoubt, OnlineViolation } from '../../check/index.js';
import { type Outcome, outcomeInWords } from '../../history/index.js';
import { unexplainedBy } from '../explained-by.js';
import { count, grouped } from '../number.js';
import { familySentences } from '../reasons/families.js';
import { type Phrase, type Sentence, say } from '../reasons/sentence.js';
import { bad, good, type Signs, strong, Words } from '../reasons/words.js';
import type { Watched } from '../watched.js';
import { painted } from './reason-lines.js';
import { type Style, styleOf } from './style.js';
import { drawTimeline } from './timeline.js';
import { wrapWords } from './wrap.js';

const MOST_DOUBTS = 10;

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
  const { event, part, shown, fault } = violation;
  const signs = { gives: style.strokes.gives, ellipsis: style.ellipsis };
  return [
    headline(watched, style, style.bad(`${style.no} ${unexplainedBy(meets(violation))}`), [
      `event ${grouped(event)}`,
      ...(part === '' ? [] : [`part ${part}`]),
    ]),
    '',
    ...drawTimeline(shown, shown.columns.id[fault], style).map((row) => `  ${row}`),
    '',
    ...violationSentences(violation, signs).flatMap((sentence) => indented(painted(sentence, style), style)),
  ];
}

/** Why no order explains what was watched; it points at operations of what is shown. */
export function violationSentences(violation: OnlineViolation, signs: Signs): Sentence[] {
  const { event, line, shown, fault } = violation;
  const { id } = shown.columns;
  const { lines } = shown.tables;
  const words = new Words(shown, signs, (own) => (lines ? ` (line ${grouped(lines[own])})` : ''));
  const { process, outcome, ...operation } = shown.at(fault);
  const place = `event ${grouped(event)}${line === undefined ? '' : `, line ${grouped(line)}`}`;
  const call: Phrase = {
    ...strong(words.labels.call({ process, outcome, ...operation })),
    operations: [id[fault]],
  };
  const told = say`${call} by ${printable(process)} (${place}) ${endedIn(outcome)}${allowedInWords(violation, words)}.`;
  return [
    told,
    meets(violation)
      ? say`No meetings in the ${count(event, 'event')} up to there explain it.`
      : say`No order of the ${count(event, 'event')} up to there explains it.`,
    ...becauseOf(violation, words),
  ];
}

/** As `check` tells it, where that is known; else what kind of contradiction it is. */
function becauseOf(
  { reason, cause, shown, fault, contradicting }: OnlineViolation,
  words: Words,
): Sentence[] {
  const { id } = shown.columns;
  if (!reason)
    return CAUSES[cause] === ''
      ? []
      : [[{ text: CAUSES[cause], operations: contradicting.map((k) => id[k]) }]];
  const told = familySentences(reason, words);
  if (reason.operation === id[fault]) return told;
  const { outcome } = shown.at(words.position(reason.operation));
  return [say`${words.operation(reason.operation)} ${endedIn(outcome)}.`, ...told];
}

/** `returned 2`. */
const endedIn = (outcome: Outcome): Sentence =>
  ({
    returned: say`returned ${bad(outcomeInWords(outcome))}`,
    threw: say`ended in ${bad(outcomeInWords(outcome))}`,
    failed: say`did not happen`,
    pending: say`gave no answer`,
  })[outcome.kind];

/** Is it of an object whose calls meet? */
export const meets = ({ cause }: OnlineViolation): boolean =>
  cause === 'lonely' || cause === 'too few partners';

function allowedInWords({ allowed = [] }: OnlineViolation, words: Words): Sentence {
  return allowed.length === 0 ? [] : say`; allowed here: ${good(words.outcomes(allowed))}`;
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
