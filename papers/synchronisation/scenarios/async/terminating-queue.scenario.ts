import type { Scenario } from 'straightedge';
import * as threads from '../terminating-queue.scenario.js';
import { ofThreads } from './of-threads.js';
import {
  AsyncTerminatingQueue,
  ImpatientQueue,
  LateCountingQueue,
  SilentQueue,
  TrustingQueue,
} from './terminating-queue.js';

const correct: Scenario = ofThreads(threads.default, () => new AsyncTerminatingQueue(2));
export const impatient: Scenario = ofThreads(threads.impatient, () => new ImpatientQueue(2));
export const silent: Scenario = ofThreads(threads.silent, () => new SilentQueue(2));
export const trusting: Scenario = ofThreads(threads.trusting, () => new TrustingQueue(2), [
  [['dequeue']],
  [['enqueue', 1]],
  [['dequeue']],
]);
export const late: Scenario = ofThreads(threads.late, () => new LateCountingQueue(2), [
  [['dequeue']],
  [['enqueue', 1]],
  [['dequeue']],
]);

export default correct;
