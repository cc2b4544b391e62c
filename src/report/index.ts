/** Data → something to look at. */
export { assertLinearizable, NotLinearizable } from './assert.js';
export { type JsonDocument, jsonDocument } from './json.js';
export type { Result } from './result.js';
export { type ExplorationReport, explorationText } from './text/exploration.js';
export { type ReplayReport, replayText } from './text/replay.js';
export { textReport } from './text/report.js';
export { type Style, styleOf } from './text/style.js';
