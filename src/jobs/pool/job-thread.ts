/**
 * Runs jobs in a worker thread, one at a time. The thread is reused until a job ends it.
 *
 * The thread watches its own limits. This side intervenes only if it does not: user code that never returns, or that
 * takes all memory. A violation that the thread has found is reported even if its explanation does not arrive.
 */
import type { Worker } from 'node:worker_threads';
import { isOutOfMemory, memoryLimit, startWorker } from '../../base/package-file.js';
import { printableText } from '../../base/values/show.js';
import type { LimitReason } from '../../check/model/verdict.js';
import { UsageError } from '../../config/usage-error.js';
import {
  type Failure,
  type Job,
  type Message,
  MOST_SAVED,
  type Refusal,
  type Reply,
  type VerdictReply,
  type ViolationMessage,
} from '../model/job.js';
import { replyTo } from '../model/limit-exceeded.js';

/** Milliseconds in which a thread notices that it should stop and answers. */
const GRACE = 1_000;
/** The share of this time that each thread has had the processor by then; and a thread that only waits for the system. */
const ENOUGH = 0.9;
const WAITING = 0.01;
/** A thread waits for the system if it has used no processor time at this many looks in a row: one look may be starved. */
const WAITING_LOOKS = 3;
/** Milliseconds that it then still has to explain a violation: more than it allows itself. */
const EXPLAINING = 4_000;
/** The same without any other limit, of processor time: an explanation is bounded by steps, but those of a spec may be slow. */
const MAX_EXPLAINING = 60_000;
const STOP_INTERVAL = 50;
/** This many times in a row, the process has more memory than the limit allows. */
const MAX_OVERRUNS = 4;

export class JobThread {
  #worker: Worker | undefined;

  /** Is there no thread that could run the next job? */
  get isEnded(): boolean {
    return this.#worker === undefined;
  }

  /** `print`: receives what the job writes to standard output. */
  async run<J extends Job>(
    job: J,
    onProgress: (text: string) => void,
    print: (piece: string) => void = () => {},
  ): Promise<Reply<J>> {
    const worker = this.#worker ?? this.#start(job);
    const timers: NodeJS.Timeout[] = [];
    const listening = new AbortController();
    const listen = <A>(event: string, listener: (value: A) => void) => {
      worker.on(event, listener);
      listening.signal.addEventListener('abort', () => worker.off(event, listener));
    };
    let isReusable = false;
    try {
      return await new Promise<Reply<J>>((resolve, reject) => {
        let found: ViolationMessage | undefined;
        let known: Reply<J> | undefined;
        let isExplaining = false;
        const end = (reason: LimitReason) => resolve(known ?? { kind: 'cut short', reason, found });
        // a verdict that is known stays, whatever happens to its explanation and report
        const fail = (reply: Refusal | Failure) => {
          if (known && 'verdict' in known)
            resolve({
              ...(known as Reply<J> & VerdictReply),
              unwritten: [
                ...(known.unwritten ?? []),
                { message: reply.message, isUnexpected: reply.kind === 'failed' },
              ],
            });
          else if (found)
            resolve({
              kind: 'cut short',
              reason: 'interrupted',
              found,
              error: reply.message.split('\n', 1)[0],
            });
          else resolve(reply);
        };
        const giveUp = (reason: LimitReason) => {
          if (!(found || known) || isExplaining) end(reason);
          else timers.push(setTimeout(giveUp, EXPLAINING, reason));
          isExplaining = true;
        };
        const threads = 'jobs' in job ? job.jobs : 1;
        if (job.limits.timeout !== undefined) {
          const most = job.limits.timeout + commandTime(job);
          timers.push(setTimeout(() => afterGrace(threads, timers, () => giveUp('time')), most));
        }
        let overruns = 0;
        const most = memoryLimit(job.limits.maxMemory);
        const watch = setInterval(() => {
          // buffers are not part of the heap, which V8 limits
          overruns = process.memoryUsage.rss() > most ? overruns + 1 : 0;
          if (overruns === MAX_OVERRUNS) giveUp('memory');
          if (Atomics.load(job.stop, 0) === 0) return;
          clearInterval(watch);
          afterGrace(threads, timers, () => giveUp('interrupted'));
        }, STOP_INTERVAL);
        timers.push(watch);
        listen('message', (message: Message<J>) => {
          if (message.kind === 'progress') onProgress(message.text);
          else if (message.kind === 'news')
            process.stderr.write(`${process.stderr.isTTY ? '\r\x1b[K' : ''}${printableText(message.text)}\n`);
          else if (message.kind === 'known') known = message.answer;
          else if (message.kind === 'found') {
            found = message;
            afterGrace(1, timers, () => end('time'), cpuMilliseconds, MAX_EXPLAINING);
          } else if (message.kind === 'output') print(message.piece);
          else if (message.kind === 'misused') reject(new UsageError(message.message));
          else if (message.kind === 'refused' || message.kind === 'failed') {
            isReusable = message.kind === 'refused';
            fail(message);
          } else {
            isReusable = true;
            resolve(message);
          }
        });
        listen('error', (error: Error) => (isOutOfMemory(error) ? end('memory') : fail(replyTo(error))));
        listen('exit', (code: number) =>
          fail({
            kind: 'refused',
            message: `the ${userCodeIn(job)} ended its process with code ${code}`,
          }),
        );
        worker.postMessage(job);
      });
    } finally {
      for (const timer of timers) clearTimeout(timer);
      listening.abort();
      if (!isReusable) await this.end();
    }
  }

  /** A thread that waits for the system, to open a pipe say, ends when that does: this does not wait for it. */
  async end(): Promise<void> {
    const worker = this.#worker;
    this.#worker = undefined;
    if (!worker) return;
    await Promise.race([worker.terminate(), new Promise((resolve) => setTimeout(resolve, GRACE).unref())]);
    worker.unref();
  }

  #start({ limits }: Job): Worker {
    const worker = startWorker('#worker', undefined, { bytes: limits.maxMemory });
    const forget = () => {
      if (this.#worker === worker) this.#worker = undefined;
    };
    worker.on('error', forget).on('exit', forget);
    this.#worker = worker;
    return worker;
  }
}

/**
 * Calls back when the threads of a job that should stop have had the time to do so. On a busy machine that takes longer,
 * because other processes have the processor: what the job has to report is not lost to them.
 */
export function afterGrace(
  threads: number,
  timers: NodeJS.Timeout[],
  callback: () => void,
  processorTime: () => number = cpuMilliseconds,
  grace: number = GRACE,
): void {
  const begin = processorTime();
  let before = begin;
  let idleLooks = 0;
  const look = (): void => {
    const now = processorTime();
    idleLooks = now - before < WAITING * grace ? idleLooks + 1 : 0;
    if (now - begin >= threads * ENOUGH * grace || idleLooks === WAITING_LOOKS) callback();
    else timers.push(setTimeout(look, grace));
    before = now;
  };
  timers.push(setTimeout(look, grace));
}

function cpuMilliseconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
}

/** Runs one job in its own thread. */
export async function runJob<J extends Job>(
  job: J,
  onProgress: (text: string) => void,
  print?: (piece: string) => void,
): Promise<Reply<J>> {
  const thread = new JobThread();
  try {
    return await thread.run(job, onProgress, print);
  } finally {
    await thread.end();
  }
}

/** Milliseconds that the test command of a job may take, besides the limit of the job: without a patch, and with each. */
const commandTime = (job: Job): number =>
  job.kind === 'replay' && job.patch?.testCommand !== undefined
    ? (1 + MOST_SAVED) * job.patch.testTimeout
    : 0;

/** The user code that a job runs. */
function userCodeIn(job: Job): string {
  if (job.kind === 'explore' || job.kind === 'replay' || job.kind === 'stress') return 'scenario';
  return job.map === undefined ? 'spec' : 'spec or map';
}
