/** Stress with real threads: blocked threads are interrupted and reused, and slow starts are no stall. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { runIn } from '../../support/processes/command-line.js';

const folder = mkdtempSync(join(tmpdir(), 'straightedge-threads-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes a scenario of a channel on which no thread sends. Each thread that loads it appends a letter to a file. */
const writeScenario = (name: string, wait: string, load = ''): string => {
  writeFileSync(
    join(folder, `${name}.scenario.ts`),
    `import { appendFileSync } from 'node:fs';
import { isMainThread, workerData } from 'node:worker_threads';
import { scenario } from 'straightedge';
import { channel } from 'straightedge/objects';

const isThread = !isMainThread && Object.keys(workerData ?? {}).join() === 'file';
if (isThread) {
  appendFileSync(new URL('./${name}.loaded', import.meta.url), 't');
  ${load}
}
const words = (memory: SharedArrayBuffer) => new Int32Array(memory, 4);
export default scenario({
  create: () => ({ deep: [new SharedArrayBuffer(64)] }),
  attach: ({ deep: [memory] }: { deep: SharedArrayBuffer[] }) => ({
    receive: () => { ${wait} },
    send: () => {},
  }),
  spec: channel<number>(),
  test: [[['receive']], [['receive']]],
});
`,
  );
  return `${name}.scenario.ts`;
};
const stress = (file: string, ...flags: string[]) =>
  runIn(folder, ['stress', file, '--settle', '5ms', '--stall-timeout', '50ms', ...flags]);
const loads = (name: string) => readFileSync(join(folder, `${name}.loaded`), 'utf8').length;

test('a thread that waits forever is woken at the end of the round, and runs the next round', () => {
  const file = writeScenario('asleep', 'Atomics.wait(words(memory), 3, 0);');
  const { status, stdout, stderr } = stress(file, '--rounds', '20', '--json');
  expect([status, stderr]).toEqual([0, '']);
  expect(JSON.parse(stdout)).toMatchObject({ verdict: 'holds', rounds: 20, operations: 40 });
  expect(loads('asleep')).toBe(2);
});

test('a thread that ignores being woken is ended and replaced', () => {
  const file = writeScenario('stubborn', 'for (;;) try { Atomics.wait(words(memory), 3, 0); } catch {}');
  const { status, stdout, stderr } = stress(file, '--rounds', '2', '--json');
  expect([status, stderr]).toEqual([0, '']);
  expect(JSON.parse(stdout)).toMatchObject({ verdict: 'holds', rounds: 2, operations: 4 });
  expect(loads('stubborn')).toBe(4);
});

test('a start that takes longer than the stall timeout is not a stall', () => {
  const slow = 'Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300);';
  const file = writeScenario('slow', 'Atomics.wait(words(memory), 3, 0);', slow);
  expect(stress(file, '--rounds', '2').status).toBe(0);
});

test('threads that never start are reported when the time is up', () => {
  const file = writeScenario('absent', '', 'await new Promise(() => {});');
  const { status, stdout, stderr } = stress(file, '--timeout', '4s');
  expect([status, stderr]).toEqual([3, '']);
  expect(stdout.replace(/\s+/g, ' ')).toContain(
    'Time limit reached in the first round, in which each thread loads the scenario.',
  );
});

test('a thread that ends itself is reported with its exit code', () => {
  const file = writeScenario('gone', 'process.exit(7);');
  const { status, stderr } = stress(file);
  expect([status, stderr]).toEqual([
    2,
    expect.stringContaining('a thread has ended itself, with exit code 7'),
  ]);
});
