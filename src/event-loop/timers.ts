/** Timers and immediates as Node has them, but on the event loop of an execution. */
import { traceAsOwn } from '../instrument/model/effects.js';
import { type EventLoop, type Handle, type Task, TIME } from './event-loop.js';

/* `node:timers/promises`, by the timers of whoever asks: an execution, or Node. */

interface WaitOptions {
  readonly signal?: AbortSignal;
  readonly ref?: boolean;
}

export const later = <T>(delay?: number, value?: T, options?: WaitOptions): Promise<T> =>
  waited(
    (done) => {
      const timer = setTimeout(done, delay);
      return () => clearTimeout(timer);
    },
    value as T,
    options,
  );

export const laterOn = <T>(value?: T, options?: WaitOptions): Promise<T> =>
  waited(
    (done) => {
      const immediate = setImmediate(done);
      return () => clearImmediate(immediate);
    },
    value as T,
    options,
  );

export async function* repeatedly<T>(delay?: number, value?: T, options?: WaitOptions): AsyncGenerator<T> {
  for (;;) yield await later(delay, value as T, options);
}

/** `begin` sets something up, and gives what takes it back. */
function waited<T>(
  begin: (done: () => void) => () => void,
  value: T,
  { signal }: WaitOptions = {},
): Promise<T> {
  return new Promise((resolve, reject) => {
    const aborted = () =>
      Object.assign(new DOMException('The operation was aborted', 'AbortError'), { cause: signal?.reason });
    if (signal?.aborted) {
      reject(aborted());
      return;
    }
    const end = begin(() => {
      signal?.removeEventListener('abort', abort);
      resolve(value);
    });
    const abort = () => {
      end();
      reject(aborted());
    };
    signal?.addEventListener('abort', abort, { once: true });
  });
}

export type Callback = (...args: unknown[]) => unknown;

/** Node's longest delay; what is longer, or no number, is one millisecond. */
const LONGEST = 2 ** 31 - 1;

interface TimerOptions {
  readonly kind: 'timer' | 'immediate';
  readonly delay?: unknown;
  readonly isRepeated?: boolean;
}

/** What `setTimeout`, `setInterval` and `setImmediate` return. */
export class Timer implements Handle {
  readonly #loop: EventLoop;
  readonly #callback: Callback;
  readonly #args: readonly unknown[];
  readonly #kind: 'timer' | 'immediate';
  readonly #delay: number;
  readonly #isRepeated: boolean;
  #firings = 0;
  readonly #number: number;
  #task: Task | undefined;
  #isClosed = false;
  #isReferenced = true;

  constructor(loop: EventLoop, callback: unknown, args: readonly unknown[], options: TimerOptions) {
    if (typeof callback !== 'function')
      throw new TypeError(`The "callback" argument must be of type function. Received ${typeof callback}`);
    const delay = Math.trunc(Number(options.delay));
    this.#loop = loop;
    this.#callback = callback as Callback;
    this.#args = args;
    this.#kind = options.kind;
    this.#delay = options.kind === 'immediate' ? 0 : delay >= 1 && delay <= LONGEST ? delay : 1;
    this.#isRepeated = options.isRepeated ?? false;
    this.#number = loop.timers.push(this) - 1;
    this.#set();
  }

  #set(): void {
    const does = this.#kind === 'timer' ? `timer of ${this.#delay} ms` : 'immediate';
    const task: Task = { kind: this.#kind, does, handle: this, run: () => this.#fire() };
    this.#task = this.#loop.add(task, this.#delay);
  }

  #fire(): void {
    this.#task = undefined;
    this.#firings++;
    if (this.#isRepeated) this.#loop.asked.add('setInterval');
    this.#callback(...this.#args);
    // it may have been closed, or set again, by its own callback
    if (this.#isRepeated && !this.#isClosed && this.#task === undefined) this.#set();
  }

  get isRepeated(): boolean {
    return this.#isRepeated;
  }

  get firings(): number {
    return this.#firings;
  }

  close(): this {
    this.#isClosed = true;
    // also where it has fired already: who closes it comes after that
    this.#loop.onUse?.(TIME);
    if (this.#task) this.#loop.remove(this.#task);
    this.#task = undefined;
    return this;
  }

  refresh(): this {
    if (this.#isClosed) return this;
    if (this.#task) this.#loop.remove(this.#task);
    this.#set();
    return this;
  }

  ref(): this {
    this.#isReferenced = true;
    return this;
  }

  unref(): this {
    this.#isReferenced = false;
    return this;
  }

  hasRef(): boolean {
    return this.#isReferenced;
  }

  [Symbol.toPrimitive](): number {
    return this.#number;
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

traceAsOwn(Timer.prototype);

/** What `clearTimeout` does. Tells whether the timer is of an execution, and not of Node's. */
export function clear(loop: EventLoop | undefined, timer: unknown): boolean {
  if (timer instanceof Timer) {
    timer.close();
    return true;
  }
  const numbered = loop?.timers[Number(timer)] as Timer | undefined;
  if (typeof timer === 'object' || numbered === undefined) return false;
  numbered.close();
  return true;
}
