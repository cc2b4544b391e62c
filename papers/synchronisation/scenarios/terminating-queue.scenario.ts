import { type Scenario, scenario } from 'straightedge';
import { terminatingQueue } from 'straightedge/objects';
import {
  ImpatientQueue,
  LateCountingQueue,
  SilentQueue,
  SyncTerminatingQueue,
  TrustingQueue,
} from './terminating-queue.js';

const correct: Scenario = scenario({
  name: 'terminating queue',
  backend: 'instrumented',
  create: () => new SyncTerminatingQueue(2),
  spec: terminatingQueue<number>(),
  test: [
    [['dequeue'], ['dequeue']],
    [['enqueue', 1], ['dequeue']],
  ],
});
export const impatient: Scenario = scenario({
  name: 'terminating queue that ends at once',
  backend: 'instrumented',
  create: () => new ImpatientQueue(2),
  spec: terminatingQueue<number>(),
  test: [[['dequeue']]],
});
export const silent: Scenario = scenario({
  name: 'terminating queue that wakes no call',
  backend: 'instrumented',
  create: () => new SilentQueue(2),
  spec: terminatingQueue<number>(),
  test: [[['dequeue']], [['enqueue', 1]]],
});
export const trusting: Scenario = scenario({
  name: 'terminating queue with if for while',
  backend: 'instrumented',
  create: () => new TrustingQueue(2),
  spec: terminatingQueue<number>(),
  test: [[['dequeue']], [['enqueue', 1], ['dequeue']]],
});
export const late: Scenario = scenario({
  name: 'terminating queue that counts late',
  backend: 'instrumented',
  create: () => new LateCountingQueue(2),
  spec: terminatingQueue<number>(),
  test: [[['dequeue']], [['enqueue', 1], ['dequeue']]],
});

export default correct;
