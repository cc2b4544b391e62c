/** Data → something to look at. */
export { assertLinearizable, NotLinearizable } from '../report/assert.js';
export type { Result } from '../report/common/checked-history.js';
export { sources } from '../report/common/sources.js';
export { hasMeetings, noneGives, unexplainedBy } from '../report/common/verdict-words.js';
export { type Finding, findingOf } from '../report/diagnostic.js';
export { type ExploredOutcome, exploredFinding } from '../report/exploration-diagnostic.js';
export {
  htmlExploration,
  htmlHistory,
  htmlReplay,
  htmlReport,
  htmlStress,
  htmlWatched,
} from '../report/html/page.js';
export { explorationDocument, replayDocument } from '../report/json/exploration-json.js';
export { type JsonDocument, jsonDocument } from '../report/json/json.js';
export { monitorDocument, statusDocument, type Watched } from '../report/json/monitor-json.js';
export { github } from '../report/reporters/github.js';
export { junit } from '../report/reporters/junit.js';
export { sarif } from '../report/reporters/sarif.js';
export type { Explained } from '../report/sentences/root-cause.js';
export { type ExplorationReport, explorationText } from '../report/text/exploration.js';
export type { SourceOf } from '../report/text/interleaving.js';
export { monitorReport, statusLine } from '../report/text/monitor-report.js';
export { type ReplayReport, replayText } from '../report/text/replay.js';
export { textReport } from '../report/text/report.js';
export { type StressReport, stressDocument, stressText } from '../report/text/stress.js';
export { type Style, styleOf } from '../report/text/style.js';
