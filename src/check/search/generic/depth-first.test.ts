import { describe, expect, test } from 'vitest';
import { subjects } from '../../../../test/support/fixtures/subjects.js';
import { randomHistory } from '../../../../test/support/generators/random-history.js';
import { share } from '../../../../test/support/share.js';
import { Random } from '../../../base/random.js';
import { HistoryBuilder } from '../../../history/builder/builder.js';
import { sketch } from '../../../history/drawing/sketch.js';
import type { History } from '../../../history/history.js';
import { NEVER } from '../../../history/model/columns.js';
import { counter } from '../../../objects/cells/counter.js';
import { register } from '../../../objects/cells/register.js';
import { set } from '../../../objects/collections/set.js';
import { Machine } from '../../../spec/machine/machine.js';
import type { Spec } from '../../../spec/spec.js';
import type { Search, SearchResult } from '../../model/search.js';
import { verifyWitness } from '../../verify-witness.js';
import { JitTree, WgGraph, WgTree } from './depth-first.js';
import { JitGraph } from './jit-graph.js';

type SearchClass = new (history: History, machine: Machine) => Search;
const SEARCHES: [string, SearchClass][] = [
  ['wg-tree', WgTree],
  ['wg-graph', WgGraph],
  ['jit-tree', JitTree],
];
const anyRegister = register() as unknown as Spec;
const anySet = set() as unknown as Spec;

/** The finished search and its result. */
function run(
  Searching: SearchClass,
  history: History,
  spec: Spec,
  stepBudget = 1e9,
): { search: Search; answer: SearchResult } {
  const search = new Searching(history, new Machine(history, spec));
  for (;;) {
    const before = search.steps;
    const answer = search.advance(stepBudget);
    if (answer) return { search, answer };
    expect(search.steps).toBe(before + stepBudget);
  }
}

function histories(name: string, seed: number, count: number): History[] {
  const random = new Random(seed);
  return Array.from({ length: count }, () => randomHistory(subjects[name], random, 10).withoutFailed());
}

/** Sequential operations of one process. */
function sequential(
  length: number,
  call: (i: number) => readonly [method: string, args: readonly unknown[], value?: unknown],
): History {
  const builder = new HistoryBuilder();
  for (let i = 0; i < length; i++) {
    const [method, args, value] = call(i);
    builder.end(builder.call({ process: 'A', method, args }), { kind: 'returned', value });
  }
  return builder.finish();
}

/** `count` overlapping additions of different keys to a set, then an incorrect result. */
function commuting(count: number): History {
  const builder = new HistoryBuilder();
  const entries = Array.from({ length: count }, (_, i) =>
    builder.call({ process: `P${i}`, method: 'add', args: [i] }),
  );
  for (const entry of entries) builder.end(entry, { kind: 'returned', value: true });
  const last = builder.call({ process: 'Z', method: 'contains', args: [0] });
  builder.end(last, { kind: 'returned', value: false });
  return builder.finish();
}

describe.each(SEARCHES)('%s', (_, Searching) => {
  test.each(['register', 'queue', 'set', 'lossy queue', 'box'])(
    'gives the same result for every step budget: %s',
    (name) => {
      const resultOf = ({ answer, search }: ReturnType<typeof run>) => ({
        ...(answer.kind === 'linearizable'
          ? { order: [...answer.witness] }
          : {
              moment: answer.refutation.moment,
              states: answer.refutation.states,
              longest: answer.refutation.longest(),
            }),
        steps: search.steps,
        configurations: search.configurations,
        explained: search.explained,
      });
      const { spec } = subjects[name];
      for (const history of histories(name, 5, share(100, 20))) {
        const atOnce = resultOf(run(Searching, history, spec));
        expect(resultOf(run(Searching, history, spec, 1))).toEqual(atOnce);
        expect(resultOf(run(Searching, history, spec, 3))).toEqual(atOnce);
      }
    },
  );

  test('takes one step for each write of many sequential operations', () => {
    const n = share(100_000, 20_000);
    const history = sequential(n, (i) => (i % 2 === 0 ? ['write', [i % 7]] : ['read', [], (i - 1) % 7]));
    const { search, answer } = run(Searching, history, anyRegister);
    if (answer.kind === 'violation') throw new Error(`stops at ${answer.refutation.moment}`);
    expect(answer.witness).toHaveLength(n);
    // reads take effect without a step
    expect(search.steps).toBe(n / 2);
    expect([search.explained, search.returns]).toEqual([n, n]);
    expect(search.bytes).toBeGreaterThan(4 * n);
    expect(search.bytes).toBeLessThan(200 * n);
  });

  test('backtracks through many operations if the last one is incorrect', () => {
    const n = share(100_000, 20_000);
    const history = sequential(n, (i) => (i < n - 1 ? ['write', [i % 7]] : ['read', [], 'unwritten']));
    const { search, answer } = run(Searching, history, anyRegister);
    if (answer.kind === 'linearizable') throw new Error('expected a violation');
    expect(search.steps).toBeLessThan(2 * n);
    expect(answer.refutation.moment).toBe(2 * n - 1);
    expect(answer.refutation.longest().map(({ order }) => order.length)).toEqual([n - 1]);
  });

  test('finds all states before the furthest return, and linearizations that lead to two of them', () => {
    const history = sketch`
      A  |- write(1) -|
      B  |- write(2) -|
      C  |- write(3) -|    |- read() -> 4 -|
    `;
    const { answer } = run(Searching, history, anyRegister);
    if (answer.kind === 'linearizable') throw new Error('expected a violation');
    expect([answer.refutation.moment, new Set(answer.refutation.states).size]).toEqual([7, 3]);
    expect(answer.refutation.isExhaustive).toBe(true);
    const [first, second] = answer.refutation.longest();
    expect(first.state).not.toBe(second.state);
    for (const { order } of [first, second])
      expect(verifyWitness(history.prefix(6), anyRegister, { order })).toBeUndefined();
  });

  test('linearizes pending operations only if a result needs them', () => {
    const history = sketch`
      A  |- increment() -?
      B  |- increment() -?
      C                      |- read() -> 0 -|  |- read() -> 1 -|
    `;
    const { answer } = run(Searching, history, counter() as unknown as Spec);
    expect(answer).toMatchObject({ kind: 'linearizable', witness: Int32Array.of(2, 0, 3) });
  });
});

describe('the searches compared', () => {
  test.each(Object.keys(subjects))(
    'both tree searches try the same sequences of a history that is not linearizable: %s',
    (name) => {
      let violations = 0;
      for (const history of histories(name, 3, share(600, 150))) {
        const wg = run(WgTree, history, subjects[name].spec);
        if (wg.answer.kind === 'linearizable') continue;
        violations++;
        const jit = run(JitTree, history, subjects[name].spec);
        expect([jit.search.steps, jit.search.configurations]).toEqual([
          wg.search.steps,
          wg.search.configurations,
        ]);
      }
      expect(violations).toBeGreaterThan(0);
    },
  );

  test.each(Object.keys(subjects))(
    'jit-graph keeps no more configurations than wg-graph of a history that is not linearizable: %s',
    (name) => {
      for (const history of histories(name, 3, share(600, 150))) {
        const wg = run(WgGraph, history, subjects[name].spec);
        // with "after" edges, the reads that take effect first depend on the order of the visits, and so does the
        // set of pending operations that is found first
        if (
          wg.answer.kind === 'linearizable' ||
          history.columns.after ||
          history.columns.return.includes(NEVER)
        )
          continue;
        const jit = run(JitGraph, history, subjects[name].spec);
        // the just-in-time search does not keep configurations with a single open operation
        expect(jit.search.configurations).toBeLessThanOrEqual(wg.search.configurations);
      }
    },
  );

  test('commuting operations cost wg-graph their sets, and the tree searches their permutations', () => {
    const configurations = (Searching: SearchClass) =>
      run(Searching, commuting(7), anySet).search.configurations;
    expect(configurations(WgGraph)).toBe(2 ** 7);
    expect(configurations(WgTree)).toBeGreaterThan(7 * 6 * 5 * 4 * 3 * 2);
    expect(configurations(JitTree)).toBe(configurations(WgTree));
  });

  test('the memory of wg-graph grows with its steps, that of the tree searches does not', () => {
    const grows = (Searching: SearchClass) => {
      const history = commuting(10);
      const search = new Searching(history, new Machine(history, anySet));
      search.advance(1);
      const before = search.bytes;
      search.advance(20_000);
      return search.bytes > before;
    };
    expect(SEARCHES.map(([, Searching]) => grows(Searching))).toEqual([false, true, false]);
  });
});
