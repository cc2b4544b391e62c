import type { Scenario } from 'straightedge';
import * as threads from '../channel.scenario.js';
import { onRealThreads } from './on-real-threads.js';

const hasty: Scenario = onRealThreads(threads.hasty);
export default hasty;
