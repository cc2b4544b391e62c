import type { Scenario } from 'straightedge';
import * as threads from '../men-and-women.scenario.js';
import { AsyncDance, OneWokenDance, TwoSlotDance } from './men-and-women.js';
import { ofThreads } from './of-threads.js';

const correct: Scenario = ofThreads(threads.default, () => new AsyncDance());
export const twoSlots: Scenario = ofThreads(threads.twoSlots, () => new TwoSlotDance(), [
  [['woman', 1]],
  [['man', 0]],
  [['woman', 0]],
]);
export const oneWoken: Scenario = ofThreads(threads.oneWoken, () => new OneWokenDance());

export default correct;
