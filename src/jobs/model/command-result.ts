/** One mapping from the reply of a worker to what a command reports: exit code, JSON document, text and diagnostic. */
import { printable } from '../../base/values/show.js';
import type { LimitReason } from '../../check/model/verdict.js';
import { EXIT, type LostFile, unexpectedText } from '../../config/usage-error.js';
import { unexplainedBy } from '../../report/common/verdict-words.js';
import type { Diagnostic } from '../../report/diagnostic.js';
import type { JsonDocument } from '../../report/json/json.js';
import {
  abandonedText,
  cutShortText,
  REACHED,
  unexplainedText,
  unminimisedText,
} from '../../report/sentences/undecided.js';
import { styleOf } from '../../report/text/style.js';
import type { CheckJob, Failure, Job, Refusal, Reply, VerdictReply, ViolationMessage } from './job.js';

const WORST_FIRST: readonly number[] = [
  EXIT.interrupted,
  EXIT.internal,
  EXIT.badInput,
  EXIT.violation,
  EXIT.undecided,
  EXIT.holds,
];

/** The exit code for several files: unexpected error before invalid input before violation before undecided. */
export const worstExitCode = (codes: readonly number[]): number =>
  WORST_FIRST.find((code) => codes.includes(code)) ?? EXIT.holds;

export interface CommandResult {
  readonly code: number;
  readonly document: JsonDocument;
  /** For people; an error message if `code` is 2 or 70. */
  readonly text: string;
  /** For other tools. */
  readonly finding: Diagnostic;
  /** Was the requested HTML report written? */
  readonly isWritten?: boolean;
  /** The files that cannot be written, and why. */
  readonly unwritten?: readonly LostFile[] | undefined;
  /** Was every schedule of all tests explored? */
  readonly isComplete?: boolean;
  /** The error that ended the explanation of a violation, for standard error. */
  readonly failure?: string | undefined;
  /** Of an unexpected error. */
  readonly stack?: string;
  /** The limit that ended the work, if one did. */
  readonly limit?: LimitReason | undefined;
}

export function toCommandResult(job: Job, reply: Reply<Job>): CommandResult {
  const { file } = job;
  switch (reply.kind) {
    case 'checked':
    case 'explored':
    case 'monitored':
      return verdictResult(file, reply);
    case 'viewed':
    case 'converted':
      return {
        code: EXIT.holds,
        document: {},
        text: reply.text,
        finding: plainDiagnostic(file, 'linearizable', reply.text),
      };
    case 'refused':
      return refusedResult(file, reply);
    case 'failed':
      return failedResult(file, reply);
    case 'cut short':
      return reply.found
        ? unexplainedResult(job, reply.found, reply.error ?? REACHED[reply.reason], reply.reason)
        : unknownResult(job, reply.reason);
  }
}

/** The limits of a job; other reasons are no limits. */
const LIMITS: readonly LimitReason[] = ['time', 'steps', 'memory', 'interrupted'];

function verdictResult(file: string, reply: VerdictReply): CommandResult {
  const { verdict, reason, document = {}, text = '', isWritten = false } = reply;
  const outcome = verdict === 'holds' ? 'linearizable' : verdict;
  return {
    code: reply.isSufficient ? EXIT.holds : exitCodeOf(verdict, reason),
    document,
    text,
    finding: reply.finding ?? plainDiagnostic(file, outcome, text),
    isWritten,
    unwritten: reply.unwritten,
    ...(reply.isComplete !== undefined && { isComplete: reply.isComplete }),
    failure: reply.failure,
    limit: LIMITS.find((limit) => limit === reason),
  };
}

/** A violation stays one whatever limit was reached; without a limit, everything asked for was covered. */
function exitCodeOf(verdict: VerdictReply['verdict'], reason: VerdictReply['reason']): number {
  if (verdict === 'violation') return EXIT.violation;
  if (reason === 'interrupted') return EXIT.interrupted;
  return verdict === 'undecided' || reason !== undefined ? EXIT.undecided : EXIT.holds;
}

/** A diagnostic that consists of one sentence. */
const plainDiagnostic = (file: string, outcome: Diagnostic['outcome'], text: string): Diagnostic => ({
  file,
  outcome,
  summary: text,
  text,
  seconds: 0,
  related: [],
});

function refusedResult(file: string, refusal: Refusal): CommandResult {
  const { file: own, line, column, message } = refusal;
  const place = { ...(own !== undefined && { file: own }), ...(line !== undefined && { line, column }) };
  return {
    code: EXIT.badInput,
    document: { file, error: { ...place, message } },
    text: `${printable(own ?? file)}${line === undefined ? '' : `:${line}:${column}`}: ${message}`,
    finding: { ...plainDiagnostic(own ?? file, 'error', message), line, column },
  };
}

function failedResult(file: string, { message, stack }: Failure): CommandResult {
  const text = `${printable(file)}: ${unexpectedText(message)}`;
  return {
    code: EXIT.internal,
    document: { file, error: { message, isUnexpected: true } },
    text,
    finding: plainDiagnostic(file, 'error', text),
    stack,
  };
}

/** A limit ended the worker before it had a verdict. */
function unknownResult(job: Job, reason: LimitReason): CommandResult {
  const sentence = cutShortText(job.file, job.kind, reason);
  const mark = 'style' in job ? `${styleOf(job.style).unsure} undecided  ` : '';
  return {
    code: reason === 'interrupted' ? EXIT.interrupted : EXIT.undecided,
    document: { file: job.file, verdict: 'undecided', ...specOf(job), reason },
    text: `${mark}${sentence}`,
    finding: plainDiagnostic(job.file, 'undecided', sentence),
    limit: reason,
  };
}

/** No Redis worker finished the check. */
export function abandonedResult({ file, spec, style }: CheckJob, reason: string): CommandResult {
  const sentence = abandonedText(file, reason);
  return {
    code: EXIT.undecided,
    document: { file, verdict: 'undecided', spec, reason: 'abandoned' },
    text: `${styleOf(style).unsure} undecided  ${sentence}`,
    finding: plainDiagnostic(file, 'undecided', sentence),
  };
}

/** A limit ended the worker after it had found a violation and before it had explained it. */
function unexplainedResult(
  job: Job,
  found: ViolationMessage,
  why: string,
  reason: LimitReason,
): CommandResult {
  const { operation, property, isRendezvous } = found;
  const isCheck = job.kind === 'check';
  const sentence = isCheck
    ? unexplainedText(job.file, found, why)
    : unminimisedText(job.file, found.call, why);
  const kind = isRendezvous ? 'unexplained' : property === 'safety' ? 'stuck' : 'waits';
  const counterexample = {
    minimal: false,
    first: false,
    allowedComplete: false,
    property,
    cause: { kind, operation },
  };
  const style = 'style' in job ? job.style : {};
  return {
    code: EXIT.violation,
    document: {
      file: job.file,
      verdict: 'violation',
      ...specOf(job),
      ...(isCheck ? { counterexample } : { reason }),
    },
    text: `${styleOf(style).no} ${unexplainedBy(isRendezvous)}  ${sentence}`,
    finding: { ...plainDiagnostic(job.file, 'violation', sentence), isRendezvous },
    limit: reason,
  };
}

const specOf = (job: Job): { readonly spec?: string } =>
  'spec' in job && job.spec !== undefined ? { spec: job.spec } : {};
