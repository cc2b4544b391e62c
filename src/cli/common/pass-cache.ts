/**
 * Results of complete explorations without a violation, in `.straightedge/cache/`: one file for each scenario.
 *
 * The key is a hash of everything that decides the result: the code of the scenario and of all that it imports, the
 * lock file of the packages, the flags, the configuration, and the versions of straightedge and Node. Code whose inputs cannot all
 * be hashed is explored again each time.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { systemFault, writeWhole } from '../../base/system-files.js';
import { loadConfig } from '../../config/load-config.js';
import { EXIT } from '../../config/usage-error.js';
import { codeOf, hashOf, hiddenInputIn } from '../../jobs/model/code-mismatch.js';
import type { CommandResult } from '../../jobs/model/command-result.js';
import type { ExploreJob } from '../../jobs/model/job.js';
import { VERSION } from './terminal.js';

const FOLDER = join('.straightedge', 'cache');
const REMARK = 'From the cache: nothing has changed since the last complete run. --no-cache explores again.';

interface Entry {
  readonly key: string;
  readonly text: string;
  readonly document: CommandResult['document'];
  readonly finding: CommandResult['finding'];
}

/** The key of a job; undefined if its result cannot be cached. */
export async function keyOf(job: ExploreJob): Promise<string | undefined> {
  const { file, hasConfig, options, observations, writeObservations, redis, html, isExplained } = job;
  const hasFiles = observations ?? writeObservations ?? redis ?? html;
  if (hasFiles !== undefined || isExplained) return undefined;
  try {
    if (hiddenInputIn([file]) !== undefined) return undefined;
    // the scenario is instrumented as the configuration nearest to it says
    const config = hasConfig ? (await loadConfig(dirname(resolve(file))))?.config : undefined;
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
export function findPass(file: string, key: string): CommandResult | undefined {
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
export function savePass(
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
