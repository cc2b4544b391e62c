/** Why a monitored stream has no linearization; worded as `check` does where the cause is known. */
import type { OnlineViolation } from '../../check/stream/monitor.js';
import type { Outcome } from '../../history/model/operation.js';
import { count, grouped } from '../common/verdict-words.js';
import { familySentences } from './containers.js';
import {
  endedIn,
  good,
  type Phrase,
  processName,
  type Sentence,
  type Signs,
  say,
  strong,
  Words,
} from './words.js';

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
  const headline = say`${call} by ${processName(process)} (${place}) ${endedIn(outcome, violation.allowed)}${allowedInWords(violation, outcome, words)}.`;
  return [
    headline,
    isRendezvousViolation(violation)
      ? say`No sequence of rendezvous gives the results in the first ${count(event, 'event')}.`
      : say`No sequential order that respects real time gives the results in the first ${count(event, 'event')}.`,
    ...becauseOf(violation, words),
  ];
}

/** The reason as `check` words it if that is known, otherwise the kind of contradiction. */
function becauseOf(
  { reason, cause, shown, fault, contradicting }: OnlineViolation,
  words: Words,
): Sentence[] {
  const { id } = shown.columns;
  if (!reason)
    return CAUSES[cause] === ''
      ? []
      : [[{ text: CAUSES[cause], operations: contradicting.map((k) => id[k]) }]];
  const sentences = familySentences(reason, words);
  if (reason.operation === id[fault]) return sentences;
  const { outcome } = shown.at(words.position(reason.operation));
  return [say`${words.operation(reason.operation)} ${endedIn(outcome)}.`, ...sentences];
}

/** Whether the object is a rendezvous object. */
export const isRendezvousViolation = ({ cause }: OnlineViolation): boolean =>
  cause === 'no partner' || cause === 'too few partners';

function allowedInWords({ allowed = [] }: OnlineViolation, actual: Outcome, words: Words): Sentence {
  return allowed.length === 0 ? [] : say`; allowed: ${good(words.alternatives(allowed, actual))}`;
}

const CAUSES: Readonly<Record<OnlineViolation['cause'], string>> = {
  stuck: '',
  'absent value': 'That value was absent: it was never inserted, or it had been removed.',
  overtaken: 'A value was removed before another one that was inserted earlier.',
  'never empty': 'The object was never empty during the call.',
  'not current': 'That value had been overwritten before this call, or it was never written.',
  replaced: 'Two values were read alternately, although each was written once.',
  'no such count': 'The count never had that value during the call.',
  'nothing left': 'No permit, or no copy of the value, was available during the call.',
  'no such state': 'During the call, the object was never in a state that allows this result.',
  'no partner': 'A call returned although no matching call was open at the same time.',
  'too few partners':
    'Several calls returned that share too few possible partners: each call synchronises once.',
};
