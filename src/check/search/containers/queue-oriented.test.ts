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

/** The search after it has answered, and its answer; an order has been replayed. */
function run(history: History, fuel = 1e9): { search: QueueOriented; answer: SearchResult } {
  const search = begin(history);
  for (;;) {
    const before = search.steps;
    const answer = search.advance(fuel);
    if (answer?.kind === 'linearizable')
      expect(verifyWitness(history, anyQueue, { order: answer.witness })).toBeUndefined();
    if (answer) return { search, answer };
    // the graph search, which tells the states, does what needs no choice to its end
    expect(search.steps).toBeGreaterThanOrEqual(before + fuel);
    expect(search.steps).toBeLessThan(before + fuel + 16);
  }
}

const later = (calls: readonly QueueCall[], by: number): QueueCall[] =>
  calls.map(([method, value, call, end]) => [method, value, call + by, (end ?? 0) + by]);

describe('examples that tell the rules apart', () => {
  test('an addition that precedes a removal taken out precedes those left: the floor', () => {
    const history = queueHistory([
      ['enqueue', 0, 0, 2],
      ['enqueue', 1, 1, 4],
      ['dequeue', null, 3, 7],
      ['dequeue', 0, 5, 6],
    ]);
    expect(run(history).answer).toMatchObject({ kind: 'violation', refutation: { moment: 7 } });
  });

  test('of equal additions the one that returns first is taken', () => {
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

  test('of equal removals the one that returns first is taken', () => {
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

  /** The pair that ends first may not go first here. */
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

  test('a removal that found nothing can be in conflict with the pair that ends first: definition 11', () => {
    expect(run(queueHistory(conflict)).answer.kind).toBe('linearizable');
  });

  test('and so can one, if the other removal never returned', () => {
    const pending = conflict.map((own): QueueCall => (own[2] === 6 ? ['dequeue', null, 6] : own));
    expect(run(queueHistory(pending)).answer.kind).toBe('linearizable');
  });

  test('what was tried after one choice is not tried again after another', () => {
    // any of three removals may be taken out first, and what is left after all three is the same
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
    const stepsToNo = (count: number) => {
      const wrong: QueueCall = ['dequeue', 7, 40 * count, 40 * count + 1];
      const history = queueHistory([...rounds(count), wrong]);
      return run(history).search.steps - stepsOfReason(history);
    };
    expect(run(queueHistory(rounds(40))).search.steps).toBe(40 * 4);
    expect(stepsToNo(40)).toBeLessThan(40 * 20);
  });
});

/** What the search for the reason takes. */
function stepsOfReason(history: History): number {
  const search = new JitGraph(history, new Machine(history, anyQueue));
  search.advance(1e9);
  return search.steps;
}

describe('agrees with the graph search', () => {
  test('on random histories with few values', () => {
    const random = new Random(11);
    const cases = share(3_000, 800);
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

  test('however the fuel is cut', () => {
    const random = new Random(12);
    const told = ({ search, answer }: ReturnType<typeof run>) => ({
      ...(answer.kind === 'linearizable'
        ? { order: [...answer.witness] }
        : { moment: answer.refutation.moment, states: answer.refutation.states }),
      steps: search.steps,
      configurations: search.configurations,
      explained: search.explained,
    });
    for (let i = 0; i < share(300, 100); i++) {
      const history = randomQueueHistory(random, 14);
      const atOnce = told(run(history));
      expect(told(run(history, 1))).toEqual(atOnce);
      expect(told(run(history, 3))).toEqual(atOnce);
    }
  });
});

describe('long histories', () => {
  /** Rounds of four additions and four removals, overlapping; `value` says what round and place give. */
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
    const { search, answer } = run(queueHistory(rounds(12_500, value)));
    expect(answer.kind).toBe('linearizable');
    expect(search.steps).toBe(50_000);
    expect(search.explained).toBe(search.returns);
    expect(search.bytes).toBeGreaterThan(100_000 * 4);
    expect(search.bytes).toBeLessThan(100_000 * 200);
  });

  test('many additions before the first removal cost nothing extra', () => {
    const n = 50_000;
    const adds = Array.from({ length: n }, (_, i): QueueCall => ['enqueue', i, 2 * i, 2 * i + 1]);
    const removes = Array.from(
      { length: n },
      (_, i): QueueCall => ['dequeue', i, 2 * (n + i), 2 * (n + i) + 1],
    );
    // not replayed: a queue as long as this is slow to copy
    const search = begin(queueHistory([...adds, ...removes]));
    expect(search.advance(1e9)?.kind).toBe('linearizable');
    expect(search.steps).toBe(n);
  });
});

describe('values that come out in another order than all others would guess', () => {
  const n = 12;
  const adds = Array.from({ length: n }, (_, i): QueueCall => ['enqueue', i, i, 20 + i]);
  const removes = (values: readonly number[]) =>
    values.map((value, i): QueueCall => ['dequeue', value, 100 + 2 * i, 101 + 2 * i]);
  const backwards = Array.from({ length: n }, (_, i) => n - 1 - i);

  test('cost a step each', () => {
    const { search, answer } = run(queueHistory([...adds, ...removes(backwards)]));
    expect([answer.kind, search.steps]).toEqual(['linearizable', n]);
  });

  test('and the return that no order gets past is known, though not all states are', () => {
    const history = queueHistory([...adds, ...removes([...backwards.slice(0, n - 1), 99])]);
    const { search, answer } = run(history);
    if (answer.kind === 'linearizable') throw new Error('found an order');
    expect(answer.refutation.moment).toBe(4 * n - 1);
    const [{ order, state }, ...others] = answer.refutation.longest();
    expect(others).toEqual([]);
    expect([answer.refutation.states, answer.refutation.statesSince(0)]).toEqual([[state], [state]]);
    expect(verifyWitness(history.prefix(answer.refutation.moment - 1), anyQueue, { order })).toBeUndefined();
    expect(search.steps).toBeLessThan(201_000);
  });

  test('of many states before it, some are told', () => {
    const history = queueHistory([...adds, ...removes([99])]);
    const { answer } = run(history);
    if (answer.kind === 'linearizable') throw new Error('found an order');
    expect(answer.refutation.moment).toBe(2 * n + 1);
    expect(answer.refutation.states.length).toBeGreaterThan(1);
    for (const { order } of answer.refutation.longest())
      expect(
        verifyWitness(history.prefix(answer.refutation.moment - 1), anyQueue, { order }),
      ).toBeUndefined();
  });
});

describe('tells why it is not for a history', () => {
  const obstacle = (history: History, spec: Spec = anyQueue) =>
    QueueOriented.obstacle(history, new Machine(history, spec));
  const afterwards = () => {
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
    ['an order by "after"', afterwards()],
    ['an operation peek', sketch`A  |- enqueue(1) -|  |- peek() -> 1 -|`],
    ['an argument of dequeue', sketch`A  |- dequeue(7) -> null -|`],
    ['an operation dequeue that threw', sketch`A  |- dequeue() ! Closed -|`],
    ['enqueue of the answer of an empty queue', sketch`A  |- enqueue(null) -|  |- dequeue() -> null -|`],
    ['an answer of enqueue that the spec does not give', sketch`A  |- enqueue(1) -> null -|`, full],
    [
      'a queue that does not answer null at first',
      sketch`A  |- dequeue() -> 1 -|`,
      queue({ initial: [1] }) as unknown as Spec,
    ],
  ])('%s', (why, history, spec) => {
    expect(obstacle(history, spec)).toBe(why);
  });

  test('or that it is', () => {
    const history = sketch`
      A  |- enqueue(1) -|   |- dequeue() -> 1 -|
      B    |- enqueue(2) -?   |- dequeue() -> null -|
    `;
    expect(obstacle(history)).toBeUndefined();
    expect(run(history).answer.kind).toBe('linearizable');
  });

  test('a removal that a prefix has cut off may have taken effect, or not', () => {
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

  test('an addition that never returned may be removed, or left out', () => {
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

describe('a removal that never returned', () => {
  test('may have removed what was there after its call, or nothing', () => {
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

  /** Values that come and go one after another; every fourth is lost to a removal that never returns. */
  const lossy = (count: number): QueueCall[] =>
    Array.from({ length: count }, (_, i): QueueCall[] => [
      ['enqueue', i % 3, 10 * i, 10 * i + 1],
      i % 4 === 3 ? ['dequeue', null, 10 * i + 2] : ['dequeue', i % 3, 10 * i + 2, 10 * i + 3],
      ['dequeue', null, 10 * i + 4, 10 * i + 5],
    ]).flat();

  test('takes one step, however many there are', () => {
    const { answer, search } = run(queueHistory(lossy(400)));
    expect([answer.kind, search.steps]).toEqual(['linearizable', 800]);
  });

  test('does not multiply with others on the way to a "no"', () => {
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

test('a queue that begins with the answer of an empty one is left to others', () => {
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

  test('a value that was removed more often than added ends the count', () => {
    const history = queueHistory([
      ['enqueue', 1, 0, 1],
      ['dequeue', 1, 2, 3],
      ['dequeue', 1, 4, 5],
      ['enqueue', 1, 6, 7],
    ]);
    expect(counted(history)).toBe(2);
  });

  test('an addition counts from its call on, even if it never returned', () => {
    const history = queueHistory([
      ['dequeue', 1, 0, 3],
      ['enqueue', 1, 2],
      ['dequeue', null, 4, 5],
    ]);
    expect(counted(history)).toBe(2);
  });

  test('no order gets past the return that ends the count', () => {
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
