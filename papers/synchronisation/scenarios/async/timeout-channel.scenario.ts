import type { Scenario } from 'straightedge';
import * as threads from '../timeout-channel.scenario.js';
import { ofThreads } from './of-threads.js';
import { AsyncTimeoutChannel, EndlessTimeoutChannel, FlagTimeoutChannel } from './timeout-channel.js';

const correct: Scenario = ofThreads(threads.default, () => new AsyncTimeoutChannel());
export const flag: Scenario = ofThreads(threads.flag, () => new FlagTimeoutChannel());
export const endless: Scenario = ofThreads(threads.endless, () => new EndlessTimeoutChannel());

export default correct;
