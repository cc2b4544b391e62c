/** The search for stacks on runs that are longer than the oracle can read; `test/agreement/check/searches.test.ts` has the short ones. */
import { describe, expect, test } from 'vitest';
import { simulated, spoilt } from '../../../../test/support/generators/simulated.js';
import { Random } from '../../../base/random.js';
import { HistoryBuilder } from '../../../history/builder/builder.js';
import { sketch } from '../../../history/drawing/sketch.js';
import type { History } from '../../../history/history.js';
import { register } from '../../../objects/cells/register.js';
import { stack } from '../../../objects/collections/container.js';
import { Machine } from '../../../spec/machine/machine.js';
import type { Spec } from '../../../spec/spec.js';
import type { Search, SearchResult } from '../../model/search.js';
import { verifyWitness } from '../../verify-witness.js';
import { JitGraph } from '../generic/jit-graph.js';
import { StackOriented } from './stack-oriented.js';

const anyStack = stack() as unknown as Spec;

function run(search: Search, most = Number.POSITIVE_INFINITY): SearchResult | undefined {
  while (search.steps < most) {
    const answer = search.advance(1_000);
    if (answer) return answer;
  }
  return undefined;
}

/** Values from 0 on, each put in again and again. */
const aRun = (
  random: Random,
  {
    operations,
    values,
    processes = 4,
    spec = anyStack,
    crashes = 0,
    peeks = 0,
  }: {
    operations: number;
    values: number;
    processes?: number;
    spec?: Spec;
    crashes?: number;
    peeks?: number;
  },
): History =>
  simulated(
    {
      spec,
      draw: (own) => {
        if (own.withProbability(peeks)) return ['peek'];
        return own.withProbability(50) ? ['push', own.below(values)] : ['pop'];
      },
      operations,
      processes,
      crashes,
    },
    random,
  );

/** Its answer; an order has been replayed, and so have those that get furthest. */
function answerOf(history: History, spec: Spec = anyStack): SearchResult {
  const answer = run(new StackOriented(history, new Machine(history, spec))) as SearchResult;
  const faultOf = (of: History, order: Int32Array) =>
    verifyWitness(of, spec, { order: order.map((k) => history.columns.id[k]) });
  if (answer.kind === 'linearizable') expect(faultOf(history, answer.witness)).toBeUndefined();
  else
    for (const { order } of answer.refutation.longest())
      expect(faultOf(history.prefix(answer.refutation.moment - 1), order)).toBeUndefined();
  return answer;
}

describe('examples that tell the rules apart', () => {
  test('a value that is put onto another stack later is taken out of it as well', () => {
    // B and C put 1 and 2 below 3 in either order; only the order tried last has 1 on top in the end
    const history = sketch`
      A                     |- push(3) -|  |- pop() -> 3 -|
      B  |- push(1) -------------|
      C    |- push(2) ---------|
      D                                                       |- pop() -> 1 -|  |- pop() -> 2 -|
      E                                                                                           |- pop() -> null -|
    `;
    expect(answerOf(history).kind).toBe('linearizable');
  });

  test('what is inside at first is below, and named by nobody or by some', () => {
    const spec = stack({ initial: [9, 1] }) as unknown as Spec;
    const good = sketch`A  |- pop() -> 1 -|  |- push(1) -|  |- pop() -> 1 -|`;
    const bad = sketch`A  |- pop() -> 1 -|  |- pop() -> null -|`;
    expect(answerOf(good, spec).kind).toBe('linearizable');
    expect(answerOf(bad, spec)).toMatchObject({ kind: 'violation', refutation: { moment: 3 } });
  });

  test('a pop that never returned may have taken what was in the way', () => {
    const pops = sketch`
      A  |- push(1) -|  |- push(2) -|  |- pop() -> 1 -|
      B                   |- pop() -?
    `;
    expect(answerOf(pops).kind).toBe('linearizable');
  });

  test('an empty history has an order', () => {
    expect(answerOf(new HistoryBuilder().finish())).toMatchObject({ kind: 'linearizable' });
  });
});

describe.each([
  ['few values', { values: 2 }],
  ['more values', { values: 5, processes: 3 }],
  ['peeks, and calls that never return', { values: 2, processes: 3, crashes: 20, peeks: 20 }],
  [
    'values inside at first',
    { values: 3, processes: 3, spec: stack({ initial: [0, 1] }) as unknown as Spec },
  ],
])('long runs with %s', (_, options) => {
  const spec = 'spec' in options ? options.spec : anyStack;

  test('get the answer of the graph search, at the same return', () => {
    const found = new Set<boolean>();
    for (let seed = 1; seed <= 30; seed++) {
      const random = new Random(seed);
      const whole = aRun(random, { operations: 60, ...options });
      const history = seed % 3 === 0 ? whole : spoilt(whole, random);
      const graph = run(new JitGraph(history, new Machine(history, spec)), 300_000);
      const answer = answerOf(history, spec);
      found.add(answer.kind === 'linearizable');
      if (!graph) continue;
      expect(answer.kind).toBe(graph.kind);
      if (answer.kind === 'violation' && graph.kind === 'violation')
        expect(answer.refutation.moment).toBe(graph.refutation.moment);
    }
    expect(found).toEqual(new Set([true, false]));
  });
});

describe('runs of thousands', () => {
  const steps = (operations: number): number => {
    const history = aRun(new Random(5), { operations, values: 2 });
    const search = new StackOriented(history, new Machine(history, anyStack));
    expect(run(search)?.kind).toBe('linearizable');
    return search.steps;
  };

  test('cost as their length does', () => {
    expect(steps(8_000)).toBeLessThan(16 * steps(1_000));
  });

  test('tell of an order for each value that may be on top, where none gets any further', () => {
    const run = aRun(new Random(3), { operations: 3_000, values: 2 });
    const last = [...run].findLast(({ method, outcome }) => method === 'pop' && outcome.kind === 'returned');
    const history = run.withOutcome(run.positionsById()[last?.id ?? 0], { kind: 'returned', value: 7 });
    const answer = answerOf(history);
    if (answer.kind === 'linearizable') throw new Error('found an order');
    expect(answer.refutation.states.length).toBeGreaterThan(0);
  });
});

describe('tells why it is not for a history', () => {
  test.each<[string | undefined, History, Spec?]>([
    ['the object is not a stack', sketch`A  |- read() -> null -|`, register() as unknown as Spec],
    ['push of the answer of an empty stack', sketch`A  |- push(null) -|`],
    ['an argument of peek', sketch`A  |- peek(1) -> null -|`],
    [undefined, sketch`A  |- push(1) -|  |- peek() -> 1 -|`],
  ])('%s', (why, history, spec = anyStack) => {
    expect(StackOriented.obstacle(history, new Machine(history, spec))).toBe(why);
  });
});
