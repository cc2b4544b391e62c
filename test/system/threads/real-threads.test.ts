/**
 * Exploration of real threads, against instrumented source under the same engine.
 *
 * Violations are found, shrunk and replayed; scenarios that cannot be explored are reported. `AGREE=all` runs many more
 * programs.
 */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/base/random.js';
import { inOwnTask } from '../../../src/event-loop/own-task.js';
import { Blocks } from '../../../src/execution/atomic-blocks.js';
import type { RacePlaces } from '../../../src/explore/classes/data-races.js';
import { exploreSync } from '../../../src/explore/explore.js';
import { failureOf, parseToken, replaySync, tokenOf } from '../../../src/explore/failure/failure.js';
import { shrinkSync } from '../../../src/explore/failure/shrink.js';
import { Deadline } from '../../../src/explore/model/deadline.js';
import type { ScheduleViolation } from '../../../src/explore/model/engine.js';
import { Threads } from '../../../src/explore/real-threads/threads.js';
import { isExhaustive } from '../../../src/explore/result.js';
import type { Scenario } from '../../../src/explore/scenario/scenario.js';
import { ThreadBackend } from '../../../src/explore/thread-backend.js';
import type { PlainCall } from '../../../src/instrument/instrumented-program.js';
import { runtime } from '../../../src/instrument/runtime/runtime.js';
import { instrumentedPrograms } from '../../support/fixtures/instrumented.js';
import * as locks from '../../support/fixtures/real-threads/locks.scenario.js';
import plain from '../../support/fixtures/real-threads/plain-words.scenario.js';
import given from '../../support/fixtures/real-threads/words.scenario.js';
import { allResults, maximalOrders } from '../../support/oracles/brute-force.js';
import { racesByDpor, resultsByContraction, resultsByDpor } from '../../support/oracles/engines.js';

// threads load these by themselves, and what they import of us is what is built
const words = given as unknown as Scenario;
const plainWords = plain as unknown as Scenario;
const locked = locks.locked as unknown as (lock: locks.LockName, threads?: number) => Scenario;

const isAll = process.env.AGREE === 'all';
const SEED = Number(process.env.SEED ?? 20261116);
const PROGRAMS = isAll ? 2_000 : 25;

const sourceOf = (name: string, file: string): string =>
  `${readFileSync(new URL(`../../support/fixtures/real-threads/${file}.ts`, import.meta.url), 'utf8')}
export const make = () => new ${name}(new Int32Array(new SharedArrayBuffer(8)));`;

type Chosen = (random: Random) => PlainCall;

const CALLS: readonly Chosen[] = [
  (random) => ['load', random.below(2)],
  (random) => ['store', random.below(2), random.below(3)],
  () => ['loadBoth', 0, 1],
  (random) => ['storeBoth', 1, 0, 1 + random.below(2)],
  (random) => ['increment', random.below(2)],
  (random) => ['add', random.below(2), 1],
  () => ['swap', 0, 1],
  (random) => ['replace', random.below(2), random.below(2), 2],
  (random) => ['wait', random.below(2), random.below(2)],
  (random) => ['waitShortly', random.below(2), random.below(2)],
  (random) => ['notify', random.below(2), 1 + random.below(2)],
  (random) => ['storeAndNotify', random.below(2), 1],
  (random) => ['spin', random.below(2), 1],
  (random) => ['spinShortly', random.below(2), 1],
];

const PLAIN_CALLS: readonly Chosen[] = [
  (random) => ['peek', random.below(2)],
  (random) => ['poke', random.below(2), 1 + random.below(2)],
  (random) => ['bump', random.below(2)],
  (random) => ['bumpFirst', random.below(2)],
  () => ['addTo', 0, 1],
  () => ['copy', 1, 0],
  (random) => ['publish', 1 + random.below(2)],
  (random) => ['publishTooSoon', 1 + random.below(2)],
  () => ['consume'],
  (random) => ['spin', random.below(2)],
];

function randomThreads(random: Random, calls: readonly Chosen[]): PlainCall[][] {
  const threads = 2 + random.below(2);
  const most = threads === 2 ? 3 : 1;
  return Array.from({ length: threads }, () =>
    Array.from({ length: 1 + random.below(most) }, () => calls[random.below(calls.length)](random)),
  );
}

const resultsOn = (scenario: Scenario, threads: PlainCall[][]): string[] =>
  maximalOrders(
    resultsByDpor(new ThreadBackend(scenario, { threads, before: [], after: [] }).program as never),
  );

describe('real threads have the same outcomes as instrumented source', () => {
  test.each([
    ['Atomics', words, CALLS, sourceOf('Words', 'words')],
    [
      'plain accesses, where they are instrumented',
      plainWords,
      PLAIN_CALLS,
      sourceOf('PlainWords', 'plain-words'),
    ],
  ] as const)(`by %s, in ${PROGRAMS} random programs, seed ${SEED}`, async (_, scenario, calls, source) => {
    const random = new Random(SEED);
    const instrumented = instrumentedPrograms(source);
    await inOwnTask(() => {
      let stuck = 0;
      for (let i = 0; i < PROGRAMS; i++) {
        const threads = randomThreads(random, calls);
        const expected = maximalOrders(resultsByDpor(instrumented({ threads })));
        expect(resultsOn(scenario, threads), JSON.stringify(threads)).toEqual(expected);
        if (expected.some((result) => result.includes('""'))) stuck++;
      }
      expect(stuck).toBeGreaterThan(PROGRAMS / 20);
    });
  });

  test('accesses by a DataView have the outcomes of accesses to elements, also in files that are not instrumented', async () => {
    const random = new Random(SEED);
    const instrumented = instrumentedPrograms(sourceOf('PlainWords', 'plain-words'));
    const named = (method: string) => `view${method[0].toUpperCase()}${method.slice(1)}`;
    const uninstrumented: Scenario = { ...plainWords, instrument: undefined };
    await inOwnTask(() => {
      let racing = 0;
      for (let i = 0; i < PROGRAMS; i += 3) {
        const threads = randomThreads(random, PLAIN_CALLS.slice(0, 3));
        const expected = maximalOrders(resultsByDpor(instrumented({ threads })));
        const views = threads.map((calls) =>
          calls.map(([method, ...args]): PlainCall => [named(method), ...args]),
        );
        expect(resultsOn(uninstrumented, views), JSON.stringify(threads)).toEqual(expected);
        if (expected.length > 1) racing++;
      }
      expect(racing).toBeGreaterThan(PROGRAMS / 15);
    });
  });

  test('a loop that gives up after some attempts is not taken for an infinite loop', () => {
    const [only] = resultsOn(words, [[['spinShortly', 0, 1]]]);
    expect(only).toContain('false');
  });

  test('a waiter of waitAsync that has given up still consumes a notification', async () => {
    const both = await inOwnTask(() =>
      resultsOn(words, [[['waitOrGiveUp'], ['waitOn']], [['notify', 0, 1]]]),
    );
    const results = both.map((text) => {
      const [outcomes] = JSON.parse(text.slice(0, text.lastIndexOf(']') + 1)) as [string[]];
      return outcomes.map((outcome) => outcome && (JSON.parse(outcome) as { value: unknown }).value);
    });
    // the notification reached the waiter that had given up, not the second call
    expect(results).toEqual([
      ['late', '', 0],
      ['late', '', 1],
      ['ok', '', 1],
    ]);
  });

  test('plain accesses that race are reported with their places, and no others', () => {
    const racesOf = (...threads: PlainCall[][]) =>
      exploreSync({ ...plainWords, test: threads }).races.map(({ places }) =>
        places.map(({ file, line, access }) => `${basename(file)}:${line} ${access}`).sort(),
      );
    expect(racesOf([['publish', 1]], [['consume']])).toEqual([]);
    expect(racesOf([['publishTooSoon', 1]], [['consume']])).toEqual([
      ['plain-words.ts:40 writes', 'plain-words.ts:44 reads'],
    ]);
    expect(racesOf([['publish', 1]], [['peek', 1]])).toEqual([
      ['plain-words.ts:10 reads', 'plain-words.ts:35 writes'],
    ]);
    expect(racesOf([['consume']], [['peek', 1]])).toEqual([]);
  });

  test('data races are those of instrumented source, also of atomic accesses with plain ones', async () => {
    const random = new Random(SEED);
    const instrumented = instrumentedPrograms(sourceOf('PlainWords', 'plain-words'));
    const linesOf = (races: readonly RacePlaces[]): string[] =>
      [...new Set(races.map(({ places }) => String(places.map(({ line }) => line).sort())))].sort();
    await inOwnTask(() => {
      let mixed = 0;
      for (let i = 0; i < 2 * PROGRAMS; i++) {
        const threads = randomThreads(random, PLAIN_CALLS);
        const found = linesOf(
          racesByDpor(new ThreadBackend(plainWords, { threads, before: [], after: [] }).program as never),
        );
        const expected = linesOf(racesByDpor(instrumented({ threads })));
        expect(found, JSON.stringify(threads)).toEqual(expected);
        if (found.some((lines) => /35|39/.test(lines))) mixed++;
      }
      expect(mixed).toBeGreaterThan(PROGRAMS / 10);
    });
  });
});

describe(`atomic blocks: brute force and contraction give the same results, in ${PROGRAMS} random programs, seed ${SEED}`, () => {
  const blocksIn = (file: string, from: number, to: number): Blocks =>
    new Blocks([{ file, start: { line: from, column: 1 }, end: { line: to, column: 200 } }], (site) =>
      runtime.sites.placeOf(site),
    );

  test.each([
    ['Atomics', words, CALLS, 'Words', 'words'],
    ['plain accesses', plainWords, PLAIN_CALLS, 'PlainWords', 'plain-words'],
  ] as const)('by %s', async (_, scenario, calls, name, module) => {
    const random = new Random(SEED);
    const source = sourceOf(name, module);
    const file = fileURLToPath(new URL(`../../support/fixtures/real-threads/${module}.ts`, import.meta.url));
    const last = source.split('\n').length;
    const instrumented = instrumentedPrograms(source);
    await inOwnTask(() => {
      let others = 0;
      for (let i = 0; i < PROGRAMS; i++) {
        const threads = randomThreads(random, calls);
        const from = random.below(2) === 0 ? 1 : 1 + random.below(last >> 1);
        const to = from === 1 ? last : from + random.below(last - from + 1);
        const program = instrumented({ threads });
        const held = allResults(program, isAll ? 20_000 : 2_000, blocksIn('sample.ts', from, to));
        if (held === undefined) continue;
        const expected = maximalOrders(held);
        const label = `${JSON.stringify(threads)} with lines ${from} to ${to}`;
        const left = resultsByContraction(program, blocksIn('sample.ts', from, to));
        expect(maximalOrders(left), label).toEqual(expected);
        if (expected.join() !== maximalOrders(resultsByDpor(program)).join()) others++;
        if (!isAll && i % 4 !== 0) continue;
        const real = new ThreadBackend(scenario, { threads, before: [], after: [] }).program;
        expect(maximalOrders(resultsByContraction(real, blocksIn(file, from, to))), label).toEqual(expected);
      }
      expect(others).toBeGreaterThan(PROGRAMS / 20);
    });
  });
});

describe('locks on real threads', () => {
  const explored = (lock: locks.LockName) => exploreSync(locked(lock));

  test.each(['SpinLock', 'Futex', 'AsyncFutex'] as const)('%s holds, in all schedules', async (lock) => {
    const { verdict, results: tests } = await inOwnTask(() => explored(lock));
    expect({ verdict, coverage: tests.map(({ coverage }) => coverage) }).toEqual({
      verdict: 'holds',
      coverage: [[{ kind: 'all' }]],
    });
  });

  // 3 threads take some seconds
  test.runIf(isAll)('a futex with three states holds for 3 threads, in all schedules', () => {
    const { verdict, assumptions } = exploreSync(locked('Futex', 3));
    expect([verdict, isExhaustive(assumptions)]).toEqual(['holds', true]);
  });

  test('a lock that is tested and then set loses an update, and its token replays the violation', () => {
    const scenario = locked('BrokenSpinLock');
    const found = exploreSync(scenario).results[0];
    expect(found.violation?.kind).toBe('outcome');
    const small = shrinkSync(scenario, found, { seed: 1 }, new Deadline(10_000));
    const failure = failureOf('x', small)!;
    expect(failure.steps.map(({ access }) => access)).toEqual(
      expect.arrayContaining(['reads Int32Array[0]', 'writes Int32Array[0]', 'writes Int32Array[1]']),
    );
    expect(failure.steps[0].place).toMatch(/locks\.ts:\d+:\d+$/);
    expect(replaySync(scenario, failure).kind).toBe('reproduced');
    expect(replaySync(scenario, parseToken(tokenOf(failure))).kind).toBe('reproduced');
    expect(replaySync(locked('SpinLock'), failure).kind).toBe('diverged');
  });

  test('a thread that is not woken is blocked forever, which the spec does not allow', () => {
    const { results: tests } = exploreSync(locked('SilentFutex'));
    const { violation, backend } = tests[0];
    expect(violation?.kind).toBe('wait');
    const { isStuck, waiting } = backend.trace((violation as ScheduleViolation).schedule);
    expect([isStuck, waiting.length]).toEqual([true, 1]);
  });
});

describe('scenarios that cannot be explored are reported', () => {
  const only = (...calls: PlainCall[]): Scenario => ({ ...words, test: [calls, [['load', 0]]] });

  test('a thread that loops without Atomics is ended, and its test is abandoned', () => {
    const threads = new Threads(words.module!, 300);
    const shared = { words: new Int32Array(new SharedArrayBuffer(8)) };
    threads.begin(() => ({ shared, buffers: [] }), [[['hang'], ['load', 0]]], false);
    expect(() => threads.call(0, 0)).toThrow(
      /hang has come neither to a call of Atomics nor to its end in 0.3 s/,
    );
    // another takes its place
    threads.begin(() => ({ shared, buffers: [] }), [[['load', 0]]], false);
    threads.call(0, 0);
    expect(threads.sentBy(0)).toEqual({ value: 0 });
    threads.end();
  });

  test('a thread that ends by itself: its test is abandoned', () => {
    const { verdict, reason, abandoned } = exploreSync(only(['leave']));
    expect({ verdict, reason, abandoned: abandoned[0].reason }).toEqual({
      verdict: 'undecided',
      reason: 'abandoned',
      abandoned: 'leave has ended its thread',
    });
  });

  test('a loop that ends by the clock does not count as blocked forever', () => {
    const { verdict, reason } = exploreSync(only(['spinUntil', 0, 1]), { timeout: 2_000 });
    expect({ verdict, reason }).toEqual({ verdict: 'undecided', reason: 'steps' });
  });

  test('an error is an outcome', () => {
    expect(exploreSync(only(['fail'])).verdict).toBe('holds');
  });

  test('a result or argument that cannot be sent to another thread is an error', () => {
    expect(() => exploreSync(only(['give']))).toThrow(
      /give returns a value that cannot be sent to another thread/,
    );
    expect(() => exploreSync(only(['load', (() => 0) as never]))).toThrow(
      /an argument of a call cannot be sent to another thread/,
    );
    expect(() => exploreSync(only(['nothing']))).toThrow(/has no method nothing/);
    expect(() => exploreSync({ ...words, module: undefined })).toThrow(/name its file/);
  });
});
