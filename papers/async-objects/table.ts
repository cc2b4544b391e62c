/**
 * Twelve kinds of asynchronous objects, each correct and with two faults, explored without a specification.
 *
 * A row is wrong if a correct object does not hold under every schedule of all its tests, or if a fault is not found.
 */
import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { cpuTime } from '../../bench/measure.js';
import { explore } from '../../src/explore/explore.js';
import { asyncScenariosIn, PAPERS } from '../lib/scenarios.js';
import type { Table } from '../lib/table.js';

const FOLDER = 'async-objects/scenarios/';
const ENDING = '.scenario.ts';
const CORRECT = 'correct';

interface Row {
  readonly object: string;
  readonly version: string;
  readonly size: string;
  readonly verdict: string;
  readonly tests: number;
  readonly executions: number;
  readonly seconds: number;
  readonly isRight: boolean;
}

export const asyncObjects: Table<string, Row> = {
  inputs: () =>
    readdirSync(`${PAPERS}${FOLDER}`)
      .filter((name) => name.endsWith(ENDING))
      .sort(),
  nameOf: (file) => basename(file, ENDING),
  rowsOf: async (file, seed) => {
    const rows: Row[] = [];
    const { [CORRECT]: correct, ...faulty } = asyncScenariosIn(`${FOLDER}${file}`, false);
    for (const [version, scenario] of Object.entries({ [CORRECT]: correct, ...faulty })) {
      const begin = cpuTime();
      const { verdict, results } = await explore(scenario, { seed });
      rows.push({
        object: basename(file, ENDING),
        version: version.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`),
        size: `${scenario.threads}×${scenario.callsPerThread}`,
        verdict,
        tests: results.length,
        executions: results.reduce((sum, { executions }) => sum + executions, 0),
        seconds: (cpuTime() - begin) / 1000,
        isRight: verdict === (version === CORRECT ? 'holds' : 'violation'),
      });
    }
    return rows;
  },
  headOf: () => 'object           version            size  verdict     tests  executions  seconds',
  textOf: ({ object, version, size, verdict, tests, executions, seconds }) =>
    [
      object.padEnd(16),
      version.padEnd(18),
      size.padEnd(5),
      verdict.padEnd(10),
      String(tests).padStart(6),
      String(executions).padStart(11),
      seconds.toFixed(1).padStart(8),
    ].join(' '),
};
