/** All that a worker needs to explore: loaded only where it is asked for. */
export { exploreJob } from './explore-job.js';
export { EXPLORER_ERRORS } from './explorer-errors.js';
export { replayJob } from './replay-job.js';
export { stressJob } from './stress-job.js';
