/** `replay` and `explain` in their thread: run the schedule of a failure again. */
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { writeWhole } from '../../base/system-files.js';
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
  type PatchSearch,
} from '../../root-cause/patches/patches.js';
import { loadScenario, reloadingScenario } from '../load/scenario.js';
import { refusalOf } from '../model/contained-path.js';
import type { ExploreReply, Message, PatchJob, ReplayJob } from '../model/job.js';
import { explained, savedPath } from './explore-job.js';
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
  readonly post: (message: Message) => void;
}

/** Patches whose diffs are saved and checked by the test command. */
const MOST_SAVED = 3;

async function patchesOf(
  failing: TestCase,
  repairs: Explanation['repairs'] | undefined,
  { path, hasConfig, isApplied, testCommand, shouldStop, post }: PatchRequest,
): Promise<PatchReport> {
  const reloading = await reloadingScenario(path, hasConfig);
  if (reloading === undefined)
    throw new UsageError(
      'patches of real threads are not searched; leave out --patch, --apply and --test-command',
    );
  const onProgress = (explored: number, of: number) =>
    post({ kind: 'progress', text: `exploring patches: ${explored} of ${of} edits` });
  const options = { ...reloading, repairs, shouldStop, onProgress };
  const found = await inOwnTask(() => findPatchesSync(failing, options));
  const search = testCommand === undefined ? found : withCommand(found, testCommand);
  const [first] = search.patches;
  const saved: string[] = [];
  for (const { diff } of search.patches.slice(0, MOST_SAVED))
    tryToWrite('.straightedge', () => saved.push(saveNumbered('patch', 'diff', diff)));
  if (!isApplied || first === undefined) return { search, saved, isApplied: false, testCommand };
  write(first);
  if (await inOwnTask(() => holdsOnDisk(first, failing, options)))
    return { search, saved, isApplied, testCommand };
  writeWhole(first.path, first.before);
  throw new UsageError(
    `${first.file}: the failing test still fails after the patch was written; the file is as it was`,
  );
}

/** Writes a patch to a file that has not changed since it was explored, below the working folder. */
function write({ path, file, before, after }: Patch): void {
  if (file.startsWith('..') || isAbsolute(file) || resolve(path).split(/[\\/]/).includes('node_modules'))
    throw new UsageError(`${printable(file)} is not a file of this project; apply the diff by hand`);
  if (readFileSync(path, 'utf8') !== before)
    throw new UsageError(`${printable(file)} has changed since it was explored; run explain again`);
  writeWhole(path, after);
}

/** Rejects patches with which a command fails on a copy of the project, if it passes without them. */
function withCommand(search: PatchSearch, command: string): PatchSearch {
  const copy = mkdtempSync(join(tmpdir(), 'straightedge-'));
  try {
    copyProject(copy);
    const passes = (): boolean =>
      spawnSync(command, { shell: true, cwd: copy, stdio: 'ignore' }).status === 0;
    if (!passes()) throw new UsageError(`--test-command: ${printable(command)} fails without a patch too`);
    const isKept = ({ file, before, after }: Patch): boolean => {
      writeFileSync(join(copy, file), after);
      const isPassing = passes();
      writeFileSync(join(copy, file), before);
      return isPassing;
    };
    const tried = search.patches.slice(0, MOST_SAVED);
    const kept = tried.filter(isKept);
    const failed = tried
      .filter((patch) => !kept.includes(patch))
      .map(({ family, title, file, warnings }) => ({
        family,
        title,
        file,
        warnings,
        because: 'command' as const,
      }));
    return { ...search, patches: kept, rejected: [...search.rejected, ...failed] };
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

/** Copies the files of the working folder that git knows, or all but `node_modules`, which is linked. */
function copyProject(target: string): void {
  const listed = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
  });
  if (listed.status === 0)
    for (const file of new Set(listed.stdout.split('\0'))) {
      if (file === '' || !existsSync(file)) continue;
      mkdirSync(dirname(join(target, file)), { recursive: true });
      cpSync(file, join(target, file), { recursive: true });
    }
  else
    cpSync('.', target, {
      recursive: true,
      filter: (source) => !/^(node_modules|\.git)(\/|$)/.test(relative('.', source).replaceAll('\\', '/')),
    });
  if (existsSync('node_modules')) symlinkSync(resolve('node_modules'), join(target, 'node_modules'), 'dir');
}
