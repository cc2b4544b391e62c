/** `replay` and `explain` in their thread: run the schedule of a failure again. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { printable } from '../../base/values/show.js';
import { UsageError } from '../../config/usage-error.js';
import { inOwnTask } from '../../event-loop/own-task.js';
import { isToken, parseFailure, parseToken, replaySync } from '../../explore/failure/failure.js';
import { Deadline } from '../../explore/model/deadline.js';
import { sources } from '../../report/common/step-ends.js';
import { hasRendezvous } from '../../report/common/verdict-words.js';
import { explorationDiagnostic } from '../../report/diagnostic.js';
import { htmlReplay } from '../../report/html/page.js';
import { replayDocument } from '../../report/json/exploration-json.js';
import { replayText } from '../../report/text/replay.js';
import { styleOf } from '../../report/text/style.js';
import { loadScenario } from '../load/scenario.js';
import { refusalOf } from '../model/contained-path.js';
import type { ExploreReply, Message, ReplayJob } from '../model/job.js';
import { explained, savedPath } from './explore-job.js';
import { withHtml } from './read-job.js';

/** The share of the remaining time for the explanation: the rest is for the report. */
const EXPLAINING = 0.9;
const OUTCOMES = { reproduced: 'violation', passes: 'linearizable', diverged: 'undecided' } as const;

export async function replayJob(
  {
    file,
    hasConfig,
    scenario: path,
    json,
    style,
    isExplained,
    isReported,
    limits,
    stop,
    html: page,
  }: ReplayJob,
  post: (message: Message) => void,
): Promise<ExploreReply> {
  const begin = performance.now();
  const failure = isToken(file) ? parseToken(file) : parseFailure(readFileSync(file, 'utf8'));
  const named = 'scenario' in failure && failure.scenario !== '' ? failure.scenario : undefined;
  const found = path ?? (named && join(dirname(file), named));
  if (found === undefined)
    throw new UsageError(
      `${isToken(file) ? 'a token' : 'a case that a test has kept'} does not say of which scenario it is; add --scenario <path>`,
    );
  const refusal = path === undefined ? refusalOf(found) : undefined;
  if (refusal !== undefined)
    throw new UsageError(
      `the failure names the scenario ${printable(found)}, which ${refusal}; if you trust it, add --scenario <path>`,
    );
  const scenario = await loadScenario(found, hasConfig, isExplained);
  const { replayed, again } = await inOwnTask(() => {
    const replayed = replaySync(scenario, failure);
    const again = replayed.kind === 'diverged' ? undefined : replayed.result.backend.trace(failure.schedule);
    return { replayed, again };
  });
  let cause: ReturnType<typeof explained> = {};
  if (isExplained && replayed.kind === 'reproduced') {
    post({ kind: 'progress', text: 'searching for the root cause' });
    const left = EXPLAINING * (limits.timeout - (performance.now() - begin));
    const deadline = new Deadline(left, () => Atomics.load(stop, 0) !== 0);
    const options = { seed: 1, allowNondeterminism: true };
    cause = await inOwnTask(() =>
      explained(scenario, replayed.result, options, deadline, (other) => savedPath(found, other)),
    );
  }
  const report = {
    file,
    scenario,
    path: found,
    replayed,
    trace: again,
    sourceOf: sources(),
    ...cause,
  };
  const outcome = OUTCOMES[replayed.kind];
  const answer: ExploreReply = {
    kind: 'explored',
    verdict: outcome,
    ...((json || isReported) && { document: replayDocument(report) }),
    ...((!json || isReported) && { text: replayText(report, styleOf(style)) }),
    ...(isReported && {
      finding: explorationDiagnostic({
        ...report,
        outcome,
        isRendezvous: hasRendezvous(scenario),
        text: replayText(report, styleOf({})),
        seconds: (performance.now() - begin) / 1_000,
      }),
    }),
  };
  return withHtml(answer, page, () => htmlReplay(report), post);
}
