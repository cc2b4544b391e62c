import { type Scenario, scenario } from 'straightedge';
import { timeoutExchanger } from 'straightedge/objects';
import {
  CrowdedExchanger,
  EndlessExchanger,
  LittererExchanger,
  SyncTimeoutExchanger,
} from './timeout-exchanger.js';

const correct: Scenario = scenario({
  name: 'timeout exchanger',
  backend: 'instrumented',
  create: () => new SyncTimeoutExchanger(),
  spec: timeoutExchanger<number>(),
  test: [
    [['exchange', 1]],
    [
      ['exchange', 2],
      ['exchange', 3],
    ],
    [['exchange', 4]],
  ],
});
export const litterer: Scenario = scenario({
  name: 'timeout exchanger that leaves its value',
  backend: 'instrumented',
  create: () => new LittererExchanger(),
  spec: timeoutExchanger<number>(),
  test: [[['exchange', 1]], [['exchange', 2]]],
});
export const crowded: Scenario = scenario({
  name: 'timeout exchanger with a third',
  backend: 'instrumented',
  create: () => new CrowdedExchanger(),
  spec: timeoutExchanger<number>(),
  test: [
    [['exchange', 1]],
    [
      ['exchange', 2],
      ['exchange', 3],
    ],
  ],
});
export const endless: Scenario = scenario({
  name: 'timeout exchanger without a clock',
  backend: 'instrumented',
  create: () => new EndlessExchanger(),
  spec: timeoutExchanger<number>(),
  test: [[['exchange', 1]]],
});

export default correct;
