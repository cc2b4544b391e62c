import type { Scenario } from 'straightedge';
import * as threads from '../closeable-channel.scenario.js';
import {
  AsyncCloseableChannel,
  HastyCloseableChannel,
  MuteCloseableChannel,
  OneWokenCloseableChannel,
} from './closeable-channel.js';
import { ofThreads } from './of-threads.js';

const correct: Scenario = ofThreads(threads.default, () => new AsyncCloseableChannel());
export const hasty: Scenario = ofThreads(threads.hasty, () => new HastyCloseableChannel(), [
  [['receive']],
  [['close']],
  [['send', 2]],
]);
export const mute: Scenario = ofThreads(threads.mute, () => new MuteCloseableChannel());
export const oneWoken: Scenario = ofThreads(threads.oneWoken, () => new OneWokenCloseableChannel());

export default correct;
