/** A job of the explorer, from the main thread: run it, print what it came to, give its exit code. */
import { totalmem } from 'node:os';
import { type JsonDocument, styleOf } from '../report/index.js';
import { EXIT } from './exit-code.js';
import type { Answer, ExploreJob, ExploringJob, ReplayJob, StressJob } from './job.js';
import { jsonPieces } from './json-pieces.js';
import { ProgressLine } from './progress.js';
import { checkReport, tellReport } from './report-file.js';
import { complaint, RAN_OUT, runWorker } from './run-worker.js';
import { terminalStyle } from './terminal-style.js';

export interface ExploringFlags {
  readonly timeout: number;
  readonly maxMemory?: number;
  readonly json?: boolean;
  readonly quiet?: boolean;
  readonly ascii?: boolean;
  readonly report?: string;
}

interface Ending {
  readonly code: number;
  readonly document?: JsonDocument | undefined;
  readonly text?: string | undefined;
  readonly isWritten?: boolean;
}

export const exploringJob = (
  file: string,
  flags: ExploringFlags,
  stop: ExploringJob['stop'],
): Omit<ExploringJob, 'isExplained'> => ({
  file,
  limits: { milliseconds: flags.timeout, bytes: flags.maxMemory ?? totalmem() / 2 },
  stop,
  json: flags.json ?? false,
  report: flags.report,
  style: terminalStyle(flags.ascii ?? false),
});

export async function runExploring(
  job: ExploreJob | ReplayJob | StressJob,
  { quiet = false, json = false }: ExploringFlags,
): Promise<number> {
  if (job.report !== undefined) checkReport(job.report, [job.file]);
  const progress = new ProgressLine(process.stderr, quiet);
  const answer = await runWorker(job, (text) => progress.show(text));
  progress.clear();
  const ending = endingOf(job, answer);
  const { code, text, document } = ending;
  if (json) for (const piece of jsonPieces(document)) process.stdout.write(piece);
  else if (code === EXIT.badInput) process.stderr.write(`${text}\n`);
  else if (!quiet) process.stdout.write(`${text}\n`);
  tellReport(ending, job.report, !json && !quiet);
  return code;
}

function endingOf({ file, style }: ExploringJob, answer: Answer<ExploreJob | ReplayJob | StressJob>): Ending {
  switch (answer.kind) {
    case 'explored':
      return answer;
    case 'refused':
      return {
        code: EXIT.badInput,
        document: { file, error: { message: answer.message } },
        text: complaint(file, answer),
      };
    case 'cut short': {
      const { because, found } = answer;
      const { no, unsure } = styleOf(style);
      if (found)
        return {
          code: EXIT.violation,
          document: { file, verdict: 'violation', because },
          text: `${no} not linearizable  ${file}: ${found.call}; ${RAN_OUT[because]} before it was made small`,
        };
      return {
        code: because === 'interrupted' ? EXIT.interrupted : EXIT.undecided,
        document: { file, verdict: 'undecided', because },
        text: `${unsure} undecided  ${file}: ${RAN_OUT[because]} inside of the scenario or of a method that does not end; no more is known`,
      };
    }
  }
}
