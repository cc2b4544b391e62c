import { type Scenario, scenario } from 'straightedge';
import { channel } from 'straightedge/objects';
import { FlagChannel, HastyChannel, MuteChannel, SyncChannel } from './channel.js';

const correct: Scenario = scenario({
  name: 'channel',
  backend: 'instrumented',
  create: () => new SyncChannel(),
  spec: channel<number>(),
  test: [[['receive'], ['send', 1]], [['send', 2], ['receive']], [['send', 3]], [['receive']]],
});
export const hasty: Scenario = scenario({
  name: 'channel whose sender does not wait',
  backend: 'instrumented',
  create: () => new HastyChannel(),
  spec: channel<number>(),
  test: [[['send', 1]]],
});
export const flag: Scenario = scenario({
  name: 'channel with a flag',
  backend: 'instrumented',
  create: () => new FlagChannel(),
  spec: channel<number>(),
  test: [[['receive'], ['send', 1]], [['send', 2]]],
});
export const mute: Scenario = scenario({
  name: 'channel that wakes no sender',
  backend: 'instrumented',
  create: () => new MuteChannel(),
  spec: channel<number>(),
  test: [[['send', 1]], [['send', 2]], [['receive'], ['receive']]],
});

export default correct;
