import { scenario } from 'straightedge';
import { Pool } from './pool.js';

export default scenario({
  name: 'connection pool',
  create: () => new Pool(),
  calls: [['take'], ['give', 1]],
  threads: 2,
  callsPerThread: 2,
});
