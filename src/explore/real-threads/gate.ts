/**
 * What a thread comes to before each access to what threads share: it announces the access, waits to be let through, and then
 * really does it. Memory that the scenario has not shared is the thread's own.
 */
import type { MessagePort } from 'node:worker_threads';
import type { SourcePosition } from '../../base/source-position.js';
import { type Caller, callers } from '../../execution/callers.js';
import { CHANGED, type Channel, FOR_EVER, GO, OVERRAN, PLAIN, QUEUED, SHOWN, SLEEPS } from './channel.js';
import { Repeats } from './repeats.js';

export type View = Int32Array | BigInt64Array;

/** Where memory is accessed. */
export type Spot = readonly [buffer: number, byte: number, width: number];

export interface Access {
  readonly kind: number;
  /** All that is asked, as a text. */
  readonly request: string;
  readonly spot: Spot;
  readonly view: View;
  readonly index: number;
  /** What is stored, for people. */
  readonly stores?: unknown;
  /** Of a plain access: where it stands, and the number of that place. */
  readonly plain?: { readonly site: number; readonly place: SourcePosition };
}

/** Where an access stands in the source, and what it accesses, for people. */
export interface Sight extends SourcePosition {
  /** Who has called, the innermost first, if somebody asks. */
  readonly callers: readonly Caller[];
  readonly name: string;
  readonly stores: unknown;
}

const NOWHERE: SourcePosition = { file: '', line: 0, column: 0 };

/** Thrown where a call is given up: another execution begins. */
export class Abandoned extends Error {}

export class Gate {
  readonly repeats: Repeats = new Repeats();
  /** Is a call under way? */
  isClosed = false;
  isAbandoned = false;
  readonly #channel: Channel;
  readonly #port: MessagePort;
  #buffers: readonly SharedArrayBuffer[] = [];
  #isTraced = false;
  /** Places of plain accesses that were sent. */
  readonly #shown = new Set<number>();

  constructor(channel: Channel, port: MessagePort) {
    this.#channel = channel;
    this.#port = port;
  }

  /** Another execution begins, over this memory. */
  reset(buffers: readonly SharedArrayBuffer[], isTraced: boolean): void {
    this.#buffers = buffers;
    this.#isTraced = isTraced;
    this.isAbandoned = false;
    this.repeats.reset();
  }

  /** Undefined where nobody else can see it, where nothing is under way, and where there is no such element. */
  spotOf(view: View, index: number): Spot | undefined {
    if (!this.isClosed || !ArrayBuffer.isView(view) || !(index >= 0 && index < view.length)) return undefined;
    const buffer = this.#buffers.indexOf(view.buffer as SharedArrayBuffer);
    if (buffer < 0) return undefined;
    const width = view.BYTES_PER_ELEMENT;
    return [buffer, view.byteOffset + index * width, width];
  }

  /** Announces an access, and waits to be let through; with what it is given. `most`: how many are notified. */
  come(access: Access, most = 0): number {
    if (this.isAbandoned) throw new Abandoned();
    const course = this.repeats.comesTo(access.request);
    if (course === 'go on') return 0;
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

  /** An access has been done. `isCurrent`: does memory still hold what it saw? */
  did({ request }: Access, result: unknown, hasChanged: boolean, isCurrent: () => boolean): void {
    if (hasChanged) this.#channel.flags |= CHANGED;
    if (typeof result === 'number' || typeof result === 'bigint') this.#channel.value = result;
    this.repeats.did({ request, result, isCurrent }, hasChanged);
  }

  /** The thread waits from now on where it was let through last. */
  queue(): void {
    this.#channel.flags |= QUEUED;
  }

  /** Sleeps until it is woken; or, if it is limited, at most until then. Gives which of those who wait here was woken, or -1. */
  sleep(flags: number): number {
    this.#channel.flags |= flags;
    const woken = this.#say(SLEEPS) - 1;
    this.repeats.did({ request: 'sleep', result: woken, isCurrent: () => true }, true);
    return woken;
  }

  sleepForEver(): never {
    this.#channel.flags |= FOR_EVER;
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

  /** Sends where an access stands, if anybody asks; that of a plain one, once. */
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
