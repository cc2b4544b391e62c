/**
 * Small histories whose search is easily exponential: many overlapping calls on one object, with a violation at the end
 * or a detour before the linearization. Each row grows one shape; the last column is the exponent of its growth.
 *
 * Times are processor times of `check` with its evidence, in one process, the best of three. The last row is a map of 10 keys
 * with 20,000 operations of 10 processes, whose clocks are up to 10 ms wrong: expected at most one second.
 */

import { Random } from '../src/base/random.js';
import { check } from '../src/check/check.js';
import { HistoryBuilder } from '../src/history/builder/builder.js';
import type { History } from '../src/history/history.js';
import { deque, queue } from '../src/objects/collections/container.js';
import { map } from '../src/objects/collections/map.js';
import { priorityQueue } from '../src/objects/collections/priority-queue.js';
import { semaphore } from '../src/objects/locks/mutex.js';
import type { Spec } from '../src/spec/spec.js';
import { cpuTime, exponent } from './measure.js';

const SIZES = [8, 16, 32, 64];
const LIMIT = 10_000;

type Call = readonly [method: string, args: readonly unknown[], result?: unknown];

/** Calls that all overlap, then sequential calls; those without a result are pending. */
function history(overlapping: readonly Call[], then: readonly Call[]): History {
  const builder = new HistoryBuilder();
  let process = 0;
  const start = ([method, args]: Call) => builder.call({ process: `p${process++}`, method, args: [...args] });
  const end = (id: number, [, , value]: Call) => builder.end(id, { kind: 'returned', value });
  const ids = overlapping.map(start);
  overlapping.forEach((call, i) => {
    if (call.length === 3) end(ids[i], call);
  });
  for (const call of then) {
    const id = start(call);
    if (call.length === 3) end(id, call);
  }
  return builder.finish();
}

const upTo = (n: number): number[] => Array.from({ length: n }, (_, i) => i);

const SHAPES: Readonly<Record<string, { spec: Spec; of: (k: number) => History }>> = {
  'deque: k adds, removals, an unknown value': {
    spec: deque() as Spec,
    of: (k) =>
      history(
        upTo(k).map((i) => ['pushFront', [i], undefined]),
        [...upTo(k - 1).map((i): Call => ['popBack', [], i]), ['popBack', [], 'unknown']],
      ),
  },
  'deque: k adds, removals, a value twice': {
    spec: deque() as Spec,
    of: (k) =>
      history(
        upTo(k).map((i) => ['pushFront', [i], undefined]),
        [...upTo(k - 1).map((i): Call => ['popBack', [], i]), ['popBack', [], 0]],
      ),
  },
  'queue: k pending adds, peeks that contradict': {
    spec: queue() as Spec,
    of: (k) =>
      history(
        [...upTo(k).map((i): Call => ['enqueue', [i]]), ['dequeue', []]],
        [0, 1, 0].map((i): Call => ['peek', [], i]),
      ),
  },
  'queue: a value twice inside, k pending adds': {
    spec: queue<number>({ initial: [-1, -1] }) as Spec,
    of: (k) =>
      history(
        [...upTo(k).map((i): Call => ['enqueue', [i]]), ['enqueue', [-1]]],
        [['enqueue', [k], undefined], ...upTo(3).map((): Call => ['dequeue', [], -1])],
      ),
  },
  'semaphore: k tryAcquire, k releases, a false failure': {
    spec: semaphore({ permits: 2 }) as Spec,
    of: (k) =>
      history(
        [
          ...upTo(k).map((i): Call => ['tryAcquire', [1 + (i % 3)], i % 2 === 0]),
          ...upTo(k).map((i): Call => ['release', [1 + (i % 2)], undefined]),
        ],
        [['tryAcquire', [1], false]],
      ),
  },
  'priority queue: k adds and removals, an unknown value': {
    spec: priorityQueue() as Spec,
    of: (k) =>
      history(
        [
          ...upTo(k).map((i): Call => ['insert', [i, 0], undefined]),
          ...upTo(k).map((i): Call => ['deleteMin', [], i]),
        ],
        [['deleteMin', [], 'unknown']],
      ),
  },
};

console.log('processor ms of check with evidence, by k');
console.log(`${'shape'.padEnd(56)}${SIZES.map((k) => String(k).padStart(9)).join('')}  exponent`);
for (const [name, { spec, of }] of Object.entries(SHAPES)) {
  const times = SIZES.map((k) => timeOf(of(k), spec));
  const decided = SIZES.flatMap((k, i) => (times[i] === undefined ? [] : [[k, times[i]] as const]));
  const cells = times.map((time) => (time?.toFixed(1) ?? 'undecided').padStart(9));
  console.log(`${name.padEnd(56)}${cells.join('')}${exponent(decided).toFixed(1).padStart(10)}`);
}

console.log(
  `clock error of 10 ms, 20,000 operations: ${timeOf(withClockErrors(), map() as Spec)?.toFixed(0) ?? 'undecided'} ms`,
);

/** Calls of up to 0.6 ms, in microseconds. */
function withClockErrors(): History {
  const random = new Random(1);
  const [error, processes] = [10_000, 10];
  const offsets = upTo(processes).map(() => 10 * error + random.below(2 * error) - error);
  const free = upTo(processes).map(() => 0);
  const calls = upTo(20_000).map(() => {
    const p = free.indexOf(Math.min(...free));
    const start = free[p] + 10 + random.below(200);
    const at = start + random.below(300);
    free[p] = at + 1 + random.below(300);
    return { p, start, at, end: free[p] };
  });
  const state = new Map<string, number>();
  const builder = new HistoryBuilder({ clockError: error });
  for (const [i, { p, start, end }] of calls.sort((a, b) => a.at - b.at).entries()) {
    const key = `k${random.below(10)}`;
    const isRead = random.withProbability(60);
    if (!isRead) state.set(key, i);
    builder.operation({
      process: `p${p}`,
      method: isRead ? 'get' : 'put',
      args: isRead ? [key] : [key, i],
      outcome: { kind: 'returned', value: isRead ? (state.get(key) ?? null) : undefined },
      call: start + offsets[p],
      return: end + offsets[p],
    });
  }
  return builder.finish();
}

function timeOf(of: History, spec: Spec): number | undefined {
  let best: number | undefined;
  for (let i = 0; i < 3; i++) {
    const start = cpuTime();
    if (check(of, spec, { timeout: LIMIT }).kind === 'undecided') return undefined;
    const own = cpuTime() - start;
    if (best === undefined || own < best) best = own;
  }
  return best;
}
