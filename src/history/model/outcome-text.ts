/** What a caller gets, in a sentence. */
import { printable, show } from '../../base/values/show.js';
import type { Outcome } from './operation.js';

export function outcomeInWords(outcome: Outcome): string {
  switch (outcome.kind) {
    case 'returned':
      return outcome.value === undefined ? 'no result' : show(outcome.value);
    case 'threw':
      return `error ${printable(outcome.error)}`;
    default:
      return 'no answer';
  }
}
