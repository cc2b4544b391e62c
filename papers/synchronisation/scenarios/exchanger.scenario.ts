import { type Scenario, scenario } from 'straightedge';
import { exchanger } from 'straightedge/objects';
import { EarlyExchanger, SyncExchanger } from './exchanger.js';

const three = [
  [['exchange', 1]],
  [
    ['exchange', 0],
    ['exchange', 3],
  ],
  [['exchange', 2]],
] as const;

const correct: Scenario = scenario({
  name: 'exchanger',
  backend: 'instrumented',
  create: () => new SyncExchanger(),
  spec: exchanger<number>(),
  test: three,
});
export const early: Scenario = scenario({
  name: 'exchanger that opens too early',
  backend: 'instrumented',
  create: () => new EarlyExchanger(),
  spec: exchanger<number>(),
  test: three,
});
export const stuck: Scenario = scenario({
  name: 'exchanger that opens too early, with two threads',
  backend: 'instrumented',
  create: () => new EarlyExchanger(),
  spec: exchanger<number>(),
  test: [
    [['exchange', 1]],
    [
      ['exchange', 0],
      ['exchange', 3],
    ],
  ],
});

export default correct;
