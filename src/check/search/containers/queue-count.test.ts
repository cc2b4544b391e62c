import { expect, test } from 'vitest';
import { queueHistory, randomQueueHistory } from '../../../../test/support/queue-history.js';
import { Random } from '../../../base/random.js';
import type { History } from '../../../history/history.js';
import { queue } from '../../../objects/collections/queue.js';
import { Machine } from '../../../spec/machine/machine.js';
import type { Spec } from '../../../spec/spec.js';
import { JitGraph } from '../generic/jit-graph.js';
import { ContainerOperations } from './container-operations.js';
import { returnsThatCount } from './queue-count.js';

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
    expect(answer?.found).toBe(false);
    expect(search.explained).toBeLessThanOrEqual(count);
  }
  expect(ended).toBeGreaterThan(50);
});
