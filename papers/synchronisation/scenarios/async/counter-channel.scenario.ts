import type { Scenario } from 'straightedge';
import * as threads from '../counter-channel.scenario.js';
import {
  AsyncCounterChannel,
  EarlyNumberChannel,
  FlagCounterChannel,
  LateNumberChannel,
} from './counter-channel.js';
import { ofThreads } from './of-threads.js';

const correct: Scenario = ofThreads(threads.default, () => new AsyncCounterChannel());
export const early: Scenario = ofThreads(threads.early, () => new EarlyNumberChannel());
export const late: Scenario = ofThreads(threads.late, () => new LateNumberChannel());
export const flag: Scenario = ofThreads(threads.flag, () => new FlagCounterChannel(), [
  [['receive']],
  [['send', 2]],
  [['send', 1]],
]);

export default correct;
