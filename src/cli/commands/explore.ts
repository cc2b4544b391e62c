/** `straightedge explore`: every schedule of a scenario, or as many as there is time for. */
import { availableParallelism } from 'node:os';
import { Command } from 'commander';
import { UsageError } from '../../config/usage-error.js';
import { parseCount, parsePositive } from '../../jobs/load/parse-flags.js';
import { addExploringFlags, type ExploringFlags } from '../flags/exploring-flags.js';
import { addFleetFlags, fleetFlags } from '../flags/read-flags.js';
import { addReporterFlag } from '../flags/reporters.js';
import { interruptible } from '../terminal/progress.js';
import { exploringJob, runExploring } from './run-exploration.js';

interface Flags extends ExploringFlags {
  readonly seed: number;
  readonly samples?: number;
  readonly threads?: number;
  readonly callsPerThread?: number;
  readonly preemptions?: number;
  readonly allowNondeterminism?: boolean;
  readonly engine?: string;
  readonly resume?: boolean;
  readonly keepGoing?: boolean;
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
  straightedge explore jobs.scenario.ts --engine redis://box:6379 --timeout 10m

Exit code: 0 no violation in what was asked for, 1 violation, 2 bad input, 3 time ran out before all of it was
covered, 130 interrupted.`;

export function exploreCommand(): Command {
  const command = new Command('explore')
    .description('is an object right under every schedule of its threads?')
    .argument('<scenario>', 'a module whose default export is a scenario')
    .option('--seed <n>', 'which tests are chosen', parseCount, 1)
    .option('--samples <n>', 'so many tests at random, instead of all small ones first', parsePositive)
    .option('--threads <n>', 'threads of the largest tests', parsePositive)
    .option('--calls-per-thread <n>', 'calls of each thread in them', parsePositive)
    .option('--preemptions <n>', 'only schedules that take the turn from a thread so often', parseCount)
    .option('--allow-nondeterminism', 'serial runs may answer in several ways')
    .option('--keep-going', 'with --engine: a violation does not end it')
    .option(
      '--also <what>',
      'races,atomicity: what other checkers would say of the same executions',
      parseAlso,
    )
    .option('--write-observations <file>', 'write what serial runs show, as Line-Up does')
    .option('--observations <file>', 'what is right, and which tests: what was written before')
    .option('--spurious-wakeups', 'who waits in a Monitor may wake up without having been notified')
    .option(
      '--jobs <n>',
      'threads that explore, if it takes long; all processors if not given',
      parsePositive,
    )
    .option(
      '--explain',
      'of a violation: which lines are to blame, and would it help to run them in one step?',
    )
    .option('--report <file>', 'also write a page to look at: out.html');
  return addReporterFlag(addExploringFlags(addFleetFlags(command, 'explore')))
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
      const redis = fleetFlags(flags);
      if (redis && observations !== undefined)
        throw new UsageError('--observations can not be sent to a fleet; leave out --engine');
      const { explain: isExplained = false, spuriousWakeups = false } = flags;
      const asked = { options, redis, jobs, observations, writeObservations, isExplained, spuriousWakeups };
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
