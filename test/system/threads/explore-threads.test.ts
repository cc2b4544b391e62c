/** Explorations by several threads, against one thread: the results are equal. The threads run the built package. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import * as own from '../../../src/api/index.js';
import { type Exploration, exploreSync } from '../../../src/explore/explore.js';
import type { Scenario } from '../../../src/explore/scenario/scenario.js';
import { loadInstrumented } from '../../../src/instrument/load.js';
import { exploreBy } from '../../../src/jobs/pool/explore-tests.js';
import { ThreadExecutor } from '../../../src/jobs/pool/thread-executor.js';

const folder = mkdtempSync(join(tmpdir(), 'straightedge-threads-'));
afterAll(() => rmSync(folder, { recursive: true }));

const COUNTER = `class Counter { n = 0; m = 0; increment() { const old = this.n; this.n = old + 1; return old + 1 } read() { return this.m } }`;
const PLAIN = `class Cell { n = 0; set(v: number) { this.n = v } get() { return this.n } }`;
const scenarios = {
  wrong: `${COUNTER} export default scenario({ backend: 'instrumented', create: () => new Counter(), calls: [['read'], ['increment']], threads: 2, callsPerThread: 2 })`,
  right: `${PLAIN} export default scenario({ backend: 'instrumented', create: () => new Cell(), calls: [['set', 1], ['get']], threads: 3, callsPerThread: 2 })`,
  random: `${PLAIN} export default scenario({ backend: 'instrumented', create: () => new Cell(), calls: [{ method: 'set', args: (random) => [random.below(9)] }, ['get']], threads: 2, callsPerThread: 2 })`,
};

function loaded(name: keyof typeof scenarios): { file: string; made: Scenario } {
  const file = join(folder, `${name}.scenario.ts`);
  writeFileSync(file, `import { scenario } from 'straightedge';\n${scenarios[name]}`);
  const { default: made } = loadInstrumented(file, { globs: [], modules: { straightedge: own } }) as {
    default: Scenario;
  };
  return { file, made };
}

/** The fields of a result that do not depend on time or on the process. */
const resultOf = ({ verdict, batches, races, results }: Exploration) => ({
  verdict,
  races,
  tests: batches.map(({ choice, threads, callsPerThread, results: { length } }) => [
    choice,
    threads,
    callsPerThread,
    length,
  ]),
  explored: results.map(({ test, violation, coverage, sequential, executions }) => ({
    test,
    violation,
    coverage,
    sequential,
    executions,
  })),
});

test.each([
  ['wrong', {}],
  ['right', {}],
  ['random', { randomTests: 8 }],
] as const)('%s: three threads report what one does', async (name, more) => {
  const { file, made } = loaded(name);
  const options = { seed: 3, timeout: 60_000, ...more };
  const job = {
    kind: 'explore',
    file,
    hasConfig: false,
    options,
    jobs: 3,
    redis: undefined,
    observations: undefined,
    writeObservations: undefined,
    isReported: false,
    json: true,
    isExplained: false,
    spuriousWakeups: false,
    limits: { timeout: 60_000, maxMemory: 2 ** 30 },
    stop: new Int32Array(new SharedArrayBuffer(4)),
    style: { colour: false, ascii: false, width: 100 },
    html: undefined,
  } as const;
  const { stop, limits } = job;
  const executor = new ThreadExecutor({ threads: 3, bytes: limits.maxMemory, stop, startAfter: 0 });
  const together = await exploreBy(executor, made, job, options);
  expect(resultOf(together)).toEqual(resultOf(exploreSync(made, options)));
  expect(together.verdict).toBe(name === 'wrong' ? 'violation' : 'holds');
});
