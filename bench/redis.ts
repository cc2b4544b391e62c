/**
 * Measures Redis workers: the cost of a task, by tiny tests that also run locally; and the speed-up of two workers, by
 * larger tests of equal size. Needs redis-server and two idle cores. The best of several rounds counts.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MAIN } from './measure.js';

const PORT = 16_379;
const URL_OF_REDIS = `redis://127.0.0.1:${PORT}`;
const ROUNDS = 2;
/** The tests of a batch; each becomes a task. */
const TASKS = 64;
/** Threads, and calls of each. */
const TINY = [1, 1] as const;
const LARGER = [3, 2] as const;
/** Larger tests: four become one task, and loading the scenario is negligible. */
const MANY = 4 * TASKS;

const folder = mkdtempSync(join(tmpdir(), 'straightedge-bench-'));
writeFileSync(
  join(folder, 'cell.scenario.ts'),
  `import { scenario } from 'straightedge';
class Cell { n = 0; m = 0; set(v: number) { this.n = v; this.m = v } }
export default scenario({ create: () => new Cell(), calls: [{ method: 'set', args: (random) => [random.below(1e6)] }] });`,
);
const children: ChildProcess[] = [];

async function begin(command: string, args: readonly string[], ready: string): Promise<ChildProcess> {
  const child = spawn(command, args, { cwd: folder });
  children.push(child);
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece) => {
      said += piece;
    });
  while (!said.includes(ready)) await new Promise((resolve) => setTimeout(resolve, 20));
  return child;
}

const worker = () => begin(process.execPath, [MAIN, 'worker', URL_OF_REDIS, '--jobs', '1'], 'taking tasks');

/** Milliseconds of an exploration of this many random tests. */
function explored(
  tests: number,
  size: readonly [threads: number, calls: number],
  more: readonly string[],
): number {
  const [threads, calls] = size.map(String);
  const flags = [
    '--random-tests',
    `${tests}`,
    '--threads',
    threads,
    '--calls-per-thread',
    calls,
    '--timeout',
    '10m',
  ];
  const { stdout } = spawnSync(
    process.execPath,
    [MAIN, 'explore', 'cell.scenario.ts', '--json', ...flags, ...more],
    {
      cwd: folder,
      encoding: 'utf8',
    },
  );
  const { ms } = JSON.parse(stdout) as { ms: { explore: number } };
  return ms.explore;
}

const ENGINE = ['--redis', URL_OF_REDIS];
const HERE = ['--jobs', '1'];
const best = (measure: () => number): number => Math.min(...Array.from({ length: ROUNDS }, measure));
/** The cost of one more task. */
const cost = (more: readonly string[]) =>
  (best(() => explored(TASKS, TINY, more)) - best(() => explored(1, TINY, more))) / (TASKS - 1);

try {
  await begin(
    'redis-server',
    ['--port', `${PORT}`, '--bind', '127.0.0.1', '--save', '', '--dir', folder],
    'Ready to accept',
  );
  await worker();
  explored(1, TINY, ENGINE);
  const [redis, local] = [cost(ENGINE), cost(HERE)];
  console.log(`tasks of one tiny test: ${Math.round(1_000 / redis)} per second with one worker`);
  console.log(
    `transport of a task: ${(redis - local).toFixed(1)} ms; the test itself ${local.toFixed(1)} ms`,
  );

  explored(MANY, LARGER, ENGINE);
  const alone = best(() => explored(MANY, LARGER, ENGINE));
  const embedded = best(() => explored(MANY, LARGER, HERE));
  await worker();
  explored(MANY, LARGER, ENGINE);
  const both = best(() => explored(MANY, LARGER, ENGINE));
  console.log(
    `${TASKS} tasks of ${(embedded / TASKS).toFixed(0)} ms: one worker takes ${(alone / embedded).toFixed(2)} times as long as one thread here`,
  );
  console.log(`two workers are ${(alone / both).toFixed(2)} times as fast as one`);
} finally {
  const ends = children.map((child) => once(child, 'close'));
  for (const child of children) child.kill('SIGKILL');
  await Promise.all(ends);
  rmSync(folder, { recursive: true });
}
