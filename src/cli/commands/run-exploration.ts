/** A job that explores, stresses or replays a scenario: run it in a worker and print its result. */

import { mkdirSync, readFileSync } from 'node:fs';
import { totalmem } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { systemFault, writeWhole } from '../../base/system-files.js';
import { loadConfig } from '../../config/load-config.js';
import { EXIT, expectWholeFile, UsageError } from '../../config/usage-error.js';
import { codeOf, hashOf, hiddenInputIn } from '../../jobs/model/code-mismatch.js';
import { type CommandResult, toCommandResult, worstExitCode } from '../../jobs/model/command-result.js';

import type { ExploreJob, ExploringJob, ReplayJob, Reply, StressJob } from '../../jobs/model/job.js';
import { runJob } from '../../jobs/pool/job-thread.js';
import { checkHtml, expectNoHistory, reportFiles } from '../common/files.js';
import type { ASCII, Given, HTML, JSON_OUTPUT, MAX_MEMORY, QUIET } from '../common/flags.js';
import { type Reporter, Reporters } from '../common/reporters.js';
import { ProgressLine, type Terminal, terminalStyle, VERSION } from '../common/terminal.js';

type ExplorationFlags = {
  readonly timeout: number;
  readonly reporter?: readonly Reporter[] | undefined;
  readonly config?: boolean;
} & Given<typeof MAX_MEMORY> &
  Given<typeof HTML> &
  Given<typeof JSON_OUTPUT> &
  Given<typeof QUIET> &
  Given<typeof ASCII>;

/** Converts the flags that these commands share. */
export function toExplorationJob(
  file: string,
  flags: ExplorationFlags,
  stop: ExploringJob['stop'],
  terminal: Terminal,
): ExploringJob {
  expectWholeFile(file);
  expectNoHistory(file);
  return {
    file,
    hasConfig: flags.config !== false,
    limits: { timeout: flags.timeout, maxMemory: flags.maxMemory ?? totalmem() / 2 },
    stop,
    json: flags.json ?? false,
    html: flags.html,
    isReported: flags.reporter !== undefined,
    isExplained: false,
    style: terminalStyle(terminal, flags.ascii),
  };
}

/** Explores several scenarios, one at a time, and prints one summary. Returns the worst exit code. */
export async function runExplorations(
  jobs: readonly ExploreJob[],
  flags: ExplorationFlags & { readonly cache?: boolean },
  terminal: Terminal,
): Promise<number> {
  const [{ html, stop }] = jobs;
  checkHtml(
    html,
    jobs.map(({ file }) => file),
  );
  const reporters = new Reporters(flags, terminal);
  const progress = new ProgressLine(terminal, flags.quiet);
  const codes: number[] = [];
  for (const [i, job] of jobs.entries()) {
    const number = jobs.length > 1 ? `${i + 1} of ${jobs.length}: ` : '';
    const result = await cachedResult(job, flags.cache !== false, jobs.length === 1, (line) =>
      progress.show(`${number}${line}`),
    );
    progress.clear();
    reporters.add(result, jobs.length > 1);
    codes.push(reportFiles(result, html, reporters.isText, terminal));
    if (Atomics.load(stop, 0) !== 0) break;
  }
  const code = reporters.finish(worstExitCode(codes));
  if (codes.length < jobs.length) return EXIT.interrupted;
  if (jobs.length > 1 && reporters.isText) terminal.stdout.write(`${summary(codes)}\n`);
  return code;
}

/** A result of the cache if nothing has changed, otherwise of an exploration. */
async function cachedResult(
  job: ExploreJob,
  isCached: boolean,
  isAlone: boolean,
  onProgress: (line: string) => void,
): Promise<CommandResult> {
  const key = isCached ? await keyOf(job) : undefined;
  const found = key === undefined ? undefined : findPass(job.file, key);
  if (found) return found;
  const result = toCommandResult(job, await replyOf(job, isAlone, onProgress));
  if (key !== undefined) savePass(job.file, key, result);
  return result;
}

/** A scenario that cannot be loaded ends the command only if there is no other. */
async function replyOf(
  job: ExploreJob,
  isAlone: boolean,
  onProgress: (line: string) => void,
): Promise<Reply<ExploreJob>> {
  try {
    return await runJob(job, onProgress);
  } catch (error) {
    if (isAlone || !(error instanceof UsageError)) throw error;
    return { kind: 'refused', message: error.message };
  }
}

/** `3 scenarios: 1 with a violation, 2 without`. */
function summary(codes: readonly number[]): string {
  const words: readonly (readonly [number, string])[] = [
    [EXIT.holds, 'without a violation'],
    [EXIT.violation, 'with a violation'],
    [EXIT.undecided, 'undecided'],
    [EXIT.badInput, 'invalid'],
    [EXIT.internal, 'failed'],
    [EXIT.interrupted, 'interrupted'],
  ];
  const counts = words
    .map(([code, word]) => [codes.filter((own) => own === code).length, word] as const)
    .filter(([count]) => count > 0)
    .map(([count, word]) => `${count} ${word}`);
  return `${codes.length} scenarios: ${counts.join(', ')}`;
}

/** Returns the exit code. */
export async function runExploration(
  job: ReplayJob | StressJob,
  flags: ExplorationFlags,
  terminal: Terminal,
): Promise<number> {
  checkHtml(job.html, [job.file]);
  const reporters = new Reporters(flags, terminal);
  const progress = new ProgressLine(terminal, flags.quiet);
  const result = toCommandResult(job, await runJob(job, (line) => progress.show(line)));
  progress.clear();
  reporters.add(result, false);
  return reporters.finish(reportFiles(result, job.html, reporters.isText, terminal));
}

const FOLDER = join('.straightedge', 'cache');
const REMARK = 'From the cache: nothing has changed since the last complete run. --no-cache explores again.';

interface Entry {
  readonly key: string;
  readonly text: string;
  readonly document: CommandResult['document'];
  readonly finding: CommandResult['finding'];
}

/**
 * The key of a job; undefined if its result cannot be cached.
 *
 * Results of complete explorations without a violation, in `.straightedge/cache/`: one file for each scenario.
 *
 * The key is a hash of everything that decides the result: the code of the scenario and of all that it imports, the
 * lock file of the packages, the flags, the configuration, and the versions of straightedge and Node. Code whose inputs cannot all
 * be hashed is explored again each time.
 */
async function keyOf(job: ExploreJob): Promise<string | undefined> {
  const { file, hasConfig, options, observations, writeObservations, redis, html, isExplained } = job;
  const hasFiles = observations ?? writeObservations ?? redis ?? html;
  if (hasFiles !== undefined || isExplained) return undefined;
  try {
    if (hiddenInputIn([file]) !== undefined) return undefined;
    // the scenario is instrumented as the configuration nearest to it says
    const config = hasConfig ? loadConfig(dirname(resolve(file)))?.config : undefined;
    const { spuriousWakeups, json, isReported, style } = job;
    const flags = { options, spuriousWakeups, json, isReported, style, config };
    const versions = [VERSION, process.version, process.platform, process.arch];
    return hashOf(JSON.stringify([versions, relative('.', file), codeOf([file]), flags]));
  } catch {
    // the exploration reports what is wrong with the file
    return undefined;
  }
}

/** The result of the last complete run with this key. */
function findPass(file: string, key: string): CommandResult | undefined {
  const entry = read(fileOf(file));
  if (entry?.key !== key) return undefined;
  const { document, finding, text } = entry;
  return {
    code: EXIT.holds,
    document: { ...document, cached: true },
    text: text === '' ? '' : `${text}\n  ${REMARK}`,
    finding,
  };
}

/** Saves a result, if everything was covered and there is no violation. If the folder cannot be written, there is no cache. */
function savePass(
  file: string,
  key: string,
  { code, document, text, finding, isComplete = false }: CommandResult,
): void {
  if (code !== EXIT.holds || finding.outcome !== 'linearizable' || !isComplete) return;
  const entry: Entry = { key, text, document, finding };
  try {
    mkdirSync(FOLDER, { recursive: true });
    writeWhole(fileOf(file), `${JSON.stringify(entry)}\n`);
  } catch (error) {
    if (systemFault(error) === undefined) throw error;
  }
}

function read(path: string): Entry | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Entry;
  } catch {
    return undefined;
  }
}

const fileOf = (file: string): string =>
  join(FOLDER, `${(relative('.', file).match(/[\p{L}\p{N}]+/gu) ?? []).join('-')}.json`);
