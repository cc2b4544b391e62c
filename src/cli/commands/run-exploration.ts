/** A job that explores, stresses or replays a scenario: run it in a worker and print its result. */
import { totalmem } from 'node:os';
import { expectWholeFile } from '../../config/usage-error.js';
import { toCommandResult } from '../../jobs/model/command-result.js';
import type { ExploreJob, ExploringJob, ReplayJob, StressJob } from '../../jobs/model/job.js';
import { runJob } from '../../jobs/pool/job-thread.js';
import { checkHtml, expectNoHistory, reportFiles, withLostReport } from '../common/files.js';
import type { ASCII, Given, HTML, JSON_OUTPUT, MAX_MEMORY, QUIET } from '../common/flags.js';
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

/** Returns the exit code. */
export async function runExploration(
  job: ExploreJob | ReplayJob | StressJob,
  flags: ExplorationFlags,
  terminal: Terminal,
): Promise<number> {
  checkHtml(job.html, [job.file]);
  const reporters = new Reporters(flags, terminal);
  const progress = new ProgressLine(terminal, flags.quiet);
  const result = toCommandResult(job, await runJob(job, (line) => progress.show(line)));
  progress.clear();
  reporters.add(result, false);
  const code = reportFiles(result, job.html, reporters.isText, terminal);
  return reporters.finish() ? code : withLostReport(code);
}
