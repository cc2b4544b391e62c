/** Kits of what decides when a function runs: throttled and debounced functions, circuit breakers. */
import {
  type Awaitable,
  BrokenGuarantee,
  type Calls,
  clients,
  type Kit,
  type KitOptions,
  kitOf,
  numbers,
  rejected,
  timeNow,
  World,
} from './kit.js';

/** How a throttled or debounced function is used. */
export interface DelayAdapter<F> extends KitOptions {
  /** Makes the function; `wait` is in milliseconds. */
  readonly create: (run: (value: number) => number, wait: number) => Awaitable<F>;
  readonly call: (delayed: F, value: number) => unknown;
  /** In milliseconds. Default: 100. */
  readonly wait?: number;
  /** Does it run with the value of the last call? Default: true. */
  readonly trailing?: boolean;
  /** Does a debounced function run at the first of several calls? Default: false. */
  readonly leading?: boolean;
  /** Does each call return a promise that settles? Default: false. */
  readonly promises?: boolean;
  /** Forgets calls that have not run. */
  readonly cancel?: (delayed: F) => unknown;
  /** Runs at once what waits. */
  readonly flush?: (delayed: F) => unknown;
}

/** What a circuit breaker is made with. */
export interface CircuitOptions {
  /** After n failures in a row, the circuit opens. */
  readonly threshold: number;
  /** Milliseconds until an open circuit lets a call through. */
  readonly reset: number;
}

/** How a circuit breaker is used. */
export interface CircuitBreakerAdapter<B> extends KitOptions {
  readonly create: (run: () => Promise<string>, options: CircuitOptions) => Awaitable<B>;
  readonly call: (breaker: B) => unknown;
  /** Default: 2. */
  readonly threshold?: number;
  /** Default: 100. */
  readonly reset?: number;
  /** How many calls at a time may try whether the circuit can be closed. Default: 1. */
  readonly probes?: number;
}

const FAILURE = 'the function failed';
const hasText = (error: unknown, text: string): boolean => String(error).includes(text);

/** So much later that every timer of the object has fired. */
const later = async (milliseconds: number): Promise<void> => {
  for (let i = 0; i < 2; i++) await new Promise((resolve) => setTimeout(resolve, 3 * milliseconds));
};

/* Throttled and debounced functions */

class Delays<F> extends World<F | undefined> {
  delayed: F | undefined;
  readonly called: number[] = [];
  readonly ran: number[] = [];
  /** Times of the last call and the last run. */
  lastCall = 0;
  lastRun: number | undefined;
  /** How many calls were cancelled. */
  cancelled = 0;
  isFlushed = false;
  isFailing = false;
}

function delayKit<F>(kind: 'debounce' | 'throttle', adapter: DelayAdapter<F>): Kit {
  const {
    create,
    call,
    wait = 100,
    trailing = true,
    leading = false,
    promises = false,
    cancel,
    flush,
  } = adapter;
  type Own = Delays<F>;
  const running =
    (world: Own) =>
    (value: number): number => {
      const now = timeNow();
      if (world.ran.includes(value)) world.breaks(`the call with ${value} ran twice`);
      if (!world.called.includes(value))
        world.breaks(`the function ran with ${String(value)}, which was not called`);
      if (world.called.indexOf(value) < world.cancelled)
        world.breaks(`the call with ${value} ran after it was cancelled`);
      const since =
        now - (kind === 'throttle' ? (world.lastRun ?? Number.NEGATIVE_INFINITY) : world.lastCall);
      if (since < wait && !world.isFlushed && (kind === 'throttle' || !leading))
        world.breaks(
          kind === 'throttle'
            ? `too fast: the function ran ${since} ms after the last run instead of ${wait} ms`
            : `too early: the function ran ${since} ms after the last call instead of ${wait} ms`,
        );
      world.ran.push(value);
      world.lastRun = now;
      if (world.isFailing) throw new Error(FAILURE);
      return value;
    };
  const methods: Calls<Own> = {
    call: (world, value: number) =>
      world.call(`call(${value})`, async (caller) => {
        caller.doing = 'call';
        world.called.push(value);
        world.lastCall = timeNow();
        try {
          const result = call(world.delayed!, value);
          if (!promises) return;
          await result;
        } catch (error) {
          if (cancel === undefined && !(world.isFailing && hasText(error, FAILURE)))
            throw rejected(caller, error);
          return;
        }
        if (world.isFailing) throw new BrokenGuarantee(`${caller.name} returned, but the function failed`);
      }),
    failing: (world, how: string) => {
      world.isFailing = how === 'on';
    },
    /** What was forgotten does not delay the next call. */
    cancel: async (world) => {
      const { length } = world.called;
      const result = cancel!(world.delayed!);
      world.lastRun = undefined;
      await result;
      world.cancelled = length;
    },
    flush: (world) =>
      world.call('flush()', async (caller) => {
        caller.doing = 'flush';
        world.isFlushed = true;
        await flush!(world.delayed!);
      }),
    pause: () => later(wait),
    /** After a long time: the last call has run. */
    lastRan: (world) =>
      world.call('lastRan()', async () => {
        await later(wait);
        const last = world.called.at(-1);
        if (world.called.length > world.cancelled && last !== world.ran.at(-1))
          throw new BrokenGuarantee(
            `the last call is lost: it had the value ${String(last)}, the last run had ${String(world.ran.at(-1))}`,
          );
      }),
    someRan: (world) =>
      world.call('someRan()', async () => {
        await later(wait);
        if (world.ran.length === 0) throw new BrokenGuarantee('the function never ran');
      }),
  };
  const after = trailing ? 'lastRan' : 'someRan';
  return kitOf({
    kind: `${kind}d function`,
    options: adapter,
    create: async () => {
      const world = new Delays<F>(undefined);
      world.delayed = await create(running(world), wait);
      return world;
    },
    methods,
    guarantees: [
      {
        guarantee:
          kind === 'throttle'
            ? `it runs at most once in ${wait} ms, and with the last value`
            : `it runs ${wait} ms after the last call, with its value`,
        tests: [
          clients('call 1', after),
          clients('call 1 | call 2', after),
          clients('call 1, call 3 | call 2', after),
          clients('call 1, pause, call 2 | call 3', after),
        ],
      },
      cancel && {
        guarantee: 'a cancelled call does not run',
        tests: [clients('call 1 | cancel', 'lastRan'), clients('call 1, call 2 | cancel', 'lastRan')],
      },
      flush && {
        guarantee: 'a flush runs what waits, and ends its calls',
        tests: [clients('call 1 | flush', after), clients('call 1 | call 2 | flush', after)],
      },
      promises && {
        guarantee: 'an error of the function goes to its calls',
        tests: [
          clients('call 1', 'failing off, call 2', 'failing on'),
          clients('call 1 | call 2', 'failing off, call 3', 'failing on'),
        ],
      },
    ],
  });
}

/**
 * A kit of debounced functions: one run after the last call, with its value.
 * Guide: `docs/guide/kits/throttle-and-debounce.md`.
 *
 * @example
 * export default debounceKit({
 *   create: (run, wait) => yours.debounce(run, wait),
 *   call: (debounced, value) => debounced(value),
 * });
 */
export const debounceKit = <F>(adapter: DelayAdapter<F>): Kit => delayKit('debounce', adapter);

/**
 * A kit of throttled functions: at most one run in each interval, and the last call is not lost.
 * Guide: `docs/guide/kits/throttle-and-debounce.md`.
 *
 * @example
 * export default throttleKit({
 *   create: (run, wait) => yours.throttle(run, wait),
 *   call: (throttled, value) => throttled(value),
 * });
 */
export const throttleKit = <F>(adapter: DelayAdapter<F>): Kit => delayKit('throttle', adapter);

/* Circuit breakers */

class Circuit<B> extends World<B | undefined> {
  breaker: B | undefined;
  isFailing = false;
  /** Was the circuit open, and has no call succeeded since? */
  isOpen = false;
  readonly probes: number;
  runs = 0;
  inProgress = 0;
  lastFailure = 0;

  constructor(probes: number) {
    super(undefined);
    this.probes = probes;
  }

  readonly run = async (): Promise<string> => {
    this.runs++;
    this.inProgress++;
    const { isFailing } = this;
    if (this.isOpen && this.inProgress > this.probes)
      this.breaks(
        `${this.inProgress} calls at a time try whether the circuit can be closed, instead of ${this.probes}`,
      );
    await this.wait(`run ${this.runs} ${isFailing ? 'fails' : 'succeeds'}`);
    this.inProgress--;
    if (isFailing) {
      this.lastFailure = timeNow();
      throw new Error(FAILURE);
    }
    this.isOpen = false;
    return 'done';
  };
}

/**
 * A kit of circuit breakers: the circuit opens after failures, one call at a time tries to close it, and it closes again.
 * Guide: `docs/guide/kits/circuit-breaker.md`.
 *
 * @example
 * export default circuitBreakerKit({
 *   create: (run, { threshold, reset }) => new yours.Breaker(run, { threshold, resetTimeout: reset }),
 *   call: (breaker) => breaker.fire(),
 * });
 */
export function circuitBreakerKit<B>(adapter: CircuitBreakerAdapter<B>): Kit {
  const { create, call, threshold = 2, reset = 100, probes = 1 } = adapter;
  type Own = Circuit<B>;
  const tries = async (world: Own): Promise<unknown> => {
    try {
      await call(world.breaker!);
      return undefined;
    } catch (error) {
      return error ?? new Error('rejected');
    }
  };
  const methods: Calls<Own> = {
    /** A call; it may be refused. */
    call: (world, n: number) =>
      world.call(`call(${n})`, async (caller) => {
        caller.doing = 'call';
        await tries(world);
      }),
    failing: (world, how: string) => {
      world.isFailing = how === 'on';
    },
    /** The next call is refused, unless a timer of the circuit was first. */
    isOpen: (world) =>
      world.call('isOpen()', async (caller) => {
        caller.doing = 'call';
        const { runs } = world;
        const isLate = timeNow() >= world.lastFailure + reset;
        const error = await tries(world);
        if (!isLate && (world.runs > runs || error === undefined))
          throw new BrokenGuarantee(
            `the circuit is not open after ${threshold} failures: the function runs again`,
          );
        world.isOpen = true;
      }),
    wait: () => later(reset),
    /** The next call succeeds. */
    isClosed: (world) =>
      world.call('isClosed()', async (caller) => {
        caller.doing = 'call';
        const error = await tries(world);
        if (error !== undefined)
          throw new BrokenGuarantee(
            `the circuit stays open: a call is refused after ${reset} ms: ${String(error)}`,
          );
      }),
  };
  const fails = numbers(threshold).map((n) => `call ${n}`);
  const opened = `failing on, ${fails.join(', ')}, isOpen, wait`;
  return kitOf({
    kind: 'circuit breaker',
    options: adapter,
    create: async () => {
      const world = new Circuit<B>(probes);
      world.breaker = await create(world.run, { threshold, reset });
      return world;
    },
    methods,
    guarantees: [
      {
        guarantee: `the circuit opens after ${threshold} failures, and closes again`,
        tests: [clients(fails.join(' | '), 'isOpen, wait, failing off, isClosed', 'failing on')],
      },
      {
        guarantee: `${probes === 1 ? 'one call' : `${probes} calls`} at a time may try to close the circuit`,
        tests: [
          clients('call 1 | call 2 | call 3', 'wait, isClosed', `${opened}, failing off`),
          clients('call 1 | call 2', 'wait, failing off, isClosed', opened),
        ],
      },
    ],
  });
}
