/**
 * Threads that make the calls of one scenario, and whoever tells them when to go on.
 *
 * A thread takes long to begin, so it is kept: for as long as the task of the event loop lasts in which it was asked for. One
 * that is in a call when another execution begins gives it up. One that does not answer is ended, and another takes its place.
 */
import { MessageChannel, type MessagePort, receiveMessageOnPort, type Worker } from 'node:worker_threads';
import { startWorker } from '../../base/start-worker.js';
import { LostThreadError, ProgramError } from '../../execution/memory/program-error.js';
import type { PlainCall } from '../../instrument/instrumented-program.js';
import {
  ABANDON,
  ATTACH,
  CALL,
  Channel,
  GO,
  GONE,
  OVERRAN,
  READY,
  REFUSED,
  RETURNED,
  SCHEDULER,
  SHOWN,
  THREW,
} from './channel.js';
import type { Beginning, ThreadData } from './serve.js';

/** Milliseconds that a thread may take to load the scenario, and between two things that it says. */
const LOADING = 60_000;
const WATCHDOG = 5_000;

interface Thread {
  readonly worker: Worker;
  readonly channel: Channel;
  readonly port: MessagePort;
  isInCall: boolean;
  /** What it has sent with what it said last. */
  sent: unknown;
}

/** What an execution works on. */
export interface Shared {
  readonly shared: unknown;
  readonly buffers: readonly SharedArrayBuffer[];
}

/** What a thread was told in this execution. */
interface Told {
  readonly thread: number;
  readonly command: number;
  readonly given: number;
}

const kept = new Map<string, Threads>();
const realImmediate = setImmediate;

export class Threads {
  /** Number of a plain access in the threads to where it stands (`runtime.sites`). */
  readonly sites: number[] = [];
  readonly #module: string;
  readonly #watchdog: number;
  readonly #threads: (Thread | undefined)[] = [];
  #create: () => Shared = () => ({ shared: undefined, buffers: [] });
  #calls: readonly (readonly PlainCall[])[] = [];
  #isTraced = false;
  readonly #told: Told[] = [];

  /** Those of a module whose default export is the scenario. They end when the current task has. */
  static of(module: string): Threads {
    const known = kept.get(module);
    if (known) return known;
    const threads = new Threads(module);
    kept.set(module, threads);
    realImmediate(() => {
      kept.delete(module);
      threads.end();
    });
    return threads;
  }

  constructor(module: string, watchdog: number = WATCHDOG) {
    this.#module = module;
    this.#watchdog = watchdog;
  }

  end(): void {
    for (const thread of this.#threads) void thread?.worker.terminate();
    this.#threads.length = 0;
  }

  /** Another execution begins: over fresh memory, with these calls of each thread. */
  begin(create: () => Shared, calls: readonly (readonly PlainCall[])[], isTraced: boolean): Shared {
    this.#create = create;
    this.#calls = calls;
    this.#isTraced = isTraced;
    this.#told.length = 0;
    return this.#attach();
  }

  /** A thread makes a call, by its number among its own. Gives its channel when it has said something. */
  call(thread: number, number: number): Channel {
    return this.#tell({ thread, command: CALL, given: number });
  }

  goOn(thread: number, given: number): Channel {
    return this.#tell({ thread, command: GO, given });
  }

  /** What a thread has sent with what it said. */
  sentBy(thread: number): unknown {
    return this.#threads[thread]!.sent;
  }

  #attach(): Shared {
    for (const [p, thread] of this.#threads.entries()) if (thread?.isInCall) this.#abandon(p);
    const made = this.#create();
    for (const [p, calls] of this.#calls.entries()) {
      const { port } = this.#threadAt(p);
      post(port, { ...made, calls, isTraced: this.#isTraced });
      this.#ask(p, ATTACH, 0);
    }
    return made;
  }

  /** Its call is over. One that does not let go of it is replaced. */
  #abandon(p: number): void {
    try {
      this.#ask(p, ABANDON, 0);
    } catch (error) {
      if (!(error instanceof LostThreadError)) throw error;
    }
  }

  #tell(told: Told): Channel {
    this.#told.push(told);
    let channel = this.#ask(told.thread, told.command, told.given);
    while (channel.said === OVERRAN) channel = this.#again();
    return channel;
  }

  /** A thread has gone too far: the execution is made again, up to where it was. It will not do so twice. */
  #again(): Channel {
    this.#attach();
    let channel: Channel | undefined;
    for (const { thread, command, given } of this.#told) {
      channel = this.#ask(thread, command, given);
      if (channel.said === OVERRAN) return channel;
    }
    return channel!;
  }

  /** A thread goes on until it says something. */
  #ask(p: number, command: number, given: number): Channel {
    const thread = this.#threads[p]!;
    const { channel } = thread;
    channel.tell(command, given);
    channel.pass();
    this.#listen(p, thread, this.#watchdog);
    if (command === ATTACH && channel.said === THREW)
      throw new ProgramError(`\`attach\` has thrown in a thread: ${errorOf(thread.sent)}`);
    return channel;
  }

  #listen(p: number, thread: Thread, patience: number): void {
    const { channel, port } = thread;
    const hasSpoken = channel.await(patience);
    if (!hasSpoken || channel.said === GONE) {
      this.#threads[p] = undefined;
      void thread.worker.terminate();
      throw new LostThreadError(this.#methodOf(p), hasSpoken ? undefined : patience);
    }
    const { said } = channel;
    const isOver = said === RETURNED || said === THREW || said === REFUSED;
    thread.isInCall = !isOver && said !== READY;
    thread.sent = isOver || channel.flags & SHOWN ? receiveMessageOnPort(port)?.message : undefined;
    if (said === REFUSED) throw new ProgramError(errorOf(thread.sent));
  }

  /** What a thread was called for last. */
  #methodOf(p: number): string {
    const last = this.#told.findLast(({ thread, command }) => thread === p && command === CALL);
    return last === undefined ? 'attach' : this.#calls[p][last.given][0];
  }

  #threadAt(p: number): Thread {
    const known = this.#threads[p];
    if (known) return known;
    const channel = new Channel(SCHEDULER);
    const { port1: port, port2 } = new MessageChannel();
    const data: ThreadData = { module: this.#module, words: channel.memory, port: port2 };
    const worker = startWorker('#explore-thread', data, { transfer: [port2], isBackground: true });
    port.unref();
    const thread = { worker, channel, port, isInCall: false, sent: undefined };
    this.#threads[p] = thread;
    channel.pass();
    this.#listen(p, thread, LOADING);
    return thread;
  }
}

function post(port: MessagePort, beginning: Beginning): void {
  try {
    port.postMessage(beginning);
  } catch (error) {
    throw new ProgramError(
      `the result of \`create\` or an argument of a call cannot be sent to another thread: ${(error as Error).message.replace(/\.$/, '')}. Use plain data and SharedArrayBuffers, and create the object in \`attach\``,
    );
  }
}

const errorOf = (sent: unknown): string => (sent as { error: { message: string } }).error.message;
