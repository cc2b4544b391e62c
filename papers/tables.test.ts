/** Every table of the papers has the expected rows. It takes about an hour, at night. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { isMissing } from '../test/support/processes/requirements.js';
import { TABLES } from './tables.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const HOUR = 3_600_000;

/** Rows that are not as expected, for a reason that the README of the table states. */
const KNOWN: Readonly<Record<string, readonly string[]>> = { 'root-cause': ['array queue'] };
const NAMES = Object.keys(TABLES);

const run = (args: readonly string[]) =>
  spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8', maxBuffer: 2 ** 28 });

beforeAll(() => {
  const { status, stdout } = run([join('node_modules', 'typescript', 'bin', 'tsc'), '-p', 'bench']);
  expect(stdout).toBe('');
  expect(status).toBe(0);
}, HOUR);

function expectTable(table: string): void {
  const { stdout, stderr } = run(['.bench/papers/run.js', table, '--json']);
  expect(stderr).toBe('');
  const rows = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { readonly subject?: string; readonly isRight: boolean });
  const isKnown = ({ subject = '' }: { readonly subject?: string }) => KNOWN[table]?.includes(subject);
  expect(rows.filter((row) => !row.isRight && !isKnown(row))).toEqual([]);
}

test.each(NAMES.filter((name) => name !== 'npm-packages'))('%s', expectTable, HOUR);
test.skipIf(isMissing('registry'))(
  'npm-packages',
  () => {
    expectTable('npm-packages');
  },
  HOUR,
);

test('without a name, the tables are listed', () => {
  const { status, stderr } = run(['.bench/papers/run.js']);
  expect(status).toBe(2);
  for (const table of NAMES) expect(stderr).toContain(table);
});
