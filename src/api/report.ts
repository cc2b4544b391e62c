/** Data → something to look at. */
export { assertLinearizable, NotLinearizable } from './assert.js';
export type { Explained } from './cause-words.js';
export { hasMeetings, noneGives, unexplainedBy } from './explained-by.js';
export { explorationDocument, replayDocument } from './exploration-json.js';
export { type ExploredOutcome, exploredFinding } from './explored-finding.js';
export { type Finding, findingOf } from './finding.js';
export {
  htmlExploration,
  htmlHistory,
  htmlReplay,
  htmlReport,
  htmlStress,
  htmlWatched,
} from './html/page.js';
export { type JsonDocument, jsonDocument } from './json.js';
export { github } from './reporters/github.js';
export { junit } from './reporters/junit.js';
export { sarif } from './reporters/sarif.js';
export type { Result } from './result.js';
export { sources } from './sources.js';
export { type ExplorationReport, explorationText } from './text/exploration.js';
export type { SourceOf } from './text/interleaving.js';
export { monitorReport, statusLine } from './text/monitor-report.js';
export { type ReplayReport, replayText } from './text/replay.js';
export { textReport } from './text/report.js';
export { type StressReport, stressDocument, stressText } from './text/stress.js';
export { type Style, styleOf } from './text/style.js';
export { monitorDocument, statusDocument, type Watched } from './watched.js';
