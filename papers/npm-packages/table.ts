/**
 * Published npm packages, unmodified, explored under every order of their tasks or threads.
 *
 * The table installs the packages first (install.ts). A row is wrong if the fault of a package is not found, or if a
 * package without a known fault fails.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { MAIN } from '../../bench/measure.js';
import type { Table } from '../lib/table.js';
import { FOLDER, install } from './install.js';

const ENDING = '.scenario.js';

/** Scenarios with a known fault (README.md), and the property that it violates. */
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

export const npmPackages: Table<string, Row> = {
  inputs() {
    install();
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
