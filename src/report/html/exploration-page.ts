/** What an exploration, or a replay, came to, as a page tells it. */
import type { ExplorationReport, ReplayReport } from '../common/report-types.js';
import { coverageText } from '../text/coverage.js';
import { notesOf, throwTexts, violationInWords } from '../text/exploration.js';
import { partlyCovered } from '../text/partly-covered.js';
import { divergedTexts } from '../text/replay.js';
import { styleOf } from '../text/style.js';
import type { FailurePage } from './failure-data.js';

export function explorationPage({
  file,
  exploration,
  failure,
  sourceOf,
  explained,
  isSizeAsked = false,
}: ExplorationReport): FailurePage {
  const { scenario, verdict } = exploration;
  const style = styleOf({});
  const part = partlyCovered(exploration, isSizeAsked, style);
  const headline = {
    holds: `no violation${part?.mark ?? ''}`,
    violation: violationInWords(failure?.explored.violation, scenario),
    undecided: 'undecided',
  }[verdict];
  return {
    file,
    scenario,
    headline,
    verdict: verdict === 'holds' ? 'linearizable' : verdict,
    explored: failure?.explored,
    trace: failure?.trace,
    sourceOf,
    explained,
    notes: [
      ...(part ? [part.text] : []),
      coverageText(exploration, style),
      ...throwTexts(exploration),
      ...notesOf(exploration),
    ],
  };
}

export function replayPage({
  file,
  scenario,
  path,
  replayed,
  trace,
  sourceOf,
  explained,
}: ReplayReport): FailurePage {
  const isWrong = replayed.kind === 'reproduced';
  return {
    file,
    scenario,
    headline: { reproduced: 'reproduced', passes: 'passes now', diverged: 'diverged' }[replayed.kind],
    verdict: isWrong ? 'violation' : replayed.kind === 'passes' ? 'linearizable' : 'undecided',
    explored: isWrong ? replayed.explored : undefined,
    trace,
    sourceOf,
    explained,
    notes: replayed.kind === 'diverged' ? divergedTexts(replayed, path) : [],
  };
}
