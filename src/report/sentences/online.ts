/** Why no order explains what was watched, in plain sentences: in the words of `check` where these are known. */
import { printable } from '../../base/values/show.js';
import type { OnlineViolation } from '../../check/stream/violation.js';
import { type Outcome, outcomeInWords } from '../../history/model/operation.js';
import { count, grouped } from '../common/verdict-words.js';
import { familySentences } from './containers.js';
import { type Phrase, type Sentence, say } from './sentence.js';
import { bad, good, type Signs, strong, Words } from './words.js';

/** They point at operations of what is shown. */
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
