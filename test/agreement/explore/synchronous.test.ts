/**
 * Calls that return without waiting and start nothing that runs later cannot interleave: this is said at once, and only of
 * such calls.
 */
import { describe, expect, test } from 'vitest';
import { explore } from '../../../src/explore/explore.js';
import { scenario } from '../../../src/explore/scenario/scenario.js';
import { register } from '../../../src/objects/cells/register.js';

const settled = Promise.resolve();
const { queueMicrotask: capturedQueue } = globalThis;
const { nextTick: capturedTick } = process;
async function* once(): AsyncGenerator<number> {
  await settled;
  yield 1;
}
type Later = (store: () => void) => unknown;

/** What a call may leave behind, before the next macrotask. */
const SOON: Readonly<Record<string, Later>> = {
  'a reaction': (store) => void Promise.resolve().then(store),
  'a reaction to a promise of the module': (store) => void settled.then(store),
  'a reaction to a rejection': (store) => void Promise.reject(new Error('no')).catch(store),
  'a finally': (store) => void settled.finally(store),
  'a queued microtask': (store) => queueMicrotask(store),
  'a queued microtask, by a function of the module': (store) => capturedQueue(store),
  'a tick': (store) => process.nextTick(store),
  'a tick, by a function of the module': (store) => capturedTick(store),
  'an async function': (store) =>
    void (async () => {
      await settled;
      store();
    })(),
  'an async iteration': (store) =>
    void (async () => {
      for await (const _ of once()) store();
    })(),
  'a thenable': (store) =>
    void Promise.resolve({
      // biome-ignore lint/suspicious/noThenProperty: a thenable
      then: (resolve: (value: null) => void) => {
        store();
        resolve(null);
      },
    }),
};

const LATE: Readonly<Record<string, Later>> = {
  'a timer': (store) => setTimeout(store, 1),
  "an unref'd timer": (store) => setTimeout(store, 1).unref(),
  'an immediate': (store) => setImmediate(store),
};

const NOTHING: Readonly<Record<string, Later>> = {
  nothing: (store) => store(),
  'a promise without a reaction': (store) => {
    store();
    void new Promise(() => {});
  },
  'a resolved promise without a reaction': (store) => {
    store();
    void Promise.resolve(1);
  },
  'an iterator': (store) => {
    for (const _ of [1].values()) store();
  },
};

const cell = (later: Later) =>
  scenario({
    create: () => {
      let stored: number | undefined;
      return {
        put(value: number): void {
          later(() => {
            stored = value;
          });
        },
        get: (): number | undefined => stored,
      };
    },
    calls: [['put', 1], ['put', 2], ['get']],
    threads: 2,
    callsPerThread: 2,
    backend: 'async',
  });

describe('a call that leaves behind', () => {
  test.each(Object.entries(SOON))(
    '%s is not synchronous: a call in the same turn comes before',
    async (_, later) => {
      const found = await explore(cell(later));
      expect(found.isSynchronous).toBe(false);
      expect(found.verdict).toBe('violation');
    },
  );

  test.each(Object.entries(LATE))('%s is not synchronous', async (_, later) => {
    expect((await explore(cell(later))).isSynchronous).toBe(false);
  });

  test.each(Object.entries(NOTHING))('%s is synchronous', async (_, later) => {
    const found = await explore(cell(later));
    expect([found.isSynchronous, found.verdict]).toEqual([true, 'holds']);
  });
});

/** Five methods: no machine explores all tests of the default size. */
class Tally {
  #entries: number[] = [];
  add(value: number): number {
    return this.#entries.push(value);
  }
  remove(): number | undefined {
    return this.#entries.pop();
  }
  total(): number {
    return this.#entries.reduce((sum, own) => sum + own, 0);
  }
  size = (): number => this.#entries.length;
  clear(): void {
    this.#entries = [];
  }
}

test('of a class of default size it is said after a few thousand executions', async () => {
  const calls = [['add', 1], ['add', 2], ['remove'], ['total'], ['size'], ['clear']] as const;
  const found = await explore(scenario({ create: () => new Tally(), calls: calls as never }));
  expect([found.isSynchronous, found.verdict]).toEqual([true, 'holds']);
  const executions = found.results.reduce((sum, result) => sum + result.executions, 0);
  expect(executions).toBeLessThan(30_000);
  const covered = found.batches.map(({ choice, threads, callsPerThread }) => [
    choice,
    threads,
    callsPerThread,
  ]);
  expect(covered).toEqual([
    ['all', 1, 1],
    ['all', 2, 1],
    ['all', 2, 2],
    ['random', 3, 3],
  ]);
  expect(found.batches.at(-2)!.results).toHaveLength(found.batches.at(-2)!.tests.length);
});

test('a requested size is covered', async () => {
  const found = await explore(
    scenario({ create: () => new Tally(), calls: [['add', 1], ['total']], threads: 3, callsPerThread: 2 }),
  );
  expect([found.isSynchronous, found.verdict]).toEqual([true, 'holds']);
  expect(found.batches.map(({ threads, callsPerThread }) => [threads, callsPerThread])).toContainEqual([
    3, 2,
  ]);
});

test('calls that wait only after several others are explored in larger tests', async () => {
  class Counter {
    count = 0;
    add(): number | Promise<number> {
      const next = this.count + 1;
      if (next < 5) {
        this.count = next;
        return next;
      }
      return Promise.resolve().then(() => {
        this.count = next;
        return next;
      });
    }
  }
  const found = await explore(scenario({ create: () => new Counter(), calls: [['add']], backend: 'async' }));
  expect([found.isSynchronous, found.verdict]).toEqual([false, 'violation']);
});

test('results that a spec does not allow are found', async () => {
  class Forgetful {
    #value: number | null = null;
    #writes = 0;
    write(value: number): void {
      if (++this.#writes < 3) this.#value = value;
    }
    read = (): number | null => this.#value;
  }
  const given = scenario({
    create: () => new Forgetful(),
    spec: register<number>(),
    calls: [['write', 1], ['write', 2], ['read']],
  });
  const found = await explore(given);
  expect(found.verdict).toBe('violation');
  expect(found.results.at(-1)!.violation).toMatchObject({ kind: 'outcome' });
});
