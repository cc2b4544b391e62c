import type { Scenario } from 'straightedge';
import * as threads from '../barrier.scenario.js';
import { AsyncBarrier, CountlessBarrier, OpenBarrier, ReentrantBarrier } from './barrier.js';
import { ofThreads } from './of-threads.js';

const correct: Scenario = ofThreads(threads.default, () => new AsyncBarrier(2));
export const open: Scenario = ofThreads(threads.open, () => new OpenBarrier());
export const reentrant: Scenario = ofThreads(threads.reentrant, () => new ReentrantBarrier(2), [
  [['sync', 0]],
  [['sync', 1]],
  [['sync', 2]],
]);
export const countless: Scenario = ofThreads(threads.countless, () => new CountlessBarrier(2));

export default correct;
