import type { Scenario } from 'straightedge';
import * as threads from '../enrollable-barrier.scenario.js';
import {
  AsyncEnrollableBarrier,
  EagerEnrollableBarrier,
  ForgetfulEnrollableBarrier,
  ReentrantEnrollableBarrier,
} from './enrollable-barrier.js';
import { ofThreads } from './of-threads.js';

const correct: Scenario = ofThreads(threads.default, () => new AsyncEnrollableBarrier());
export const reentrant: Scenario = ofThreads(threads.reentrant, () => new ReentrantEnrollableBarrier());
export const eager: Scenario = ofThreads(threads.eager, () => new EagerEnrollableBarrier());
export const forgetful: Scenario = ofThreads(threads.forgetful, () => new ForgetfulEnrollableBarrier());

export default correct;
