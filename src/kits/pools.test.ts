/** The kits of pools and batchers. A class has each fault under a name. */
import { expect, test } from 'vitest';
import { sentencesOf } from '../../test/support/fixtures/kits.js';
import { batcherKit, type PoolFactory, type PoolResource, poolKit } from './pools.js';

interface Giving {
  readonly signal?: AbortSignal;
  readonly milliseconds?: number;
}

interface Waiter {
  readonly resolve: (resource: PoolResource) => void;
  readonly reject: (error: unknown) => void;
}

class Pool {
  readonly #idle: PoolResource[] = [];
  readonly #waiting: Waiter[] = [];
  #count = 0;
  readonly #factory: PoolFactory;
  readonly #max: number;
  readonly #fault: string;

  constructor(factory: PoolFactory, max: number, fault = '') {
    this.#factory = factory;
    this.#max = max;
    this.#fault = fault;
  }

  acquire({ signal, milliseconds }: Giving = {}): Promise<PoolResource> {
    if (signal?.aborted) return Promise.reject(new Error('aborted'));
    return new Promise((resolve, reject) => {
      const giveUp = (): void => {
        const at = this.#waiting.indexOf(waiter);
        if (at >= 0 && this.#fault !== 'keeps a wait that gave up') this.#waiting.splice(at, 1);
        if (at >= 0) reject(new Error('given up'));
        else if (this.#fault === 'rejects a call that got a resource') reject(new Error('given up'));
      };
      const timer = milliseconds === undefined ? undefined : setTimeout(giveUp, milliseconds);
      signal?.addEventListener('abort', giveUp);
      const waiter: Waiter = {
        resolve: (resource) => {
          clearTimeout(timer);
          if (this.#fault === 'rejects a call that got a resource')
            void Promise.resolve().then(() => resolve(resource));
          else resolve(resource);
        },
        reject,
      };
      this.#waiting.push(waiter);
      this.#serve();
    });
  }

  release(resource: PoolResource): void {
    this.#idle.push(resource);
    if (this.#fault === 'gives a resource twice') this.#waiting.shift()?.resolve(resource);
    this.#serve();
  }

  async destroy(resource: PoolResource): Promise<void> {
    if (this.#fault === 'keeps a destroyed resource') this.#idle.push(resource);
    await this.#factory.destroy(resource);
    this.#count--;
    if (this.#fault !== 'wakes nothing after a destruction') this.#serve();
  }

  #serve(): void {
    while (this.#waiting.length > 0) {
      const resource = this.#idle.shift();
      if (resource) this.#waiting.shift()!.resolve(resource);
      else if (this.#count < this.#max) void this.#make(this.#waiting.shift()!);
      else return;
    }
  }

  async #make(waiter: Waiter): Promise<void> {
    const fault = this.#fault;
    if (fault !== 'counts a resource when it is made') this.#count++;
    try {
      waiter.resolve(await this.#factory.create());
      if (fault === 'counts a resource when it is made') this.#count++;
    } catch (error) {
      if (fault !== 'keeps the place of a resource that was not made') this.#count--;
      waiter.reject(error);
      this.#serve();
    }
  }
}

const pool = (fault?: string, max?: number) =>
  poolKit({
    create: (factory, count) => new Pool(factory, count, fault),
    acquire: (own) => own.acquire(),
    release: (own, resource) => own.release(resource),
    destroy: (own, resource) => own.destroy(resource),
    abortable: (own, signal) => own.acquire({ signal }),
    timed: (own, milliseconds) => own.acquire({ milliseconds }),
    ...(max !== undefined && { max }),
  });

test('correct pools keep all guarantees', async () => {
  expect(await sentencesOf(pool())).toBe('');
  expect(await sentencesOf(pool(undefined, 2))).toBe('');
});

test.each([
  ['keeps a wait that gave up', /blocked forever/],
  ['gives a resource twice', /two holders at once: \w+\(\d?\) got resource 1 while \w+\(\d?\) still used it/],
  ['keeps a destroyed resource', /got resource 1, which was destroyed|was destroyed while/],
  ['wakes nothing after a destruction', /is blocked forever in acquire\(\): 0 of 1 resources exist/],
  ['counts a resource when it is made', /2 resources exist at a time, with a maximum of 1/],
  ['keeps the place of a resource that was not made', /blocked forever/],
] as const)('a pool that %s', async (fault, says) => {
  expect(await sentencesOf(pool(fault), says)).toMatch(says);
});

interface Request {
  readonly key: string;
  readonly resolve: (value: string) => void;
  readonly reject: (error: unknown) => void;
}

type LoadMany = (keys: readonly string[]) => Promise<string[]>;

class Batcher {
  #batch: Request[] = [];
  readonly #loadMany: LoadMany;
  readonly #max: number;
  readonly #fault: string;

  constructor(loadMany: LoadMany, max: number, fault = '') {
    this.#loadMany = loadMany;
    this.#max = max;
    this.#fault = fault;
  }

  load(key: string): Promise<string> {
    return new Promise((resolve, reject) => {
      if (this.#batch.length === 0) setTimeout(() => void this.#flush().catch(() => {}), 5);
      this.#batch.push({ key, resolve, reject });
      if (this.#batch.length === this.#max && this.#fault !== 'has no limit')
        void this.#flush().catch(() => {});
    });
  }

  async #flush(): Promise<void> {
    const fault = this.#fault;
    let batch = this.#batch;
    if (fault !== 'forgets calls that come meanwhile') this.#batch = [];
    else batch = [...batch];
    if (batch.length === 0) return;
    const keys = batch.map(({ key }) => key);
    if (fault === 'asks in another order') keys.reverse();
    if (fault === 'asks one key less' && keys.length > 1) keys.pop();
    try {
      const values = await this.#loadMany(keys);
      for (const [i, { resolve }] of batch.entries()) if (i < values.length) resolve(values[i]);
    } catch (error) {
      if (fault === 'forgets the calls of a batch that failed') return;
      for (const { reject } of batch) reject(error);
    }
    if (fault === 'forgets calls that come meanwhile') this.#batch = [];
  }
}

const batcher = (fault?: string) =>
  batcherKit({
    create: (loadMany, max) => new Batcher(loadMany, max, fault),
    load: (own, key) => own.load(key),
    max: 2,
  });

test('a correct batcher keeps all guarantees', async () => {
  expect(await sentencesOf(batcher())).toBe('');
});

test.each([
  ['has no limit', /a batch has 3 keys instead of 2/],
  ['forgets calls that come meanwhile', /load\('\w'\) is blocked forever in load\(\)|a batch has/],
  ['asks in another order', /load\('a'\) returned value of [bc]|load\('b'\) returned/],
  ['asks one key less', /blocked forever/],
  ['forgets the calls of a batch that failed', /loadOrFail\('\w'\) is blocked forever/],
] as const)('a batcher that %s', async (fault, says) => {
  expect(await sentencesOf(batcher(fault), says)).toMatch(says);
});
