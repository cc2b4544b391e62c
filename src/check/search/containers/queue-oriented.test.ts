import { describe, expect, test } from 'vitest';
import {
  type QueueCall,
  queueHistory,
  randomQueueHistory,
} from '../../../../test/support/generators/queue-history.js';
import { share } from '../../../../test/support/share.js';
import { Random } from '../../../base/random.js';
import { HistoryBuilder } from '../../../history/builder/builder.js';
import { sketch } from '../../../history/drawing/sketch.js';
import type { History } from '../../../history/history.js';
import { register } from '../../../objects/cells/register.js';
import { queue } from '../../../objects/collections/container.js';
import { Machine } from '../../../spec/machine/machine.js';
import type { Spec } from '../../../spec/spec.js';
import { check } from '../../check.js';
import type { SearchResult } from '../../model/search.js';
import { verifyWitness } from '../../verify-witness.js';
import { JitGraph } from '../generic/jit-graph.js';
import { ContainerOperations } from './operations.js';
import { QueueOriented, returnsThatCount } from './queue-oriented.js';

const anyQueue = queue() as unknown as Spec;
const begin = (history: History): QueueOriented => new QueueOriented(history, new Machine(history, anyQueue));

/** The finished search and its result; a witness has been verified. */
function run(history: History, stepBudget = 1e9): { search: QueueOriented; answer: SearchResult } {
  const search = begin(history);
  for (;;) {
    const before = search.steps;
    const answer = search.advance(stepBudget);
    if (answer?.kind === 'linearizable')
      expect(verifyWitness(history, anyQueue, { order: answer.witness })).toBeUndefined();
    if (answer) return { search, answer };
    // the graph search, which finds the states, does not stop between steps without a choice
    expect(search.steps).toBeGreaterThanOrEqual(before + stepBudget);
    expect(search.steps).toBeLessThan(before + stepBudget + 16);
  }
}

const later = (calls: readonly QueueCall[], by: number): QueueCall[] =>
  calls.map(([method, value, call, end]) => [method, value, call + by, (end ?? 0) + by]);

describe('examples of single rules', () => {
  test('floor: an addition that precedes an eliminated removal precedes the remaining removals', () => {
    const history = queueHistory([
      ['enqueue', 0, 0, 2],
      ['enqueue', 1, 1, 4],
      ['dequeue', null, 3, 7],
      ['dequeue', 0, 5, 6],
    ]);
    expect(run(history).answer).toMatchObject({ kind: 'violation', refutation: { moment: 7 } });
  });

  test('the search pairs a removal with the equal addition that returns first', () => {
    const history = queueHistory([
      ['enqueue', 1, 0, 9],
      ['enqueue', 1, 1, 2],
      ['enqueue', 2, 3, 4],
      ['dequeue', 1, 5, 6],
      ['dequeue', 2, 7, 8],
    ]);
    const { answer, search } = run(history);
    expect([answer.kind, search.steps]).toEqual(['linearizable', 2]);
  });

  test('the search pairs an addition with the equal removal that returns first', () => {
    const history = queueHistory([
      ['enqueue', 1, 0, 1],
      ['dequeue', 1, 2, 12],
      ['dequeue', 1, 3, 4],
      ['dequeue', null, 5, 6],
      ['enqueue', 1, 7, 8],
    ]);
    const { answer, search } = run(history);
    expect([answer.kind, search.steps]).toEqual(['linearizable', 3]);
  });

  /** The pair that ends first cannot be eliminated first here. */
  const conflict: QueueCall[] = [
    ['dequeue', null, 0, 4],
    ['enqueue', 0, 1, 3],
    ['dequeue', null, 2, 7],
    ['enqueue', 0, 5, 10],
    ['dequeue', 0, 6, 15],
    ['enqueue', 0, 8, 11],
    ['dequeue', null, 9, 14],
    ['dequeue', 0, 12, 13],
  ];

  test('definition 11: an empty removal can conflict with the pair that ends first', () => {
    expect(run(queueHistory(conflict)).answer.kind).toBe('linearizable');
  });

  test('an empty removal can conflict with the pair that ends first if another removal is pending', () => {
    const pending = conflict.map((own): QueueCall => (own[2] === 6 ? ['dequeue', null, 6] : own));
    expect(run(queueHistory(pending)).answer.kind).toBe('linearizable');
  });

  test('a configuration that is reached by several choices is explored once', () => {
    // any of three removals can be eliminated first, and the same operations remain after all three
    const three: QueueCall[] = [
      ['enqueue', 0, 0, 1],
      ['dequeue', 0, 2, 30],
      ['dequeue', 0, 3, 31],
      ['dequeue', null, 4, 32],
      ['enqueue', 0, 5, 6],
      ['dequeue', 0, 7, 8],
      ['enqueue', 0, 9, 10],
    ];
    const rounds = (count: number): QueueCall[] =>
      Array.from({ length: count }, (_, i) => later(three, 40 * i)).flat();
    const stepsToViolation = (count: number) => {
      const wrong: QueueCall = ['dequeue', 7, 40 * count, 40 * count + 1];
      const history = queueHistory([...rounds(count), wrong]);
      return run(history).search.steps - explanationSteps(history);
    };
    expect(run(queueHistory(rounds(40))).search.steps).toBe(40 * 4);
    expect(stepsToViolation(40)).toBeLessThan(40 * 20);
  });
});

/** The steps of the graph search that explains a violation. */
function explanationSteps(history: History): number {
  const search = new JitGraph(history, new Machine(history, anyQueue));
  search.advance(1e9);
  return search.steps;
}

describe('the queue search', () => {
  test('agrees with the graph search on random histories with few values', () => {
    const random = new Random(11);
    const cases = share(3_000, 200);
    let linearizable = 0;
    for (let i = 0; i < cases; i++) {
      const history = randomQueueHistory(random, 14);
      const { answer } = run(history);
      const expected = new JitGraph(history, new Machine(history, anyQueue)).advance(1e9);
      if (answer.kind !== expected?.kind) expect(answer.kind).toBe(expected?.kind);
      if (answer.kind === 'linearizable') linearizable++;
    }
    expect(linearizable).toBeGreaterThan(cases / 3);
    expect(linearizable).toBeLessThan(cases * 0.97);
  });

  test('gives the same result for every step budget', () => {
    const random = new Random(12);
    const resultOf = ({ search, answer }: ReturnType<typeof run>) => ({
      ...(answer.kind === 'linearizable'
        ? { order: [...answer.witness] }
        : { moment: answer.refutation.moment, states: answer.refutation.states }),
      steps: search.steps,
      configurations: search.configurations,
      explained: search.explained,
    });
    for (let i = 0; i < share(300, 50); i++) {
      const history = randomQueueHistory(random, 14);
      const atOnce = resultOf(run(history));
      expect(resultOf(run(history, 1))).toEqual(atOnce);
      expect(resultOf(run(history, 3))).toEqual(atOnce);
    }
  });
});

describe('long histories', () => {
  /** Rounds of four overlapping additions and removals; `value` maps round and place to a value. */
  function rounds(count: number, value: (round: number, place: number) => number): QueueCall[] {
    return Array.from({ length: count }, (_, round) =>
      Array.from({ length: 4 }, (_, place): QueueCall[] => {
        const at = 100 * round + place;
        return [
          ['enqueue', value(round, place), at, at + 10 - 2 * place],
          ['dequeue', value(round, place), at + 5, at + 30],
        ];
      }).flat(),
    ).flat();
  }

  test.each([
    ['all different', (round: number, place: number) => 4 * round + place],
    ['all equal', () => 1],
  ])('take one step for each removal: values %s', (_, value) => {
    const count = share(12_500, 2_500);
    const { search, answer } = run(queueHistory(rounds(count, value)));
    expect(answer.kind).toBe('linearizable');
    expect(search.steps).toBe(4 * count);
    expect(search.explained).toBe(search.returns);
    expect(search.bytes).toBeGreaterThan(8 * count * 4);
    expect(search.bytes).toBeLessThan(8 * count * 200);
  });

  test('take one step for each removal if all additions precede the first removal', () => {
    const n = share(50_000, 10_000);
    const adds = Array.from({ length: n }, (_, i): QueueCall => ['enqueue', i, 2 * i, 2 * i + 1]);
    const removes = Array.from(
      { length: n },
      (_, i): QueueCall => ['dequeue', i, 2 * (n + i), 2 * (n + i) + 1],
    );
    // the witness is not verified: the spec copies a long queue at every step
    const search = begin(queueHistory([...adds, ...removes]));
    expect(search.advance(1e9)?.kind).toBe('linearizable');
    expect(search.steps).toBe(n);
  });
});

describe('overlapping additions whose values leave in reverse order', () => {
  const n = 12;
  const adds = Array.from({ length: n }, (_, i): QueueCall => ['enqueue', i, i, 20 + i]);
  const removes = (values: readonly number[]) =>
    values.map((value, i): QueueCall => ['dequeue', value, 100 + 2 * i, 101 + 2 * i]);
  const reversed = Array.from({ length: n }, (_, i) => n - 1 - i);

  test('cost one step each', () => {
    const { search, answer } = run(queueHistory([...adds, ...removes(reversed)]));
    expect([answer.kind, search.steps]).toEqual(['linearizable', n]);
  });

  test('before an incorrect removal give the faulty return, but only one state before it', () => {
    const history = queueHistory([...adds, ...removes([...reversed.slice(0, n - 1), 99])]);
    const { search, answer } = run(history);
    if (answer.kind === 'linearizable') throw new Error('expected a violation');
    expect(answer.refutation.moment).toBe(4 * n - 1);
    const [{ order, state }, ...others] = answer.refutation.longest();
    expect(others).toEqual([]);
    expect(answer.refutation).toMatchObject({ states: [state], isExhaustive: false });
    expect(verifyWitness(history.prefix(answer.refutation.moment - 1), anyQueue, { order })).toBeUndefined();
    expect(search.steps).toBeLessThan(201_000);
  });

  test('give several states before an incorrect first removal', () => {
    const history = queueHistory([...adds, ...removes([99])]);
    const { answer } = run(history);
    if (answer.kind === 'linearizable') throw new Error('expected a violation');
    expect(answer.refutation.moment).toBe(2 * n + 1);
    expect(answer.refutation.states.length).toBeGreaterThan(1);
    for (const { order } of answer.refutation.longest())
      expect(
        verifyWitness(history.prefix(answer.refutation.moment - 1), anyQueue, { order }),
      ).toBeUndefined();
  });
});

describe('an obstacle', () => {
  const obstacle = (history: History, spec: Spec = anyQueue) =>
    QueueOriented.obstacle(history, new Machine(history, spec));
  const withAfterEdge = () => {
    const builder = new HistoryBuilder();
    const [first, second] = ['A', 'B'].map((process) =>
      builder.call({ process, method: 'enqueue', args: [1] }),
    );
    builder.after(second, [first]);
    return builder.finish();
  };
  const full: Spec = {
    ...anyQueue,
    methods: { ...anyQueue.methods, enqueue: (items: readonly unknown[]) => [items, 'full'] },
  };

  test.each<[string, History, Spec?]>([
    ['the object is not a queue', sketch`A  |- read() -> null -|`, register() as unknown as Spec],
    ['the history has "after" edges', withAfterEdge()],
    ['unsupported operation peek', sketch`A  |- enqueue(1) -|  |- peek() -> 1 -|`],
    ['dequeue has an argument', sketch`A  |- dequeue(null) -> null -|`],
    ['dequeue threw an error', sketch`A  |- dequeue() ! Closed -|`],
    ['enqueue of the result of an empty queue', sketch`A  |- enqueue(null) -|  |- dequeue() -> null -|`],
    ['unexpected result of enqueue', sketch`A  |- enqueue(1) -> null -|`, full],
    [
      'the queue is not initially empty',
      sketch`A  |- dequeue() -> 1 -|`,
      queue({ initial: [1] }) as unknown as Spec,
    ],
  ])('is reported: %s', (reason, history, spec) => {
    expect(obstacle(history, spec)).toBe(reason);
  });

  test('is not reported for a queue with pending operations', () => {
    const history = sketch`
      A  |- enqueue(1) -|   |- dequeue() -> 1 -|
      B    |- enqueue(2) -?   |- dequeue() -> null -|
    `;
    expect(obstacle(history)).toBeUndefined();
    expect(run(history).answer.kind).toBe('linearizable');
  });

  test('is not a removal whose return lies beyond the prefix: it may have taken effect or not', () => {
    const history = sketch`
      A  |- enqueue(1) -|    |- enqueue(2) -|
      B                    |- dequeue() -> 1 ---------------------|
      C                                       |- dequeue() -> 2 -|
    `;
    expect(run(history.prefix(4)).answer.kind).toBe('linearizable');
    expect(run(history.prefix(6)).answer).toMatchObject({
      kind: 'linearizable',
      witness: Int32Array.of(0, 1, 2, 3),
    });
  });

  test('is not a pending addition: its value may be removed, or it is left out', () => {
    const removed = sketch`
      A  |- enqueue(1) -?
      B                    |- dequeue() -> 1 -|   |- dequeue() -> null -|
    `;
    expect(run(removed).answer).toMatchObject({ kind: 'linearizable', witness: Int32Array.of(0, 1, 2) });
    const never = sketch`
      A  |- enqueue(1) -?
      B                    |- dequeue() -> null -|
    `;
    expect(run(never).answer).toMatchObject({ kind: 'linearizable', witness: Int32Array.of(1) });
  });
});

describe('a pending removal', () => {
  test('may have removed a value after its call, or taken no effect', () => {
    const removed = sketch`
      A  |- enqueue(1) -|                  |- enqueue(2) -|  |- dequeue() -> 2 -|
      B                   |- dequeue() -?
    `;
    expect(run(removed).answer).toMatchObject({ kind: 'linearizable', witness: Int32Array.of(0, 1, 2, 3) });
    const nothing = sketch`
      A  |- enqueue(1) -|                  |- dequeue() -> 1 -|  |- dequeue() -> null -|
      B                   |- dequeue() -?
    `;
    expect(run(nothing).answer).toMatchObject({ kind: 'linearizable', witness: Int32Array.of(0, 2, 3) });
  });

  test('has not removed anything before its call', () => {
    const history = sketch`
      A  |- enqueue(1) -|  |- enqueue(2) -|  |- dequeue() -> 2 -|
      B                                                            |- dequeue() -?
    `;
    expect(run(history).answer).toMatchObject({ kind: 'violation', refutation: { moment: 5 } });
  });

  test('removes one value, not two', () => {
    const two = ['enqueue', 'enqueue'].map(
      (method, i): QueueCall => [method as 'enqueue', i, 2 * i, 2 * i + 1],
    );
    const history = (removals: number) =>
      queueHistory([
        ...two,
        ...Array.from({ length: removals }, (_, i): QueueCall => ['dequeue', null, 4 + i]),
        ['dequeue', null, 10, 11],
      ]);
    expect(run(history(1)).answer.kind).toBe('violation');
    expect(run(history(2)).answer.kind).toBe('linearizable');
  });

  /** Values are added and removed in sequence; a pending removal takes every fourth one. */
  const lossy = (count: number): QueueCall[] =>
    Array.from({ length: count }, (_, i): QueueCall[] => [
      ['enqueue', i % 3, 10 * i, 10 * i + 1],
      i % 4 === 3 ? ['dequeue', null, 10 * i + 2] : ['dequeue', i % 3, 10 * i + 2, 10 * i + 3],
      ['dequeue', null, 10 * i + 4, 10 * i + 5],
    ]).flat();

  test('takes one step, also among many others', () => {
    const { answer, search } = run(queueHistory(lossy(400)));
    expect([answer.kind, search.steps]).toEqual(['linearizable', 800]);
  });

  test('does not multiply the configurations of other pending removals before a violation', () => {
    const early = Array.from({ length: 50 }, (_, i): QueueCall => ['dequeue', null, -100 + i]);
    const swapped: QueueCall[] = [
      ['enqueue', 0, 4_000, 4_001],
      ['enqueue', 1, 4_002, 4_003],
      ['dequeue', 1, 4_004, 4_005],
      ['dequeue', null, 4_006, 4_007],
      ['dequeue', 0, 4_008, 4_009],
      ['enqueue', 0, 4_010, 4_011],
    ];
    const history = queueHistory([...early, ...lossy(400), ...swapped]);
    const { answer, search } = run(history);
    expect(answer).toMatchObject({ kind: 'violation' });
    expect(search.steps - 200_000).toBeLessThan(50 * 400);
  });
});

test('another search checks a queue whose initial content includes the result of an empty queue', () => {
  const history = sketch`A  |- enqueue(1) -|  |- dequeue() -> null -|  |- dequeue() -> 1 -|`;
  const spec = queue({ initial: [null] }) as unknown as Spec;
  expect(check(history as unknown as History, spec).kind).toBe('linearizable');
});

describe('queue-count', () => {
  const anyQueue = queue() as unknown as Spec;

  function counted(history: History): number {
    const operations = ContainerOperations.read(history, new Machine(history, anyQueue), 'queue');
    if (typeof operations === 'string') throw new Error(operations);
    return returnsThatCount(history.columns, operations);
  }

  test('the count ends at a value that was removed more often than added', () => {
    const history = queueHistory([
      ['enqueue', 1, 0, 1],
      ['dequeue', 1, 2, 3],
      ['dequeue', 1, 4, 5],
      ['enqueue', 1, 6, 7],
    ]);
    expect(counted(history)).toBe(2);
  });

  test('an addition counts from its call on, even if it is pending', () => {
    const history = queueHistory([
      ['dequeue', 1, 0, 3],
      ['enqueue', 1, 2],
      ['dequeue', null, 4, 5],
    ]);
    expect(counted(history)).toBe(2);
  });

  test('no linearization includes the return that ends the count', () => {
    const random = new Random(5);
    let ended = 0;
    for (let i = 0; i < 1_000; i++) {
      const history = randomQueueHistory(random, 12);
      const search = new JitGraph(history, new Machine(history, anyQueue));
      const count = counted(history);
      const answer = search.advance(1e9);
      if (count === search.returns) continue;
      ended++;
      expect(answer?.kind).toBe('violation');
      expect(search.explained).toBeLessThanOrEqual(count);
    }
    expect(ended).toBeGreaterThan(50);
  });
});
