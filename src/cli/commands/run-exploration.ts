/** A job of the explorer, from the main thread: run it, print what it came to, give its exit code. */

import { totalmem } from 'node:os';
import type { Command } from 'commander';
import { expectFile } from '../../config/usage-error.js';
import { complaint, type Ending, EXIT, plainFinding, RAN_OUT } from '../../jobs/model/command-result.js';
import type { Answer, ExploreJob, ExploringJob, ReplayJob, StressJob } from '../../jobs/model/job.js';
import { runWorker } from '../../jobs/pool/run-worker.js';
import { unexplainedBy } from '../../report/common/verdict-words.js';
import { styleOf } from '../../report/text/style.js';
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
    report: flags.report,
    isReported: flags.reporter !== undefined,
    isExplained: false,
    style: terminalStyle(flags.ascii ?? false),
  };
};

export async function runExploring(
  job: ExploreJob | ReplayJob | StressJob,
  flags: ExploringFlags,
): Promise<number> {
  if (job.report !== undefined) checkReport(job.report, [job.file]);
  const { quiet = false } = flags;
  const reporters = new Reporters(flags.reporter ?? [], flags);
  const progress = new ProgressLine(process.stderr, quiet);
  const answer = await runWorker(job, (text) => progress.show(text));
  progress.clear();
  const ending = endingOf(job, answer);
  reporters.take(ending, false);
  tellReport(ending, job.report, reporters.speaks);
  reporters.finish();
  return ending.code;
}

function endingOf(
  { file, style }: ExploreJob | ReplayJob | StressJob,
  answer: Answer<ExploreJob | ReplayJob | StressJob>,
): Ending {
  switch (answer.kind) {
    case 'explored': {
      const { code, document = {}, text = '', isWritten = false } = answer;
      return {
        code,
        document,
        text,
        finding: answer.finding ?? plainFinding(file, 'linearizable', text),
        isWritten,
      };
    }
    case 'refused':
      return {
        code: EXIT.badInput,
        document: { file, error: { message: answer.message } },
        text: complaint(file, answer),
        finding: plainFinding(file, 'error', answer.message),
      };
    case 'cut short': {
      const { reason, found } = answer;
      const { no, unsure } = styleOf(style);
      if (found) {
        const text = `${no} ${unexplainedBy(found.meets)}  ${file}: ${found.call}; ${RAN_OUT[reason]} before it was made small`;
        return {
          code: EXIT.violation,
          document: { file, verdict: 'violation', reason },
          text,
          finding: { ...plainFinding(file, 'violation', text), meets: found.meets },
        };
      }
      const text = `${unsure} undecided  ${file}: ${RAN_OUT[reason]} inside of the scenario or of a method that does not end; no more is known`;
      return {
        code: reason === 'interrupted' ? EXIT.interrupted : EXIT.undecided,
        document: { file, verdict: 'undecided', reason },
        text,
        finding: plainFinding(file, 'undecided', text),
      };
    }
  }
}
