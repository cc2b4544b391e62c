import { scenario } from 'straightedge';
import { JobQueue } from './jobs.js';

export default scenario({
  name: 'job queue',
  backend: 'instrumented',
  create: () => new JobQueue(),
  calls: [['add', 1], ['add', 2], ['take']],
  threads: 2,
  callsPerThread: 2,
});
