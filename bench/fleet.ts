/**
 * What does a fleet cost, and what does it give? Tiny tests, for what one task costs over the same tests here; larger
 * ones, by one worker and by two. Needs redis-server. Best of three, taken in turns.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../dist/cli/main.js', import.meta.url));
const PORT = 16_379;
const URL_OF_REDIS = `redis://127.0.0.1:${PORT}`;
const ROUNDS = 3;
/** A batch of so many tests becomes as many tasks. */
const TASKS = 64;
/** Large enough that loading the scenario does not count. */
const LARGER = [3, 3] as const;

const folder = mkdtempSync(join(tmpdir(), 'straightedge-bench-'));
writeFileSync(
  join(folder, 'cell.scenario.ts'),
  `import { scenario } from 'straightedge';
class Cell { n = 0; m = 0; set(v: number) { this.n = v; this.m = v } get() { return this.n + this.m * 0 } }
export default scenario({ create: () => new Cell(), calls: [{ method: 'set', args: (random) => [random.below(1e6)] }, ['get']] });`,
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

/** Milliseconds of an exploration of so many random tests. */
function explored(
  tests: number,
  size: readonly [threads: number, calls: number],
  more: readonly string[],
): number {
  const [threads, calls] = size.map(String);
  const flags = [
    '--samples',
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

const ENGINE = ['--engine', URL_OF_REDIS];
const best = (measure: () => number): number => Math.min(...Array.from({ length: ROUNDS }, measure));
const cost = (more: readonly string[]) =>
  (best(() => explored(TASKS, [1, 1], more)) - best(() => explored(1, [1, 1], more))) / (TASKS - 1);

try {
  await begin(
    'redis-server',
    ['--port', `${PORT}`, '--bind', '127.0.0.1', '--save', '', '--dir', folder],
    'Ready to accept',
  );
  await worker();
  explored(1, [1, 1], ENGINE);
  const [fleet, here] = [cost(ENGINE), cost(['--jobs', '1'])];
  console.log(
    `a task of one tiny test: ${fleet.toFixed(1)} ms by a fleet of one, ${here.toFixed(1)} ms here`,
  );
  console.log(`that is ${Math.round(1_000 / fleet)} tasks a second`);

  const alone = best(() => explored(TASKS, LARGER, ENGINE));
  const embedded = best(() => explored(TASKS, LARGER, ['--jobs', '1']));
  await worker();
  explored(TASKS, LARGER, ENGINE);
  const both = best(() => explored(TASKS, LARGER, ENGINE));
  console.log(
    `${TASKS} tests of 3x3: one worker takes ${(alone / embedded).toFixed(2)} times as long as one thread here`,
  );
  console.log(`two workers are ${(alone / both).toFixed(2)} times as fast as one`);
} finally {
  const ends = children.map((child) => once(child, 'close'));
  for (const child of children) child.kill('SIGKILL');
  await Promise.all(ends);
  rmSync(folder, { recursive: true });
}
