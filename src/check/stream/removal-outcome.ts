/** How a removal or a peek ended: without an effect, nobody knows, or with the number of which value. */
import type { Outcome } from '../../history/model/operation.js';
import type { Numbering } from './value-numbering.js';

export type Ending = 'failed' | 'pending' | number;

/** The number of a value nobody has put in. */
const ABSENT = -1;

/** Of one that did not throw. */
export function endingOf(outcome: Exclude<Outcome, { kind: 'threw' }>, numbering: Numbering): Ending {
  return outcome.kind === 'returned' ? (numbering.find(outcome.value) ?? ABSENT) : outcome.kind;
}
