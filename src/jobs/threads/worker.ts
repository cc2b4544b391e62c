/** The thread that runs user code, reads, checks and writes; the main one keeps the clock. */
import { parentPort, workerData } from 'node:worker_threads';
import { printable } from '../../base/values/show.js';
import { AlgorithmError } from '../../check/search/choose-search.js';
import { UsageError } from '../../config/usage-error.js';
import { FormatError, OptionError, WriteError } from '../../formats/common/format-error.js';
import { SpecError } from '../../spec/spec.js';
import { checkJob } from '../handlers/check-job.js';
import type { Job, Message } from '../model/job.js';
import { RanOut, theirStack } from '../model/limit-exceeded.js';

const post = (message: Message): void => parentPort?.postMessage(message);
/** Whose message says all, without where in our code it was thrown. */
const theirs: (new (...args: never[]) => Error)[] = [AlgorithmError, SpecError, OptionError, WriteError];

try {
  post(await answerOf(workerData as Job));
} catch (error) {
  post(refusal(error));
}

async function answerOf(job: Job): Promise<Message> {
  switch (job.kind) {
    case 'check':
      return checkJob(job, post);
    // each of the others loads what only it needs
    case 'view':
      return (await import('../handlers/convert-job.js')).viewJob(job, post);
    case 'convert':
      return (await import('../handlers/convert-job.js')).convertJob(job, post);
    case 'monitor':
      return (await import('../handlers/monitor-job.js')).monitorJob(job, post);
    case 'explore':
    case 'stress':
    case 'replay': {
      const { EXPLORER_ERRORS, exploreJob, replayJob, stressJob } = await import(
        '../handlers/explorer-jobs.js'
      );
      theirs.push(...EXPLORER_ERRORS);
      if (job.kind === 'stress') return stressJob(job, post);
      return job.kind === 'explore' ? exploreJob(job, post) : replayJob(job, post);
    }
  }
}

function refusal(error: unknown): Message {
  if (error instanceof RanOut) return { kind: 'cut short', reason: error.reason };
  if (error instanceof UsageError) return { kind: 'misused', message: error.message };
  if (error instanceof FormatError) return { kind: 'refused', ...placeOf(error), message: error.detail };
  if (!(error instanceof Error)) return { kind: 'refused', message: String(error) };
  if (theirs.some((kind) => error instanceof kind))
    return { kind: 'refused', message: printable(error.message) };
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT') return { kind: 'refused', message: 'no such file' };
  return {
    kind: 'refused',
    message: code === undefined ? theirStack(error) : printable(error.message),
  };
}

function placeOf({ line, column }: FormatError): { readonly line?: number; readonly column?: number } {
  return line === undefined || column === undefined ? {} : { line, column };
}
