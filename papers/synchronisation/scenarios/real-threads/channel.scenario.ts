import type { Scenario } from 'straightedge';
import * as threads from '../channel.scenario.js';
import { onRealThreads } from './on-real-threads.js';

const correct: Scenario = onRealThreads(threads.default);
export default correct;
