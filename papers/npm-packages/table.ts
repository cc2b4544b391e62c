/**
 * Published packages, as they are, under every order of their tasks, or of their threads: `npm run table -- wild`.
 *
 * `npm run wild` copies examples/in-the-wild to `.wild` and installs the packages there, at fixed versions. Exit code 1
 * where one that is known to be wrong is not found to be, or one that is right is.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import type { Table } from './table.js';

const MAIN = resolve('dist/cli/main.js');
const FOLDER = '.wild';
const ENDING = '.scenario.js';

/** Known to be wrong, and how (docs/found-in-the-wild.md). */
const WRONG: Readonly<Record<string, 'safety' | 'progress'>> = {
  'async-sema-release': 'safety',
  effect: 'progress',
  'multithreading-channel': 'safety',
  'multithreading-semaphore': 'progress',
  'multithreading-threads-channel': 'safety',
  'multithreading-threads-semaphore': 'progress',
  'multithreading-threads-try': 'safety',
  'tstl-barrier': 'progress',
};

interface Document {
  readonly verdict?: string;
  readonly scenario?: string;
  readonly ms?: { readonly explore: number };
  readonly coverage?: {
    readonly executions: number;
    readonly tests: readonly { readonly count: number; readonly exhaustive: number }[];
  };
  readonly failure?: { readonly property: string };
  readonly saved?: string;
}

interface Row {
  readonly file: string;
  readonly scenario: string;
  readonly executions: number;
  readonly tests: number;
  /** Were all tests that were begun run under every order? */
  readonly isExhaustive: boolean;
  readonly verdict: string;
  readonly seconds: number;
  readonly isRight: boolean;
}

export const wild: Table<string, Row> = {
  inputs() {
    if (!existsSync(join(FOLDER, 'node_modules')))
      throw new Error(`there are no packages in ${FOLDER}; \`npm run wild\` installs them`);
    return readdirSync(FOLDER).filter((name) => name.endsWith(ENDING));
  },
  nameOf: (name) => basename(name, ENDING),
  rowsOf: (name, seed) => [{ file: basename(name, ENDING), ...explored(name, seed) }],
  headOf: () =>
    'file                         scenario                             executions  tests  verdict     seconds',
  textOf: ({ file, scenario, executions, tests, isExhaustive, verdict, seconds }) =>
    [
      file.padEnd(28),
      scenario.padEnd(36),
      String(executions).padStart(10),
      `${tests}${isExhaustive ? '' : '+'}`.padStart(6),
      ` ${verdict.padEnd(10)}`,
      seconds.toFixed(1).padStart(8),
    ].join(' '),
};

function explored(name: string, seed: number): Omit<Row, 'file'> {
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [MAIN, 'explore', name, '--json', '--timeout', '60s', '--seed', `${seed}`],
    { cwd: FOLDER, encoding: 'utf8' },
  );
  if (stdout === '') throw new Error(`${name}: ${stderr}`);
  const { scenario = '', verdict = 'undecided', failure, coverage, ms } = JSON.parse(stdout) as Document;
  const tests = coverage?.tests ?? [];
  const expected = WRONG[basename(name, ENDING)];
  return {
    scenario,
    executions: coverage?.executions ?? 0,
    tests: tests.reduce((sum, { count }) => sum + count, 0),
    isExhaustive: tests.every(({ count, exhaustive }) => count === exhaustive),
    verdict: failure
      ? ({ safety: 'wrong', progress: 'waits' }[failure.property] ?? failure.property)
      : verdict,
    seconds: (ms?.explore ?? 0) / 1_000,
    isRight: failure?.property === expected && (expected !== undefined || verdict === 'holds'),
  };
}
