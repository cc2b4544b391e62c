/**
 * Faulty objects whose calls synchronise, and how soon their faults are found.
 *
 *   J. Lawrence, G. Lowe. Synchronisation: specification and testing. 2025, section 8.
 *
 * Each faulty version is explored with the smallest program that shows its fault, the correct one with a larger program,
 * fully. All are also put under stress with the same program, on real threads over shared memory; milliseconds of stress
 * are wall-clock time and include the start of the threads. `Atomics.wait` never wakes up without a reason, so stress
 * cannot find a fault that needs spurious wake-ups, and the row says so.
 *
 * A row is wrong if a fault is not found, is found with the other property, or takes more than 100 ms to explore; and if
 * a correct version has a violation, is not fully explored, or does not run all rounds. A version that violates both
 * properties may show either of them first under stress.
 */
import { cpuTime } from '../../bench/measure.js';
import { check } from '../../src/check/check.js';
import { inOwnTask } from '../../src/event-loop/own-task.js';
import { lineUp } from '../../src/explore/line-up.js';
import type { TestResult } from '../../src/explore/result.js';
import type { Scenario } from '../../src/explore/scenario/scenario.js';
import { scenariosIn } from '../lib/scenarios.js';
import type { Table } from '../lib/table.js';
import { cpuDeadline, matrixText } from '../lib/tests.js';
import { moduleOf, RENDEZVOUS_ROWS, type RendezvousRow } from './rows.js';
import { type RendezvousStressed, underStress } from './stress.js';

const MOST = 60_000;
/** Milliseconds for a fault. */
const TOO_LONG = 100;
const TIMES = 3;

type Property = RendezvousRow['property'];

interface Row extends RendezvousRow {
  readonly program: string;
  readonly found: Property;
  readonly executions: number;
  readonly milliseconds: number;
  /** Has all been explored, or a fault been found? */
  readonly isWhole: boolean;
  readonly stressed?: RendezvousStressed;
  readonly isRight: boolean;
}

export const synchronisation: Table<RendezvousRow, Row> = {
  inputs: () => RENDEZVOUS_ROWS,
  nameOf: ({ file }) => file,
  rowsOf: async (row, seed) => [await rowOf(row, seed)],
  headOf: () =>
    'object              back end  version    explored   executions   CPU ms  paper ms  stressed   rounds      ms  smallest program',
  textOf: ({ stressed, ...row }) =>
    [
      row.file.padEnd(19),
      row.backend.padEnd(9),
      (row.export === 'default' ? 'correct' : row.export).padEnd(10),
      (row.found ?? (row.isWhole ? 'holds' : 'cut off')).padEnd(9),
      String(row.executions).padStart(11),
      row.milliseconds.toFixed(1).padStart(8),
      String(row.paper ?? '').padStart(9),
      ` ${stressed ? (stressed.counterexample?.property ?? stressed.verdict) : 'cannot'}`.padEnd(10),
      String(stressed?.rounds ?? '').padStart(7),
      (stressed?.ms?.stress.toFixed(0) ?? '').padStart(7),
      ` ${row.program}${stressed ? '' : ', with spurious wake-ups; real threads have none'}`,
    ].join(' '),
};

async function rowOf(row: RendezvousRow, seed: number): Promise<Row> {
  const given = scenariosIn(moduleOf(row))[row.export];
  const scenario: Scenario = { ...given, spuriousWakeups: row.spuriousWakeups ?? given.spuriousWakeups };
  const matrix = { threads: scenario.test ?? [], before: scenario.before, after: scenario.after };
  const explored = await inOwnTask(() => timed(row, scenario, seed));
  const stressed = row.spuriousWakeups ? undefined : underStress(row, seed);
  const isExplored =
    explored.isWhole &&
    explored.found === row.property &&
    (!row.property || explored.milliseconds <= TOO_LONG);
  return {
    ...row,
    program: matrixText(matrix),
    ...explored,
    ...(stressed && { stressed }),
    isRight: isExplored && (!stressed || stressed.verdict === (row.property ? 'violation' : 'holds')),
  };
}

/** TestResult several times, since code that runs for the first time is slow; what nothing is found in is explored once. */
function timed(row: RendezvousRow, scenario: Scenario, seed: number) {
  const matrix = { threads: scenario.test ?? [], before: scenario.before, after: scenario.after };
  const run = () => lineUp(scenario, matrix, { seed, isExhaustive: true }, cpuDeadline(MOST));
  let begin = cpuTime();
  let explored = run();
  let milliseconds = cpuTime() - begin;
  for (let time = 0; row.property && time < TIMES; time++) {
    begin = cpuTime();
    explored = run();
    milliseconds = Math.min(milliseconds, cpuTime() - begin);
  }
  return {
    found: propertyOf(explored, scenario),
    executions: explored.executions,
    milliseconds,
    isWhole: explored.violation !== undefined || explored.coverage.every(({ kind }) => kind === 'all'),
  };
}

/** Which property the history of a violation breaks, as a check of it says. */
function propertyOf({ violation, backend }: TestResult, { spec }: Scenario): Property {
  if (!violation || violation.kind === 'nondeterminism' || !spec) return undefined;
  const verdict = check(backend.trace(violation.schedule).history, () => spec);
  return verdict.kind === 'violation' ? verdict.counterexample.property : undefined;
}
