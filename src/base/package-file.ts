/**
 * Files of this package by their names in package.json, an export (`straightedge/objects`) or an import (`#worker`), and
 * worker threads that start from them.
 *
 * The build bundles the source into fewer files, so a relative path would be correct in only one of the two layouts. Each
 * entry of a thread is its own file, so that a thread loads only what it needs.
 */
import { createRequire } from 'node:module';
import { type Transferable, Worker } from 'node:worker_threads';

export function packageFile(name: string): string {
  return createRequire(import.meta.url).resolve(name);
}

/** A thread entry, by its name among the `imports` of package.json. */
export type ThreadEntry =
  | '#worker'
  | '#task-thread'
  | '#search-helper'
  | '#explore-thread'
  | '#stress-client';

export interface WorkerOptions {
  /** The memory limit; without one, V8's default. */
  readonly bytes?: number;
  readonly transfer?: readonly Transferable[];
  /** The process does not wait for the thread. */
  readonly isBackground?: boolean;
}

export function startWorker(entry: ThreadEntry, data: unknown, options: WorkerOptions = {}): Worker {
  const { bytes, transfer = [], isBackground = false } = options;
  const worker = new Worker(packageFile(entry), {
    workerData: data,
    transferList: [...transfer],
    ...(bytes !== undefined && {
      resourceLimits: { maxOldGenerationSizeMb: Math.ceil(memoryLimit(bytes) / 2 ** 20) },
    }),
  });
  if (isBackground) worker.unref();
  return worker;
}

/** Threads watch their own limit; this one is for user code, and a little larger. */
export const memoryLimit = (bytes: number): number => 64 * 2 ** 20 + 1.2 * bytes;

/** Did a thread exceed its memory limit? */
export const isOutOfMemory = (error: NodeJS.ErrnoException): boolean =>
  error.code === 'ERR_WORKER_OUT_OF_MEMORY';
