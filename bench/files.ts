/**
 * `npm run bench -- files [n]`: small histories per second, by the command line and in one process.
 *
 * The command line checks n files (default 10,000) of 40 operations with `--jobs 1`. Beside its rate is the one of a
 * process that reads and checks the same files without threads. Needs an idle machine: times are those of a clock.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { check } from 'straightedge';
import { readHistory } from 'straightedge/formats';
import { queue } from 'straightedge/objects';
import { inOwnProcess, MAIN } from './measure.js';
import { textOf } from './notations.js';
import { queueSubject } from './subjects.js';

const OPERATIONS = 40;

interface Job {
  readonly folder: string;
  readonly count: number;
}

if (process.argv[2]?.startsWith('{')) console.log(await inProcess(JSON.parse(process.argv[2]) as Job));
else compare(Number(process.argv[2] ?? 10_000));

function fileIn(folder: string, i: number): string {
  return join(folder, `${i}.jsonl`);
}

/** Milliseconds to read and check the files. */
async function inProcess({ folder, count }: Job): Promise<number> {
  const begin = performance.now();
  for (let i = 0; i < count; i++) {
    const file = fileIn(folder, i);
    const { kind } = check(await readHistory(file), queue());
    if (kind !== 'linearizable') throw new Error(`${file}: ${kind}`);
  }
  return performance.now() - begin;
}

function compare(count: number): void {
  const folder = mkdtempSync(join(tmpdir(), 'straightedge-bench-'));
  try {
    const subject = queueSubject(2 ** 30, 50);
    const text = [...textOf('lines', subject, OPERATIONS, false)].join('');
    for (let i = 0; i < count; i++) writeFileSync(fileIn(folder, i), text);
    const begin = performance.now();
    const { status, stderr } = spawnSync(
      process.execPath,
      [MAIN, 'check', folder, '--spec', 'queue', '--jobs', '1', '--quiet'],
      { encoding: 'utf8' },
    );
    if (status !== 0) throw new Error(stderr);
    const command = performance.now() - begin;
    const own = inOwnProcess<Job, number>(new URL(import.meta.url), { folder, count });
    if (own === undefined) throw new Error('the process that checks has died');
    const row = (name: string, ms: number) =>
      console.log(
        name.padEnd(14) +
          (ms / 1_000).toFixed(1).padStart(6) +
          ((1_000 * count) / ms).toFixed(0).padStart(10),
      );
    console.log(`${count} files of ${OPERATIONS} operations\n                  s   files/s`);
    row('command line', command);
    row('one process', own);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
