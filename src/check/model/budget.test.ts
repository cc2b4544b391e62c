import { describe, expect, test } from 'vitest';
import { HistoryBuilder } from '../../history/builder/builder.js';
import type { History } from '../../history/history.js';
import type { AnyObject } from '../../history/model/operation.js';
import { queue } from '../../objects/collections/container.js';
import { map } from '../../objects/collections/map.js';
import type { Spec } from '../../spec/spec.js';
import { type CheckOptions, check } from '../check.js';
import type { Progress } from './budget.js';

const done = { kind: 'returned', value: undefined } as const;

/** `before` sequential pairs, then enqueues that all overlap, then a dequeue of a value never enqueued: many steps. */
function hard(before: number, overlapping: number, result: unknown = 'unknown'): History<AnyObject> {
  const builder = new HistoryBuilder();
  for (let i = 0; i < before; i++) {
    builder.end(builder.call({ process: 'A', method: 'enqueue', args: ['x'] }), done);
    builder.end(builder.call({ process: 'A', method: 'dequeue' }), { kind: 'returned', value: 'x' });
  }
  const calls = Array.from({ length: overlapping }, (_, i) =>
    builder.call({ process: `P${i}`, method: 'enqueue', args: [i] }),
  );
  for (const call of calls) builder.end(call, done);
  builder.end(builder.call({ process: 'A', method: 'dequeue' }), { kind: 'returned', value: result });
  return builder.finish();
}

/** Checks with the graph search; the search for queues needs few steps. */
const run = (limits: CheckOptions, history = hard(10, 7)) =>
  check(history, queue() as unknown as Spec, { algorithm: 'jit-graph', ...limits });

describe('an undecided check', () => {
  test('reports how many returns it explained before the step limit', () => {
    const verdict = run({ maxSteps: 50 });
    expect(verdict).toMatchObject({
      kind: 'undecided',
      reason: 'steps',
      unfinished: [{ part: '', explained: 27, of: 28 }],
      stats: { steps: 50, parts: 1, decided: 0 },
    });
  });

  test('with a limit of 0 steps has explained no return', () => {
    expect(run({ maxSteps: 0 })).toMatchObject({
      kind: 'undecided',
      reason: 'steps',
      unfinished: [{ explained: 0, of: 28 }],
      stats: { steps: 0 },
    });
  });

  test('reports that the memory limit was reached', () => {
    expect(run({ maxMemory: 1_000 })).toMatchObject({ kind: 'undecided', reason: 'memory' });
  });

  test('reports that the time limit was reached', () => {
    expect(run({ timeout: 0 })).toMatchObject({ kind: 'undecided', reason: 'time' });
  });

  test('reports that it was interrupted', () => {
    let asked = 0;
    const verdict = run({ shouldStop: () => ++asked === 1 });
    expect(verdict).toMatchObject({ kind: 'undecided', reason: 'interrupted', unfinished: [{ of: 28 }] });
    expect(asked).toBe(1);
  });

  test('takes no step if the memory is too small to split the history into parts', () => {
    const [history, processMemory] = [hard(10, 4), { resident: () => 1_000_000 }];
    const bytes = 1_000_000 + 8 * history.length;
    expect(run({ maxMemory: bytes - 1, processMemory }, history)).toMatchObject({
      kind: 'undecided',
      reason: 'memory',
      unfinished: [{ part: '', explained: 0, of: 25 }],
      stats: { steps: 0, parts: 1, decided: 0 },
    });
    expect(run({ maxMemory: 10 * bytes, processMemory }, history)).toMatchObject({ kind: 'violation' });
  });

  test('lists every part as unfinished if the memory suffices for the parts but not for a search', () => {
    const history = hard(10, 7);
    const processMemory = { resident: () => 1_000_000 };
    expect(run({ maxMemory: 1_000_000 + 8 * history.length, processMemory }, history)).toMatchObject({
      kind: 'undecided',
      reason: 'memory',
      unfinished: [{ part: '', explained: 0, of: 28 }],
    });
  });

  test('in one part does not hide a violation in another', () => {
    const builder = new HistoryBuilder();
    const calls = Array.from({ length: 12 }, (_, i) =>
      builder.call({ process: `P${i}`, method: 'put', args: ['slow', i] }),
    );
    builder.end(builder.call({ process: 'Z', method: 'get', args: ['quick'] }), {
      kind: 'returned',
      value: 7,
    });
    for (const call of calls) builder.end(call, done);
    builder.end(builder.call({ process: 'Z', method: 'get', args: ['slow'] }), {
      kind: 'returned',
      value: 99,
    });
    const spec = map() as unknown as Spec;
    expect(check(builder.finish(), spec, { maxMemory: 500, algorithm: 'search' })).toMatchObject({
      kind: 'violation',
      counterexample: { part: 'quick' },
      stats: { parts: 2, decided: 1 },
    });
  });
});

describe('a budget', () => {
  test('that is large enough does not change the verdict', () => {
    const history = hard(10, 4);
    const verdict = run({}, history);
    const { steps } = verdict.stats;
    expect(verdict.kind).toBe('violation');
    expect(run({ maxSteps: steps + 1 }, history)).toEqual(verdict);
    expect(run({ maxSteps: steps - 1 }, history).kind).toBe('undecided');
  });

  test('is shared by all parts', () => {
    const builder = new HistoryBuilder();
    for (let i = 0; i < 300; i++)
      builder.end(builder.call({ process: 'A', method: 'put', args: [i % 3, i] }), done);
    const spec = map() as unknown as Spec;
    const verdict = check(builder.finish(), spec, { maxSteps: 160, algorithm: 'search' });
    expect(verdict).toMatchObject({
      kind: 'undecided',
      unfinished: [
        { part: '1', explained: 64, of: 100 },
        { part: '2', explained: 0, of: 100 },
      ],
      stats: { decided: 1 },
    });
  });

  test('reports progress that never decreases', () => {
    const reports: Progress[] = [];
    run({ onProgress: (progress) => reports.push(progress) });
    expect(reports.length).toBeGreaterThan(1);
    expect(reports.at(-1)?.explained).toBe(27);
    for (let i = 1; i < reports.length; i++) {
      expect(reports[i].steps).toBeGreaterThan(reports[i - 1].steps);
      expect(reports[i].explained).toBeGreaterThanOrEqual(reports[i - 1].explained);
    }
  });
});
