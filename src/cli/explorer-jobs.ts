/** All that a worker needs to explore: loaded only where it is asked for. */
import { ProgramError, ScenarioError, TransformError } from '../explore/index.js';

export { exploreJob } from './explore-job.js';
export { replayJob } from './replay-job.js';
export { stressJob } from './stress-job.js';
/** Whose message says all, without where in our code it was thrown. */
export const EXPLORER_ERRORS: readonly (new (...args: never[]) => Error)[] = [
  ProgramError,
  ScenarioError,
  TransformError,
];
