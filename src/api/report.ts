/** Data → something to look at. */
export { assertLinearizable, LinearizabilityError } from '../report/assert.js';
export type {
  CheckedHistory,
  Explained,
  ExplorationReport,
  ReplayReport,
  SourceOf,
  StressReport,
  Watched,
} from '../report/common/report-types.js';
export { sources } from '../report/common/step-ends.js';
export { hasMeetings, noneGives, unexplainedBy } from '../report/common/verdict-words.js';
export {
  type Diagnostic,
  type ExploredOutcome,
  explorationDiagnostic,
  toDiagnostic,
} from '../report/diagnostic.js';
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
export { monitorDocument, statusDocument } from '../report/json/monitor-json.js';
export { github, junit, sarif } from '../report/reporters/sarif.js';
export { explorationText } from '../report/text/exploration.js';
export { monitorReport, statusLine } from '../report/text/monitor-report.js';
export { replayText } from '../report/text/replay.js';
export { textReport } from '../report/text/report.js';
export { stressDocument, stressText } from '../report/text/stress.js';
export { type Style, styleOf } from '../report/text/style.js';
