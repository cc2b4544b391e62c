import type { Scenario } from 'straightedge';
import * as threads from '../combining-barrier.scenario.js';
import { AsyncCombiningBarrier, LateReadingBarrier, OneWokenBarrier } from './combining-barrier.js';
import { ofThreads } from './of-threads.js';

const correct: Scenario = ofThreads(threads.default, () => new AsyncCombiningBarrier(2));
export const reentrant: Scenario = ofThreads(threads.reentrant, () => new LateReadingBarrier(2), [
  [['sync', 0, 1]],
  [['sync', 1, 4]],
  [['sync', 2, 2]],
]);
export const oneWoken: Scenario = ofThreads(threads.oneWoken, () => new OneWokenBarrier(3));

export default correct;
