import type { Scenario } from 'straightedge';
import * as threads from '../filter-channel.scenario.js';
import {
  AsyncFilterChannel,
  CarelessFilterChannel,
  FlagFilterChannel,
  OneSlotFilterChannel,
} from './filter-channel.js';
import { ofThreads } from './of-threads.js';

const correct: Scenario = ofThreads(threads.default, () => new AsyncFilterChannel());
export const careless: Scenario = ofThreads(threads.careless, () => new CarelessFilterChannel());
export const oneSlot: Scenario = ofThreads(threads.oneSlot, () => new OneSlotFilterChannel());
export const flag: Scenario = ofThreads(threads.flag, () => new FlagFilterChannel(), [
  [['receive', 'even']],
  [['send', 2]],
  [['send', 1]],
]);

export default correct;
