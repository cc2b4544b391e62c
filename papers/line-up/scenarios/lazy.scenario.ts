import { type Scenario, scenario } from 'straightedge';
import { Lazy } from './lazy.js';

const lazy: Scenario = scenario({
  name: 'Lazy',
  backend: 'instrumented',
  create: () => {
    let made = 0;
    return new Lazy(() => ++made);
  },
  calls: [['value'], ['toString'], ['isValueCreated']],
});
export default lazy;
