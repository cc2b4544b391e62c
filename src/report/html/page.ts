/**
 * The page: one file that opens anywhere. `npm run build` makes it, without data, of what is in page/.
 *
 * Data is JSON in an element that no browser runs. A `<` in it is written as an escape, so that no value can end the
 * element or begin another; and the page's policy runs no script but its own.
 */
import { readFileSync } from 'node:fs';
import { packageFile } from '../../base/package-file.js';
import type { AnySpecOf } from '../../check/rendezvous/split-objects.js';
import type { History } from '../../history/history.js';
import type {
  CheckedHistory,
  ExplorationReport,
  ReplayReport,
  StressReport,
  Watched,
} from '../common/report-types.js';
import { explorationPage, failureData, replayPage } from './failure-data.js';
import { pageData, uncheckedData } from './page-data.js';
import type { PageData } from './page-types.js';
import { stressData, watchedData } from './watched-page.js';

const PLACE = '"the data"';

/**
 * Converts a checked history to an HTML page.
 *
 * @example
 * const result: CheckedHistory = {
 *   file: 'orders.jsonl',
 *   spec: 'queue',
 *   history,
 *   verdict: check(history, queue()),
 *   ms: { read: 0, check: 0 },
 * };
 * const page = htmlReport(result, () => queue());
 */
export const htmlReport = (result: CheckedHistory, specOf: AnySpecOf): string =>
  htmlPage(pageData(result, specOf));

/** A history, only drawn. */
export const htmlHistory = (file: string, history: History): string => htmlPage(uncheckedData(file, history));

/**
 * Converts an exploration to an HTML page.
 *
 * @example
 * const report = { file: 'pool.scenario.ts', exploration, failure: undefined, sourceOf: () => undefined, saved: undefined, ms: { explore: 0 } };
 * const page = explorationHtml(report);
 */
export const explorationHtml = (report: ExplorationReport): string =>
  htmlPage(failureData(explorationPage(report)));

/** What a replay came to. */
export const htmlReplay = (report: ReplayReport): string => htmlPage(failureData(replayPage(report)));

/** What a stream that was watched came to. */
export const htmlWatched = (watched: Watched): string => htmlPage(watchedData(watched));

/** What a stress run came to. */
export const htmlStress = (report: StressReport): string => htmlPage(stressData(report));

function htmlPage(data: PageData): string {
  const template = readFileSync(packageFile('#page'), 'utf8');
  const at = template.indexOf(PLACE);
  return (
    template.slice(0, at) +
    JSON.stringify(data).replaceAll('<', '\\u003c') +
    template.slice(at + PLACE.length)
  );
}
