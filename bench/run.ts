/** `npm run bench -- <name> [options]`: runs one benchmark in a process of its own; without a name, it lists them. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const BENCHMARKS: Readonly<Record<string, string>> = {
  growth: 'time and memory by the length of a history; an object: only its rows',
  searches: 'time of each search, and of auto: figures of Lowe 2017; --full: 2^20 operations a row',
  cliffs: 'small histories with many overlapping calls, whose search is easily exponential; growth',
  pending: 'cost of calls that never return; --full: 30 s a row',
  data: 'time of recorded histories in a folder, given as argument',
  startup: 'time of check on a small history, and of --version; a folder: ratio to the build there',
  reading: 'time to read JSON lines, against JSON.parse',
  files: 'small files per second, by the command line and in one process',
  large: 'histories of a million operations in every format; --full: ten million, about 1 GB each',
  monitors: 'time of each monitor by the length of a history; --quick: one run instead of five',
  record: 'cost of recording a call',
  explore: 'executions per second of each engine, and the schedules it avoids; --full: more executions',
  async:
    'executions of asynchronous code with and without reduction; --all: all tests of each size; --full: more executions',
  'root-cause': 'time of root causes, and where it goes',
  redis: 'cost of a task through Redis, and the speed of two workers; needs redis-server',
  sync: 'searches of rendezvous objects; growth or figures selects one part',
  stream: 'events per second and memory of the online monitor; --events n, 50 million by default',
};

const [name = '', ...options] = process.argv.slice(2);
if (Object.hasOwn(BENCHMARKS, name)) {
  const program = fileURLToPath(new URL(`${name}.js`, import.meta.url));
  process.exitCode = spawnSync(process.execPath, [program, ...options], { stdio: 'inherit' }).status ?? 1;
} else {
  const list = Object.entries(BENCHMARKS).map(([own, text]) => `  ${own.padEnd(12)}${text}`);
  const problem = name === '' ? '' : `unknown benchmark ${JSON.stringify(name)}\n`;
  console.error(`${problem}Usage: npm run bench -- <name> [options]\n${list.join('\n')}`);
  process.exitCode = 2;
}
