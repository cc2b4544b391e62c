/**
 * The faulty objects whose calls meet, and how soon they are found: `npm run table -- meetings`.
 *
 *   J. Lawrence, G. Lowe. Synchronisation: specification and testing. 2025, section 7.
 *
 * Each faulty version is explored with the smallest program that shows its fault, the correct one with a larger
 * one, to the end. All are also put under stress, with the same program: threads are real ones then, over memory that they share, and the
 * milliseconds are of the clock, with the time that they take to begin. Nobody wakes up for no reason there, so rows with spurious wake-ups
 * have no stress.
 *
 * A row is wrong if a fault is not found, or is found with the other property; if a correct version is not explored to its end or has a
 * violation; and if a fault takes more than three times 100 ms to explore. Under stress, of a version that breaks both properties, either
 * may show first.
 */
import { check } from 'straightedge';
import { type Explored, inOwnTask, lineUp, type Scenario, stress, trace } from 'straightedge/explore';
import { ProcessorPatience } from '../processor-patience.js';
import { processorTime } from '../processor-time.js';
import { scenariosIn } from './examples.js';
import { matrixText } from './matrices.js';
import { MEETING_ROWS, type MeetingRow, moduleOf } from './meeting-rows.js';
import { onRealThreads, roundsOf } from './real-threads.js';
import type { Table } from './table.js';

const MOST = 60_000;
/** Milliseconds for a fault: the aim, and what makes a row wrong. */
const AIM = 100;
const TOO_LONG = 3 * AIM;
const TIMES = 3;
/** Under stress: at most so many rounds for a fault, and so many for a correct version. */
const ROUNDS = { async: { fault: 1_000, correct: 50 }, threads: { fault: 100_000, correct: 10 } };
/** Who is slow is not stuck: a thread may be kept waiting for long by whoever else runs. */
const STILL = { async: { settle: 10, watchdog: 100 }, threads: { settle: 20, watchdog: 1_000 } };
const STRESSING = 60_000;

type Property = MeetingRow['property'];

interface Row extends MeetingRow {
  readonly program: string;
  readonly found: Property;
  readonly executions: number;
  readonly milliseconds: number;
  readonly stressed:
    | { readonly found: Property; readonly rounds: number; readonly milliseconds: number }
    | undefined;
  readonly isRight: boolean;
}

export const meetings: Table<MeetingRow, Row> = {
  inputs: () => MEETING_ROWS,
  nameOf: ({ file }) => file,
  modulesOf: (row) => [`examples/${moduleOf(row)}`],
  rowsOf: async (row, seed) => [await rowOf(row, seed)],
  headOf: () =>
    'object              back end  version    wrong     executions   CPU ms  paper ms  rounds      ms  smallest program',
  textOf: ({ stressed, ...row }) =>
    [
      row.file.padEnd(19),
      row.backend.padEnd(9),
      (row.export === 'default' ? 'correct' : row.export).padEnd(10),
      (row.found ?? 'no').padEnd(9),
      String(row.executions).padStart(10),
      row.milliseconds.toFixed(1).padStart(8),
      String(row.paper ?? '').padStart(9),
      String(stressed?.rounds ?? '').padStart(7),
      (stressed?.milliseconds.toFixed(0) ?? '').padStart(7),
      ` ${row.program}${row.spuriousWakeups ? ', with spurious wake-ups' : ''}`,
    ].join(' '),
};

async function rowOf(row: MeetingRow, seed: number): Promise<Row> {
  const given = scenariosIn(moduleOf(row))[row.export];
  const scenario: Scenario = { ...given, spuriousWakeups: row.spuriousWakeups ?? given.spuriousWakeups };
  const matrix = { threads: scenario.test ?? [], before: scenario.before, after: scenario.after };
  const explored = await inOwnTask(() => timed(row, scenario, seed));
  const stressed = row.spuriousWakeups ? undefined : await underStress(row, scenario, seed);
  const isFound = explored.found === row.property && (!stressed || !stressed.found === !row.property);
  return {
    ...row,
    program: matrixText(matrix),
    ...explored,
    stressed,
    isRight: isFound && (row.property ? explored.milliseconds <= TOO_LONG : explored.isWhole),
  };
}

/** Explored several times, since code that runs for the first time is slow; what nothing is found in is explored once. */
function timed(row: MeetingRow, scenario: Scenario, seed: number) {
  const matrix = { threads: scenario.test ?? [], before: scenario.before, after: scenario.after };
  const run = () => lineUp(scenario, matrix, { seed, isExhaustive: true }, new ProcessorPatience(MOST));
  let begin = processorTime();
  let explored = run();
  let milliseconds = processorTime() - begin;
  for (let time = 0; row.property && time < TIMES; time++) {
    begin = processorTime();
    explored = run();
    milliseconds = Math.min(milliseconds, processorTime() - begin);
  }
  return {
    found: propertyOf(explored, scenario),
    executions: explored.executions,
    milliseconds,
    isWhole: explored.coverage.some(({ kind }) => kind === 'all'),
  };
}

async function underStress(
  row: MeetingRow,
  scenario: Scenario,
  seed: number,
): Promise<NonNullable<Row['stressed']>> {
  const { backend, property } = row;
  const rounds = ROUNDS[backend][property ? 'fault' : 'correct'];
  const options = { ...STILL[backend], rounds, seed, milliseconds: STRESSING };
  const stressed =
    backend === 'threads' ? stress(onRealThreads(row), options, roundsOf(row)) : stress(scenario, options);
  const { failure, rounds: done, milliseconds } = await stressed;
  const verdict = failure?.verdict;
  const found = verdict?.kind === 'violation' ? verdict.counterexample.property : undefined;
  return { found, rounds: done, milliseconds };
}

/** Which property the history of a violation breaks, as a check of it says. */
function propertyOf({ violation, program }: Explored, { spec }: Scenario): Property {
  if (!violation || violation.kind === 'nondeterminism' || !spec) return undefined;
  const verdict = check(trace(program, violation.schedule).history, () => spec);
  return verdict.kind === 'violation' ? verdict.counterexample.property : undefined;
}
