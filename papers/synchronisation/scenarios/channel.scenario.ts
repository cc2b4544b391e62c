import { type Scenario, scenario } from 'straightedge';
import { channel } from 'straightedge/objects';
import { FlagChannel, HastyChannel, MuteChannel, SyncChannel } from './channel.js';

const correct: Scenario = scenario({
  name: 'channel',
  create: () => new SyncChannel(),
  spec: channel<number>(),
  test: [[['receive'], ['send', 1]], [['send', 2], ['receive']], [['send', 3]], [['receive']]],
});
export const hasty: Scenario = scenario({
  name: 'channel whose sender does not wait',
  create: () => new HastyChannel(),
  spec: channel<number>(),
  test: [[['send', 1]]],
});
export const flag: Scenario = scenario({
  name: 'channel with a flag',
  create: () => new FlagChannel(),
  spec: channel<number>(),
  test: [[['receive'], ['send', 1]], [['send', 2]]],
});
export const mute: Scenario = scenario({
  name: 'channel that wakes no sender',
  create: () => new MuteChannel(),
  spec: channel<number>(),
  test: [[['send', 1]], [['send', 2]], [['receive'], ['receive']]],
});

export default correct;
