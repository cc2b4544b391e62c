/** Data → something to look at. */
export { assertLinearizable, NotLinearizable } from './assert.js';
export { explorationDocument, replayDocument } from './exploration-json.js';
export { htmlHistory, htmlReport } from './html/page.js';
export { type JsonDocument, jsonDocument } from './json.js';
export type { Result } from './result.js';
export { sources } from './sources.js';
export type { Explained } from './text/explanation.js';
export { type ExplorationReport, explorationText } from './text/exploration.js';
export type { SourceOf } from './text/interleaving.js';
export { monitorReport, statusLine } from './text/monitor-report.js';
export { type ReplayReport, replayText } from './text/replay.js';
export { textReport } from './text/report.js';
export { type Style, styleOf } from './text/style.js';
export { monitorDocument, statusDocument, type Watched } from './watched.js';
