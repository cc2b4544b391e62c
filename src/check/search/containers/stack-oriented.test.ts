/** The stack search on histories that are too long for the oracle; `test/agreement/check/searches.test.ts` has short ones. */
import { describe, expect, test } from 'vitest';
import { simulate, withCorruptedResult } from '../../../../test/support/generators/simulated.js';
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

/** A simulated history in which the values from 0 to `values` - 1 are pushed repeatedly. */
const simulatedStack = (
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
  simulate(
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

/** The result of the stack search; the witness, or the longest linearizations, have been verified. */
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

describe('examples of single rules', () => {
  test('a value is also removed from a stack onto which it is pushed later', () => {
    // B and C push 1 and 2 below 3 in either order; only the order tried last has 1 on top at the end
    const history = sketch`
      A                     |- push(3) -|  |- pop() -> 3 -|
      B  |- push(1) -------------|
      C    |- push(2) ---------|
      D                                                       |- pop() -> 1 -|  |- pop() -> 2 -|
      E                                                                                           |- pop() -> null -|
    `;
    expect(answerOf(history).kind).toBe('linearizable');
  });

  test('initial values lie below all others, whether or not an operation names them', () => {
    const spec = stack({ initial: [9, 1] }) as unknown as Spec;
    const good = sketch`A  |- pop() -> 1 -|  |- push(1) -|  |- pop() -> 1 -|`;
    const bad = sketch`A  |- pop() -> 1 -|  |- pop() -> null -|`;
    expect(answerOf(good, spec).kind).toBe('linearizable');
    expect(answerOf(bad, spec)).toMatchObject({ kind: 'violation', refutation: { moment: 3 } });
  });

  test('a pending pop may have removed a value above', () => {
    const pops = sketch`
      A  |- push(1) -|  |- push(2) -|  |- pop() -> 1 -|
      B                   |- pop() -?
    `;
    expect(answerOf(pops).kind).toBe('linearizable');
  });

  test('an empty history is linearizable', () => {
    expect(answerOf(new HistoryBuilder().finish())).toMatchObject({ kind: 'linearizable' });
  });
});

describe.each([
  ['two values', { values: 2 }],
  ['five values', { values: 5, processes: 3 }],
  ['peeks and pending calls', { values: 2, processes: 3, crashes: 20, peeks: 20 }],
  ['initial values', { values: 3, processes: 3, spec: stack({ initial: [0, 1] }) as unknown as Spec }],
])('histories of 60 operations with %s', (_, options) => {
  const spec = 'spec' in options ? options.spec : anyStack;

  test('get the same result as from the graph search, at the same return', () => {
    const found = new Set<boolean>();
    for (let seed = 1; seed <= 30; seed++) {
      const random = new Random(seed);
      const whole = simulatedStack(random, { operations: 60, ...options });
      const history = seed % 3 === 0 ? whole : withCorruptedResult(whole, random);
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

describe('histories of thousands of operations', () => {
  const steps = (operations: number): number => {
    const history = simulatedStack(new Random(5), { operations, values: 2 });
    const search = new StackOriented(history, new Machine(history, anyStack));
    expect(run(search)?.kind).toBe('linearizable');
    return search.steps;
  };

  test('cost steps in proportion to their length', () => {
    expect(steps(8_000)).toBeLessThan(16 * steps(1_000));
  });

  test('have a longest linearization for each value that can be on top before the faulty return', () => {
    const run = simulatedStack(new Random(3), { operations: 3_000, values: 2 });
    const last = [...run].findLast(({ method, outcome }) => method === 'pop' && outcome.kind === 'returned');
    const history = run.withOutcome(run.positionsById()[last?.id ?? 0], { kind: 'returned', value: 7 });
    const answer = answerOf(history);
    if (answer.kind === 'linearizable') throw new Error('expected a violation');
    expect(answer.refutation.states.length).toBeGreaterThan(0);
  });
});

describe('an obstacle', () => {
  test.each<[string | undefined, History, Spec?]>([
    ['the object is not a stack', sketch`A  |- read() -> null -|`, register() as unknown as Spec],
    ['push of the result of an empty stack', sketch`A  |- push(null) -|`],
    ['peek has an argument', sketch`A  |- peek(null) -> null -|`],
    [undefined, sketch`A  |- push(1) -|  |- peek() -> 1 -|`],
  ])('is reported: %s', (reason, history, spec = anyStack) => {
    expect(StackOriented.obstacle(history, new Machine(history, spec))).toBe(reason);
  });
});
