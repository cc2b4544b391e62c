/**
 * A row of the table under `straightedge stress`, as a user runs it.
 *
 * The command takes the default export of a module, so each row gets a module that exports its scenario. Objects for
 * threads run unchanged on real threads: their fields are in shared memory.
 */

import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { MAIN } from '../../bench/measure.js';
import { moduleOf, type RendezvousRow } from './rows.js';

const FOLDER = new URL('../../synchronisation/', import.meta.url);
const SOURCE = '../../papers';

/** The most rounds for a fault, and for a correct version. */
const ROUNDS = { fault: 100_000, correct: 200 };
/** A slow thread is not stuck: other work on the machine may delay it for long. */
const FLAGS = {
  async: ['--settle', '10ms', '--stall-timeout', '100ms'],
  threads: ['--settle', '5ms', '--stall-timeout', '1s'],
};
const TIMEOUT = ['--timeout', '60s'];

/** As `--json` has it; without numbers where it was cut short. */
export interface RendezvousStressed {
  readonly verdict: 'holds' | 'violation' | 'undecided';
  readonly counterexample?: { readonly property: 'safety' | 'progress' };
  readonly rounds?: number;
  readonly ms?: { readonly stress: number };
}

export function underStress(row: RendezvousRow, seed: number): RendezvousStressed {
  const rounds = ROUNDS[row.property ? 'fault' : 'correct'];
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [
      MAIN,
      'stress',
      scenarioOf(row),
      '--json',
      ...FLAGS[row.backend],
      ...TIMEOUT,
      ...['--rounds', `${rounds}`, '--seed', `${seed}`],
    ],
    // what is found is saved beside the modules
    { encoding: 'utf8', cwd: FOLDER },
  );
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as RendezvousStressed;
}

function scenarioOf(row: RendezvousRow): string {
  const from = JSON.stringify(`${SOURCE}/${moduleOf(row).replace(/ts$/, 'js')}`);
  const lines =
    row.backend === 'async'
      ? [`export { ${row.export} as default } from ${from};`]
      : [
          `import { ${row.export} as given } from ${from};`,
          `import { onRealThreads } from '${SOURCE}/synchronisation/scenarios/real-threads/on-real-threads.js';`,
          'export default onRealThreads(given);',
        ];
  mkdirSync(FOLDER, { recursive: true });
  const file = fileURLToPath(new URL(`${row.backend}-${row.file}-${row.export}.scenario.ts`, FOLDER));
  writeFileSync(file, `${lines.join('\n')}\n`);
  return file;
}
