/** Tests explored by others: the same as one after another, whoever is first. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { Random } from '../base/index.js';
import type { Exploration } from './conclusion.js';
import { explore } from './exploration.js';
import { type Scenario, scenario } from './scenario.js';
import { exploreSpread, type RangeAnswer, type RunRanges, type SpreadOptions } from './spread.js';
import { type TestRange, Tests } from './test-range.js';
import { loadTransformed, type PlainCall } from './transform/index.js';

class Cell {
  n = 0;
  read(): number {
    return this.n;
  }
  reset(): void {
    this.n = 0;
  }
}
const RIGHT = scenario({
  create: () => new Cell(),
  calls: [['read'], ['reset']],
  threads: 2,
  callsPerThread: 2,
});

const folder = mkdtempSync(join(tmpdir(), 'straightedge-spread-'));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, 'wrong.ts');
writeFileSync(
  file,
  `export class Wrong {
  n = 0;
  read() { return this.n }
  add() { const old = this.n; this.n = old + 1; return old }
  luck() { globalThis.luck = (globalThis.luck ?? 0) + 1; return globalThis.luck % 5 }
}`,
);
const { Wrong } = loadTransformed(file, {}) as { Wrong: new () => object };
/** Two calls `add` lose an update. */
const WRONG = wrongOf(['read'], ['add']);
/** Serial runs of `luck` differ. */
const LUCKY: Scenario = { ...wrongOf(), test: [[['luck'], ['luck']], [['luck']]] };

function wrongOf(...calls: PlainCall[]): Scenario {
  return { ...RIGHT, create: () => new Wrong(), calls };
}

const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** So many at a time, in whatever order; answers go through JSON. */
function runWith(
  made: Scenario,
  options: SpreadOptions,
  {
    window = 4,
    seed = 1,
    most = Number.POSITIVE_INFINITY,
    poison,
  }: { window?: number; seed?: number; most?: number; poison?: (range: TestRange) => boolean } = {},
): { run: RunRanges } {
  const random = new Random(seed);
  const tests = new Tests(made, options);
  const answerOf = (range: TestRange): RangeAnswer => {
    if (poison?.(range)) return { ...range, setAside: 'it hangs' };
    return plain({ ...range, ...tests.explore(range, () => {}) });
  };
  const run: RunRanges = async function* (ranges) {
    const source = ranges[Symbol.iterator]();
    for (let given = 0; given < most; ) {
      const taken: TestRange[] = [];
      for (let next = source.next(); !next.done; next = source.next()) {
        taken.push(next.value);
        if (taken.length === window) break;
      }
      if (taken.length === 0) return;
      const order = taken.map((range) => ({ range, at: random.below(1_000) })).sort((a, b) => a.at - b.at);
      const answers = new Map(order.map(({ range }) => [range, answerOf(range)]));
      for (const range of taken) {
        if (given++ >= most) return;
        yield answers.get(range) as RangeAnswer;
      }
    }
  };
  return { run };
}

/** What a report tells. */
const toldOf = ({ verdict, because, batches, explored, atomic, setAside }: Exploration) => ({
  verdict,
  because,
  setAside,
  atomic,
  batches: batches.map(({ choice, threads, callsPerThread, matrices, explored: own }) => [
    choice,
    threads,
    callsPerThread,
    matrices.length,
    own.length,
  ]),
  explored: explored.map(({ program: _, ...one }) => one),
});

const OPTIONS = { seed: 1 } as const;

test.each([1, 2, 3, 50])('with %i at a time, a right object is covered as by one', async (window) => {
  const { run } = runWith(RIGHT, OPTIONS, { window, seed: window });
  expect(toldOf(await exploreSpread(RIGHT, OPTIONS, run))).toEqual(toldOf(explore(RIGHT, OPTIONS)));
});

test('samples are the same tests', async () => {
  const options = { seed: 7, samples: 5, threads: 3, callsPerThread: 1 };
  const { run } = runWith(RIGHT, options);
  expect(toldOf(await exploreSpread(RIGHT, options, run))).toEqual(toldOf(explore(RIGHT, options)));
});

test.each([1, 3, 50])('with %i at a time, the first test that is wrong ends it', async (window) => {
  const { run } = runWith(WRONG, OPTIONS, { window, seed: window });
  const told = toldOf(await exploreSpread(WRONG, OPTIONS, run));
  expect(told).toEqual(toldOf(explore(WRONG, OPTIONS)));
  expect(told.explored.at(-1)?.violation?.kind).toBe('outcome');
});

test('two serial histories that differ are found again where they are told', async () => {
  const { run } = runWith(LUCKY, OPTIONS);
  const { verdict, explored } = await exploreSpread(LUCKY, OPTIONS, run);
  expect(verdict).toBe('violation');
  const violation = explored.at(-1)?.violation;
  expect(violation?.kind === 'nondeterminism' && violation.histories.length).toBe(2);
});

test('to keep going is to explore them all', async () => {
  const options = { ...OPTIONS, keepGoing: true };
  const { run } = runWith(WRONG, OPTIONS);
  const { verdict, batches, explored } = await exploreSpread(WRONG, options, run);
  expect(verdict).toBe('violation');
  expect(explored.filter(({ violation }) => violation).length).toBeGreaterThan(1);
  for (const { explored: own, matrices } of batches) expect(own.length).toBe(matrices.length);
});

test.each([0, 1, 3])('after %i answers there is no more time: that is not all of it', async (most) => {
  const { run } = runWith(RIGHT, OPTIONS, { most });
  const { verdict, because } = await exploreSpread(RIGHT, OPTIONS, run);
  expect([verdict, because]).toEqual(['undecided', 'time']);
});

test('what hangs is set aside and named, larger sizes are not begun', async () => {
  const isHanging = ({ batch, from }: TestRange) => batch === 1 && from === 1;
  const { run } = runWith(RIGHT, OPTIONS, { poison: isHanging });
  const { verdict, because, setAside, batches } = await exploreSpread(RIGHT, OPTIONS, run);
  expect([verdict, because]).toEqual(['undecided', 'set aside']);
  expect(setAside).toEqual([{ batch: batches[1], from: 1, to: 2, why: 'it hangs' }]);
  expect(batches.map(({ choice }) => choice)).toEqual(['all', 'all', 'random']);
});
