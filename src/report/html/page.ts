/**
 * The HTML page: one file that opens anywhere. `npm run build` builds it, without data, from page/.
 *
 * The data is JSON in an element that no browser runs. A `<` in it is escaped, so that no value can end the element or
 * start another, and the policy of the page runs only its own script.
 */

import { readFileSync } from 'node:fs';
import { packageFile } from '../../base/package-file.js';
import { printableJson } from '../../base/values/show.js';
import type { AnySpecOf } from '../../check/rendezvous/split-objects.js';
import { HistoryBuilder } from '../../history/builder/builder.js';
import type { History } from '../../history/history.js';
import type {
  CheckedHistory,
  ExplorationReport,
  ReplayReport,
  StressReport,
  Watched,
} from '../common/report-types.js';
import { count, unexplainedBy, whyUnexplained } from '../common/verdict-words.js';
import { isRendezvousViolation, violationSentences } from '../sentences/online.js';
import { SIGNS, say } from '../sentences/words.js';
import { resultOf, stressNotes } from '../text/stress.js';
import { explorationPage, failureData, replayPage } from './failure-data.js';
import { pageData, uncheckedData } from './page-data.js';
import type { PageData } from './page-types.js';

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

/** Draws a history on an HTML page, without a verdict. */
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

/** Converts the result of a replay to an HTML page. */
export const htmlReplay = (report: ReplayReport): string => htmlPage(failureData(replayPage(report)));

/** Converts the result of a monitored stream to an HTML page. */
export const htmlWatched = (watched: Watched): string => htmlPage(watchedData(watched));

/** Converts the result of a stress run to an HTML page. */
export const htmlStress = (report: StressReport): string => htmlPage(stressData(report));

function htmlPage(data: PageData): string {
  const template = readFileSync(packageFile('#page'), 'utf8');
  const at = template.indexOf(PLACE);
  return (
    template.slice(0, at) +
    printableJson(JSON.stringify(data)).replaceAll('<', '\\u003c') +
    template.slice(at + PLACE.length)
  );
}

/** The result of a monitored stream as data of a page. */
export function watchedData({ file, spec, status, verdict }: Watched): PageData {
  const facts = [count(status.events, 'event')];
  if (verdict.kind !== 'violation')
    return {
      ...uncheckedData(file, NOTHING),
      spec,
      verdict: verdict.kind,
      facts,
      headline: HEADLINES[verdict.kind],
    };
  const { shown, fault, part } = verdict.violation;
  const all = Array.from(shown.columns.id);
  return {
    ...uncheckedData(file, shown),
    spec,
    verdict: 'violation',
    headline: unexplainedBy(isRendezvousViolation(verdict.violation)),
    facts: [...facts, ...(part === '' ? [] : [`part ${part}`])],
    notes: [
      'An online monitor forgets completed operations, so this page shows only those of the cause and the last ones before it.',
    ],
    core: {
      title: whyUnexplained(isRendezvousViolation(verdict.violation)),
      part: 0,
      fault: all[fault],
      operations: all,
      shown: all,
      minimal: false,
      reasons: violationSentences(verdict.violation, SIGNS).map((sentence) => ({ sentence })),
    },
  };
}

/** The result of a stress run as data of a page. */
function stressData(report: StressReport): PageData {
  const { file, scenario, stressed } = report;
  const { spec } = scenario;
  const notes = stressNotes(report);
  if (stressed.failure && spec) {
    const data = pageData(resultOf(file, scenario, stressed.failure), () => spec);
    return { ...data, notes: [...data.notes, ...notes] };
  }
  const verdict = stressed.verdict === 'holds' ? 'linearizable' : 'undecided';
  const topics = stressed.operations > 0 ? ['rounds', 'overlap'] : ['rounds'];
  const { sample } = stressed;
  const round =
    sample && spec ? pageData(resultOf(file, scenario, sample), () => spec) : uncheckedData(file, NOTHING);
  const shown = sample
    ? [
        {
          topic: 'drawn',
          sentence: say`Round ${String(sample.round + 1)}. No linearizable round has more overlapping operations.`,
        },
      ]
    : [];
  return {
    ...round,
    ...(sample && { shows: `Round ${sample.round + 1}` }),
    spec: scenario.name,
    verdict,
    headline: HEADLINES[verdict],
    facts: [],
    // of a failure without a spec, the first note is about its round
    ...(stressed.failure
      ? { notes }
      : {
          evidence: {
            title: 'What was run',
            lines: [...topics.map((topic, i) => ({ topic, sentence: say`${notes[i]}` })), ...shown],
          },
          notes: notes.slice(topics.length),
        }),
  };
}

const HEADLINES = { linearizable: 'no violation', undecided: 'undecided' } as const;
const NOTHING = new HistoryBuilder().finish();
