/**
 * The files that a job writes beside its verdict: an HTML report, observations, a saved failure.
 *
 * The verdict does not depend on them. A file that cannot be written is reported after the verdict.
 */
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemFault, writeWhole } from '../../base/system-files.js';
import type { Message, Reply, VerdictReply } from '../model/job.js';

/** The folder of saved failures. */
export const FOLDER = '.straightedge';

/** Calls `write`; returns why it failed. */
export function tryToWrite(path: string, write: () => void): string | undefined {
  try {
    write();
    return undefined;
  } catch (error) {
    return `cannot write ${path}: ${systemFault(error) ?? (error as Error).message}`;
  }
}

/** Adds an HTML report to a verdict, which is known from now on. */
export function withHtml<R extends VerdictReply>(
  answer: R,
  path: string | undefined,
  html: () => string,
  post: (message: Message) => void,
): R {
  if (path === undefined) return answer;
  post({ kind: 'known', answer: answer as unknown as Reply<never> });
  post({ kind: 'progress', text: `writing ${path}` });
  const fault = tryToWrite(path, () => writeWhole(path, html()));
  if (fault === undefined) return { ...answer, isWritten: true };
  return { ...answer, unwritten: [...(answer.unwritten ?? []), fault] };
}

/** Writes `.straightedge/name-N.ending`, for the first N that is free or has this text, and returns the path. */
export function saveNumbered(name: string, ending: string, text: string): string {
  mkdirSync(FOLDER, { recursive: true });
  for (let n = 1; ; n++) {
    const path = join(FOLDER, `${name}-${n}.${ending}`);
    if (!existsSync(path)) writeWhole(path, text);
    else if (readFileSync(path, 'utf8') !== text) continue;
    return path;
  }
}
