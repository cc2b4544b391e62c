/**
 * `npm run bench -- startup [folder]`: time of `straightedge check` on a small history, and of `--version`.
 *
 * Prints the median of 20 processes. With the folder of another checkout that was built, the runs of both alternate, and
 * the ratio of their medians is printed: below 1, this build is faster.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const RUNS = 20;
const HISTORY =
  '{"process":"A","method":"enqueue","args":[1],"result":null,"call":1,"return":2}\n' +
  '{"process":"B","method":"dequeue","args":[],"result":1,"call":3,"return":4}\n';

const [other] = process.argv.slice(2);
const builds = [resolve('.'), ...(other === undefined ? [] : [resolve(other)])];
const folder = mkdtempSync(join(tmpdir(), 'straightedge-startup-'));
const history = join(folder, 'history.jsonl');
writeFileSync(history, HISTORY);
try {
  for (const args of [['check', history, '--spec', 'queue', '--quiet'], ['--version']]) {
    const times = builds.map((): number[] => []);
    for (let run = 0; run < RUNS; run++)
      for (const [i, build] of builds.entries()) times[i].push(timeOf(build, args));
    const medians = times.map(median);
    const ratio = medians.length > 1 ? `  ratio ${(medians[0] / medians[1]).toFixed(2)}` : '';
    const shown = medians.map((time) => `${time.toFixed(0)} ms`).join('  ');
    console.log(`${args[0].padEnd(10)} ${shown}${ratio}`);
  }
} finally {
  rmSync(folder, { recursive: true });
}

/** Milliseconds from start to exit. */
function timeOf(build: string, args: readonly string[]): number {
  const begin = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [join(build, 'dist/cli/main.js'), ...args], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`${build}: exit code ${status}\n${stderr}`);
  return performance.now() - begin;
}

function median(times: readonly number[]): number {
  const sorted = [...times].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}
