/**
 * Measures the engines: how fast they are, and how many schedules they avoid.
 *
 * Treiber's stack and the queue of Michael and Scott, in tests of threads × calls: the first call of each thread inserts a value of its
 * own, the others remove. A readers–writer lock, in tests of threads × pairs of calls: every second pair writes. Each test is explored against the automaton learned from its sequential runs: by stateful search,
 * fully and several times, and by partial-order reduction up to a limit on executions (300,000; with `--full` 20 million). Beside it is the
 * number of all schedules, counted one by one up to a limit.
 */

import { Execution } from '../src/execution/execution.js';
import { Fingerprint } from '../src/execution/fingerprint.js';
import { AtomicRef } from '../src/execution/primitives/atomic-ref.js';
import type { Call, Program } from '../src/execution/program.js';
import { byClasses, byStates } from '../src/explore/engines/engines.js';
import { LearnedAutomaton, LearnedRuns } from '../src/explore/learning/learned-runs.js';
import { SequentialRuns } from '../src/explore/learning/sequential-runs.js';
import type { Engine } from '../src/explore/model/engine.js';
import { cpuTime } from './measure.js';
import { MichaelScottQueue, ReadWriteLock, TreiberStack } from './models.js';

const isFull = process.argv.includes('--full');
const MOST_EXECUTIONS = isFull ? 20_000_000 : 300_000;
const MOST_COUNTED = 300_000;
const STEPS_PER_SLICE = 100_000;
/** The first run of an engine includes the time in which its code is compiled. */
const RUNS = 5;

const ref = <T>(value: T) => new AtomicRef(value);

const stackCalls = (value: number): Record<'put' | 'take', Call<TreiberStack>> => ({
  put: { method: 'push', args: [value], run: (stack, memory) => stack.push(memory, value) },
  take: { method: 'pop', args: [], run: (stack, memory) => stack.pop(memory) },
});
const queueCalls = (value: number): Record<'put' | 'take', Call<MichaelScottQueue>> => ({
  put: { method: 'enqueue', args: [value], run: (queue, memory) => queue.enqueue(memory, value) },
  take: { method: 'dequeue', args: [], run: (queue, memory) => queue.dequeue(memory) },
});

function matrix<O>(
  create: () => O,
  calls: (value: number) => Record<'put' | 'take', Call<O>>,
  threads: number,
  perThread: number,
): Program<O> {
  return {
    create,
    hasNamedCalls: true,
    values: Array.from({ length: threads }, (_, thread) => thread + 1),
    threads: Array.from({ length: threads }, (_, thread) =>
      Array.from({ length: perThread }, (__, i) => calls(thread + 1)[i === 0 ? 'put' : 'take']),
    ),
  };
}

const stack = (threads: number, perThread: number) =>
  matrix(() => new TreiberStack(ref), stackCalls, threads, perThread);
const queue = (threads: number, perThread: number) =>
  matrix(() => new MichaelScottQueue(ref), queueCalls, threads, perThread);

const lockCall = (method: 'readLock' | 'readUnlock' | 'writeLock' | 'writeUnlock'): Call<ReadWriteLock> => ({
  method,
  args: [],
  run: (lock, memory) => lock[method](memory),
});
const readWriteLock = (threads: number, pairs: number): Program<ReadWriteLock> => ({
  create: () => new ReadWriteLock(ref),
  hasNamedCalls: true,
  threads: Array.from({ length: threads }, () =>
    Array.from({ length: pairs }, (_, i) =>
      i % 2 === 0
        ? [lockCall('readLock'), lockCall('readUnlock')]
        : [lockCall('writeLock'), lockCall('writeUnlock')],
    ).flat(),
  ),
});

const ROWS: readonly (readonly [string, Program])[] = [
  ['Treiber stack 2×2', stack(2, 2)],
  ['Treiber stack 2×3', stack(2, 3)],
  ['Treiber stack 3×2', stack(3, 2)],
  ['Treiber stack 3×3', stack(3, 3)],
  ['Michael–Scott queue 2×2', queue(2, 2)],
  ['Michael–Scott queue 3×2', queue(3, 2)],
  ['Michael–Scott queue 3×3', queue(3, 3)],
  ['Readers–writer lock 3×2', readWriteLock(3, 2)],
  ['Readers–writer lock 3×3', readWriteLock(3, 3)],
];

console.log(
  `states of stateful search, executions, processor seconds, thousands of executions per second, seconds of the fastest of ${RUNS} runs`,
);
console.log(
  `${'test'.padEnd(26)}${'sequential'.padStart(14)}${'all schedules'.padStart(16)}${'stateful search'.padStart(44)}${'partial-order reduction'.padStart(30)}`,
);
for (const [name, program] of ROWS) {
  const execution = new Execution(program);
  const learned = new LearnedRuns(execution.calls.length);
  const sequential = new SequentialRuns(execution, learned, { fingerprint: new Fingerprint(execution) });
  const begin = cpuTime();
  sequential.advance(Number.POSITIVE_INFINITY);
  const automaton = new LearnedAutomaton(learned);
  const learning = `${sequential.stats.executions} ${seconds(cpuTime() - begin)}`;
  const cells = [
    fastest(() => byStates(execution, automaton)),
    measured(byClasses(execution, automaton), MOST_EXECUTIONS).text,
  ];
  console.log(
    name.padEnd(26) +
      learning.padStart(14) +
      schedulesOf(program).padStart(16) +
      cells[0].padStart(44) +
      cells[1].padStart(30),
  );
}

interface Measured {
  readonly text: string;
  readonly took: number;
}

/** The first of some runs, and the time of the fastest. */
function fastest(make: () => Engine): string {
  const [first, ...others] = Array.from({ length: RUNS }, () => measured(make(), Number.POSITIVE_INFINITY));
  const least = Math.min(first.took, ...others.map(({ took }) => took));
  return `${first.text}, ${seconds(least)}`;
}

function measured(engine: Engine, mostExecutions: number): Measured {
  const begin = cpuTime();
  const { stats: effort } = engine;
  for (;;) {
    const end = engine.advance(STEPS_PER_SLICE);
    const isDone = end === 'done';
    const took = cpuTime() - begin;
    if (end !== undefined && !isDone) return { text: 'FAILED: a violation', took };
    if (!isDone && effort.executions < mostExecutions) continue;
    const states = effort.states > 0 ? `${effort.states} st ` : '';
    const speed = `${(effort.executions / took).toFixed(0)} k/s`;
    return { text: `${isDone ? '' : '> '}${states}${effort.executions} ${seconds(took)} ${speed}`, took };
  }
}

/** The number of schedules, up to the limit of counting. */
function schedulesOf(program: Program): string {
  const execution = new Execution(program);
  /** The remaining choices at each position of the path, as bits; the lowest is the current one. */
  const path: number[] = [];
  for (let count = 1; count < MOST_COUNTED; count++) {
    execution.reset();
    for (let place = 0; ; place++) {
      if (place === path.length) path.push(execution.enabled());
      if (path[place] === 0) break;
      execution.step(31 - Math.clz32(path[place] & -path[place]));
    }
    do path.pop();
    while (path.length > 0 && (path[path.length - 1] & (path[path.length - 1] - 1)) === 0);
    if (path.length === 0) return String(count);
    path[path.length - 1] &= path[path.length - 1] - 1;
  }
  return `> ${MOST_COUNTED}`;
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(2)} s`;
}
