import { describe, expect, test } from 'vitest';
import { randomHistory } from '../../../test/support/generators/random-history.js';
import { Random } from '../../base/random.js';
import { HistoryBuilder } from '../../history/builder/builder.js';
import { draw } from '../../history/drawing/sketch.js';
import type { History } from '../../history/history.js';
import { deque, queue, stack } from '../../objects/collections/container.js';
import { DEAD, Machine } from '../../spec/machine/machine.js';
import type { Spec } from '../../spec/spec.js';
import { check } from '../check.js';
import type { Search, SearchResult } from '../model/search.js';
import { searchFor } from './choose-search.js';
import { WgGraph } from './generic/depth-first.js';
import { JitGraph } from './generic/jit-graph.js';
import { MergeableValues } from './merged-values.js';

type Call = [method: string, ...args: unknown[]];
const VALUES = [1, 2, 3, 4, null, 'x'];
const addsOf = (...methods: string[]) =>
  methods.flatMap((method) => VALUES.map((value): Call => [method, value]));
const callsOf = (...methods: string[]) => methods.map((method): Call => [method]);

const OBJECTS: Readonly<Record<string, { spec: Spec; calls: Call[] }>> = {
  queue: { spec: queue() as Spec, calls: [...addsOf('enqueue'), ...callsOf('dequeue', 'peek')] },
  'filled queue': {
    spec: queue<unknown>({ initial: [1, 1, 'x'] }) as Spec,
    calls: [...addsOf('enqueue'), ...callsOf('dequeue', 'peek')],
  },
  stack: { spec: stack({ empty: 'x' }) as Spec, calls: [...addsOf('push'), ...callsOf('pop', 'peek')] },
  deque: {
    spec: deque<unknown>({ initial: [2] }) as Spec,
    calls: [...addsOf('pushFront', 'pushBack'), ...callsOf('popFront', 'popBack')],
  },
};

function answerOf(search: Search): SearchResult {
  for (;;) {
    const answer = search.advance(1_000);
    if (answer) return answer;
  }
}

const searchOf = (history: History, spec: Spec): JitGraph =>
  new JitGraph(history, new Machine(history, spec));

describe.each(Object.entries(OBJECTS))('the values of a %s', (_, { spec, calls }) => {
  const random = new Random(11);
  const histories = Array.from({ length: 150 }, () =>
    randomHistory({ spec, calls }, random, 14).withoutFailed(),
  );

  test('the default search gives the verdict of a search that merges nothing, at the same return', () => {
    for (const history of histories) {
      const machine = new Machine(history, spec);
      const plain = answerOf(new WgGraph(history, machine));
      const merging = answerOf(searchFor({ history, machine }, []));
      expect(merging.kind, draw(history)).toBe(plain.kind);
      if (merging.kind === 'linearizable' || plain.kind === 'linearizable') continue;
      expect(merging.refutation.moment, draw(history)).toBe(plain.refutation.moment);
      for (const { state } of merging.refutation.longest()) expect(state).not.toBe(DEAD);
    }
  });

  test('a history with merged values is linearizable if the history is', () => {
    let refuted = 0;
    for (const history of histories) {
      const values = MergeableValues.of(history, spec);
      const isLinearizable = answerOf(searchOf(history, spec)).kind === 'linearizable';
      for (const value of [-1, ...(values?.others(-1) ?? [])]) {
        const merged = value < 0 ? values?.keeping() : values?.keeping(value);
        if (!merged || answerOf(searchOf(merged, spec)).kind === 'linearizable') continue;
        refuted++;
        expect(isLinearizable, draw(history)).toBe(false);
      }
    }
    expect(refuted).toBeGreaterThan(0);
  });
});

/** Overlapping adds, then removals in another order than any linearization allows. */
function overlapping(n: number): History {
  const builder = new HistoryBuilder();
  const adds = Array.from({ length: n }, (_, i) =>
    builder.call({ process: `A${i}`, method: 'pushFront', args: [i] }),
  );
  for (const add of adds) builder.end(add, { kind: 'returned', value: undefined });
  const pop = (value: unknown) =>
    builder.end(builder.call({ process: 'B', method: 'popBack', args: [] }), { kind: 'returned', value });
  for (let i = 0; i < n - 1; i++) pop(i);
  pop(0);
  return builder.finish();
}

test('a violation after overlapping adds needs few steps, and its allowed results are complete', () => {
  const verdict = check(overlapping(12), deque() as Spec);
  expect(verdict).toMatchObject({
    kind: 'violation',
    counterexample: { isFirst: true, allowedIsComplete: true, cause: { allowed: [{ value: 11 }] } },
  });
  expect(verdict.stats.steps).toBeLessThan(20_000);
});

test('values of an object that may compare them are not merged', () => {
  const history = overlapping(2);
  const spec = { ...deque(), family: undefined } as unknown as Spec;
  expect(MergeableValues.of(history, spec)).toBeUndefined();
});
