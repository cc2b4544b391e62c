/** `check` in its thread: reads and checks a history, and writes the report. */
import { pathToFileURL } from 'node:url';
import { packageFile } from '../../base/package-file.js';
import { printable, show } from '../../base/values/show.js';
import type { Algorithm } from '../../check/algorithms.js';
import { check } from '../../check/check.js';
import type { Limits } from '../../check/model/budget.js';
import type { Verdict } from '../../check/model/verdict.js';
import type { AnySpecOf } from '../../check/rendezvous/split-objects.js';
import { faultAnnotations, idleFaults } from '../../consistency/faults.js';
import type { Consistency } from '../../consistency/measure.js';
import { History } from '../../history/history.js';
import type { CheckedHistory } from '../../report/common/report-types.js';
import { jsonReport } from '../../report/json/json.js';
import { failureText } from '../../report/sentences/reasons.js';
import { textReport } from '../../report/text/report.js';
import { styleOf } from '../../report/text/style.js';
import { isSyncSpec } from '../../spec/rendezvous/sync-spec.js';
import { loadSpecs } from '../load/spec.js';
import type { CheckJob, CheckReply, Message, ViolationMessage } from '../model/job.js';
import { processMemory } from '../model/limit-exceeded.js';
import { expectOperations, readJob, withHtml } from './read-job.js';

const PROGRESS_EVERY = 100;

export async function checkJob(job: CheckJob, post: (message: Message) => void): Promise<CheckReply> {
  const begin = performance.now();
  const onProgress = (text: string) => post({ kind: 'progress', text });
  const specs = await loadSpecs(job.spec, job.options);
  // a message costs more than to read a small file
  const slow = setTimeout(onProgress, PROGRESS_EVERY, `reading ${job.file}`);
  const read = await readJob(job, specs, post).finally(() => clearTimeout(slow));
  const faults = faultAnnotations(read, job.faults);
  const annotations = [...read.annotations, ...faults.annotations];
  const history = new History(read.columns, read.tables, annotations, job.stuck || read.stuck);
  if (!job.allowEmpty) expectOperations(history.length);
  const warn = (text: string): void => {
    if (!job.quiet) post({ kind: 'news', text: printable(`${job.file}: --faults: ${text}`) });
  };
  for (const fault of faults.endless)
    warn(`nothing ends ${show(fault)}, so it lasts until the end; give it an "until"`);
  for (const fault of idleFaults(history, job.faults)) warn(`no operation was called during ${show(fault)}`);
  const readAt = performance.now();

  const returns = history.columns.events.length - history.length;
  const verdict = check(history, specs.specOf, {
    ...limitsOf(job, begin, returns, onProgress),
    algorithm: job.algorithm as Algorithm,
    parallel: {
      jobs: job.jobs,
      specModule: pathToFileURL(packageFile('#load-spec')),
      specData: { spec: job.spec, options: job.options },
    },
    onViolation: (found) =>
      post({ kind: 'found', ...found, ...callOf(history, found.operation, specs.specOf) }),
  });
  const ms = { read: round(readAt - begin), check: round(performance.now() - readAt) };
  const { name: spec, specOf } = specs;
  const consistency = await measured(history, verdict, specOf, job, onProgress);
  const { all } = job;
  const result: CheckedHistory = { file: job.file, spec, history, verdict, ms, specOf, consistency, all };
  const { wants } = job;
  // it also words explorations, and loads much for that
  const diagnostic = wants.finding ? await import('../../report/diagnostic.js') : undefined;
  const checked: CheckReply = {
    kind: 'checked',
    verdict: verdict.kind,
    reason: verdict.kind === 'undecided' ? verdict.reason : undefined,
    ...(verdict.kind === 'violation' &&
      verdict.counterexample.failure !== undefined && {
        failure: failureText(job.file, verdict.counterexample.failure),
      }),
    ...(wants.document && { document: jsonReport(result, job) }),
    ...(wants.text && { text: textReport(result, styleOf(job.style), job) }),
    ...(diagnostic && { finding: diagnostic.toDiagnostic(result) }),
  };
  if (job.html === undefined) return checked;
  const { htmlReport } = await import('../../report/html/page.js');
  return withHtml(checked, job.html, () => htmlReport(result, specs.specOf), post);
}

/** The time for a whole measure, if no time limit is given. */
const CONSISTENCY_TIME = 30_000;

/** The longest history with a violation that is measured without a request. */
const MOST_BRIEF = 20_000;

/** How far a history is from linearizable: in full on request, and briefly after each violation. Loaded only then. */
async function measured(
  history: History,
  verdict: Verdict,
  specOf: AnySpecOf,
  { limits, stop, consistency }: CheckJob,
  onProgress: (text: string) => void,
): Promise<Consistency | undefined> {
  const isBrief = !consistency && verdict.kind === 'violation' && history.length <= MOST_BRIEF;
  if (verdict.kind === 'linearizable' || !(consistency || isBrief)) return undefined;
  const { measureConsistency } = await import('../../consistency/measure.js');
  const shouldStop = (): boolean => Atomics.load(stop, 0) !== 0;
  if (isBrief) return measureConsistency(history, specOf, { brief: true, shouldStop });
  onProgress('measuring how far it is from linearizable');
  return measureConsistency(history, specOf, {
    timeout: limits.timeout ?? CONSISTENCY_TIME,
    maxSteps: limits.maxSteps,
    shouldStop,
  });
}

/** The faulty call, in case there is no time to explain it. */
function callOf(
  history: History,
  operation: number,
  specOf: AnySpecOf,
): Pick<ViolationMessage, 'call' | 'isRendezvous'> {
  const { method, args, object } = history.at(history.positionsById()[operation]);
  const call = printable(`${method}(${args.map(show).join(', ')})`);
  return { call, isRendezvous: isSyncSpec(specOf(object)) };
}

/** The remaining limits, with progress messages. */
function limitsOf(
  { limits, stop }: CheckJob,
  begin: number,
  returns: number,
  tell: (text: string) => void,
): Limits {
  let last = performance.now();
  const { timeout } = limits;
  return {
    ...limits,
    timeout: timeout === undefined ? undefined : Math.max(0, timeout - (performance.now() - begin)),
    processMemory: processMemory(),
    shouldStop: () => Atomics.load(stop, 0) !== 0,
    onProgress: ({ explained, steps }) => {
      const now = performance.now();
      if (now - last < PROGRESS_EVERY) return;
      last = now;
      tell(
        `checking: ${explained.toLocaleString('en')} of ${returns.toLocaleString('en')} returns explained, ${steps.toLocaleString('en')} steps`,
      );
    },
  };
}

function round(ms: number): number {
  return Math.round(ms * 10) / 10;
}
