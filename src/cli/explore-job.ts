/** An exploration, in the worker: load, explore, make what is wrong small, write the report. */
import { writeFileSync } from 'node:fs';
import { type Explored, explore, Patience, shrink, trace } from '../explore/index.js';
import {
  coverageText,
  type ExplorationReport,
  explorationDocument,
  explorationText,
  htmlFailure,
  notesOf,
  styleOf,
  violationInWords,
} from '../report/index.js';
import { EXIT } from './exit-code.js';
import { explained } from './explaining.js';
import { progressText } from './exploring-progress.js';
import type { ExploredAnswer, ExploreJob, Message } from './job.js';
import { loadScenario } from './load-scenario.js';
import { saveFailure } from './save-failure.js';
import { sources } from './sources.js';

const PROGRESS_EVERY = 100;
/** What is known to be wrong is made small in so many milliseconds: a little even if the time is over. */
const SHRINKING = { least: 2_000, most: 10_000 } as const;
/** Shares of the time: to explore if a failure is to be explained, and to explain it in what is left. */
const EXPLORING = 0.6;
const EXPLAINING = 0.9;

export async function exploreJob(job: ExploreJob, post: (message: Message) => void): Promise<ExploredAnswer> {
  const begin = performance.now();
  const tell = (text: string) => post({ kind: 'progress', text });
  const interrupted = () => Atomics.load(job.stop, 0) !== 0;
  const left = () => job.limits.milliseconds - (performance.now() - begin);
  tell(`loading ${job.file}`);
  const scenario = await loadScenario(job.file);
  let last = 0;
  const exploration = explore(scenario, {
    ...job.options,
    milliseconds: job.isExplained ? EXPLORING * left() : left(),
    interrupted,
    onProgress: (batches) => {
      const now = performance.now();
      if (now - last < PROGRESS_EVERY) return;
      last = now;
      tell(progressText(batches, now - begin, job.limits.milliseconds));
    },
  });
  const found = exploration.explored.at(-1);
  const exploredAt = performance.now();
  let failure: { explored: Explored; trace: ReturnType<typeof trace> | undefined } | undefined;
  let saved: string | undefined;
  let why: ReturnType<typeof explained>;
  let smallAt = exploredAt;
  if (found?.violation) {
    post({ kind: 'found', part: '', operation: 0, property: 'safety', call: callOf(found) });
    tell('making it small');
    const time = Math.min(SHRINKING.most, Math.max(SHRINKING.least, left()));
    const { seed } = exploration;
    const explored = shrink(scenario, found, { ...job.options, seed }, new Patience(time, interrupted));
    const { violation = found.violation, program } = explored;
    saved = saveFailure(job.file, explored);
    failure = {
      explored,
      trace: violation.kind === 'nondeterminism' ? undefined : trace(program, violation.schedule),
    };
    smallAt = performance.now();
    if (job.isExplained) {
      tell('looking for the cause');
      const patience = new Patience(EXPLAINING * left(), interrupted);
      why = explained(scenario, explored, { ...job.options, seed }, patience);
    }
  }
  const ms = {
    explore: round(exploredAt - begin),
    ...(failure && { shrink: round(smallAt - exploredAt) }),
    ...(why && { explain: round(performance.now() - smallAt) }),
  };
  const report = { file: job.file, exploration, failure, saved, sourceOf: sources(), explained: why, ms };
  const undecided = exploration.because === 'interrupted' ? EXIT.interrupted : EXIT.undecided;
  const answer: ExploredAnswer = {
    kind: 'explored',
    code: { holds: EXIT.holds, violation: EXIT.violation, undecided }[exploration.verdict],
    ...(job.json
      ? { document: explorationDocument(report) }
      : { text: explorationText(report, styleOf(job.style)) }),
  };
  if (job.report === undefined) return answer;
  post({ kind: 'known', answer });
  writeFileSync(job.report, htmlFailure(failurePage(report)));
  return { ...answer, isWritten: true };
}

/** What the page tells. */
function failurePage({
  file,
  exploration,
  failure,
  sourceOf,
}: ExplorationReport): Parameters<typeof htmlFailure>[0] {
  const { scenario, verdict } = exploration;
  const headline = {
    holds: 'no violation',
    violation: violationInWords(failure?.explored.violation),
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
    notes: [coverageText(exploration, styleOf({})), ...notesOf(exploration)],
  };
}

const round = (ms: number): number => Math.round(ms * 10) / 10;

/** What was called, in case that there is no time to say more. */
const callOf = ({ matrix }: Explored): string =>
  matrix.threads.map((calls) => calls.map(([method]) => method).join(', ')).join(' | ');
