/** `straightedge explore`: every schedule of a scenario, or as many as there is time for. */
import { availableParallelism } from 'node:os';
import { Command } from 'commander';
import { type ExploringFlags, exploringJob, runExploring } from '../exploring.js';
import { interruptible } from '../interrupt.js';
import { parseCount, parseJobs, parseSize, parseTime } from '../parse-flags.js';
import { addReporter, REPORTERS } from '../reporters.js';
import { UsageError } from '../usage-error.js';

interface Flags extends ExploringFlags {
  readonly seed: number;
  readonly samples?: number;
  readonly threads?: number;
  readonly callsPerThread?: number;
  readonly preemptions?: number;
  readonly allowNondeterminism?: boolean;
  readonly also?: readonly string[];
  readonly spuriousWakeups?: boolean;
  readonly jobs?: number;
  readonly observations?: string;
  readonly writeObservations?: string;
  readonly explain?: boolean;
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
    .option('--samples <n>', 'so many tests at random, instead of all small ones first', parseJobs)
    .option('--threads <n>', 'threads of the largest tests', parseJobs)
    .option('--calls-per-thread <n>', 'calls of each thread in them', parseJobs)
    .option('--preemptions <n>', 'only schedules that take the turn from a thread so often', parseCount)
    .option('--allow-nondeterminism', 'serial runs may answer in several ways')
    .option(
      '--also <what>',
      'races,atomicity: what other checkers would say of the same executions',
      parseAlso,
    )
    .option('--write-observations <file>', 'write what serial runs show, as Line-Up does')
    .option('--observations <file>', 'what is right, and which tests: what was written before')
    .option('--spurious-wakeups', 'who waits in a Monitor may wake up without having been notified')
    .option('--jobs <n>', 'threads that explore, if it takes long; all processors if not given', parseJobs)
    .option(
      '--explain',
      'of a violation: which lines are to blame, and would it help to run them in one step?',
    )
    .option('--max-memory <size>', "for example 4gb; half of the machine's if not given", parseSize)
    .option('--report <file>', 'also write a page to look at: out.html')
    .option('--json', 'for programs: one JSON document')
    .option(
      '--reporter <name>',
      `${REPORTERS.join(', ')}; with a file as in sarif=out.sarif; may be given several times`,
      addReporter,
    )
    .option('--quiet', 'print errors only')
    .option('--ascii', 'draw without box-drawing characters')
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, flags: Flags) => {
      const { seed, samples, threads, callsPerThread, preemptions, allowNondeterminism } = flags;
      const atomicity = flags.also !== undefined;
      const options = {
        seed,
        samples,
        threads,
        callsPerThread,
        preemptions,
        allowNondeterminism,
        atomicity,
      };
      const { observations, writeObservations, jobs = availableParallelism() } = flags;
      const { explain: isExplained = false, spuriousWakeups = false } = flags;
      const asked = { options, jobs, observations, writeObservations, isExplained, spuriousWakeups };
      process.exitCode = await interruptible((stop) =>
        runExploring({ ...exploringJob(file, flags, stop), kind: 'explore', ...asked }, flags),
      );
    });
}

const ALSO = ['races', 'atomicity'];

function parseAlso(text: string): readonly string[] {
  const asked = text.split(',');
  const unknown = asked.find((name) => !ALSO.includes(name));
  if (unknown !== undefined)
    throw new UsageError(`${JSON.stringify(unknown)} is nothing to look for; expected ${ALSO.join(',')}`);
  return asked;
}
