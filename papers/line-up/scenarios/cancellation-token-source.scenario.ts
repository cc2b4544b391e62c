import { type Scenario, scenario } from 'straightedge';
import { CancellationTokenSource } from './cancellation-token-source.js';

const source: Scenario = scenario({
  name: 'CancellationTokenSource',
  create: () => new CancellationTokenSource(),
  calls: [['increment'], ['cancel']],
});
export default source;
