/** Why a check came to no answer, and what would help, in plain sentences. */
import { printable } from '../../base/values/show.js';
import type { LimitReason, Verdict } from '../../check/model/verdict.js';
import { count, grouped } from '../common/verdict-words.js';

/** So many parts are told, the others counted. */
const MOST_PARTS = 10;

const ADVICE: Readonly<Record<LimitReason, string>> = {
  time: 'Time ran out. Try a longer --timeout',
  memory: 'Memory ran out. Try a larger --max-memory',
  steps: 'The steps ran out. Try a larger --max-steps',
  interrupted: 'It was interrupted. Try again',
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
    return `${name}${count(explained, 'return')} of ${grouped(of)} explained so far, no contradiction found`;
  });
  const left = unfinished.length - parts.length;
  return {
    advice: `${ADVICE[reason]}, a shorter history, fewer operations that overlap or never returned, or, for a spec of your own, parts and read-only operations.`,
    tried: `${count(stats.steps, 'step')} tried, ${count(stats.configurations, 'configuration')} visited.`,
    parts: [...parts, ...(left > 0 ? [`and ${count(left, 'more part')}`] : [])],
  };
}

/** Why a search decided where there is a monitor. */
export const asideInWords = ({ stats: { aside, checker } }: Verdict): string | undefined =>
  aside && `Decided by ${checker}; the ${aside.monitor} steps aside: ${printable(aside.reason)}.`;
