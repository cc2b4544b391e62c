import { describe, expect, test } from 'vitest';
import { subjects } from '../../../../test/support/fixtures/subjects.js';
import { randomHistory } from '../../../../test/support/generators/random-history.js';
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

type Begin = new (history: History, machine: Machine) => Search;
const SEARCHES: [string, Begin][] = [
  ['wg-tree', WgTree],
  ['wg-graph', WgGraph],
  ['jit-tree', JitTree],
];
const anyRegister = register() as unknown as Spec;
const anySet = set() as unknown as Spec;

/** The search after it has answered, and its answer. */
function run(
  Begun: Begin,
  history: History,
  spec: Spec,
  fuel = 1e9,
): { search: Search; answer: SearchResult } {
  const search = new Begun(history, new Machine(history, spec));
  for (;;) {
    const before = search.steps;
    const answer = search.advance(fuel);
    if (answer) return { search, answer };
    expect(search.steps).toBe(before + fuel);
  }
}

function histories(name: string, seed: number, count: number): History[] {
  const random = new Random(seed);
  return Array.from({ length: count }, () => randomHistory(subjects[name], random, 10).withoutFailed());
}

/** Operations one after another, by one process. */
function oneByOne(
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

/** As many additions of different keys to a set, all at once; then a wrong answer. */
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

describe.each(SEARCHES)('%s', (_, Begun) => {
  test.each(['register', 'queue', 'set', 'lossy queue', 'box'])(
    'gives the same answer however the fuel is cut: %s',
    (name) => {
      const told = ({ answer, search }: ReturnType<typeof run>) => ({
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
      for (const history of histories(name, 5, 100)) {
        const atOnce = told(run(Begun, history, spec));
        expect(told(run(Begun, history, spec, 1))).toEqual(atOnce);
        expect(told(run(Begun, history, spec, 3))).toEqual(atOnce);
      }
    },
  );

  test('takes one step for each of 100,000 operations one after another', () => {
    const n = 100_000;
    const history = oneByOne(n, (i) => (i % 2 === 0 ? ['write', [i % 7]] : ['read', [], (i - 1) % 7]));
    const { search, answer } = run(Begun, history, anyRegister);
    if (answer.kind === 'violation') throw new Error(`stops at ${answer.refutation.moment}`);
    expect(answer.witness).toHaveLength(n);
    // reads take effect without a step
    expect(search.steps).toBe(n / 2);
    expect([search.explained, search.returns]).toEqual([n, n]);
    expect(search.bytes).toBeGreaterThan(4 * n);
    expect(search.bytes).toBeLessThan(200 * n);
  });

  test('goes back through 100,000 operations, when the last one is wrong', () => {
    const n = 100_000;
    const history = oneByOne(n, (i) => (i < n - 1 ? ['write', [i % 7]] : ['read', [], 'nobody']));
    const { search, answer } = run(Begun, history, anyRegister);
    if (answer.kind === 'linearizable') throw new Error('found an order');
    expect(search.steps).toBeLessThan(2 * n);
    expect(answer.refutation.moment).toBe(2 * n - 1);
    expect(answer.refutation.longest().map(({ order }) => order.length)).toEqual([n - 1]);
  });

  test('tells all states before the furthest return, and orders to two of them', () => {
    const history = sketch`
      A  |- write(1) -|
      B  |- write(2) -|
      C  |- write(3) -|    |- read() -> 4 -|
    `;
    const { answer } = run(Begun, history, anyRegister);
    if (answer.kind === 'linearizable') throw new Error('found an order');
    expect([answer.refutation.moment, new Set(answer.refutation.states).size]).toEqual([7, 3]);
    expect(answer.refutation.statesSince(0)).toEqual(answer.refutation.states);
    const [first, second] = answer.refutation.longest();
    expect(first.state).not.toBe(second.state);
    for (const { order } of [first, second])
      expect(verifyWitness(history.prefix(6), anyRegister, { order })).toBeUndefined();
  });

  test('uses operations that never returned only where it must', () => {
    const history = sketch`
      A  |- increment() -?
      B  |- increment() -?
      C                      |- read() -> 0 -|  |- read() -> 1 -|
    `;
    const { answer } = run(Begun, history, counter() as unknown as Spec);
    expect(answer).toMatchObject({ kind: 'linearizable', witness: Int32Array.of(2, 0, 3) });
  });
});

describe('the searches among each other', () => {
  test.each(Object.keys(subjects))(
    'both trees try the same sequences, where there is no order: %s',
    (name) => {
      let none = 0;
      for (const history of histories(name, 3, 600)) {
        const wg = run(WgTree, history, subjects[name].spec);
        if (wg.answer.kind === 'linearizable') continue;
        none++;
        const jit = run(JitTree, history, subjects[name].spec);
        expect([jit.search.steps, jit.search.configurations]).toEqual([
          wg.search.steps,
          wg.search.configurations,
        ]);
      }
      expect(none).toBeGreaterThan(0);
    },
  );

  test.each(Object.keys(subjects))(
    'both graphs have the same configurations, but those passed over, where there is no order: %s',
    (name) => {
      for (const history of histories(name, 3, 600)) {
        const wg = run(WgGraph, history, subjects[name].spec);
        // with "after", which reads take effect first depends on the order in which they are looked at
        // and of sets of used operations, which is found first does
        if (
          wg.answer.kind === 'linearizable' ||
          history.columns.after ||
          history.columns.return.includes(NEVER)
        )
          continue;
        const jit = run(JitGraph, history, subjects[name].spec);
        // the just-in-time search does not keep those in which only one operation is open
        expect(jit.search.configurations).toBeLessThanOrEqual(wg.search.configurations);
      }
    },
  );

  test('operations that commute cost the graph their sets, and the trees their orders', () => {
    const configurations = (Begun: Begin) => run(Begun, commuting(7), anySet).search.configurations;
    expect(configurations(WgGraph)).toBe(2 ** 7);
    expect(configurations(WgTree)).toBeGreaterThan(7 * 6 * 5 * 4 * 3 * 2);
    expect(configurations(JitTree)).toBe(configurations(WgTree));
  });

  test('the trees hold no more memory the longer they run; the graph does', () => {
    const grows = (Begun: Begin) => {
      const history = commuting(10);
      const search = new Begun(history, new Machine(history, anySet));
      search.advance(1);
      const before = search.bytes;
      search.advance(20_000);
      return search.bytes > before;
    };
    expect(SEARCHES.map(([, Begun]) => grows(Begun))).toEqual([false, true, false]);
  });
});
