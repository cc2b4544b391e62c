import type { Scenario } from 'straightedge';
import * as threads from '../channel.scenario.js';
import { AsyncChannel, FlagChannel, HastyChannel, MuteChannel } from './channel.js';
import { ofThreads } from './of-threads.js';

const correct: Scenario = ofThreads(threads.default, () => new AsyncChannel());
export const hasty: Scenario = ofThreads(threads.hasty, () => new HastyChannel());
export const flag: Scenario = ofThreads(threads.flag, () => new FlagChannel(), [
  [['receive']],
  [['send', 2]],
  [['send', 1]],
]);
export const mute: Scenario = ofThreads(threads.mute, () => new MuteChannel());

export default correct;
