import type { Scenario } from 'straightedge';
import * as threads from '../abc.scenario.js';
import { AsyncAbc, ForgetfulAbc, OvertakenAbc } from './abc.js';
import { ofThreads } from './of-threads.js';

const correct: Scenario = ofThreads(threads.default, () => new AsyncAbc());
export const overtaken: Scenario = ofThreads(threads.overtaken, () => new OvertakenAbc());
export const forgetful: Scenario = ofThreads(threads.forgetful, () => new ForgetfulAbc());

export default correct;
