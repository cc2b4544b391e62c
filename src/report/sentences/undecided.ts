/** Why a check is undecided, and what to try. */
import { printable } from '../../base/values/show.js';
import type { LimitReason, Verdict } from '../../check/model/verdict.js';
import { count, grouped } from '../common/verdict-words.js';

/** At most this many parts are listed; the others are counted. */
const MOST_PARTS = 10;

const ADVICE: Readonly<Record<LimitReason, string>> = {
  time: 'Time limit reached. Try a larger --timeout',
  memory: 'Memory limit reached. Try a larger --max-memory',
  steps: 'Step limit reached. Try a larger --max-steps',
  interrupted: 'Interrupted. Try again',
};

export interface Doubt {
  readonly advice: string;
  readonly tried: string;
  /** How far it got, a line for each part. */
  readonly parts: readonly string[];
}

export function doubtInWords({ reason, unfinished, stats }: Extract<Verdict, { kind: 'undecided' }>): Doubt {
  const parts = unfinished.slice(0, MOST_PARTS).map(({ part, explained, of }) => {
    const name = part === '' ? '' : `part ${printable(part)}: `;
    return `${name}${grouped(explained)} of ${count(of, 'return')} ${explained === 1 ? 'is' : 'are'} consistent so far.`;
  });
  const left = unfinished.length - parts.length;
  return {
    advice: `${ADVICE[reason]}, a shorter history, or fewer overlapping or pending operations. For your own spec, declare parts and read-only operations.`,
    tried: `${count(stats.steps, 'step')} tried, ${count(stats.configurations, 'configuration')} visited.`,
    parts: [...parts, ...(left > 0 ? [`${count(left, 'more part')} not listed.`] : [])],
  };
}

/** Why a search decided although the object has a monitor. */
export const declinedInWords = ({ stats: { declined, checker } }: Verdict): string | undefined =>
  declined && `Decided by ${checker}; the ${declined.monitor} declined: ${printable(declined.reason)}.`;
