/** `straightedge explore`: the schedules of a scenario, exhaustively or up to a limit. */
import { availableParallelism } from 'node:os';
import type { Command } from '@commander-js/extra-typings';
import { expectWholeFile, parseCount, parsePositive, UsageError } from '../../config/usage-error.js';
import type { ProveOptions } from '../../explore/model/engine.js';
import { type ExploreJob, NO_TIME_LIMIT } from '../../jobs/model/job.js';
import { findScenarios } from '../common/files.js';
import {
  ASCII,
  HTML,
  JSON_OUTPUT,
  MAX_MEMORY,
  QUIET,
  REDIS,
  RESUME,
  timeoutOption,
  toRedisOptions,
} from '../common/flags.js';
import { REPORTER } from '../common/reporters.js';
import { interruptible, type Terminal } from '../common/terminal.js';
import { runExplorations, toExplorationJob } from './run-exploration.js';

const DETAILS = `
Examples:
  npx straightedge explore jobs.scenario.ts
  npx straightedge explore 'src/**/*.scenario.ts' --require-coverage 20000
  npx straightedge explore jobs.scenario.ts --threads 2 --calls-per-thread 2 --timeout 5m
  npx straightedge explore jobs.scenario.ts --random-tests 20 --seed 7 --max-preemptions 2
  npx straightedge explore lock.scenario.ts --prove --threads 3
  npx straightedge explore jobs.scenario.ts --redis redis://box:6379 --timeout 10m

Exit codes: 0 no violation, 1 violation, 2 invalid input, 3 not everything was covered,
            70 unexpected error, 130 interrupted`;

interface ProofFlags extends Omit<ProveOptions, 'maxStates'> {
  readonly prove?: boolean | undefined;
}

const addFlags = (command: Command) =>
  command
    .argument(
      '<scenarios...>',
      "modules whose default export is a scenario; folders, or globs such as 'src/**/*.scenario.ts'",
    )
    .optionsGroup('Tests:')
    .option('--threads <n>', 'run up to n threads per test (default: as in the scenario)', parsePositive)
    .option(
      '--calls-per-thread <n>',
      'run up to n calls per thread; a list of calls that are kept together counts as one (default: as in the scenario)',
      parsePositive,
    )
    .option(
      '--random-tests <n>',
      'run n random tests instead of all small tests in order of size',
      parsePositive,
    )
    .option('--seed <n>', 'set the seed for random choices', parseCount, 1)
    .optionsGroup('Schedules:')
    .option(
      '--max-preemptions <n>',
      "limit preemptions per schedule to n; of async code: deviations from Node's order (default: no limit)",
      parseCount,
    )
    .option('--spurious-wakeups', 'let Monitor waiters wake up without a notification')
    .optionsGroup('Expected results:')
    .option('--allow-nondeterminism', 'accept sequential runs with different results')
    .option('--observations <file>', 'take the tests and their expected results from an observation file')
    .option('--write-observations <file>', 'save the results of sequential runs (Line-Up format)')
    .option('--show-learned', 'print the learned runs, and warn of calls that end in none of them')
    .optionsGroup('Proof:')
    .option('--prove', 'explore all states that threads reach with any number of calls, before any test')
    .option(
      '--fresh <methods>',
      'with --prove: use new objects as arguments of these methods: push,enqueue (default: as in the scenario, or all methods with --max-elements)',
      parseNames,
    )
    .option(
      '--max-elements <n>',
      'with --prove: let the object hold at most n new objects (default: as in the scenario)',
      parsePositive,
    )
    .option('--lock-free', 'with --prove: require also that no call waits, and that some call always returns')
    .optionsGroup('Limits:')
    .option(
      '--require-coverage <n>',
      'accept n executions, with exit code 0, if not every schedule is covered; no time limit unless --timeout is given',
      parsePositive,
    )
    .option(
      '--max-steps <n>',
      'limit each run to n steps (default: 2,000 accesses, or 100 macrotasks of async code)',
      parsePositive,
    )
    .addOption(timeoutOption())
    .option(...MAX_MEMORY)
    .option('--jobs <n>', 'use n worker threads (default: number of cores)', parsePositive)
    .option('--no-cache', 'explore every scenario, also those that passed and have not changed')
    .optionsGroup('Output:')
    .option('--explain', 'find the lines that must be atomic, and try them')
    .option(
      '--warn-races',
      'also report executions that are not conflict-serializable; data races are reported in any case',
    )
    .option(...HTML)
    .option(...JSON_OUTPUT)
    .option(...REPORTER)
    .option(...QUIET)
    .option(...ASCII)
    .optionsGroup('Distribution:')
    .option(...REDIS)
    .option(...RESUME)
    .option('--keep-going', 'with --redis: continue after a violation');

const parseNames = (text: string): string[] => text.split(',').map((name) => name.trim());

/** What is to be proved: true if the scenario says it; undefined if nothing is. */
function proveOptions({
  prove,
  fresh,
  maxElements,
  lockFree,
}: ProofFlags): boolean | ProveOptions | undefined {
  const own = {
    ...(fresh && { fresh }),
    ...(maxElements !== undefined && { maxElements }),
    ...(lockFree && { lockFree }),
  };
  const [flag] = Object.keys(own);
  if (!prove && flag !== undefined)
    throw new UsageError(
      `--${flag.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)} belongs to a proof; add --prove`,
    );
  return prove && (flag === undefined || own);
}

export function define(command: Command, terminal: Terminal): void {
  addFlags(command)
    .addHelpText('after', DETAILS)
    .action(async (paths, flags, own) => {
      const { seed, randomTests, threads, callsPerThread, maxPreemptions, maxSteps } = flags;
      const { allowNondeterminism, warnRaces, showLearned } = flags;
      const options = {
        seed,
        randomTests,
        threads,
        callsPerThread,
        maxPreemptions,
        maxSteps,
        allowNondeterminism,
        showLearned,
        warnRaces: warnRaces ?? false,
        prove: proveOptions(flags),
      };
      const { observations, writeObservations, jobs = availableParallelism() } = flags;
      const { explain: isExplained = false, spuriousWakeups = false } = flags;
      const { requireCoverage: requiredExecutions } = flags;
      const redis = await toRedisOptions(flags);
      if (redis && observations !== undefined)
        throw new UsageError('--observations needs an exploration on this machine; leave out --redis');
      if (observations !== undefined) expectWholeFile(observations);
      const files = await findScenarios(paths);
      if (files.length > 1 && (observations ?? writeObservations) !== undefined)
        throw new UsageError(
          `observations need one scenario, but there are ${files.length}; name one of them`,
        );
      const isUntimed = requiredExecutions !== undefined && own.getOptionValueSource('timeout') === 'default';
      const limits = isUntimed ? { ...flags, timeout: NO_TIME_LIMIT } : flags;
      terminal.exitCode = await interruptible((stop) => {
        const explored = files.map(
          (file): ExploreJob => ({
            ...toExplorationJob(file, limits, stop, terminal),
            kind: 'explore',
            ...{ options, redis, jobs, observations, writeObservations },
            ...{ isExplained, spuriousWakeups, requiredExecutions },
          }),
        );
        return runExplorations(explored, flags, terminal);
      });
    });
}
