/**
 * Convert verdicts and explorations to text, JSON, HTML and the formats of other tools.
 *
 * @module straightedge/report
 */

export { githubReport, junitReport, sarifReport } from '../report/ci-reports.js';
export type { CheckedHistory } from '../report/common/report-types.js';
export { type Diagnostic, toDiagnostic } from '../report/diagnostic.js';
export { explorationHtml, htmlReport } from '../report/html/page.js';
export { explorationJson } from '../report/json/exploration-json.js';
export { jsonReport } from '../report/json/json.js';
export { explorationText } from '../report/text/exploration.js';
export { textReport } from '../report/text/report.js';
export type { Style } from '../report/text/style.js';
