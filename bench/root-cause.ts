/**
 * Measures root causes: processor time, and where it goes.
 *
 * Threads: the stack of CAV 2020 (papers/root-cause). Asynchronous code: a stock whose `reserve` awaits twice between reading and
 * writing, and a queue whose `take` waits for `put`. V8's sampling profiler attributes the time to the innermost phase on the stack:
 *
 *   exploring      running schedules and judging them
 *   running again  failing and passing executions once more, to record accesses
 *   call stacks    finding the position of each await, a part of running again
 *   repairs        eliminators, their combinations, ranking and comparing with traces
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { Profiler } from 'node:inspector';
import { Session } from 'node:inspector/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scenariosIn } from '../papers/lib/scenarios.js';
import * as straightedge from '../src/api/index.js';
import { control } from '../src/event-loop/control.js';
import { explore } from '../src/explore/explore.js';
import type { Scenario } from '../src/explore/scenario/scenario.js';
import { loadInstrumented } from '../src/instrument/load.js';
import { rewriteForTracing } from '../src/instrument/tracing-rewrite/rewrite.js';
import { explain } from '../src/root-cause/explain.js';
import { cpuTime } from './measure.js';

/** Phase to the names of its functions. The first phase with a function on the stack, from the innermost one, counts. */
const PHASES: Readonly<Record<string, readonly string[]>> = {
  'call stacks': ['callers'],
  'running again': ['asyncTrace', 'traceProgram'],
  exploring: ['lineUp'],
  repairs: ['forbids', 'ranked', 'eliminatorsOf', 'combine', 'combined', 'sourceBlock'],
};

const STOCK = `
export class Stock {
  free = 2;
  held = new Map();
  async reserve(id, count) {
    const free = this.free;
    if (free < count) return false;
    await tick();
    this.held.set(id, count);
    await tick();
    this.free = free - count;
    return true;
  }
  async release(id) {
    const count = this.held.get(id);
    if (count === undefined) return false;
    this.held.delete(id);
    await tick();
    this.free += count;
    return true;
  }
  async left() { return this.free; }
}
const tick = () => new Promise((resolve) => setTimeout(resolve, 1));
export const subject = {
  create: () => new Stock(),
  calls: [['reserve', 'a', 1], ['reserve', 'b', 2], ['release', 'a'], ['left']],
  threads: 2,
  callsPerThread: 2,
};`;

const QUEUE = `
export class Queue {
  items = [];
  waiting = [];
  async put(item) {
    this.items.push(item);
    this.waiting.shift()?.();
  }
  async take() {
    if (this.items.length === 0)
      await new Promise((resolve) => this.waiting.push(() => setImmediate(resolve)));
    return this.items.shift();
  }
  async poll() { return this.items.shift() ?? null; }
}
export const subject = {
  create: () => new Queue(),
  calls: [['put', 1], ['put', 2], ['take'], ['poll']],
  threads: 3,
  callsPerThread: 2,
};`;

const folder = mkdtempSync(join(tmpdir(), 'straightedge-bench-'));
control();

function traced(name: string, source: string): Scenario {
  const file = join(folder, `${name}.mjs`);
  writeFileSync(file, source);
  const { subject } = loadInstrumented(file, { rewrite: rewriteForTracing }) as { subject: object };
  return straightedge.scenario({ name, ...subject } as never);
}

const SUBJECTS: readonly (readonly [name: string, load: () => Scenario])[] = [
  ['stack, threads', () => scenariosIn('root-cause/scenarios/stack.scenario.ts').default],
  ['stock, async', () => traced('stock', STOCK)],
  ['queue, async', () => traced('queue', QUEUE)],
];

const cells = [...Object.keys(PHASES), 'other'];
console.log(
  `${'subject'.padEnd(18)}${'CPU s'.padStart(8)}${cells.map((cell) => cell.padStart(16)).join('')}  result`,
);
for (const [name, load] of SUBJECTS) {
  const scenario = load();
  const { results } = await explore(scenario);
  const found = results.at(-1)!;
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.start');
  const begin = cpuTime();
  const explanation = await explain(scenario, found);
  const seconds = (cpuTime() - begin) / 1_000;
  const { profile } = await session.post('Profiler.stop');
  session.disconnect();
  const shares = sharesOf(profile);
  const first = explanation?.repairs[0];
  const result = first
    ? `${first.repair.map(({ start, end }) => `${start.line}-${end.line}`).join(' ')} ${first.verification?.kind}`
    : explanation?.reason?.kind;
  console.log(
    `${name.padEnd(18)}${seconds.toFixed(2).padStart(8)}${cells.map((cell) => `${(100 * (shares.get(cell) ?? 0)).toFixed(0)} %`.padStart(16)).join('')}  ${result}`,
  );
}
rmSync(folder, { recursive: true });

/** Phase to its share of the samples, without idle time. */
function sharesOf({ nodes, samples = [] }: Profiler.Profile): Map<string, number> {
  const phaseOf = new Map<string, string>(
    Object.entries(PHASES).flatMap(([phase, names]) => names.map((name) => [name, phase] as const)),
  );
  const parents = new Map(
    nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)),
  );
  const names = new Map(nodes.map(({ id, callFrame }) => [id, callFrame.functionName]));
  const counts = new Map<string, number>();
  let total = 0;
  for (const sample of samples) {
    if (names.get(sample) === '(idle)') continue;
    total++;
    let phase: string | undefined;
    for (let at: number | undefined = sample; at !== undefined && phase === undefined; at = parents.get(at))
      phase = phaseOf.get(names.get(at) ?? '');
    counts.set(phase ?? 'other', (counts.get(phase ?? 'other') ?? 0) + 1);
  }
  return new Map(Array.from(counts, ([phase, count]) => [phase, count / total]));
}
