import { type Scenario, scenario } from 'straightedge';
import { Stack } from './stack.js';

const stack: Scenario = scenario({
  name: 'stack',
  backend: 'instrumented',
  create: () => new Stack(),
  calls: [['push', 1], ['push', 2], ['pop']],
  test: [[['push', 1]], [['push', 2], ['pop']], [['pop']]],
});
export default stack;
