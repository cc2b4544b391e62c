import { type Scenario, scenario } from 'straightedge';
import { abc } from '../specs/abc.js';
import { ForgetfulAbc, OvertakenAbc, SyncAbc } from './abc.js';

const correct: Scenario = scenario({
  name: 'abc',
  backend: 'instrumented',
  create: () => new SyncAbc(),
  spec: abc(),
  test: [[['a', 0]], [['b', 1]], [['c', 2]], [['a', 3]], [['b', 4]]],
});
export const overtaken: Scenario = scenario({
  name: 'abc that is overtaken',
  backend: 'instrumented',
  create: () => new OvertakenAbc(),
  spec: abc(),
  test: [[['a', 0]], [['a', 1]], [['b', 2]], [['b', 3]], [['c', 4]]],
});
export const forgetful: Scenario = scenario({
  name: 'abc that forgets one',
  backend: 'instrumented',
  create: () => new ForgetfulAbc(),
  spec: abc(),
  test: [[['a', 0]], [['b', 1]], [['c', 2]]],
});

export default correct;
