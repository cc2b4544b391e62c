/** Why, as data. */
export { walkMeetings, walkOrder } from '../report/html/order-steps.js';
export type { BlamedBlock } from '../root-cause/blamed-block.js';
export { type Interruption, interruptions } from '../root-cause/blamed-block.js';
export type { Collected } from '../root-cause/collect.js';
export {
  type Explanation,
  explain,
  type PartialRepair,
  type TriedRepair,
} from '../root-cause/explain.js';
export { type Ranked, ranked } from '../root-cause/partial-repairs.js';
export type { AccessEvent, AccessTrace } from '../root-cause/repairs/access-trace.js';
export { accessTrace } from '../root-cause/repairs/access-trace.js';
export { Causes } from '../root-cause/repairs/causes.js';
export type { Repair } from '../root-cause/repairs/repair.js';
export type { PlaceOf } from '../root-cause/repairs/source-block.js';
export type { ExplainOptions, Verification } from '../root-cause/trials.js';
