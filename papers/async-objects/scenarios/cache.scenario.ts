/** A read-through cache. Calls that miss the same key share one load. */
import { type Scenario, scenario } from 'straightedge';

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A table of a database: a value is read some time before it arrives, and written some time after the call. */
class Store {
  private readonly rows = new Map<string, number>();

  async load(key: string): Promise<number> {
    const value = this.rows.get(key) ?? 0;
    await sleep(20);
    return value;
  }

  async save(key: string, value: number): Promise<void> {
    await sleep(10);
    this.rows.set(key, value);
  }
}

class Cache {
  protected readonly values = new Map<string, number>();
  protected readonly loading = new Map<string, Promise<number>>();

  protected readonly store: Store;

  constructor(store: Store) {
    this.store = store;
  }

  async get(key: string): Promise<number> {
    return this.values.get(key) ?? this.loading.get(key) ?? this.load(key);
  }

  async put(key: string, value: number): Promise<void> {
    await this.store.save(key, value);
    this.values.delete(key);
    this.loading.delete(key);
  }

  protected async load(key: string): Promise<number> {
    const load = this.store.load(key);
    this.loading.set(key, load);
    try {
      const value = await load;
      // a `put` has removed it: the value may be old
      if (this.loading.get(key) === load) this.values.set(key, value);
      return value;
    } finally {
      if (this.loading.get(key) === load) this.loading.delete(key);
    }
  }
}

/** Fault: a value that was loaded before a `put` is kept after it. */
class StaleCache extends Cache {
  protected override async load(key: string): Promise<number> {
    const load = this.store.load(key);
    this.loading.set(key, load);
    try {
      const value = await load;
      this.values.set(key, value);
      return value;
    } finally {
      this.loading.delete(key);
    }
  }
}

/** Fault: a call that starts after a `put` shares a load that began before it. */
class SharingCache extends Cache {
  override async put(key: string, value: number): Promise<void> {
    await this.store.save(key, value);
    this.values.delete(key);
  }

  protected override async load(key: string): Promise<number> {
    const load = this.store.load(key);
    this.loading.set(key, load);
    return load.finally(() => this.loading.delete(key));
  }
}

const using = (create: (store: Store) => Cache): Scenario =>
  scenario({
    create: () => create(new Store()),
    calls: [
      ['get', 'a'],
      ['put', 'a', 1],
    ],
    threads: 2,
    callsPerThread: 2,
  });

export const correct: Scenario = using((store) => new Cache(store));
export const stale: Scenario = using((store) => new StaleCache(store));
export const oldLoad: Scenario = using((store) => new SharingCache(store));
