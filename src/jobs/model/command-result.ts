/** What the check of one file ends in: an exit code, a document for programs, a text for people. */
import { printable } from '../../base/values/show.js';
import type { LimitReason } from '../../check/model/verdict.js';
import { unexplainedBy } from '../../report/common/verdict-words.js';
import type { Diagnostic } from '../../report/diagnostic.js';
import type { JsonDocument } from '../../report/json/json.js';
import { styleOf } from '../../report/text/style.js';
import type { Answer, CheckJob, FoundMessage, Refused } from './job.js';

/** What a run of the command line ends in. */
export const EXIT = { holds: 0, violation: 1, badInput: 2, undecided: 3, interrupted: 130 } as const;

const WORST_FIRST: readonly number[] = [
  EXIT.interrupted,
  EXIT.badInput,
  EXIT.violation,
  EXIT.undecided,
  EXIT.holds,
];

/** Of several files: bad input over violation over undecided over holds. */
export const worst = (codes: readonly number[]): number =>
  WORST_FIRST.find((code) => codes.includes(code)) ?? EXIT.holds;

export interface Ending {
  readonly code: number;
  readonly document: JsonDocument;
  /** For people; an error where `code` is 2. */
  readonly text: string;
  /** For other tools. */
  readonly finding: Diagnostic;
  /** Is the page written that was asked for? */
  readonly isWritten?: boolean;
}

export function endingOf(job: CheckJob, answer: Answer<CheckJob>): Ending {
  const { file } = job;
  switch (answer.kind) {
    case 'checked': {
      const undecided = answer.reason === 'interrupted' ? EXIT.interrupted : EXIT.undecided;
      const code = { linearizable: EXIT.holds, violation: EXIT.violation, undecided }[answer.verdict];
      const {
        document = {},
        text = '',
        finding = plainFinding(file, answer.verdict, text),
        isWritten = false,
      } = answer;
      return { code, document, text, finding, isWritten };
    }
    case 'refused': {
      const { line, column, message } = answer;
      const error = { ...(line !== undefined && { line, column }), message };
      return {
        code: EXIT.badInput,
        document: { file, error },
        text: complaint(file, answer),
        finding: { ...plainFinding(file, 'error', message), line, column },
      };
    }
    case 'cut short':
      return answer.found ? unexplained(job, answer.found, answer.reason) : unknown(job, answer.reason);
  }
}

/** One of which there is no more to tell than a sentence. */
export const plainFinding = (file: string, outcome: Diagnostic['outcome'], text: string): Diagnostic => ({
  file,
  outcome,
  summary: text,
  text,
  seconds: 0,
  related: [],
});

/** Nothing is known but what ran out. */
function unknown({ file, spec, style }: CheckJob, reason: LimitReason): Ending {
  const sentence = `${printable(file)}: ${RAN_OUT[reason]} while reading, or inside a method of the spec or map; no more is known`;
  return {
    code: reason === 'interrupted' ? EXIT.interrupted : EXIT.undecided,
    document: { file, verdict: 'undecided', spec, reason },
    text: `${styleOf(style).unsure} undecided  ${sentence}`,
    finding: plainFinding(file, 'undecided', sentence),
  };
}

/** No worker of a fleet could tell. */
export function setAside({ file, spec, style }: CheckJob, why: string): Ending {
  const sentence = `${printable(file)}: set aside after three tries. ${printable(why)}`;
  return {
    code: EXIT.undecided,
    document: { file, verdict: 'undecided', spec, reason: 'set aside' },
    text: `${styleOf(style).unsure} undecided  ${sentence}`,
    finding: plainFinding(file, 'undecided', sentence),
  };
}

/** A violation whose explanation did not come. */
function unexplained(
  { file, spec, style }: CheckJob,
  { part, operation, property, call, meets }: FoundMessage,
  reason: LimitReason,
): Ending {
  const where = part === '' ? '' : ` (part ${printable(part)})`;
  const sentence = `${printable(file)}${where}: ${meets ? 'no meetings explain' : 'no order explains'} ${call}, operation ${operation}; ${RAN_OUT[reason]} before it was explained`;
  const kind = meets ? 'untold' : property === 'safety' ? 'stuck' : 'waits';
  return {
    code: EXIT.violation,
    document: {
      file,
      verdict: 'violation',
      spec,
      counterexample: { minimal: false, property, cause: { kind, operation } },
    },
    text: `${styleOf(style).no} ${unexplainedBy(meets)}  ${sentence}`,
    finding: { ...plainFinding(file, 'violation', sentence), meets },
  };
}

/** What ran out, for people. */
export const RAN_OUT: Readonly<Record<LimitReason, string>> = {
  time: 'time ran out',
  memory: 'memory ran out',
  interrupted: 'interrupted',
  steps: 'the steps ran out',
};

/** A refusal with its place: `orders.jsonl:7:12: …`. */
export function complaint(file: string, { line, column, message }: Refused): string {
  return `${line === undefined ? file : `${file}:${line}:${column}`}: ${message}`;
}
