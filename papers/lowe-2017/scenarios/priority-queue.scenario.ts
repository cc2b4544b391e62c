import { type Scenario, scenario } from 'straightedge';
import { priorityQueue } from 'straightedge/objects';
import { PriorityQueue } from './priority-queue.js';
import { PriorityQueueFaulty } from './priority-queue-faulty.js';

const of = (name: string, create: () => PriorityQueue): Scenario =>
  scenario({
    name,
    backend: 'instrumented',
    create,
    spec: priorityQueue<number>(),
    before: [['insert', 5]],
    calls: [['insert', 3], ['insert', 7], ['deleteMin']],
  });

const right: Scenario = of('priority queue', () => new PriorityQueue());
export const faulty: Scenario = of('priority queue of Sundell and Tsigas', () => new PriorityQueueFaulty());
export default right;
