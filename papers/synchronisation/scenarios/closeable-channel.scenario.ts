import { type Scenario, scenario } from 'straightedge';
import { closeableChannel } from 'straightedge/objects';
import {
  HastyCloseableChannel,
  MuteCloseableChannel,
  OneWokenCloseableChannel,
  SyncCloseableChannel,
} from './closeable-channel.js';

const correct: Scenario = scenario({
  name: 'closeable channel',
  backend: 'instrumented',
  create: () => new SyncCloseableChannel(),
  spec: closeableChannel<number>(),
  test: [[['receive'], ['close']], [['send', 2]], [['receive']]],
});
export const hasty: Scenario = scenario({
  name: 'closeable channel that looks at the wrong thing first',
  backend: 'instrumented',
  create: () => new HastyCloseableChannel(),
  spec: closeableChannel<number>(),
  test: [[['receive'], ['close']], [['send', 2]]],
});
export const mute: Scenario = scenario({
  name: 'closeable channel that wakes no call when it closes',
  backend: 'instrumented',
  create: () => new MuteCloseableChannel(),
  spec: closeableChannel<number>(),
  test: [[['receive']], [['close']]],
});
export const oneWoken: Scenario = scenario({
  name: 'closeable channel of which one is woken',
  backend: 'instrumented',
  create: () => new OneWokenCloseableChannel(),
  spec: closeableChannel<number>(),
  test: [[['receive']], [['receive']], [['close']]],
});

export default correct;
