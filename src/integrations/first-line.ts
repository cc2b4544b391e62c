/** What is wrong, in words that need no glossary. */
import type { Violation } from '../explore/result.js';
import type { Scenario } from '../explore/scenario/scenario.js';
import { hasMeetings, noneGives } from '../report/common/verdict-words.js';

export function firstLine(violation: Violation | undefined, scenario: Scenario): string {
  const meets = hasMeetings(scenario);
  switch (violation?.kind) {
    case 'wait':
      return meets
        ? 'A call waits for ever, though no meetings of these calls leave it waiting.'
        : 'A call waits for ever, though in no one-at-a-time order of these calls it has to.';
    case 'nondeterminism':
      return 'The same calls, one at a time, give different results from one run to the next.';
    default:
      return noneGives(meets);
  }
}
