/**
 * Threads that make the calls of one scenario, and the scheduler that resumes them one at a time.
 *
 * A thread is slow to start, so it is reused until the macrotask that requested it ends. A thread that is in a call when
 * another execution starts abandons the call. A thread that does not respond is terminated and replaced.
 */
import { MessageChannel, type MessagePort, receiveMessageOnPort, type Worker } from 'node:worker_threads';
import { startWorker } from '../../base/package-file.js';
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

/** Milliseconds in which a thread must load the scenario, and in which it must send its next message. */
const LOADING = 60_000;
const WATCHDOG = 5_000;

interface Thread {
  readonly worker: Worker;
  readonly channel: Channel;
  readonly port: MessagePort;
  isInCall: boolean;
  /** The data that it has posted with its last message. */
  sent: unknown;
  /** Number of a source position to its site (`runtime.sites`). */
  readonly sites: number[];
}

/** The shared data of an execution, and the memory in it. */
export interface Shared {
  readonly shared: unknown;
  readonly buffers: readonly SharedArrayBuffer[];
}

/** A command that was sent to a thread. */
interface Command {
  readonly thread: number;
  readonly command: number;
  readonly given: number;
}

const kept = new Map<string, Threads>();
const realImmediate = setImmediate;

export class Threads {
  readonly #module: string;
  readonly #watchdog: number;
  readonly #threads: (Thread | undefined)[] = [];
  #create: () => Shared = () => ({ shared: undefined, buffers: [] });
  #calls: readonly (readonly PlainCall[])[] = [];
  #isTraced = false;
  /** All commands of this execution, to repeat it after an overrun. */
  readonly #commands: Command[] = [];

  /** The threads of a module whose default export is the scenario. They are terminated after the current macrotask. */
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

  /** Starts another execution: over fresh memory, with these calls of each thread. */
  begin(create: () => Shared, calls: readonly (readonly PlainCall[])[], isTraced: boolean): Shared {
    this.#create = create;
    this.#calls = calls;
    this.#isTraced = isTraced;
    this.#commands.length = 0;
    return this.#attach();
  }

  /** Lets a thread make one of its calls. Returns its channel with its next message. */
  call(thread: number, number: number): Channel {
    return this.#issue({ thread, command: CALL, given: number });
  }

  /** Grants the announced access of a thread, or wakes it. Returns its channel with its next message. */
  resume(thread: number, given: number): Channel {
    return this.#issue({ thread, command: GO, given });
  }

  /** The data that a thread has posted with its last message. */
  sentBy(thread: number): unknown {
    return this.#threads[thread]!.sent;
  }

  /** Number of a source position in a thread to its site (`runtime.sites`). */
  sitesOf(thread: number): number[] {
    return this.#threads[thread]!.sites;
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

  /** Ends the call of a thread. A thread that does not respond is replaced. */
  #abandon(p: number): void {
    try {
      this.#ask(p, ABANDON, 0);
    } catch (error) {
      if (!(error instanceof LostThreadError)) throw error;
    }
  }

  #issue(issued: Command): Channel {
    this.#commands.push(issued);
    let channel = this.#ask(issued.thread, issued.command, issued.given);
    while (channel.said === OVERRAN) channel = this.#again();
    return channel;
  }

  /** A thread has overrun a trial (gate.ts): repeats the execution up to here. It does not overrun the same trial again. */
  #again(): Channel {
    this.#attach();
    let channel: Channel | undefined;
    for (const { thread, command, given } of this.#commands) {
      channel = this.#ask(thread, command, given);
      if (channel.said === OVERRAN) return channel;
    }
    return channel!;
  }

  /** Sends a command to a thread and waits for its next message. */
  #ask(p: number, command: number, given: number): Channel {
    const thread = this.#threads[p]!;
    const { channel } = thread;
    channel.sendCommand(command, given);
    channel.pass();
    this.#listen(p, thread, this.#watchdog);
    if (command === ATTACH && channel.said === THREW)
      throw new ProgramError(`\`attach\` has thrown in a thread: ${errorOf(thread.sent)}`);
    return channel;
  }

  #listen(p: number, thread: Thread, timeout: number): void {
    const { channel, port } = thread;
    const hasSpoken = channel.await(timeout);
    if (!hasSpoken || channel.said === GONE) {
      this.#threads[p] = undefined;
      void thread.worker.terminate();
      throw new LostThreadError(this.#methodOf(p), hasSpoken ? undefined : timeout);
    }
    const { said } = channel;
    const isOver = said === RETURNED || said === THREW || said === REFUSED;
    thread.isInCall = !isOver && said !== READY;
    thread.sent = isOver || channel.flags & SHOWN ? receiveMessageOnPort(port)?.message : undefined;
    if (said === REFUSED) throw new ProgramError(errorOf(thread.sent));
  }

  /** The method of the last call of a thread. */
  #methodOf(p: number): string {
    const last = this.#commands.findLast(({ thread, command }) => thread === p && command === CALL);
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
    const thread = { worker, channel, port, isInCall: false, sent: undefined, sites: [] };
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
