/** The kits of caches, memoized functions and functions that run once. */
import { expect, test } from 'vitest';
import { brokenBy, sentencesOf } from '../../test/support/fixtures/kits.js';
import { inOwnTask } from '../event-loop/own-task.js';
import { explore } from '../explore/explore.js';
import { guaranteesOf } from '../explore/scenario/test-case.js';
import { explorationPage, failureData } from '../report/html/failure-data.js';
import { explorationText } from '../report/text/exploration.js';
import { sources } from '../report/text/interleaving.js';
import { cacheKit, type Load, memoKit, onceKit } from './caches.js';
import type { Kit } from './kit.js';

/** Calls share a load; a value is kept only if nothing has replaced it meanwhile. */
class Cache {
  protected readonly values: Map<string, string> = new Map();
  protected readonly loading: Map<string, Promise<string>> = new Map();
  protected readonly load: Load;

  constructor(load: Load) {
    this.load = load;
  }

  async get(key: string, signal?: AbortSignal): Promise<string> {
    signal?.throwIfAborted();
    const value = this.values.get(key) ?? this.loading.get(key) ?? this.begin(key);
    if (signal === undefined) return value;
    return Promise.race([value, abortOf(signal)]);
  }

  delete(key: string): void {
    this.values.delete(key);
    this.loading.delete(key);
  }

  set(key: string, value: string): void {
    this.loading.delete(key);
    this.values.set(key, value);
  }

  refresh(key: string): Promise<string> {
    return this.begin(key);
  }

  protected begin(key: string): Promise<string> {
    const load = this.load(key).then(
      (value) => {
        if (this.loading.get(key) === load) {
          this.loading.delete(key);
          this.values.set(key, value);
        }
        return value;
      },
      (error: unknown) => {
        if (this.loading.get(key) === load) this.loading.delete(key);
        throw error;
      },
    );
    this.loading.set(key, load);
    return load;
  }
}

const abortOf = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))));

const asCache = (create: (load: Load) => Cache): Kit =>
  cacheKit({
    create,
    get: (cache, key) => cache.get(key),
    invalidate: (cache, key) => cache.delete(key),
    set: (cache, key, value) => cache.set(key, value),
    refresh: (cache, key) => cache.refresh(key),
    abortable: (cache, key, signal) => cache.get(key, signal),
  });

const memoize = (run: Load): Load => {
  const results = new Map<string, Promise<string>>();
  return (key) => {
    const result =
      results.get(key) ??
      run(key).catch((error: unknown) => {
        results.delete(key);
        throw error;
      });
    results.set(key, result);
    return result;
  };
};

test('correct caches and functions keep all guarantees', async () => {
  expect(await brokenBy(asCache((load) => new Cache(load)))).toEqual({});
  expect(await brokenBy(memoKit({ create: memoize, call: (run, key) => run(key) }))).toEqual({});
  const once = (run: () => Promise<string>) => {
    let result: Promise<string> | undefined;
    return () => (result ??= run());
  };
  expect(await brokenBy(onceKit({ create: once, call: (run) => run() }))).toEqual({});
  const retrying = (run: () => Promise<string>) => {
    const own = memoize(() => run());
    return () => own('');
  };
  expect(await brokenBy(onceKit({ create: retrying, call: (run) => run(), retries: true }))).toEqual({});
});

/** Each fault, and the sentence about it. */
const FAULTS: Readonly<Record<string, { readonly fault: new (load: Load) => Cache; readonly says: RegExp }>> =
  {
    'a value that was loaded before it was invalidated is kept': {
      fault: class extends Cache {
        protected override async begin(key: string): Promise<string> {
          const load = this.load(key);
          this.loading.set(key, load);
          try {
            const value = await load;
            this.values.set(key, value);
            return value;
          } finally {
            this.loading.delete(key);
          }
        }
      },
      says: /stale: get\(\d, 'a'\) returned a0, but a1 had replaced it before the call started/,
    },
    'a call shares a load that began before the key was invalidated': {
      fault: class extends Cache {
        override delete(key: string): void {
          this.values.delete(key);
        }
      },
      says: /stale: get/,
    },
    'loads are not shared': {
      fault: class extends Cache {
        override async get(key: string): Promise<string> {
          return this.values.get(key) ?? this.begin(key);
        }
      },
      says: /not shared: load 2 of 'a' started while another one was in progress/,
    },
    'loads are shared after an await': {
      fault: class extends Cache {
        override async get(key: string): Promise<string> {
          if (this.values.has(key)) return this.values.get(key)!;
          await Promise.resolve();
          return super.get(key);
        }
        protected override begin(key: string): Promise<string> {
          const load = this.load(key);
          void load.then((value) => this.values.set(key, value)).catch(() => {});
          return load;
        }
      },
      says: /not shared/,
    },
    'an error is kept': {
      fault: class extends Cache {
        protected override begin(key: string): Promise<string> {
          const load = this.load(key);
          this.loading.set(key, load);
          return load;
        }
      },
      says: /the error of a load is kept: a later call gets it, and loads nothing/,
    },
    'keys share one load': {
      fault: class extends Cache {
        protected override begin(key: string): Promise<string> {
          return this.loading.values().next().value ?? super.begin(key);
        }
      },
      says: /get\(\d, 'b'\) returned a0 for the key 'b'|get\(\d, 'a'\) returned b0 for the key 'a'/,
    },
    'the abort of one call aborts the load of all': {
      fault: class extends Cache {
        override async get(key: string, signal?: AbortSignal): Promise<string> {
          const known = this.values.get(key) ?? this.loading.get(key);
          if (known !== undefined || signal === undefined) return super.get(key);
          const load = Promise.race([this.load(key), abortOf(signal)]);
          this.loading.set(key, load);
          return load.finally(() => this.loading.delete(key));
        }
      },
      says: /get\(\) of get\(2, 'a'\) rejected: Error: aborted/,
    },
    'an older load replaces a value that was set': {
      fault: class extends Cache {
        override set(key: string, value: string): void {
          this.values.set(key, value);
        }
      },
      says: /stale: get/,
    },
  };

test.each(Object.entries(FAULTS))('%s', async (_name, { fault: Fault, says }) => {
  const sentences = await sentencesOf(
    asCache((load) => new Fault(load)),
    says,
  );
  expect(sentences).toMatch(says);
});

/** A memoized function; a class has each fault under a name. */
class Memo {
  readonly #results: Map<string, Promise<string>> = new Map();
  readonly #values: Map<string, string> = new Map();
  readonly #run: Load;
  readonly #fault: string;

  constructor(run: Load, fault: string) {
    this.#run = run;
    this.#fault = fault;
  }

  async call(given: string): Promise<string> {
    const key = this.#fault === 'does not look at its argument' ? '' : given;
    const value = this.#values.get(key);
    if (value !== undefined) return value;
    if (this.#fault === 'keeps what began before it was cleared') return this.#late(key);
    const result = this.#results.get(key) ?? this.#begin(key, given);
    if (this.#fault !== 'keeps nothing while it runs') this.#results.set(key, result);
    return result;
  }

  clear(key: string): void {
    this.#values.delete(key);
    if (this.#fault !== 'shares a run after it was cleared') this.#results.delete(key);
  }

  #begin(key: string, given: string): Promise<string> {
    const result: Promise<string> = this.#run(given).then(
      (value) => {
        if (this.#fault === 'forgets its result') this.#results.delete(key);
        return value;
      },
      (error: unknown) => {
        if (this.#fault !== 'keeps an error') this.#results.delete(key);
        throw error;
      },
    );
    return result;
  }

  async #late(key: string): Promise<string> {
    const result = this.#results.get(key) ?? this.#run(key);
    this.#results.set(key, result);
    try {
      const value = await result;
      this.#values.set(key, value);
      return value;
    } finally {
      this.#results.delete(key);
    }
  }
}

const memo = (fault = ''): Kit =>
  memoKit({
    create: (run) => new Memo(run, fault),
    call: (memoized, key) => memoized.call(key),
    clear: (memoized, key) => memoized.clear(key),
  });

test('a correct memoized function keeps all guarantees', async () => {
  expect(await brokenBy(memo())).toEqual({});
});

test.each([
  ['keeps nothing while it runs', /not shared/],
  ['does not look at its argument', /for the key '/],
  ['keeps what began before it was cleared', /stale: call/],
  ['shares a run after it was cleared', /stale: call/],
  ['forgets its result', /the key 'a' was loaded \d times/],
  ['keeps an error', /the error of a load is kept/],
] as const)('a memoized function that %s', async (fault, says) => {
  expect(await sentencesOf(memo(fault), says)).toMatch(says);
});

test.each([
  [
    'the first call is remembered when it has ended',
    (run: () => Promise<string>) => {
      let result: string | undefined;
      return async () => (result ??= await run());
    },
    /not shared/,
  ],
  [
    'a flag is set before the result is there',
    (run: () => Promise<string>) => {
      let hasRun = false;
      let result = '';
      return async () => {
        if (hasRun) return result;
        hasRun = true;
        result = await run();
        return result;
      };
    },
    /call\(2, 'a'\) returned {2}for the key 'a'/,
  ],
  [
    'a call after the first one gets nothing',
    (run: () => Promise<string>) => {
      let hasRun = false;
      return async () => {
        if (hasRun) return undefined;
        hasRun = true;
        return run();
      };
    },
    /returned undefined for the key 'a'/,
  ],
  [
    'it runs again when the first run has ended',
    (run: () => Promise<string>) => {
      let result: Promise<string> | undefined;
      return () =>
        (result ??= run().finally(() => {
          result = undefined;
        }));
    },
    /the key 'a' was loaded 2 times/,
  ],
  [
    'calls that wait for a run that fails wait forever',
    (run: () => Promise<string>) => {
      let result: Promise<string> | undefined;
      return () => {
        if (result !== undefined)
          return new Promise<string>((resolve) => void result!.then(resolve, () => {}));
        result = run();
        return result;
      };
    },
    /is blocked forever/,
  ],
] as const)('once: %s', async (_name, create, says) => {
  const sentences = await sentencesOf(onceKit({ create, call: (run) => run() }), says);
  expect(sentences).toMatch(says);
});

test('the report names the guarantee, counts the calls of main, and prints no results of the calls of a kit', async () => {
  const kit = asCache((load) => {
    const cache = new Cache(load);
    cache.delete = (key) => Cache.prototype.set.call(cache, key, 'a0');
    return cache;
  });
  let found = 0;
  for (const scenario of [kit, ...kit.scenarios]) {
    const exploration = await explore(scenario, { maxExecutions: 600 });
    if (exploration.verdict !== 'violation') continue;
    found++;
    const explored = exploration.results.at(-1)!;
    const [guarantee] = guaranteesOf(scenario, explored.test);
    if (scenario !== kit) expect(scenario.name).toBe(`${kit.name}: ${guarantee}`);
    // a saved failure has only the calls
    const { before, threads, after } = explored.test;
    expect(guaranteesOf(scenario, { before, threads, after })).toContain(guarantee);
    const { violation, backend } = explored;
    if (violation === undefined || !('schedule' in violation)) throw new Error('a schedule was expected');
    const trace = await inOwnTask(() => backend.trace(violation.schedule));
    const report = {
      file: 'cache.ts',
      exploration,
      failure: { explored, trace },
      sourceOf: sources(),
      saved: undefined,
      ms: { explore: 0 },
    };
    const ofMain = before.length + after.length;
    const size = `${threads.length} thread${threads.length === 1 ? '' : 's'}, ${threads.flat().length} call`;
    const text = explorationText(report).replace(/\s+/g, ' ');
    expect(text).toContain(`Broken guarantee: ${guarantee}. Seen: `);
    expect(text.slice(0, 200)).toMatch(
      new RegExp(`· ${size}s?(, \\d+ made)?${ofMain > 0 ? `, and ${ofMain} of main` : ''}`),
    );
    expect(text).not.toContain('undefined');
    const { core, facts } = failureData(explorationPage(report));
    expect([core?.title, facts?.length]).toEqual(['Why the guarantee is broken', 1]);
    expect(facts![0].startsWith(size)).toBe(true);
  }
  expect(found).toBeGreaterThan(1);
});
