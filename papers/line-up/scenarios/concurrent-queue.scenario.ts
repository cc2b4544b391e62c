import { type Scenario, scenario } from 'straightedge';
import { ConcurrentQueue } from './concurrent-queue.js';
import { ConcurrentQueuePre } from './concurrent-queue-pre.js';

const of = (name: string, create: () => ConcurrentQueue): Scenario =>
  scenario({
    name,
    backend: 'instrumented',
    create,
    calls: [
      ['count'],
      ['isEmpty'],
      ['enqueue', 200],
      ['enqueue', 400],
      ['toArray'],
      ['tryDequeue'],
      ['tryPeek'],
    ],
  });

const queue: Scenario = of('ConcurrentQueue', () => new ConcurrentQueue());
export const pre: Scenario = of('ConcurrentQueue(Pre)', () => new ConcurrentQueuePre());
export default queue;
