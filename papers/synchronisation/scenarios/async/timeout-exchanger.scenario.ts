import type { Scenario } from 'straightedge';
import * as threads from '../timeout-exchanger.scenario.js';
import { ofThreads } from './of-threads.js';
import {
  AsyncTimeoutExchanger,
  CrowdedExchanger,
  EndlessExchanger,
  LittererExchanger,
} from './timeout-exchanger.js';

const correct: Scenario = ofThreads(threads.default, () => new AsyncTimeoutExchanger());
export const litterer: Scenario = ofThreads(threads.litterer, () => new LittererExchanger(), [
  [
    ['exchange', 1],
    ['exchange', 2],
  ],
]);
export const crowded: Scenario = ofThreads(threads.crowded, () => new CrowdedExchanger());
export const endless: Scenario = ofThreads(threads.endless, () => new EndlessExchanger());

export default correct;
