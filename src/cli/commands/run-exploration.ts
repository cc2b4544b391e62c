/** A job that explores, stresses or replays a scenario: run it in a worker and print its result. */
import { totalmem } from 'node:os';
import { EXIT, expectWholeFile, UsageError } from '../../config/usage-error.js';
import { type CommandResult, toCommandResult, worstExitCode } from '../../jobs/model/command-result.js';
import type { ExploreJob, ExploringJob, ReplayJob, Reply, StressJob } from '../../jobs/model/job.js';
import { runJob } from '../../jobs/pool/job-thread.js';
import { checkHtml, expectNoHistory, reportFiles } from '../common/files.js';
import type { ASCII, Given, HTML, JSON_OUTPUT, MAX_MEMORY, QUIET } from '../common/flags.js';
import { findPass, keyOf, savePass } from '../common/pass-cache.js';
import { type Reporter, Reporters } from '../common/reporters.js';
import { ProgressLine, type Terminal, terminalStyle } from '../common/terminal.js';

type ExplorationFlags = {
  readonly timeout: number;
  readonly reporter?: readonly Reporter[] | undefined;
  readonly config?: boolean;
} & Given<typeof MAX_MEMORY> &
  Given<typeof HTML> &
  Given<typeof JSON_OUTPUT> &
  Given<typeof QUIET> &
  Given<typeof ASCII>;

/** Converts the flags that these commands share. */
export function toExplorationJob(
  file: string,
  flags: ExplorationFlags,
  stop: ExploringJob['stop'],
  terminal: Terminal,
): ExploringJob {
  expectWholeFile(file);
  expectNoHistory(file);
  return {
    file,
    hasConfig: flags.config !== false,
    limits: { timeout: flags.timeout, maxMemory: flags.maxMemory ?? totalmem() / 2 },
    stop,
    json: flags.json ?? false,
    html: flags.html,
    isReported: flags.reporter !== undefined,
    isExplained: false,
    style: terminalStyle(terminal, flags.ascii),
  };
}

/** Explores several scenarios, one at a time, and prints one summary. Returns the worst exit code. */
export async function runExplorations(
  jobs: readonly ExploreJob[],
  flags: ExplorationFlags & { readonly cache?: boolean },
  terminal: Terminal,
): Promise<number> {
  const [{ html, stop }] = jobs;
  checkHtml(
    html,
    jobs.map(({ file }) => file),
  );
  const reporters = new Reporters(flags, terminal);
  const progress = new ProgressLine(terminal, flags.quiet);
  const codes: number[] = [];
  for (const [i, job] of jobs.entries()) {
    const number = jobs.length > 1 ? `${i + 1} of ${jobs.length}: ` : '';
    const result = await cachedResult(job, flags.cache !== false, jobs.length === 1, (line) =>
      progress.show(`${number}${line}`),
    );
    progress.clear();
    reporters.add(result, jobs.length > 1);
    codes.push(reportFiles(result, html, reporters.isText, terminal));
    if (Atomics.load(stop, 0) !== 0) break;
  }
  const code = reporters.finish(worstExitCode(codes));
  if (codes.length < jobs.length) return EXIT.interrupted;
  if (jobs.length > 1 && reporters.isText) terminal.stdout.write(`${summary(codes)}\n`);
  return code;
}

/** A result of the cache if nothing has changed, otherwise of an exploration. */
async function cachedResult(
  job: ExploreJob,
  isCached: boolean,
  isAlone: boolean,
  onProgress: (line: string) => void,
): Promise<CommandResult> {
  const key = isCached ? await keyOf(job) : undefined;
  const found = key === undefined ? undefined : findPass(job.file, key);
  if (found) return found;
  const result = toCommandResult(job, await replyOf(job, isAlone, onProgress));
  if (key !== undefined) savePass(job.file, key, result);
  return result;
}

/** A scenario that cannot be loaded ends the command only if there is no other. */
async function replyOf(
  job: ExploreJob,
  isAlone: boolean,
  onProgress: (line: string) => void,
): Promise<Reply<ExploreJob>> {
  try {
    return await runJob(job, onProgress);
  } catch (error) {
    if (isAlone || !(error instanceof UsageError)) throw error;
    return { kind: 'refused', message: error.message };
  }
}

/** `3 scenarios: 1 with a violation, 2 without`. */
function summary(codes: readonly number[]): string {
  const words: readonly (readonly [number, string])[] = [
    [EXIT.holds, 'without a violation'],
    [EXIT.violation, 'with a violation'],
    [EXIT.undecided, 'undecided'],
    [EXIT.badInput, 'invalid'],
    [EXIT.internal, 'failed'],
    [EXIT.interrupted, 'interrupted'],
  ];
  const counts = words
    .map(([code, word]) => [codes.filter((own) => own === code).length, word] as const)
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count} ${word}`);
  return `${codes.length} scenarios: ${counts.join(', ')}`;
}

/** Returns the exit code. */
export async function runExploration(
  job: ReplayJob | StressJob,
  flags: ExplorationFlags,
  terminal: Terminal,
): Promise<number> {
  checkHtml(job.html, [job.file]);
  const reporters = new Reporters(flags, terminal);
  const progress = new ProgressLine(terminal, flags.quiet);
  const result = toCommandResult(job, await runJob(job, (line) => progress.show(line)));
  progress.clear();
  reporters.add(result, false);
  return reporters.finish(reportFiles(result, job.html, reporters.isText, terminal));
}
