import { type Scenario, scenario } from 'straightedge';
import { ConcurrentStack } from './concurrent-stack.js';

const stack: Scenario = scenario({
  name: 'ConcurrentStack',
  backend: 'instrumented',
  create: () => new ConcurrentStack(),
  calls: [
    ['clear'],
    ['count'],
    ['push', 20],
    ['pushRange', 1, 10],
    ['tryPop'],
    ['tryPopRange', 1],
    ['tryPopRange', 2],
    ['tryPopRange', 4],
    ['tryPeek'],
    ['toArrayOrdered'],
  ],
});
export default stack;
