import { type Scenario, scenario } from 'straightedge';
import { CancellationTokenSource } from './cancellation-token-source.js';

const source: Scenario = scenario({
  name: 'CancellationTokenSource',
  backend: 'instrumented',
  create: () => new CancellationTokenSource(),
  calls: [['increment'], ['cancel']],
});
export default source;
