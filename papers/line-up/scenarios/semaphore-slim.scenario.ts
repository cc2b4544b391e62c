import { type Scenario, scenario } from 'straightedge';
import { SemaphoreSlim } from './semaphore-slim.js';

const semaphore: Scenario = scenario({
  name: 'SemaphoreSlim',
  backend: 'instrumented',
  create: () => new SemaphoreSlim(1),
  calls: [['currentCount'], ['release'], ['release', 2], ['wait'], ['tryWait']],
});
export default semaphore;
