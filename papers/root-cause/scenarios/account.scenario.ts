import { type Scenario, scenario } from 'straightedge';
import { Account } from './account.js';

const account: Scenario = scenario({
  name: 'account',
  backend: 'instrumented',
  create: () => new Account(),
  before: [['deposit', 5]],
  test: [[['deposit', 1]], [['empty']]],
  after: [['empty']],
});
export default account;
