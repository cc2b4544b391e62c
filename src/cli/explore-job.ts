/** An exploration, in the worker: load, explore, make what is wrong small, write the report. */
import { type Explored, type ExploredBatch, Patience, shrink, trace } from '../explore/index.js';
import { explorationDocument, explorationText, styleOf } from '../report/index.js';
import { EXIT } from './exit-code.js';
import { exploreTogether } from './explore-crew.js';
import { progressText } from './exploring-progress.js';
import { exploreByFleet } from './fleet/explore-by-fleet.js';
import type { ExploredAnswer, ExploreJob, Message } from './job.js';
import { loadScenario } from './load-scenario.js';
import { type Saved, saveFailure } from './save-failure.js';
import { sources } from './sources.js';

const PROGRESS_EVERY = 100;
/** What is known to be wrong is made small in so many milliseconds: a little even if the time is over. */
const SHRINKING = { least: 2_000, most: 10_000 } as const;

export async function exploreJob(job: ExploreJob, post: (message: Message) => void): Promise<ExploredAnswer> {
  const begin = performance.now();
  const tell = (text: string) => post({ kind: 'progress', text });
  const interrupted = () => Atomics.load(job.stop, 0) !== 0;
  const left = () => job.limits.milliseconds - (performance.now() - begin);
  tell(`loading ${job.file}`);
  const files: string[] = [];
  const scenario = await loadScenario(job.file, (file) => files.push(file));
  let last = 0;
  const options = {
    ...job.options,
    milliseconds: left(),
    interrupted,
    onProgress: (batches: readonly ExploredBatch[]) => {
      const now = performance.now();
      if (now - last < PROGRESS_EVERY) return;
      last = now;
      tell(progressText(batches, now - begin, job.limits.milliseconds));
    },
  };
  const exploration = job.fleet
    ? await exploreByFleet(scenario, job, { ...options, ...job.fleet, files, post })
    : await exploreTogether(scenario, job, options);
  const found = exploration.explored.find(({ violation }) => violation !== undefined);
  const exploredAt = performance.now();
  let failure: { explored: Explored; trace: ReturnType<typeof trace> | undefined } | undefined;
  let saved: Saved | undefined;
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
  }
  const ms = {
    explore: round(exploredAt - begin),
    ...(failure && { shrink: round(performance.now() - exploredAt) }),
  };
  const report = { file: job.file, exploration, failure, saved, sourceOf: sources(), ms };
  const undecided = exploration.because === 'interrupted' ? EXIT.interrupted : EXIT.undecided;
  return {
    kind: 'explored',
    code: { holds: EXIT.holds, violation: EXIT.violation, undecided }[exploration.verdict],
    ...(job.json
      ? { document: explorationDocument(report) }
      : { text: explorationText(report, styleOf(job.style)) }),
  };
}

const round = (ms: number): number => Math.round(ms * 10) / 10;

/** What was called, in case that there is no time to say more. */
const callOf = ({ matrix }: Explored): string =>
  matrix.threads.map((calls) => calls.map(([method]) => method).join(', ')).join(' | ');
