/** Why, as data. */
export type { AccessEvent, AccessTrace } from './access-trace.js';
export type { BlamedBlock } from './blamed-block.js';
export type { Collected } from './collect.js';
export { type Explanation, explain, type PartialRepair, type TriedRepair } from './explain.js';
export { type Interruption, interruptions } from './interruptions.js';
export { accessTrace } from './traced.js';
export type { Verification } from './verify.js';
export { walkOrder } from './walk.js';
