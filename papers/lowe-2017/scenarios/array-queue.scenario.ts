import { type Scenario, scenario } from 'straightedge';
import { ArrayQueue } from './array-queue.js';
import { ArrayQueueFaulty } from './array-queue-faulty.js';
import { boundedQueue } from './bounded-queue.spec.js';

const CAPACITY = 2;

const of = (name: string, create: () => ArrayQueue): Scenario =>
  scenario({
    name,
    backend: 'instrumented',
    create,
    spec: boundedQueue(CAPACITY),
    calls: [['enqueue', 1], ['enqueue', 2], ['dequeue']],
  });

const right: Scenario = of('array queue', () => new ArrayQueue(CAPACITY));
export const faulty: Scenario = of('array queue of Shann et al.', () => new ArrayQueueFaulty(CAPACITY));
export default right;
