/** Why there is no verdict or no explanation, and what to try. */
import { printable, show } from '../../base/values/show.js';
import type { LimitReason, Verdict } from '../../check/model/verdict.js';
import { isSyncSpec } from '../../spec/rendezvous/sync-spec.js';
import type { CheckedHistory } from '../common/report-types.js';
import { count, grouped } from '../common/verdict-words.js';

/** At most this many parts are listed; the others are counted. */
const MOST_PARTS = 10;
const MOST_OTHERS = 5;

const ADVICE: Readonly<Record<Exclude<LimitReason, 'interrupted'>, string>> = {
  time: 'Time limit reached. Try a larger --timeout',
  memory: 'Memory limit reached. Try a larger --max-memory',
  steps: 'Step limit reached. Try a larger --max-steps',
};

export interface Doubt {
  readonly advice: string;
  /** How far it got, a line for each part. */
  readonly parts: readonly string[];
}

export function doubtInWords({ reason, unfinished }: Extract<Verdict, { kind: 'undecided' }>): Doubt {
  const parts = unfinished.slice(0, MOST_PARTS).map(({ part, explained, of }) => {
    const found =
      explained === 0 ? 'none' : explained === 1 ? 'only the first' : `the first ${grouped(explained)}`;
    const sentence = `${found} of ${count(of, 'returned call')} could be put in order.`;
    return part === ''
      ? `${sentence[0].toUpperCase()}${sentence.slice(1)}`
      : `Part ${printable(part)}: ${sentence}`;
  });
  const left = unfinished.length - parts.length;
  return {
    advice:
      reason === 'interrupted'
        ? 'Interrupted before the check decided.'
        : `${ADVICE[reason]}, a shorter history, or fewer overlapping or pending operations. In your own spec, declare \`part\` and \`readOnly\` (node_modules/straightedge/docs/guide/writing-a-spec.md).`,
    parts: [...parts, ...(left > 0 ? [`${count(left, 'more part is', 'more parts are')} not listed.`] : [])],
  };
}

/**
 * Parts without a verdict beside one that has a violation: those that were not examined to the end, and those that reached
 * a limit. The former are left out if a full measure has checked each part by itself, which does not concern rendezvous objects.
 */
export function othersInWords(
  {
    verdict,
    history,
    consistency,
    specOf,
  }: Pick<CheckedHistory, 'verdict' | 'history' | 'consistency' | 'specOf'>,
  ellipsis: string,
): string[] {
  if (verdict.kind !== 'violation') return [];
  const isEachChecked =
    consistency?.extent === 'full' &&
    specOf !== undefined &&
    !history.objects.some((object) => isSyncSpec(specOf(object)));
  const notExamined = isEachChecked ? [] : verdict.notExamined;
  const { undecided } = verdict;
  const named = (names: readonly string[]): string => {
    const more = names.length > MOST_OTHERS ? `, ${ellipsis}` : '';
    return `(${names.slice(0, MOST_OTHERS).map(show).join(', ')}${more})`;
  };
  return [
    ...(notExamined.length > 0
      ? [
          `${count(notExamined.length, 'other part was', 'other parts were')} not examined to the end ${named(notExamined)}: one violation is enough.`,
        ]
      : []),
    ...(undecided.length > 0
      ? [
          `${count(undecided.length, 'other part is', 'other parts are')} undecided ${named(undecided)}: a limit was reached.`,
        ]
      : []),
  ];
}

/** Why a search decided although the object has a monitor. */
export const declinedInWords = ({ stats: { declined, checker } }: Verdict): string | undefined =>
  declined &&
  `Decided by ${checker}; the faster ${declined.monitor} does not apply: ${printable(declined.reason)}.`;

/** The limit that ended a command. */
export const REACHED: Readonly<Record<LimitReason, string>> = {
  time: 'time limit reached',
  memory: 'memory limit reached',
  steps: 'step limit reached',
  interrupted: 'interrupted',
};

const IN_SCENARIO = ' inside the scenario, perhaps in a method that never returns; nothing else is known';
type CommandName = 'check' | 'monitor' | 'explore' | 'replay' | 'stress' | 'view' | 'convert';

const WITHOUT_VERDICT: Readonly<Record<CommandName, string>> = {
  check: ' while reading the file, or inside a method of the spec or record map; nothing else is known',
  monitor: ', perhaps inside a method of the spec; nothing else is known',
  explore: IN_SCENARIO,
  replay: IN_SCENARIO,
  stress: IN_SCENARIO,
  view: '; nothing was written',
  convert: '; nothing was written',
};

/** A limit ended a command before it had a verdict. */
export const cutShortText = (file: string, command: CommandName, reason: LimitReason): string =>
  `${printable(file)}: ${REACHED[reason]}${WITHOUT_VERDICT[command]}`;

interface UnexplainedCall {
  readonly part: string;
  readonly operation: number;
  readonly call: string;
  readonly isRendezvous: boolean;
}

/** A limit or an error, `why`, ended a check between a violation and its explanation. */
export function unexplainedText(
  file: string,
  { part, operation, call, isRendezvous }: UnexplainedCall,
  why: string,
): string {
  const where = part === '' ? '' : ` (part ${printable(part)})`;
  const none = isRendezvous
    ? 'no sequence of rendezvous allows'
    : 'no sequential order that respects real time allows';
  return `${printable(file)}${where}: ${none} ${call}, operation ${operation}; ${why} before the reason was found`;
}

/** A limit ended an exploration between a failure and its minimisation. */
export const unminimisedText = (file: string, call: string, why: string): string =>
  `${printable(file)}: ${call}; ${why} before the failure was minimised`;

/** No Redis worker finished the check. */
export const abandonedText = (file: string, reason: string): string =>
  `${printable(file)}: abandoned: ${printable(reason)}`;
