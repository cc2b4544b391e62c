/** A job of the explorer, from the main thread: run it, print what it came to, give its exit code. */

import { totalmem } from 'node:os';
import type { Command } from 'commander';
import { expectFile } from '../../config/usage-error.js';
import { toCommandResult } from '../../jobs/model/command-result.js';
import type { ExploreJob, ExploringJob, ReplayJob, StressJob } from '../../jobs/model/job.js';
import { runWorker } from '../../jobs/pool/run-worker.js';
import { addExploringFlags, type ExploringFlags } from '../flags/exploring-flags.js';
import { checkReport, expectNoHistory, tellReport } from '../flags/files.js';
import { addReporterFlag, Reporters } from '../flags/reporters.js';
import { ProgressLine, terminalStyle } from '../terminal/progress.js';

/* A failure as an argument: a file, or a token and the scenario that it is of. */

export interface FailureFlags extends ExploringFlags {
  readonly scenario?: string;
}

export function addFailureArgument(command: Command): Command {
  command
    .argument('<failure>', 'a file that explore or a test has written, or the token that explore has printed')
    .option(
      '--scenario <path>',
      'the module that it is a failure of: for a token, and for what a test has kept',
    )
    .option('--report <file>', 'also write a page to look at: out.html');
  return addReporterFlag(addExploringFlags(command));
}

export const exploringJob = (
  file: string,
  flags: ExploringFlags,
  stop: ExploringJob['stop'],
): ExploringJob => {
  expectFile(file);
  expectNoHistory(file);
  return {
    file,
    limits: { timeout: flags.timeout, maxMemory: flags.maxMemory ?? totalmem() / 2 },
    stop,
    json: flags.json ?? false,
    html: flags.report,
    isReported: flags.reporter !== undefined,
    isExplained: false,
    style: terminalStyle(flags.ascii ?? false),
  };
};

export async function runExploring(
  job: ExploreJob | ReplayJob | StressJob,
  flags: ExploringFlags,
): Promise<number> {
  if (job.html !== undefined) checkReport(job.html, [job.file]);
  const { quiet = false } = flags;
  const reporters = new Reporters(flags.reporter ?? [], flags);
  const progress = new ProgressLine(process.stderr, quiet);
  const result = toCommandResult(job, await runWorker(job, (text) => progress.show(text)));
  progress.clear();
  reporters.take(result, false);
  tellReport(result, job.html, reporters.speaks);
  reporters.finish();
  return result.code;
}
