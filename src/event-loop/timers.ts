/**
 * Timers and immediates on the event loop of an execution, and `node:timers/promises` on top of them. Code of Node that can
 * be observed is followed step by step: `lib/timers.js`, `lib/timers/promises.js`.
 */
import { traceAsOwn } from '../instrument/model/effects.js';
import { tracer } from '../instrument/tracing/tracer.js';
import { currentLoop, type EventLoop, type Handle, type Task, TIME, TIMER_NUMBERS } from './event-loop.js';

export type Callback = (...args: unknown[]) => unknown;

/** Node's longest duration; a longer one, or one that is no number, is one millisecond. */
const LONGEST = 2 ** 31 - 1;

interface TimerOptions {
  readonly kind: 'timer' | 'immediate';
  readonly duration?: unknown;
  readonly isRepeated?: boolean;
  readonly isReferenced?: boolean | undefined;
}

/** The result of `setTimeout`, `setInterval` and `setImmediate`. */
export class Timer implements Handle {
  readonly #loop: EventLoop;
  readonly #callback: Callback;
  readonly #args: readonly unknown[];
  readonly #kind: 'timer' | 'immediate';
  readonly #duration: number;
  readonly #isRepeated: boolean;
  readonly #number: number;
  #firings = 0;
  #task: Task | undefined;
  #isClosed = false;
  #isReferenced: boolean;

  constructor(loop: EventLoop, callback: unknown, args: readonly unknown[], options: TimerOptions) {
    if (typeof callback !== 'function')
      throw new TypeError(`The "callback" argument must be of type function. Received ${typeof callback}`);
    const duration = Number(options.duration);
    this.#loop = loop;
    this.#callback = callback as Callback;
    this.#args = args;
    this.#kind = options.kind;
    this.#duration = duration >= 1 && duration <= LONGEST ? Math.trunc(duration) : 1;
    this.#isRepeated = options.isRepeated ?? false;
    this.#isReferenced = options.isReferenced ?? true;
    this.#number = loop.timers.push(this) - 1;
    this.#task = loop.add(this.#asTask(), this.#duration);
  }

  #asTask(): Task {
    const does = this.#kind === 'timer' ? `timer of ${this.#duration} ms` : 'immediate';
    return { kind: this.#kind, does, handle: this, run: () => this.#fire() };
  }

  #fire(): void {
    this.#task = undefined;
    this.#firings++;
    this.#callback(...this.#args);
    if (!this.#isRepeated || this.#isClosed) return;
    this.#task = this.#loop.repeat(this.#asTask(), this.#duration, this.#task);
  }

  get isRepeated(): boolean {
    return this.#isRepeated;
  }

  get firings(): number {
    return this.#firings;
  }

  /** All that its future depends on. */
  get state(): unknown[] {
    const flags = [this.#isRepeated, this.#isClosed, this.#isReferenced, this.#task !== undefined];
    return [this.#kind, this.#duration, this.#firings, ...flags, this.#callback, ...this.#args];
  }

  close(): this {
    // to close a timer that has fired differs from closing it before
    this.#loop.onUse?.(TIME);
    this.#isClosed = true;
    if (this.#task) this.#loop.remove(this.#task);
    this.#task = undefined;
    return this;
  }

  refresh(): this {
    if (this.#isClosed || this.#kind === 'immediate') return this;
    this.#task = this.#task
      ? this.#loop.refresh(this.#task, this.#asTask())
      : this.#loop.add(this.#asTask(), this.#duration);
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
    this.#loop.onUse?.(TIMER_NUMBERS);
    return this.#number;
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

traceAsOwn(Timer.prototype);

/** `clearTimeout`. Returns whether the timer belongs to an execution, not to Node. */
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

// ── node:timers/promises ──

interface WaitOptions {
  readonly signal?: AbortSignal | undefined;
  readonly ref?: boolean | undefined;
}

type Wait = (duration?: number, value?: unknown, options?: WaitOptions) => Promise<unknown>;
type WaitForImmediate = (value?: unknown, options?: WaitOptions) => Promise<unknown>;

const isBoolean = (value: unknown): boolean => value === undefined || typeof value === 'boolean';

/** Node itself rejects what is not valid, and what is aborted already, without a timer. */
const isRejected = (options: unknown, duration?: unknown): boolean => {
  if (duration !== undefined && typeof duration !== 'number') return true;
  if (Object(options) !== options) return true;
  const { signal, ref } = options as WaitOptions;
  return !isBoolean(ref) || (signal !== undefined && (!(signal instanceof AbortSignal) || signal.aborted));
};

/** Node's internal class of this name is not exported. */
const abortError = ({ reason }: AbortSignal): Error =>
  Object.assign(new Error('The operation was aborted', { cause: reason }), {
    code: 'ABORT_ERR',
    name: 'AbortError',
  });

export const waitFor =
  (real: Wait): Wait =>
  (duration, value, options = {}) => {
    const loop = currentLoop();
    if (!loop || isRejected(options, duration)) return real(duration, value, options);
    return waited(options, (done) => {
      return new Timer(loop, done, [value], { kind: 'timer', duration, isReferenced: options.ref });
    });
  };

export const waitForImmediate =
  (real: WaitForImmediate): WaitForImmediate =>
  (value, options = {}) => {
    const loop = currentLoop();
    if (!loop || isRejected(options)) return real(value, options);
    return waited(options, (done) => {
      return new Timer(loop, done, [value], { kind: 'immediate', isReferenced: options.ref });
    });
  };

function waited({ signal }: WaitOptions, set: (done: Callback) => Timer): Promise<unknown> {
  let cancel: (() => void) | undefined;
  const waiting = new Promise<unknown>((resolve, reject) => {
    let isOver = false;
    const done = (value: unknown) => {
      isOver = true;
      resolve(value);
    };
    const timer = set(tracer.c(done, 'wait', [() => waiting, () => isOver]));
    if (!signal) return;
    cancel = () => {
      if (isOver) return;
      isOver = true;
      timer.close();
      reject(abortError(signal));
    };
    signal.addEventListener('abort', cancel);
  });
  if (!cancel) return waiting;
  // as many microtasks as in Node
  const removed = new Promise<unknown>((resolve, reject) => void waiting.then(resolve, reject)).finally(() =>
    signal!.removeEventListener('abort', cancel!),
  );
  return new Promise<unknown>((resolve, reject) => void removed.then(resolve, reject));
}

type Repeat = <T>(duration?: number, value?: T, options?: WaitOptions) => AsyncIterable<T>;

export const repeatEvery =
  (real: Repeat): Repeat =>
  (duration, value, options = {}) =>
    currentLoop() && !isRejected(options, duration)
      ? repeated(currentLoop()!, duration, value as never, options)
      : real(duration, value, options);

async function* repeated<T>(
  loop: EventLoop,
  duration: number | undefined,
  value: T,
  options: WaitOptions,
): AsyncGenerator<T> {
  const { signal, ref } = options;
  if (signal?.aborted) throw abortError(signal);
  let count = 0;
  let wake: ((failure?: Promise<never>) => void) | undefined;
  const continueLoop = (failure?: Promise<never>) => {
    wake?.(failure);
    wake = undefined;
  };
  const firing = () => {
    count++;
    continueLoop();
  };
  const timer = new Timer(loop, firing, [], { kind: 'timer', duration, isRepeated: true, isReferenced: ref });
  const cancel = () => {
    timer.close();
    if (wake) continueLoop(Promise.reject(abortError(signal!)));
  };
  signal?.addEventListener('abort', cancel, { once: true });
  try {
    while (!signal?.aborted) {
      if (count === 0)
        await new Promise<void>((resolve) => {
          wake = resolve as typeof wake;
        });
      for (; count > 0; count--) yield value;
    }
    throw abortError(signal);
  } finally {
    timer.close();
    signal?.removeEventListener('abort', cancel);
  }
}
