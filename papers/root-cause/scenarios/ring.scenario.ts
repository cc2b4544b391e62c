import { type Scenario, scenario } from 'straightedge';
import { queue } from 'straightedge/objects';
import { Ring } from './ring.js';

/** One value is in the ring, and two threads take. */
const ring: Scenario = scenario({
  name: 'ring',
  backend: 'threads',
  module: import.meta.url,
  create: () => new Int32Array(new SharedArrayBuffer(16)),
  attach: (words: Int32Array) => new Ring(words),
  spec: queue<number>(),
  before: [['enqueue', 1]],
  test: [[['dequeue']], [['dequeue']]],
});
export default ring;
