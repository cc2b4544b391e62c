/** `stress` in its thread: runs and checks rounds, saves a failing history, and writes the report. Tasks of it run a few rounds in a thread of their own. */
import { startWorker } from '../../base/package-file.js';
import { tryToWrite } from '../../config/usage-error.js';
import type { Scenario } from '../../explore/scenario/scenario.js';
import { writeJsonLines } from '../../formats/json-lines/writer.js';
import { htmlStress } from '../../report/html/page.js';
import { stressDocument, stressText } from '../../report/text/stress.js';
import { styleOf } from '../../report/text/style.js';
import type { Stillness } from '../../stress/round.js';
import { type StressResult, stressWith } from '../../stress/stress.js';
import { ThreadRounds } from '../../stress/thread-rounds.js';
import { loadPlainScenario } from '../load/scenario.js';
import { codeOf } from '../model/code-mismatch.js';
import { pathFromHere } from '../model/contained-path.js';
import type { ExploreReply, Message, StressJob } from '../model/job.js';
import type { RoundsResult, StressTask } from '../model/task.js';
import { StressRounds } from '../pool/stress-rounds.js';
import { ThreadExecutor } from '../pool/thread-executor.js';
import { RedisExecutor } from '../redis/executor.js';
import { FOLDER, saveNumbered, withHtml } from './read-job.js';

/** On several threads, or on Redis workers. */
async function stressTogether(
  scenario: Scenario,
  job: StressJob,
  until: number,
  post: (message: Message) => void,
): Promise<StressResult> {
  const { file, redis, jobs, limits, stop } = job;
  const isInterrupted = () => Atomics.load(stop, 0) !== 0;
  const place = redis ? { file: pathFromHere(file), code: codeOf([file]) } : { file, code: '' };
  const rounds = new StressRounds(scenario, job, place);
  const executor = redis
    ? new RedisExecutor(redis)
    : new ThreadExecutor({ threads: jobs, bytes: limits.maxMemory, stop });
  await executor.run(rounds, {
    isOver: () => isInterrupted() || performance.now() >= until,
    onNews: (text) => post({ kind: 'news', text }),
  });
  return rounds.stressed(isInterrupted());
}

const PROGRESS_EVERY = 100;

export async function stressJob(job: StressJob, post: (message: Message) => void): Promise<ExploreReply> {
  const until = performance.now() + job.limits.timeout;
  post({ kind: 'progress', text: `loading ${job.file}` });
  const scenario: Scenario = await loadPlainScenario(job.file);
  const stressed = await (job.redis || job.jobs > 1
    ? stressTogether(scenario, job, until, post)
    : stressAlone(scenario, job, until, post));
  const { failure } = stressed;
  let saved: string | undefined;
  const unsaved =
    failure &&
    tryToWrite(FOLDER, () => {
      saved = saveNumbered('stress', 'jsonl', [...writeJsonLines(failure.history)].join(''));
    });
  const report = { file: job.file, scenario, stressed, saved };
  const answer: ExploreReply = {
    kind: 'explored',
    verdict: stressed.verdict,
    reason: stressed.reason,
    ...(job.json ? { document: stressDocument(report) } : { text: stressText(report, styleOf(job.style)) }),
    ...(unsaved !== undefined && { unwritten: [unsaved] }),
  };
  return withHtml(answer, job.html, () => htmlStress(report), post);
}

function stressAlone(
  scenario: Scenario,
  { file, options, stop }: StressJob,
  until: number,
  post: (message: Message) => void,
): Promise<StressResult> {
  let last = 0;
  const onProgress = (rounds: number, operations: number) => {
    if (performance.now() - last < PROGRESS_EVERY) return;
    last = performance.now();
    post({ kind: 'progress', text: `stress: ${rounds} rounds, ${operations} operations` });
  };
  const timeout = until - performance.now();
  const shouldStop = () => Atomics.load(stop, 0) !== 0;
  const rounds = threadRounds(scenario, file);
  return stressWith(scenario, { ...options, timeout, shouldStop, onProgress }, rounds);
}

/** Loads a scenario as it is, and runs rounds of it. Results are plain data. `onMove` is called after each round. */
export async function stressTasks(
  file: string,
  onMove: () => void,
): Promise<(task: StressTask) => Promise<RoundsResult>> {
  const scenario = await loadPlainScenario(file);
  return async ({ first, rounds, options }) =>
    toRoundsResult(
      await stressWith(
        scenario,
        { ...options, first, rounds, onProgress: onMove },
        threadRounds(scenario, file),
      ),
    );
}

/** Rounds on threads, for a scenario with `attach`. Others use asynchronous clients of this thread. */
export function threadRounds(
  { attach }: Scenario,
  file: string,
): ((still: Stillness) => ThreadRounds) | undefined {
  return attach && ((still) => new ThreadRounds(() => startWorker('#stress-client', { file }), still));
}

function toRoundsResult({ rounds, operations, undecided, unknown, failure }: StressResult): RoundsResult {
  return {
    rounds,
    operations,
    undecided,
    unknown: [...unknown],
    ...(failure && {
      failure: { round: failure.round, lines: [...writeJsonLines(failure.history)].join('') },
    }),
  };
}
