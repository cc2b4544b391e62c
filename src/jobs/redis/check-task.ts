/**
 * The check of a history as a task. The history travels in it, packed, up to a limit; a larger one has to stand at the same
 * path where the worker is, with the same content.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { UsageError } from '../../config/usage-error.js';
import {
  checkCode,
  codeOf,
  hashOf,
  isInsideHere,
  OtherCode,
  pathFromHere,
  readable,
} from '../model/code-mismatch.js';
import { toCommandResult } from '../model/command-result.js';
import type { CheckJob } from '../model/job.js';
import { type CheckTask, runOf, type TaskAnswer } from '../model/task.js';
import { runWorker } from '../pool/run-worker.js';

/** Bytes of a packed history that travels. */
const MOST_PACKED = 1_000_000;

export function checkTaskOf({ kind, file, stop: _, jobs: __, html: ___, ...job }: CheckJob): CheckTask {
  const content = readFileSync(file);
  const hash = hashOf(content);
  const packed = gzipSync(content);
  const modules = modulesOf(job);
  const outside = modules.find((path) => !isInsideHere(path));
  if (outside !== undefined)
    throw new UsageError(`${outside} has to be in this folder, and named relative to it, for a fleet`);
  const code = codeOf(modules);
  const isSmall = packed.length <= MOST_PACKED;
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

/** `bytes`: what it may take here. */
export async function checkTask(task: CheckTask, bytes: number): Promise<TaskAnswer<CheckTask>> {
  const { file, code, history, job } = task;
  checkCode(modulesOf(job), code);
  const folder = mkdtempSync(join(tmpdir(), 'straightedge-task-'));
  try {
    const copy = join(folder, 'history');
    writeFileSync(copy, contentOf(file, history));
    const stop = new Int32Array(new SharedArrayBuffer(4));
    const whole: CheckJob = {
      ...job,
      kind: 'check',
      file,
      contentFile: copy,
      stop,
      // who asked is elsewhere
      quiet: true,
      jobs: 1,
      html: undefined,
      limits: { ...job.limits, maxMemory: Math.min(bytes, job.limits.maxMemory) },
    };
    return { kind: 'done', result: toCommandResult(whole, await runWorker(whole, () => {})) };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function contentOf(file: string, { hash, packed }: CheckTask['history']): Uint8Array {
  if (packed !== undefined) return gunzipSync(Buffer.from(packed, 'base64'));
  if (!isInsideHere(file)) throw new OtherCode(`${file} is outside of the folder of this worker`);
  const content = readable(() => readFileSync(file), file);
  if (hashOf(content) === hash) return content;
  throw new OtherCode(`${file} has another content here`);
}

/** The paths of what a check loads of the user's. */
const modulesOf = ({ spec, map }: Pick<CheckJob, 'spec' | 'map'>): string[] => [
  ...spec
    .split(',')
    .map((one) => one.slice(one.indexOf('=') + 1))
    .filter((one) => /[./\\]/.test(one)),
  ...(map === undefined ? [] : [map]),
];
