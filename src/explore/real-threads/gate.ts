/**
 * The gate of a thread before each access to shared memory. The thread announces the access, waits until the scheduler grants
 * it, and then performs it. Memory that the scenario does not share is private to the thread and needs no gate.
 */
import type { MessagePort } from 'node:worker_threads';
import type { SourcePosition } from '../../base/source-position.js';
import { type Caller, callers } from '../../execution/callers.js';
import { CHANGED, type Channel, FOREVER, GO, OVERRAN, PLAIN, QUEUED, SHOWN, SLEEPS } from './channel.js';
import { Repeats } from './repeats.js';

export type View = Int32Array | BigInt64Array;

/** The location of an access. */
export type Spot = readonly [buffer: number, byte: number, width: number];

export interface Access {
  readonly kind: number;
  /** The function, location and arguments, as text. */
  readonly request: string;
  readonly spot: Spot;
  readonly view: View | DataView;
  readonly index: number;
  /** The value that is stored, for reports. */
  readonly stores?: unknown;
  /** Of a plain access: its source position, and the number of that position. */
  readonly plain?: { readonly site: number; readonly place: SourcePosition };
}

/** The source position of an access and the name of its location, for reports. */
export interface Sight extends SourcePosition {
  /** The call stack, innermost first; empty unless the execution is traced. */
  readonly callers: readonly Caller[];
  readonly name: string;
  readonly stores: unknown;
}

const NOWHERE: SourcePosition = { file: '', line: 0, column: 0 };

/** Thrown in a call that is abandoned, because another execution starts. */
export class Abandoned extends Error {}

export class Gate {
  readonly repeats: Repeats = new Repeats();
  /** Does a call run? Only then are accesses announced. */
  isClosed = false;
  isAbandoned = false;
  readonly #channel: Channel;
  readonly #port: MessagePort;
  #buffers: readonly SharedArrayBuffer[] = [];
  #isTraced = false;
  /** Numbers of plain accesses whose source position was sent. */
  readonly #shown = new Set<number>();

  constructor(channel: Channel, port: MessagePort) {
    this.#channel = channel;
    this.#port = port;
  }

  /** Starts another execution over this memory. */
  reset(buffers: readonly SharedArrayBuffer[], isTraced: boolean): void {
    this.#buffers = buffers;
    this.#isTraced = isTraced;
    this.isAbandoned = false;
    this.repeats.reset();
  }

  /** The location of an element. Undefined if its memory is private, no call runs, or there is no such element. */
  spotOf(view: View, index: number): Spot | undefined {
    if (!this.isClosed || !ArrayBuffer.isView(view) || !(index >= 0 && index < view.length)) return undefined;
    const width = view.BYTES_PER_ELEMENT;
    return this.bytesOf(view, index * width, width);
  }

  /** The location of some bytes of a view. Undefined if its memory is private, no call runs, or there are no such bytes. */
  bytesOf(view: View | DataView, from: number, width: number): Spot | undefined {
    if (!this.isClosed || !(from >= 0 && from + width <= view.byteLength)) return undefined;
    const buffer = this.#buffers.indexOf(view.buffer as SharedArrayBuffer);
    return buffer < 0 ? undefined : [buffer, view.byteOffset + from, width];
  }

  /** Announces an access and waits until it is granted. Returns the number that the scheduler gives. `most`: the limit of NOTIFY. */
  come(access: Access, most = 0): number {
    if (this.isAbandoned) throw new Abandoned();
    const course = this.repeats.courseOf(access.request);
    if (course === 'proceed') return 0;
    if (course === 'overran') return this.#say(OVERRAN);
    this.#channel.spins = this.repeats.spins;
    this.#channel.most = most;
    this.#channel.saysWhere(...access.spot);
    if (access.plain) {
      this.#channel.flags |= PLAIN;
      this.#channel.site = access.plain.site;
    }
    this.#show(access);
    return this.#say(access.kind);
  }

  /** Reports a performed access. `isCurrent`: does memory still hold the value that it left? */
  did({ request }: Access, result: unknown, hasChanged: boolean, isCurrent: () => boolean): void {
    if (hasChanged) this.#channel.flags |= CHANGED;
    if (typeof result === 'number' || typeof result === 'bigint') this.#channel.value = result;
    this.repeats.did({ request, result, isCurrent }, hasChanged);
  }

  /** Reports that the thread has joined the wait queue at its last access. */
  queue(): void {
    this.#channel.flags |= QUEUED;
  }

  /** Sleeps until woken; with LIMITED, the scheduler may end the sleep at any time. Returns the index of the woken wait, or -1. */
  sleep(flags: number): number {
    this.#channel.flags |= flags;
    const woken = this.#say(SLEEPS) - 1;
    this.repeats.did({ request: 'sleep', result: woken, isCurrent: () => true }, true);
    return woken;
  }

  sleepForever(): never {
    this.#channel.flags |= FOREVER;
    this.#say(SLEEPS);
    throw new Abandoned();
  }

  #say(kind: number): number {
    this.#channel.says(kind);
    this.#channel.pass();
    this.#channel.await();
    this.#channel.flags = 0;
    this.#channel.spins = 0;
    if (this.#channel.command === GO) return this.#channel.given;
    this.isAbandoned = true;
    throw new Abandoned();
  }

  /** Sends the source position of an access if the execution is traced. That of a plain access is always sent once. */
  #show({ spot, view, index, stores, plain }: Access): void {
    const isNew = plain !== undefined && !this.#shown.has(plain.site);
    if (!this.#isTraced && !isNew) return;
    if (plain) this.#shown.add(plain.site);
    const of = this.#buffers.length > 1 ? ` of buffer ${spot[0] + 1}` : '';
    const stack = this.#isTraced ? callers() : [];
    const { file, line, column } = plain?.place ?? stack[0] ?? NOWHERE;
    this.#port.postMessage({
      file,
      line,
      column,
      callers: stack.map((caller, i) => (i === 0 ? { ...caller, file, line, column } : caller)),
      name: `${view.constructor.name}[${index}]${of}`,
      stores,
    } satisfies Sight);
    this.#channel.flags |= SHOWN;
  }
}
