/**
 * The faulty objects whose calls meet, and how soon they are found: `npm run table -- meetings`.
 *
 *   J. Lawrence, G. Lowe. Synchronisation: specification and testing. 2025, section 7.
 *
 * Each faulty version is explored with the smallest program that shows its fault, the correct one with a larger
 * one, to the end. A row is wrong if a fault is not found, or is found with the other property; if a correct
 * version is not explored to its end or has a violation; and if a fault takes more than three times 100 ms.
 */
import { check } from 'straightedge';
import { type Explored, lineUp, type Scenario, trace } from 'straightedge/explore';
import { ProcessorPatience } from '../processor-patience.js';
import { processorTime } from '../processor-time.js';
import { scenariosIn } from './examples.js';
import { matrixText } from './matrices.js';
import { MEETING_ROWS, type MeetingRow } from './meeting-rows.js';
import type { Table } from './table.js';

const MOST = 60_000;
/** Milliseconds for a fault: the aim, and what makes a row wrong. */
const AIM = 100;
const TOO_LONG = 3 * AIM;
const ROUNDS = 3;

interface Row extends MeetingRow {
  readonly program: string;
  readonly found: 'safety' | 'progress' | undefined;
  readonly executions: number;
  readonly milliseconds: number;
  readonly isRight: boolean;
}

export const meetings: Table<MeetingRow, Row> = {
  inputs: ({ names }) => MEETING_ROWS.filter(({ file }) => names.length === 0 || names.includes(file)),
  modulesOf: ({ file }) => [`examples/meetings/${file}.scenario.ts`],
  rowsOf: (given) => [rowOf(given)],
  headOf: () => 'object               version     wrong     executions   CPU ms  paper ms  smallest program',
  textOf: ({ file, export: name, property, found, executions, milliseconds, paper, program }) =>
    file.padEnd(21) +
    (property ? name : 'correct').padEnd(12) +
    (found ?? 'no').padEnd(10) +
    String(executions).padStart(10) +
    milliseconds.toFixed(1).padStart(9) +
    String(paper ?? '').padStart(10) +
    `  ${program}`,
};

function rowOf(row: MeetingRow): Row {
  const scenario = scenariosIn(`meetings/${row.file}.scenario.ts`)[row.export];
  const matrix = { threads: scenario.test ?? [], before: scenario.before, after: scenario.after };
  const run = () => lineUp(scenario, matrix, { seed: 1, isExhaustive: true }, new ProcessorPatience(MOST));
  let explored = run();
  let milliseconds = Number.POSITIVE_INFINITY;
  // code that runs for the first time is slow; the correct ones are not timed
  for (let round = 0; round < (row.property ? ROUNDS : 1); round++) {
    const begin = processorTime();
    explored = run();
    milliseconds = Math.min(milliseconds, processorTime() - begin);
  }
  const found = propertyOf(explored, scenario);
  const isWhole = explored.coverage.some(({ kind }) => kind === 'all');
  return {
    ...row,
    program: matrixText(matrix),
    found,
    executions: explored.executions,
    milliseconds,
    isRight: found === row.property && (row.property ? milliseconds <= TOO_LONG : isWhole),
  };
}

/** Which property the history of a violation breaks, as a check of it says. */
function propertyOf({ violation, program }: Explored, { spec }: Scenario): Row['found'] {
  if (!violation || violation.kind === 'nondeterminism' || !spec) return undefined;
  const verdict = check(trace(program, violation.schedule).history, () => spec);
  return verdict.kind === 'violation' ? verdict.counterexample.property : undefined;
}
