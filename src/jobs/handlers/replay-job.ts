/** `replay` and `explain` in their thread: run the schedule of a failure again. */
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { printable } from '../../base/values/show.js';
import { tryToWrite, UsageError } from '../../config/usage-error.js';
import { inOwnTask } from '../../event-loop/own-task.js';
import { isToken, parseFailure, parseToken, replaySync } from '../../explore/failure/failure.js';
import { Deadline } from '../../explore/model/deadline.js';
import type { TestCase } from '../../explore/scenario/test-case.js';
import type { PatchReport } from '../../report/common/report-types.js';
import { hasRendezvous } from '../../report/common/verdict-words.js';
import { explorationDiagnostic } from '../../report/diagnostic.js';
import { htmlReplay } from '../../report/html/page.js';
import { replayDocument } from '../../report/json/exploration-json.js';
import { sources } from '../../report/text/interleaving.js';
import { replayText } from '../../report/text/replay.js';
import { styleOf } from '../../report/text/style.js';
import type { Explanation } from '../../root-cause/explain.js';
import {
  findPatchesSync,
  holdsOnDisk,
  type Patch,
  type PatchOptions,
} from '../../root-cause/patches/patches.js';
import { loadScenario, reloadingScenario } from '../load/scenario.js';
import { refusalOf } from '../model/code-mismatch.js';
import { type ExploreReply, type Message, MOST_SAVED, type PatchJob, type ReplayJob } from '../model/job.js';
import { explained, savedPath } from './explore-job.js';
import { applyPatch, revertPatch, withCommand } from './patch-files.js';
import { saveNumbered, withHtml } from './read-job.js';

/** The share of the remaining time for the explanation: the rest is for the report. */
const EXPLAINING = 0.9;
const EXPLAINING_BEFORE_PATCHES = 0.3;
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
    patch,
  }: ReplayJob,
  post: (message: Message) => void,
): Promise<ExploreReply> {
  const begin = performance.now();
  const failure = isToken(file) ? parseToken(file) : parseFailure(readFileSync(file, 'utf8'));
  if (failure.body !== undefined)
    throw new UsageError(
      `this is a failure of the everySchedule test ${printable(failure.body)}, not of a scenario; run that test again, and it starts with this failure`,
    );
  const named = 'scenario' in failure && failure.scenario !== '' ? failure.scenario : undefined;
  const found = path ?? (named && join(dirname(file), named));
  if (found === undefined)
    throw new UsageError(
      `${isToken(file) ? 'a token' : 'this failure was saved by a test and'} does not name its scenario; add --scenario <path>`,
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
    const share = patch ? EXPLAINING_BEFORE_PATCHES : EXPLAINING;
    const left = share * (limits.timeout - (performance.now() - begin));
    const deadline = new Deadline(left, () => Atomics.load(stop, 0) !== 0);
    const options = { seed: 1, allowNondeterminism: true };
    cause = await inOwnTask(() =>
      explained(scenario, replayed.result, options, deadline, (other) => savedPath(found, other)),
    );
  }
  const shouldStop = () =>
    Atomics.load(stop, 0) !== 0 || performance.now() - begin > EXPLAINING * limits.timeout;
  const patching =
    patch && replayed.kind === 'reproduced'
      ? await patchesOf(replayed.result.test, cause.explained?.explanation.repairs, {
          ...patch,
          path: found,
          hasConfig,
          shouldStop,
          isInterrupted: () => Atomics.load(stop, 0) !== 0,
          post,
        })
      : undefined;
  const report = {
    file,
    scenario,
    path: found,
    replayed,
    trace: again,
    sourceOf: sources(),
    ...cause,
    patching,
  };
  const isUnpatched = patch?.isApplied && replayed.kind === 'reproduced' && !patching?.isApplied;
  const outcome = patching?.isApplied ? 'linearizable' : isUnpatched ? 'undecided' : OUTCOMES[replayed.kind];
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

/* Patches */

interface PatchRequest extends PatchJob {
  /** The scenario. */
  readonly path: string;
  readonly hasConfig: boolean;
  readonly shouldStop: () => boolean;
  readonly isInterrupted: () => boolean;
  readonly post: (message: Message) => void;
}

async function patchesOf(
  failing: TestCase,
  repairs: Explanation['repairs'] | undefined,
  { path, hasConfig, isApplied, testCommand, testTimeout, shouldStop, isInterrupted, post }: PatchRequest,
): Promise<PatchReport> {
  const reloading = await reloadingScenario(path, hasConfig);
  if (reloading === undefined)
    throw new UsageError(
      'patches of real threads are not searched; leave out --patch, --apply and --test-command',
    );
  const tell = (text: string) => post({ kind: 'progress', text });
  const onProgress = (explored: number, of: number) => tell(`exploring patches: ${explored} of ${of} edits`);
  const options = { ...reloading, repairs, shouldStop, onProgress };
  const found = await inOwnTask(() => findPatchesSync(failing, options));
  const search =
    testCommand === undefined
      ? found
      : await withCommand(found, {
          command: testCommand,
          timeout: testTimeout,
          isInterrupted,
          onProgress: tell,
        });
  const [first] = search.patches;
  const saved: string[] = [];
  for (const { diff } of search.patches.slice(0, MOST_SAVED))
    tryToWrite('.straightedge', () => saved.push(saveNumbered('patch', 'diff', diff)));
  if (!isApplied || first === undefined) return { search, saved, isApplied: false, testCommand };
  applyPatch(first);
  await expectToHold(first, failing, options);
  return { search, saved, isApplied, testCommand };
}

/** Explores the failing test from disk. If it fails, the file gets its original text. */
async function expectToHold(patch: Patch, failing: TestCase, options: PatchOptions): Promise<void> {
  const name = printable(patch.file);
  const revert = () => {
    if (!revertPatch(patch))
      throw new UsageError(`${name} was changed while the patch was explored; nothing more was written`);
  };
  const holds = await inOwnTask(() => holdsOnDisk(patch, failing, options)).catch((error: unknown) => {
    revert();
    throw error;
  });
  if (holds) return;
  revert();
  throw new UsageError(
    `${name}: the failing test still fails after the patch was written; the file is as it was`,
  );
}
