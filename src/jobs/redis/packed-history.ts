/**
 * The history of a check on its way to a Redis worker. A small one travels compressed in the task. A larger one has to be at
 * the same path of the worker, with the same content.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { printable } from '../../base/values/show.js';
import { UsageError } from '../../config/usage-error.js';
import { CodeMismatch, codeOf, hashOf, readable } from '../model/code-mismatch.js';
import { type CommandResult, toCommandResult } from '../model/command-result.js';
import { pathFromHere, taskRefusalOf } from '../model/contained-path.js';
import type { CheckJob, RedisOptions } from '../model/job.js';
import { type CheckTask, type RunControl, runOf } from '../model/task.js';
import { checkFiles } from '../pool/check-files.js';
import { RedisExecutor } from './executor.js';

/** The largest compressed history that travels, in bytes. */
const MAX_PACKED = 1_000_000;

/** Checks on the workers of a Redis queue. */
export function checkOnRedis(
  jobs: readonly CheckJob[],
  redis: RedisOptions,
  control: RunControl,
): AsyncGenerator<CommandResult> {
  return checkFiles(new RedisExecutor(redis), jobs, jobs.map(packCheck), control);
}

/** The task of a job; or its result, if the history cannot be read here. */
function packCheck(job: CheckJob): CheckTask | CommandResult {
  if (job.file === '-') throw new UsageError('standard input cannot be sent to Redis workers; name a file');
  try {
    return pack(job);
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === undefined) throw error;
    return toCommandResult(job, {
      kind: 'refused',
      message: code === 'ENOENT' ? 'no such file' : printable(message),
    });
  }
}

function pack({ kind, file, stop: _, ...given }: CheckJob): CheckTask {
  // these do not change the result
  const job = { ...given, jobs: 1, html: undefined, quiet: true };
  const content = readFileSync(file);
  const hash = hashOf(content);
  const packed = gzipSync(content);
  const modules = modulesOf(job);
  for (const path of modules) {
    const refusal = taskRefusalOf(path);
    if (refusal !== undefined)
      throw new UsageError(
        `${path} ${refusal}; Redis workers load only modules below their folder, by a relative path`,
      );
  }
  const code = codeOf(modules);
  const isSmall = packed.length <= MAX_PACKED;
  return {
    kind,
    run: runOf('check', code, hash, job),
    name: 'whole',
    file: isSmall ? file : pathFromHere(file),
    code,
    history: { hash, ...(isSmall && { packed: packed.toString('base64') }) },
    job,
  };
}

/** Runs a task on a copy of its history. `bytes`: the memory limit of this worker. */
export async function withHistory<R>(
  task: CheckTask,
  bytes: number,
  run: (task: CheckTask) => Promise<R>,
): Promise<R> {
  const { file, history, job } = task;
  const folder = mkdtempSync(join(tmpdir(), 'straightedge-task-'));
  try {
    const contentFile = join(folder, 'history');
    if (history) writeFileSync(contentFile, contentOf(file, history));
    const limits = { ...job.limits, maxMemory: Math.min(bytes, job.limits.maxMemory) };
    return await run({ ...task, job: { ...job, contentFile, limits } });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function contentOf(file: string, { hash, packed }: NonNullable<CheckTask['history']>): Uint8Array {
  if (packed !== undefined) return gunzipSync(Buffer.from(packed, 'base64'));
  const refusal = taskRefusalOf(file);
  if (refusal !== undefined) throw new CodeMismatch(`${file} ${refusal}`);
  const content = readable(() => readFileSync(file), file);
  if (hashOf(content) === hash) return content;
  throw new CodeMismatch(`${file} has other content here`);
}

/** The paths of user modules that a check loads. */
export const modulesOf = ({ spec, map }: Pick<CheckJob, 'spec' | 'map'>): string[] => [
  ...spec
    .split(',')
    .map((one) => one.slice(one.indexOf('=') + 1))
    .filter((one) => /[./\\]/.test(one)),
  ...(map === undefined ? [] : [map]),
];
