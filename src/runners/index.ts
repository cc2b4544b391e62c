/** Scenarios and histories in the tests that users already have. */
export { assertHolds, DoesNotHold } from './assert-holds.js';
export type { HoldOptions } from './holding.js';
