/** All that a worker needs to explore: loaded only where it is asked for. */
export { EXPLORER_ERRORS } from '../model/explorer-errors.js';
export { exploreJob } from './explore-job.js';
export { replayJob } from './replay-job.js';
export { stressJob } from './stress-job.js';
