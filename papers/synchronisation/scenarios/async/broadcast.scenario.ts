import type { Scenario } from 'straightedge';
import * as threads from '../broadcast.scenario.js';
import { AsyncBroadcast, HastyBroadcast, OneWokenBroadcast } from './broadcast.js';
import { ofThreads } from './of-threads.js';

const correct: Scenario = ofThreads(threads.default, () => new AsyncBroadcast(2));
export const hasty: Scenario = ofThreads(threads.hasty, () => new HastyBroadcast(2));
export const oneWoken: Scenario = ofThreads(threads.oneWoken, () => new OneWokenBroadcast(2));

export default correct;
