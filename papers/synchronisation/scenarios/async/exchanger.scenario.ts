import type { Scenario } from 'straightedge';
import * as threads from '../exchanger.scenario.js';
import { AsyncExchanger, EarlyExchanger } from './exchanger.js';
import { ofThreads } from './of-threads.js';

const correct: Scenario = ofThreads(threads.default, () => new AsyncExchanger());
export const early: Scenario = ofThreads(threads.early, () => new EarlyExchanger());
export const stuck: Scenario = ofThreads(threads.stuck, () => new EarlyExchanger(), [
  [['exchange', 1]],
  [['exchange', 0]],
  [['exchange', 3]],
]);

export default correct;
