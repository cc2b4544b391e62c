/** `straightedge explore`: every schedule of a scenario, or as many as there is time for. */
import { totalmem } from 'node:os';
import { Command } from 'commander';
import { styleOf } from '../../report/index.js';
import { EXIT } from '../exit-code.js';
import { interruptible } from '../interrupt.js';
import type { Answer, ExploreJob } from '../job.js';
import { parseCount, parseJobs, parseSize, parseTime } from '../parse-flags.js';
import { ProgressLine } from '../progress.js';
import { complaint, RAN_OUT, runWorker } from '../run-worker.js';
import { styleFlags } from '../style-flags.js';

interface Flags {
  readonly timeout: number;
  readonly seed: number;
  readonly samples: number;
  readonly threads?: number;
  readonly callsPerThread?: number;
  readonly preemptions?: number;
  readonly allowNondeterminism?: boolean;
  readonly maxMemory?: number;
  readonly quiet?: boolean;
  readonly ascii?: boolean;
}

const EXAMPLES = `
Examples:
  straightedge explore jobs.scenario.ts
  straightedge explore jobs.scenario.ts --threads 2 --calls-per-thread 2 --timeout 5m
  straightedge explore jobs.scenario.ts --samples 20 --seed 7 --preemptions 2

Exit code: 0 no violation in what was asked for, 1 violation, 2 bad input, 3 time ran out before all of it was
covered, 130 interrupted.`;

export function exploreCommand(): Command {
  return new Command('explore')
    .description('is an object right under every schedule of its threads?')
    .argument('<scenario>', 'a module whose default export is a scenario')
    .option('--timeout <time>', '500ms, 60s, 5m', parseTime, 60_000)
    .option('--seed <n>', 'which tests are chosen', parseCount, 1)
    .option('--samples <n>', 'how many tests are chosen', parseJobs, 100)
    .option('--threads <n>', 'threads of a test', parseJobs)
    .option('--calls-per-thread <n>', 'calls of each thread', parseJobs)
    .option('--preemptions <n>', 'only schedules that take the turn from a thread so often', parseCount)
    .option('--allow-nondeterminism', 'serial runs may answer in several ways')
    .option('--max-memory <size>', "for example 4gb; half of the machine's if not given", parseSize)
    .option('--quiet', 'print errors only')
    .option('--ascii', 'draw without box-drawing characters')
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, flags: Flags) => {
      process.exitCode = await interruptible((stop) => explore(file, flags, stop));
    });
}

async function explore(file: string, flags: Flags, stop: Int32Array<SharedArrayBuffer>): Promise<number> {
  const progress = new ProgressLine(process.stderr, flags.quiet ?? false);
  const { timeout, seed, samples, threads, callsPerThread, preemptions, allowNondeterminism } = flags;
  const job: ExploreJob = {
    kind: 'explore',
    file,
    options: { seed, samples, threads, callsPerThread, preemptions, allowNondeterminism },
    limits: { milliseconds: timeout, bytes: flags.maxMemory ?? totalmem() / 2 },
    stop,
    style: styleFlags(flags),
  };
  const answer = await runWorker(job, (text) => progress.show(text));
  progress.clear();
  const { code, text } = endingOf(job, answer);
  if (code === EXIT.badInput) process.stderr.write(`${text}\n`);
  else if (!flags.quiet) process.stdout.write(`${text}\n`);
  return code;
}

function endingOf(job: ExploreJob, answer: Answer<ExploreJob>): { code: number; text: string } {
  const undecided = (isInterrupted: boolean) => (isInterrupted ? EXIT.interrupted : EXIT.undecided);
  switch (answer.kind) {
    case 'explored': {
      const { verdict, isInterrupted, text } = answer;
      const code = { holds: EXIT.holds, violation: EXIT.violation, undecided: undecided(isInterrupted) };
      return { code: code[verdict], text };
    }
    case 'refused':
      return { code: EXIT.badInput, text: complaint(job.file, answer) };
    case 'cut short':
      return {
        code: undecided(answer.because === 'interrupted'),
        text: `${styleOf(job.style).unsure} undecided  ${job.file}: ${RAN_OUT[answer.because]} inside of the scenario or of a method that does not end; no more is known`,
      };
  }
}
