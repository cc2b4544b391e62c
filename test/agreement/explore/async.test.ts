/** Explorations of asynchronous code under all orders of its tasks: known bugs, timers by simulation, stubs and aborts. */
import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { inOwnTask } from '../../../src/event-loop/own-task.js';
import { backendNameOf } from '../../../src/explore/choose-backend.js';
import { type Exploration, type ExploreSyncOptions, exploreSync } from '../../../src/explore/explore.js';
import { shrinkSync } from '../../../src/explore/failure/shrink.js';
import { parseObservations } from '../../../src/explore/learning/read-observations.js';
import { observationsText } from '../../../src/explore/learning/write-observations.js';
import { Deadline } from '../../../src/explore/model/deadline.js';
import { type Scenario, scenario } from '../../../src/explore/scenario/scenario.js';
import type { History } from '../../../src/history/history.js';
import { register } from '../../../src/objects/cells/register.js';
import { mutex, semaphore } from '../../../src/objects/locks/mutex.js';

const explored = (given: Scenario, options?: ExploreSyncOptions): Promise<Exploration> =>
  inOwnTask(() => exploreSync(given, options));

/** The history of the violation, by replaying its schedule. */
async function historyOf({ results: all }: Exploration): Promise<History> {
  const { violation, backend } = all.at(-1)!;
  if (violation === undefined || violation.kind === 'nondeterminism') throw new Error('expected a violation');
  const { schedule } = violation;
  return inOwnTask(() => backend.trace(schedule).history);
}

const textOf = (history: History): string[] =>
  Array.from(history, ({ process, method, outcome }) => `${process} ${method} ${describeOutcome(outcome)}`);

function describeOutcome(outcome: { kind: string; value?: unknown }): string {
  return outcome.kind === 'returned' ? String(outcome.value) : outcome.kind;
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** An account with an await between check and update. */
class Account {
  balance = 10;
  async withdraw(amount: number): Promise<boolean> {
    const { balance } = this;
    await turn();
    if (balance < amount) return false;
    this.balance = balance - amount;
    return true;
  }
}

/** Wakes the longest waiter, but is free until that waiter runs. */
class Lock {
  protected isHeld = false;
  protected readonly waiting: (() => void)[] = [];
  async lock(): Promise<void> {
    if (this.isHeld) await new Promise<void>((resolve) => this.waiting.push(resolve));
    this.isHeld = true;
  }
  async unlock(): Promise<void> {
    this.isHeld = false;
    this.waiting.shift()?.();
  }
}

/** Stays locked while it is passed to the next waiter. */
class FairLock extends Lock {
  override async unlock(): Promise<void> {
    const next = this.waiting.shift();
    if (next) next();
    else this.isHeld = false;
  }
}

const LOCKING = [
  [['lock'], ['unlock']],
  [['lock'], ['unlock']],
] as const;

describe('violations are found', () => {
  test('an account with an await between check and update pays twice', async () => {
    const found = await explored(
      scenario({ create: () => new Account(), test: [[['withdraw', 6]], [['withdraw', 6]]] }),
    );
    expect(found.scenario.backend).toBe('async');
    expect(found.verdict).toBe('violation');
    expect(textOf(await historyOf(found))).toEqual(['A withdraw true', 'B withdraw true']);
  });

  test('a lock that is free while it is passed on has two holders', async () => {
    const given = scenario({ create: () => new Lock(), spec: mutex(), test: [...LOCKING, [['lock']]] });
    const found = await explored(given);
    expect(found.verdict).toBe('violation');
    const fair = await explored({ ...given, create: () => new FairLock() });
    expect([fair.verdict, fair.results[0].coverage]).toEqual(['holds', [{ kind: 'all' }]]);
  });

  test('a caller that is never woken is blocked forever', async () => {
    class Box {
      #value: number | undefined;
      #waiting: ((value: number) => void)[] = [];
      take(): Promise<number> {
        if (this.#value !== undefined) return Promise.resolve(this.#value);
        return new Promise((resolve) => this.#waiting.push(resolve));
      }
      async put(value: number): Promise<void> {
        this.#value = value;
      }
    }
    const found = await explored(scenario({ create: () => new Box(), test: [[['take']], [['put', 1]]] }));
    expect(found.results[0].violation).toMatchObject({ kind: 'wait', operation: 0 });
    expect(textOf(await historyOf(found))).toEqual(['A take pending', 'B put undefined']);
  });

  test('calls in one synchronous turn run before any microtask', async () => {
    // correct if microtasks run between two calls
    class Counter {
      count = 0;
      async increment(): Promise<number> {
        const next = this.count + 1;
        await Promise.resolve();
        this.count = next;
        return next;
      }
    }
    const found = await explored(
      scenario({ create: () => new Counter(), test: [[['increment']], [['increment']]] }),
    );
    expect(textOf(await historyOf(found))).toEqual(['A increment 1', 'B increment 1']);
  });

  test('a caller that continues directly after an await overtakes queued microtasks', async () => {
    // `isDone` is set some microtasks after the promise has been resolved
    class Slow {
      isDone = false;
      finish(): Promise<void> {
        const done = Promise.resolve();
        void done
          .then(() => {})
          .then(() => {})
          .then(() => {
            this.isDone = true;
          });
        return done;
      }
      async look(): Promise<boolean> {
        return this.isDone;
      }
    }
    const spec = {
      name: 'flag',
      initial: false,
      methods: { finish: () => [true, undefined], look: (state: boolean) => [state, state] },
    } as const;
    const found = await explored(
      scenario({ create: () => new Slow(), spec: spec as never, test: [[['finish'], ['look']]] as never }),
    );
    expect(textOf(await historyOf(found))).toEqual(['A finish undefined', 'A look false']);
  });
});

describe('timers', () => {
  /** The orders in which timers fire, over all executions. */
  async function ordersOf(chains: readonly (readonly number[])[]): Promise<Set<string>> {
    const orders = new Set<string>();
    class Chains {
      fired: string[] = [];
      async run(chain: number): Promise<void> {
        for (const [i, delay] of chains[chain].entries()) {
          await new Promise((resolve) => setTimeout(resolve, delay));
          this.fired.push(`${chain}${i}`);
          if (this.fired.length === chains.flat().length) orders.add(this.fired.join(' '));
        }
      }
    }
    const threads = chains.map((_, chain) => [['run', chain] as const]);
    const found = await explored(scenario({ create: () => new Chains(), test: threads }));
    expect(found.results[0].coverage).toEqual([{ kind: 'all' }]);
    return orders;
  }

  /** Oracle: the orders under a clock of whole milliseconds, where every task may be delayed by up to `late`. */
  function simulateOrders(chains: readonly (readonly number[])[], late: number): Set<string> {
    const orders = new Set<string>();
    interface Timer {
      readonly chain: number;
      readonly at: number;
      readonly expiry: number;
    }
    const step = (now: number, started: number, timers: readonly Timer[], fired: readonly string[]): void => {
      if (fired.length === chains.flat().length) {
        orders.add(fired.join(' '));
        return;
      }
      for (let time = now; time <= now + late; time++) {
        for (let chain = 0; chain < chains.length; chain++)
          if (!(started & (1 << chain)))
            step(
              time,
              started | (1 << chain),
              [...timers, { chain, at: 0, expiry: time + chains[chain][0] }],
              fired,
            );
        const first = Math.min(...timers.map(({ expiry }) => expiry));
        const next = timers.find(({ expiry }) => expiry === first);
        if (!next || first > time) continue;
        const { chain, at } = next;
        const more =
          at + 1 < chains[chain].length ? [{ chain, at: at + 1, expiry: time + chains[chain][at + 1] }] : [];
        step(
          time,
          started,
          [...timers.filter((timer) => timer !== next), ...more],
          [...fired, `${chain}${at}`],
        );
      }
    };
    step(0, 0, [], []);
    return orders;
  }

  test.each([
    { chains: [[3], [1, 1]], late: 5 },
    {
      chains: [
        [2, 1],
        [1, 2],
      ],
      late: 4,
    },
    { chains: [[4], [2], [1]], late: 4 },
  ])('fire in exactly the orders that delays allow: $chains', async ({ chains, late }) => {
    expect([...(await ordersOf(chains))].sort()).toEqual([...simulateOrders(chains, late)].sort());
  });

  test('advance the virtual clock, which is the same in every run', async () => {
    class Watch {
      async waited(): Promise<number> {
        const begin = Date.now();
        await new Promise((resolve) => setTimeout(resolve, 50));
        return Date.now() - begin + Math.random();
      }
    }
    const found = await explored(scenario({ create: () => new Watch(), test: [[['waited']], [['waited']]] }));
    expect(found.results[0].replaced).toEqual(['Date.now', 'Math.random']);
  });
});

describe('repeating timers', () => {
  /** A counter and a lock with a timer of its own. */
  class Ticking {
    isHeld = false;
    waiting: (() => void)[] = [];
    constructor(start: (tick: () => void) => void, tick: () => void) {
      start(tick);
    }
    async lock(): Promise<void> {
      if (this.isHeld) await new Promise<void>((resolve) => this.waiting.push(resolve));
      this.isHeld = true;
    }
  }
  const TIMERS = {
    interval: (tick) => setInterval(tick, 5),
    'unref interval': (tick) => setInterval(tick, 5).unref(),
    'two intervals': (tick) => [setInterval(tick, 5), setInterval(tick, 7)],
  } satisfies Record<string, (tick: () => void) => unknown>;
  const CALLS = [[[['lock']]], [[['lock']], [['lock']]]] as const;

  test.each(Object.entries(TIMERS))(
    'end no execution, and calls beside them are blocked or not: %s',
    async (_, start) => {
      for (const calls of CALLS)
        for (const wakes of [false, true]) {
          const create = () => {
            const made: Ticking = new Ticking(start, () => {
              if (wakes) made.waiting.shift()?.();
            });
            return made;
          };
          const { verdict, results } = await explored(scenario({ create, test: calls }));
          expect([verdict, results[0].coverage]).toEqual(['holds', [{ kind: 'all' }]]);
        }
    },
  );

  /** Every call waits for a timer, which may be longer or shorter than the interval of a repeating one. */
  class Waiting {
    count = 0;
    constructor(interval: number) {
      setInterval(() => {}, interval);
    }
    async wait(duration: number): Promise<string> {
      await new Promise((resolve) => setTimeout(resolve, duration));
      return 'ok';
    }
    async add(duration: number): Promise<number> {
      const { count } = this;
      await this.wait(duration);
      this.count = count + 1;
      return this.count;
    }
  }
  const isThorough = process.env.AGREE === 'all';
  const INTERVALS = isThorough ? [1, 40, 100, 1000] : [40];
  const DURATIONS = isThorough ? [1, 30, 100, 2000] : [30, 2000];
  const PAIRS = DURATIONS.flatMap((one) =>
    DURATIONS.filter((same) => same <= one).map((same) => [one, same]),
  );

  test.each(INTERVALS)('let calls in sequence wait for other timers: every %i ms', async (interval) => {
    for (const [one, other] of PAIRS) {
      const threadsOf = (method: 'wait' | 'add') =>
        [one, other].map((duration) => [
          [method, duration],
          [method, duration],
        ]);
      const verdictOf = async (method: 'wait' | 'add') =>
        (await explored(scenario({ create: () => new Waiting(interval), test: threadsOf(method) as never })))
          .verdict;
      expect([one, other, await verdictOf('wait'), await verdictOf('add')]).toEqual([
        one,
        other,
        'holds',
        'violation',
      ]);
    }
  });
});

/** A call that polls waits for another call, which may take longer than an interval. */
class Polled {
  isReady = false;
  polling = 0;
  readonly #isFaulty: boolean;
  constructor(isFaulty: boolean) {
    this.#isFaulty = isFaulty;
  }
  poll(): Promise<string> {
    this.polling++;
    return new Promise((resolve) => {
      const timer = setInterval(() => {
        if (!this.isReady) return;
        clearInterval(timer);
        resolve('ready');
      }, 2);
    });
  }
  async arm(duration: number): Promise<void> {
    const { polling } = this;
    await new Promise((resolve) => (duration === 0 ? setImmediate(resolve) : setTimeout(resolve, duration)));
    if (this.#isFaulty && this.polling !== polling) await new Promise(() => {});
    this.isReady = true;
  }
}

describe('a call that polls is learned to end after', () => {
  test.each([0, 1, 2, 3, 5, 50])('a call of %i ms', async (duration) => {
    const explore = (isFaulty: boolean) =>
      inOwnTask(() =>
        exploreSync(
          scenario({ create: () => new Polled(isFaulty), test: [[['arm', duration]], [['poll']]] }),
          { showLearned: true },
        ),
      );
    const { verdict, learned } = await explore(false);
    const ends = learned.flatMap(({ runs }) =>
      runs.map(({ steps, isBlocked }) => [steps.length > 1, isBlocked]),
    );
    expect(verdict).toBe('holds');
    expect(ends).toContainEqual([true, false]);
    expect(ends).not.toContainEqual([true, true]);
    // both calls can be blocked, but not in sequence
    expect((await explore(true)).verdict).toBe('violation');
  });
});

describe('external resources', () => {
  /** A cached value of an external store. */
  class Cache {
    #copy: number | undefined;
    readonly #store: { read(): Promise<number>; write(value: number): Promise<void> };
    constructor(store: { read(): Promise<number>; write(value: number): Promise<void> }) {
      this.#store = store;
    }
    async read(): Promise<number> {
      this.#copy ??= await this.#store.read();
      return this.#copy;
    }
    async write(value: number): Promise<void> {
      this.#copy = undefined;
      await this.#store.write(value);
      this.#copy = undefined;
    }
  }
  let stored = 0;
  const cached = scenario({
    spec: register<number>({ initial: 0 }),
    stubs: {
      read: async () => stored,
      write: async (value: number) => {
        stored = value;
      },
    },
    create: (stubs) => {
      stored = 0;
      return new Cache(stubs);
    },
    test: [[['read'], ['read']], [['write', 1]]],
  });

  test('a late answer of a stub fills a cache with an old value', async () => {
    const found = await explored(cached);
    expect(found.verdict).toBe('violation');
    const { violation, backend } = found.results[0];
    const { schedule } = violation as { schedule: readonly number[] };
    const { steps } = await inOwnTask(() => backend.trace(schedule));
    const done = steps.map(({ task }) => task?.does).filter((does) => does !== undefined);
    expect(done).toEqual(expect.arrayContaining(['read takes effect', 'read answers', 'write takes effect']));
  });

  test('a stub that fails may have taken effect or not, and neither is a violation', async () => {
    class Direct {
      readonly #store: { read(): Promise<number>; write(value: number): Promise<void> };
      constructor(store: Direct['store']) {
        this.#store = store;
      }
      get store(): { read(): Promise<number>; write(value: number): Promise<void> } {
        return this.#store;
      }
      read = () => this.#store.read();
      write = (value: number) => this.#store.write(value);
    }
    const found = await explored({
      ...cached,
      create: (stubs: never) => {
        stored = 0;
        return new Direct(stubs);
      },
    });
    expect([found.verdict, found.results[0].coverage]).toEqual(['holds', [{ kind: 'all' }]]);
  });

  test.each([
    ['Date.now', () => Date.now],
    ['performance.now', () => performance.now],
    ['process.hrtime', () => process.hrtime],
    ['process.hrtime.bigint', () => process.hrtime.bigint],
    ['Math.random', () => Math.random],
  ] as const)('a copy of %s, as a module may keep it, belongs to the execution', async (_name, copied) => {
    class Idle {
      async read(): Promise<void> {}
    }
    // the first exploration replaces what modules copy
    await explored(scenario({ create: () => new Idle(), test: [[['read']]] }));
    const copy = copied();
    const first = String(copy());
    class Reader {
      async read(): Promise<string> {
        return String(copy());
      }
    }
    const values: unknown[] = [];
    const create = () => {
      const reader = new Reader();
      return { read: async () => void values.push(await reader.read()) };
    };
    await explored(scenario({ create, test: [[['read']]] }));
    expect(new Set(values).size).toBe(1);
    expect(values).not.toContain(first);
  });

  test('a handle outside of the explored event loop is reported with its origin', async () => {
    class Settings {
      async text(): Promise<number> {
        return (await readFile('package.json')).length;
      }
    }
    const waiting = explored(scenario({ create: () => new Settings(), test: [[['text']]] }));
    await expect(waiting).rejects.toThrow(
      /^text waits for something outside of the event loop that is explored: a file operation \(FS\w+\), made at test\/agreement\/explore\/async\.test\.ts:\d+\. Give the scenario a stub for it$/,
    );
  });
});

describe('aborted calls', () => {
  class Permits {
    protected left = 1;
    protected readonly waiting: (() => void)[] = [];
    async acquire(_n: number, { signal }: { signal?: AbortSignal | undefined } = {}): Promise<void> {
      if (this.left > 0) {
        this.left--;
        return;
      }
      await new Promise<void>((resolve, reject) => {
        const wake = () => resolve();
        this.waiting.push(wake);
        signal?.addEventListener('abort', () => {
          this.forget(wake);
          reject(new Error('aborted'));
        });
      });
      signal?.throwIfAborted();
    }
    protected forget(wake: () => void): void {
      const place = this.waiting.indexOf(wake);
      if (place >= 0) this.waiting.splice(place, 1);
    }
    async release(): Promise<void> {
      const next = this.waiting.shift();
      if (next) next();
      else this.left++;
    }
  }
  /** A call that is aborted after it received a permit gives it back. */
  class CarefulPermits extends Permits {
    override async acquire(n: number, { signal }: { signal?: AbortSignal | undefined } = {}): Promise<void> {
      await super.acquire(n);
      if (!signal?.aborted) return;
      await this.release();
      throw new Error('aborted');
    }
  }
  const given = scenario({
    create: (): Permits => new Permits(),
    spec: semaphore({ permits: 1 }),
    cancel: true,
    methods: { acquire: (permits: Permits, n = 1, options) => permits.acquire(n, options) },
    test: [
      [['acquire', 1], ['release']],
      [['acquire', 1], ['release']],
    ],
    after: [['acquire', 1]],
  });

  test('lose a permit that was passed to them', async () => {
    const found = await explored(given);
    expect(found.results[0].violation).toMatchObject({ kind: 'wait' });
    expect(textOf(await historyOf(found))).toContain('B acquire failed');
  });

  test('lose no permit if they give it back', async () => {
    const found = await explored({ ...given, create: () => new CarefulPermits() });
    expect([found.verdict, found.results[0].coverage]).toEqual(['holds', [{ kind: 'all' }]]);
  });
});

test('a failing test is shrunk', async () => {
  const given = scenario({
    create: () => new Account(),
    test: [
      [
        ['withdraw', 6],
        ['withdraw', 1],
      ],
      [['withdraw', 6]],
      [['withdraw', 3]],
    ],
  });
  const small = await inOwnTask(() => {
    const found = exploreSync(given).results[0];
    return shrinkSync({ ...given, backend: 'async' }, found, { seed: 1 }, new Deadline(20_000));
  });
  expect(small.test.threads).toEqual([[['withdraw', 6]], [['withdraw', 6]]]);
});

test('a scenario that spins does not use the async backend', () => {
  let rounds = 0;
  class Spin {
    wait(): void {
      while (rounds >= 0) rounds++;
    }
  }
  expect(backendNameOf(scenario({ create: () => new Spin(), test: [[['wait']]] }))).toBe('instrumented');
});

test('observations of one version are the expected results of another version', async () => {
  const counter = (by: number) =>
    scenario({
      create: () => {
        let count = 0;
        return { next: async () => (count += by) };
      },
      test: [[['next']], [['next']]],
    });
  const [{ observations = '' }] = (await explored(counter(1), { isObserving: true })).results;
  expect(observations.match(/<history>/g)).toHaveLength(2);
  const observed = parseObservations(observationsText([observations]));
  expect((await explored(counter(1), { observed })).verdict).toBe('holds');
  const other = await explored(counter(2), { observed });
  expect(other.results[0].violation).toMatchObject({ kind: 'outcome', allowed: ['1'] });
});

test('a stub that may fail does not count as nondeterminism', async () => {
  const asking = scenario({
    create: ({ ask }: { ask(): number | Promise<number> }) => ({
      get: async () => {
        try {
          return await ask();
        } catch {
          return -1;
        }
      },
    }),
    stubs: { ask: () => 1 },
    test: [[['get']]],
  });
  expect((await explored(asking)).verdict).toBe('holds');
});
