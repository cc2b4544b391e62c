/**
 * Asynchronous constructs × races: what the explorer visits, against Node. An oracle runs the same code macrotask by macrotask
 * on the event loop of this process (oracles/plain-node.ts). All executions, with and without instrumentation, and each reduction must show
 * exactly its histories; a test body with the same calls must have exactly its outcomes.
 */
import { expect, test } from 'vitest';
import { Random } from '../../../src/base/random.js';
import { control } from '../../../src/event-loop/control.js';
import { inOwnTask } from '../../../src/event-loop/own-task.js';
import { AsyncTree } from '../../../src/explore/async/engines.js';
import { BodyRun, type TestBody } from '../../../src/explore/async/test-body.js';
import { programIn } from '../../support/fixtures/async-program.js';
import { evaluate } from '../../support/fixtures/instrumented.js';
import { type AsyncSample, randomAsyncConstructs } from '../../support/generators/random-async-constructs.js';
import { exploreAll, exploreReduced, exploreStates } from '../../support/oracles/async-histories.js';
import { bodyOf, plainBodies, plainHistories } from '../../support/oracles/plain-node.js';
import { share } from '../../support/share.js';

const PROGRAMS = share(10_000, 60);
/** Programs with more executions are skipped. */
const MOST = share(1_000, 200);
const NO_LIMIT = Number.POSITIVE_INFINITY;

test(`the histories of ${PROGRAMS} random objects are those of Node`, async () => {
  const random = new Random(1);
  const seen = { programs: 0, several: 0, stuck: 0, uncaught: 0, reduced: 0, visible: 0 };
  for (let i = 0; i < PROGRAMS; i++) {
    const { code, threads } = randomAsyncConstructs(random, 2 * i);
    const failures = random.withProbability(80) ? 0 : 1;
    const expected = await plainHistories(code, threads, { failures, most: MOST });
    if (expected === undefined) continue;
    const label = `program ${i}: ${threads.join(' | ')}, ${failures} failures, of ${code}`;
    control();
    await inOwnTask(() => {
      const [plain, traced] = [false, true].map((isTraced) => programIn(code, threads, isTraced, failures));
      expect(exploreAll(plain, NO_LIMIT)?.histories, label).toEqual(expected);
      expect(exploreAll(traced, NO_LIMIT)?.histories, label).toEqual(expected);
      const reduced = exploreReduced(traced, NO_LIMIT)!;
      expect(reduced.histories, label).toEqual(expected);
      if (reduced.strangers.length === 0) seen.reduced++;
      const states = exploreStates(traced, NO_LIMIT)!;
      if (states.declined !== undefined) return;
      expect(states.histories, label).toEqual(expected);
      seen.visible++;
    });
    seen.programs++;
    if (expected.length > 2) seen.several++;
    if (expected.some((history) => history.startsWith('stuck'))) seen.stuck++;
    if (expected.some((history) => history.startsWith('uncaught'))) seen.uncaught++;
  }
  expect(seen.programs).toBeGreaterThan(PROGRAMS / 2);
  expect(Math.min(seen.several, seen.reduced)).toBeGreaterThan(PROGRAMS / 4);
  expect(Math.min(seen.stuck, seen.visible)).toBeGreaterThan(PROGRAMS / 10);
  expect(seen.uncaught).toBeGreaterThan(0);
}, 3_600_000);

/** All outcomes of a test body. */
function explored({ code, threads }: AsyncSample): string[] {
  const found = new Set<string>();
  let outcome: string | undefined;
  const body = bodyOf(evaluate(code, 'sample.mjs') as never, threads);
  const test: TestBody = async (context) => {
    outcome = undefined;
    outcome = await body(context as never);
  };
  const run = new BodyRun(test, { failures: 0, isStrict: false, maxMicrotaskStarts: 0 });
  const tree = new AsyncTree(run, () => {
    found.add(run.failure?.kind ?? outcome!);
    return undefined;
  });
  while (tree.advance(10_000) !== 'done');
  return [...found].sort();
}

test(`the outcomes of ${PROGRAMS} random test bodies are those of Node`, async () => {
  const random = new Random(2);
  let programs = 0;
  for (let i = 0; i < PROGRAMS; i++) {
    const sample = randomAsyncConstructs(random, 2 * i + 1);
    const expected = await plainBodies(sample.code, sample.threads, { failures: 0, most: MOST });
    if (expected === undefined) continue;
    programs++;
    const label = `program ${i}: ${sample.threads.join(' | ')} of ${sample.code}`;
    control();
    expect(await inOwnTask(() => explored(sample)), label).toEqual(expected);
  }
  expect(programs).toBeGreaterThan(PROGRAMS / 2);
}, 3_600_000);
