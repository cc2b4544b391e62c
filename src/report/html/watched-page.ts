/** The result of a monitored stream, or of a stress run, as data of a page. */
import { HistoryBuilder } from '../../history/builder/builder.js';
import type { StressReport, Watched } from '../common/report-types.js';
import { count, unexplainedBy, whyUnexplained } from '../common/verdict-words.js';
import { isRendezvousViolation, violationSentences } from '../sentences/online.js';
import { SIGNS } from '../sentences/words.js';
import { resultOf, stressNotes } from '../text/stress.js';
import { pageData, uncheckedData } from './page-data.js';
import type { PageData } from './page-types.js';

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
      'A monitor forgets completed operations. It still knows the operations of the cause and the last ones before it.',
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

export function stressData(report: StressReport): PageData {
  const { file, scenario, stressed } = report;
  const { spec } = scenario;
  const notes = stressNotes(report);
  if (stressed.failure && spec) {
    const data = pageData(resultOf(file, scenario, stressed.failure), () => spec);
    return { ...data, notes: [...data.notes, ...notes] };
  }
  const verdict = stressed.verdict === 'holds' ? 'linearizable' : 'undecided';
  return {
    ...uncheckedData(file, NOTHING),
    spec: scenario.name,
    verdict,
    headline: HEADLINES[verdict],
    facts: [],
    notes,
  };
}

const HEADLINES = { linearizable: 'no violation', undecided: 'undecided' } as const;
const NOTHING = new HistoryBuilder().finish();
