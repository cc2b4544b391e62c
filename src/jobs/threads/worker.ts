/** Thread entry: runs jobs in sequence. It runs user code, reads, checks and writes; the main thread keeps the time. */
import { parentPort } from 'node:worker_threads';
import { InputError } from '../../base/errors.js';
import { divertStandardOutput } from '../../base/system-files.js';
import { printable } from '../../base/values/show.js';
import { UsageError } from '../../config/usage-error.js';
import { FormatError } from '../../formats/common/reader.js';
import { SpecError } from '../../spec/spec.js';
import { checkJob } from '../handlers/check-job.js';
import type { Job, Message } from '../model/job.js';
import { inputErrorText, LimitExceeded, replyTo } from '../model/limit-exceeded.js';

divertStandardOutput();

const post = (message: Message): void => parentPort?.postMessage(message);

parentPort?.on('message', (job: Job) => {
  reply(job).then(post, (error: unknown) => post(failure(error)));
});

/** Jobs other than `check` load what only they need. */
async function reply(job: Job): Promise<Message> {
  switch (job.kind) {
    case 'check':
      return checkJob(job, post);
    case 'view':
      return (await import('../handlers/convert-job.js')).viewJob(job, post);
    case 'convert':
      return (await import('../handlers/convert-job.js')).convertJob(job, post);
    case 'monitor':
      return (await import('../handlers/monitor-job.js')).monitorJob(job, post);
    case 'explore':
      return (await import('../handlers/explore-job.js')).exploreJob(job, post);
    case 'stress':
      return (await import('../handlers/stress-job.js')).stressJob(job, post);
    case 'replay':
      return (await import('../handlers/replay-job.js')).replayJob(job, post);
  }
}

function failure(error: unknown): Message {
  if (error instanceof LimitExceeded) return { kind: 'cut short', reason: error.limit };
  if (error instanceof UsageError) return { kind: 'misused', message: error.message };
  if (error instanceof FormatError) return refusalAt(error);
  if (error instanceof SpecError && error.place) return refusalAt(error.place);
  if (error instanceof InputError) return { kind: 'refused', message: inputErrorText(error) };
  return replyTo(error);
}

/** An error with its place in a file, as far as it is known. */
function refusalAt({ file, line, column = 1, detail }: ErrorPlace): Message {
  const place = line === undefined ? {} : { line, column };
  return { kind: 'refused', ...(file !== undefined && { file }), ...place, message: printable(detail) };
}

interface ErrorPlace {
  readonly file: string | undefined;
  readonly line: number | undefined;
  readonly column?: number | undefined;
  readonly detail: string;
}
