import { type Scenario, scenario } from 'straightedge';
import { timeoutChannel } from 'straightedge/objects';
import { EndlessTimeoutChannel, FlagTimeoutChannel, SyncTimeoutChannel } from './timeout-channel.js';

const correct: Scenario = scenario({
  name: 'timeout channel',
  backend: 'instrumented',
  create: () => new SyncTimeoutChannel(),
  spec: timeoutChannel<number>(),
  test: [[['receive'], ['send', 1]], [['send', 2]], [['receive']]],
});
export const flag: Scenario = scenario({
  name: 'timeout channel with a flag',
  backend: 'instrumented',
  create: () => new FlagTimeoutChannel(),
  spec: timeoutChannel<number>(),
  test: [[['receive'], ['send', 1]], [['send', 2]]],
});
export const endless: Scenario = scenario({
  name: 'timeout channel without a clock',
  backend: 'instrumented',
  create: () => new EndlessTimeoutChannel(),
  spec: timeoutChannel<number>(),
  test: [[['send', 1]]],
});

export default correct;
