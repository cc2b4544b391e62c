/**
 * One job in one worker. The worker looks at its limits itself; the main thread
 * only steps in when it does not: user code that never ends, or eats the memory.
 */
import { Worker } from 'node:worker_threads';
import type { Exhausted } from '../check/index.js';
import type { JsonDocument } from '../report/index.js';
import { EXIT } from './exit-code.js';
import type { Job, Message } from './job.js';
import { UsageError } from './usage-error.js';

export interface Ending {
  readonly code: number;
  readonly document: JsonDocument;
  /** For people; an error where `code` is 2. */
  readonly text: string;
}

type Found = Extract<Message, { kind: 'found' }>;

/** How long a worker may take to notice that it should stop. */
const GRACE = 1_000;
/** How long it may then still explain a violation: longer than it allows itself. */
const EXPLAINING = 6_000;

export async function runJob(job: Job, onProgress: (text: string) => void): Promise<Ending> {
  const worker = new Worker(new URL('./worker.js', import.meta.url), {
    workerData: job,
    // the worker looks at its own limit; this one is for user code, and a little larger
    resourceLimits: { maxOldGenerationSizeMb: 64 + Math.ceil((1.2 * job.limits.bytes) / 2 ** 20) },
  });
  const timers: NodeJS.Timeout[] = [];
  try {
    return await new Promise<Ending>((resolve, reject) => {
      let found: Found | undefined;
      let isExplaining = false;
      const end = (because: Exhausted) => resolve(found ? unexplained(job, found) : cutShort(job, because));
      const giveUp = (because: Exhausted) => {
        // a violation that is known gets a little time to be explained
        if (!found || isExplaining) end(because);
        else timers.push(setTimeout(giveUp, EXPLAINING, because));
        isExplaining = true;
      };
      if (job.limits.milliseconds !== undefined)
        timers.push(setTimeout(giveUp, job.limits.milliseconds + GRACE, 'time'));
      const watch = setInterval(() => {
        if (Atomics.load(job.stop, 0) === 0) return;
        clearInterval(watch);
        timers.push(setTimeout(giveUp, GRACE, 'interrupted'));
      }, 50);
      timers.push(watch);
      worker.on('message', (message: Message) => {
        if (message.kind === 'progress') onProgress(message.text);
        else if (message.kind === 'found') found = message;
        else if (message.kind === 'misused') reject(new UsageError(message.message));
        else resolve(endingOf(job, message));
      });
      worker.on('error', (error: NodeJS.ErrnoException) =>
        error.code === 'ERR_WORKER_OUT_OF_MEMORY'
          ? end('memory')
          : resolve(endingOf(job, { kind: 'refused', message: error.stack ?? String(error) })),
      );
      worker.on('exit', (code) =>
        resolve(endingOf(job, { kind: 'refused', message: `the spec ended its process with code ${code}` })),
      );
    });
  } finally {
    for (const timer of timers) clearTimeout(timer);
    // a worker that waits for the system, to open a pipe say, ends when that does: do not wait with it
    await Promise.race([worker.terminate(), new Promise((resolve) => setTimeout(resolve, GRACE).unref())]);
    worker.unref();
  }
}

function endingOf({ file }: Job, message: Extract<Message, { kind: 'done' | 'refused' }>): Ending {
  if (message.kind === 'done') {
    const undecided = message.because === 'interrupted' ? EXIT.interrupted : EXIT.undecided;
    const code = { linearizable: EXIT.holds, violation: EXIT.violation, undecided }[message.verdict];
    return { code, document: message.document, text: message.text };
  }
  const { line, column, message: text } = message;
  const place = line === undefined ? file : `${file}:${line}:${column}`;
  return {
    code: EXIT.badInput,
    document: { file, error: { ...(line !== undefined && { line, column }), message: text } },
    text: `${place}: ${text}`,
  };
}

/** The worker did not answer in time: all that is known is that nothing is known. */
function cutShort({ file, spec }: Job, because: Exhausted): Ending {
  const what = {
    time: 'time ran out',
    memory: 'memory ran out',
    interrupted: 'interrupted',
    steps: 'the steps ran out',
  }[because];
  return {
    code: because === 'interrupted' ? EXIT.interrupted : EXIT.undecided,
    document: { file, verdict: 'undecided', spec, because },
    text: `? undecided  ${file}: ${what} while reading, or inside a method of the spec; no more is known`,
  };
}

/** The worker found a violation, but did not come to explain it. */
function unexplained({ file, spec }: Job, { part, operation, call }: Found): Ending {
  const where = part === '' ? '' : ` (part ${part})`;
  return {
    code: EXIT.violation,
    document: {
      file,
      verdict: 'violation',
      spec,
      counterexample: { minimal: false, property: 'safety', cause: { kind: 'stuck', operation } },
    },
    text: `✗ not linearizable  ${file}${where}: no order gets past ${call}, operation ${operation}; to explain it took too long`,
  };
}
