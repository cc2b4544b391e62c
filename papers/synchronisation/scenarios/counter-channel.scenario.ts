import { type Scenario, scenario } from 'straightedge';
import { counterChannel } from 'straightedge/objects';
import {
  EarlyNumberChannel,
  FlagCounterChannel,
  LateNumberChannel,
  SyncCounterChannel,
} from './counter-channel.js';

const correct: Scenario = scenario({
  name: 'counter channel',
  backend: 'instrumented',
  create: () => new SyncCounterChannel(),
  spec: counterChannel<number>(),
  test: [[['send', 1]], [['send', 2]], [['receive'], ['receive']]],
});
export const early: Scenario = scenario({
  name: 'counter channel that draws its number early',
  backend: 'instrumented',
  create: () => new EarlyNumberChannel(),
  spec: counterChannel<number>(),
  test: [[['send', 1], ['receive']], [['send', 2]], [['receive'], ['send', 3]]],
});
export const late: Scenario = scenario({
  name: 'counter channel that reads its number late',
  backend: 'instrumented',
  create: () => new LateNumberChannel(),
  spec: counterChannel<number>(),
  test: [[['send', 1]], [['send', 2]], [['receive']]],
});
export const flag: Scenario = scenario({
  name: 'counter channel with a flag',
  backend: 'instrumented',
  create: () => new FlagCounterChannel(),
  spec: counterChannel<number>(),
  test: [[['receive'], ['send', 1]], [['send', 2]]],
});

export default correct;
