/**
 * The history of a check on its way to a Redis worker. A small one travels compressed in the task. A larger one has to be at
 * the same path of the worker, with the same content.
 *
 * A worker never decompresses a history itself: the thread of the check does, in a stream, under the limits of the check.
 */
import { createHash } from 'node:crypto';
import {
  createReadStream,
  createWriteStream,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { gzipSync } from 'node:zlib';
import { printable } from '../../base/values/show.js';
import { parsePairs, UsageError } from '../../config/usage-error.js';
import { CodeMismatch, codeOf, hashOf, pathFromHere, taskRefusalOf } from '../model/code-mismatch.js';
import { type CommandResult, toCommandResult } from '../model/command-result.js';
import { type CheckJob, isReadyMade, type RedisOptions } from '../model/job.js';
import { type CheckTask, type RunControl, runOf } from '../model/task.js';
import { checkFiles } from '../pool/check-files.js';
import { RedisExecutor } from './executor.js';

/** The largest compressed history that travels, in bytes. */
const MAX_PACKED = 1_000_000;

/** Milliseconds without an answer of Redis after which a check without a time limit ends. */
const SILENCE = 300_000;

/** Checks on the workers of a Redis queue. */
export function checkOnRedis(
  jobs: readonly CheckJob[],
  redis: RedisOptions,
  control: RunControl,
): AsyncGenerator<CommandResult> {
  const { timeout } = jobs[0].limits;
  const limits = { timeout, maxSilence: timeout ?? SILENCE };
  return checkFiles(new RedisExecutor(redis), jobs, jobs.map(packCheck), { ...control, ...limits });
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
  const packed = isGzip(content) ? content : gzipSync(content);
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
    // files with equal content are different tasks: reports name the file
    run: runOf('check', file, code, hash, job),
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
    if (history) await writeContent(contentFile, file, history);
    const limits = { ...job.limits, maxMemory: Math.min(bytes, job.limits.maxMemory) };
    return await run({ ...task, job: { ...job, contentFile, limits } });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function writeContent(
  contentFile: string,
  file: string,
  { hash, packed }: NonNullable<CheckTask['history']>,
): Promise<void> {
  if (packed !== undefined) return writeFileSync(contentFile, Buffer.from(packed, 'base64'));
  const refusal = taskRefusalOf(file);
  if (refusal !== undefined) throw new CodeMismatch(`${file} ${refusal}`);
  if ((await copyAndHash(file, contentFile)) !== hash)
    throw new CodeMismatch(`${file} has other content here`);
}

/** Piece by piece: the file may be larger than the memory limit. */
async function copyAndHash(file: string, copy: string): Promise<string> {
  const hash = createHash('sha256');
  const hashing = async function* (pieces: AsyncIterable<Buffer>) {
    for await (const piece of pieces) {
      hash.update(piece);
      yield piece;
    }
  };
  try {
    await pipeline(createReadStream(file), hashing, createWriteStream(copy));
  } catch {
    throw new CodeMismatch(`${file} is not here`);
  }
  return hash.digest('hex');
}

const isGzip = (content: Uint8Array): boolean => content[0] === 0x1f && content[1] === 0x8b;

/** The paths of user modules that a check loads: as `loadSpecs` reads `spec`. */
export function modulesOf({ spec, map }: Pick<CheckJob, 'spec' | 'map'>): string[] {
  const specs = spec.includes('=') ? parsePairs(spec).map(([, own]) => own) : [spec];
  return [
    ...specs.filter((own) => /[./\\]/.test(own)),
    ...(map === undefined || isReadyMade(map) ? [] : [map]),
  ];
}
