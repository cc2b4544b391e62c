/** What is wrong, in words that need no glossary. */
import type { Violation } from '../explore/index.js';

export function firstLine(violation: Violation | undefined): string {
  switch (violation?.kind) {
    case 'wait':
      return 'A call waits for ever, though in no one-at-a-time order of these calls it has to.';
    case 'nondeterminism':
      return 'The same calls, one at a time, give different results from one run to the next.';
    default:
      return 'No one-at-a-time order of these calls gives these results.';
  }
}
