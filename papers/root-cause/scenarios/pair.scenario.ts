import { type Scenario, scenario } from 'straightedge';
import { Pair } from './pair.js';

const pair: Scenario = scenario({
  name: 'pair',
  backend: 'instrumented',
  create: () => new Pair(),
  calls: [['setX'], ['setY'], ['scan']],
  test: [[['setX']], [['setY']], [['scan']]],
});
export default pair;
