/** Stress runs by several threads, against one thread: for faults that depend only on the calls, the results are equal. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { LOSSY } from '../../support/fixtures/lossy.js';
import { runIn } from '../../support/processes/command-line.js';
import { plain } from '../../support/processes/processes.js';

const folder = mkdtempSync(join(tmpdir(), 'straightedge-stress-'));
afterAll(() => rmSync(folder, { recursive: true }));
const write = (name: string, text: string) => {
  writeFileSync(join(folder, `${name}.scenario.ts`), `${LOSSY}\n${text}`);
  return `${name}.scenario.ts`;
};
const stress = (...args: readonly string[]) => runIn(folder, ['stress', ...args, '--json']);

const jobs = ['1', '3'];

test.each([1, 2])('the first failing round is reported, however many run at once: seed %i', (seed) => {
  const wrong = write('wrong', 'export default of(13);');
  const found = jobs.map((n) => stress(wrong, '--rounds', '90', '--seed', `${seed}`, '--jobs', n));
  expect(found.map(({ status, stderr }) => [status, stderr])).toEqual(jobs.map(() => [1, '']));
  const [one, ...others] = found.map(({ stdout }) => plain(stdout));
  expect(one).toMatchObject({ verdict: 'violation', round: expect.any(Number) });
  for (const other of others) expect(other).toEqual(one);
});

test('all rounds run if none fails', () => {
  const right = write('right', 'export default of(7);');
  const [one, ...others] = jobs.map((n) => plain(stress(right, '--rounds', '150', '--jobs', n).stdout));
  expect(one).toMatchObject({ verdict: 'holds', rounds: 150, operations: 600 });
  for (const other of others) expect(other).toEqual(one);
});

test('a round that never ends is abandoned and named; the others run', () => {
  const hanging = write(
    'hanging',
    `export default { ...of(7), calls: [{ method: 'write', args: (random) => [random.below(5) ? 1 : 13] }] };`,
  );
  const { status, stdout } = stress(
    hanging,
    '--rounds',
    '3',
    '--seed',
    '3',
    '--jobs',
    '2',
    '--timeout',
    '30s',
  );
  expect(status).toBe(3);
  const document = plain(stdout) as { rounds: number; abandoned: { round: number; reason: string }[] };
  expect(document).toMatchObject({ verdict: 'undecided', reason: 'abandoned' });
  expect(document.abandoned.length + document.rounds).toBe(3);
  for (const { reason } of document.abandoned) expect(reason).toContain('no progress for 3 s');
  expect(document.abandoned).not.toHaveLength(0);
});

test('faults require one round at a time', () => {
  const faulty = write('faulty', `export default { ...of(7), faults: async () => {} };`);
  expect(stress(faulty, '--rounds', '3').status).toBe(0);
  const { status, stdout } = stress(faulty, '--rounds', '3', '--jobs', '2');
  expect([status, stdout]).toEqual([2, expect.stringContaining('leave out --jobs and --redis')]);
});
