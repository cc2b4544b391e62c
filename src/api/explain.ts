/** Why, as data. */
export type { AccessEvent, AccessTrace } from './access-trace.js';
export type { BlamedBlock } from './blamed-block.js';
export { Causes } from './causes.js';
export type { Collected } from './collect.js';
export {
  type Explanation,
  explain,
  type PartialRepair,
  type TriedRepair,
} from './explain.js';
export { type Interruption, interruptions } from './interruptions.js';
export { type Ranked, ranked } from './ranking.js';
export type { Repair } from './repair.js';
export type { PlaceOf } from './source-block.js';
export { accessTrace } from './traced.js';
export type { ExplainOptions } from './trials.js';
export type { Verification } from './verify.js';
export { walkOrder } from './walk.js';
export { walkMeetings } from './walk-meetings.js';
