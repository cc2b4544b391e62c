/** Scenarios as people write them: these compile, and calls that the object does not have do not. */
import { scenario } from 'straightedge';
import { Mutex } from 'straightedge/explore';
import * as formats from 'straightedge/formats';
import { queue } from 'straightedge/objects';
import * as report from 'straightedge/report';

interface Store {
  load(key: string): Promise<number>;
  save(key: string, value: number): Promise<void>;
}

class Cache {
  readonly store: Store;
  constructor(store: Store) {
    this.store = store;
  }
  async get(key: string): Promise<number> {
    return this.store.load(key);
  }
  async set(
    key: string,
    value: number,
    options?: { readonly signal?: { readonly aborted: boolean } },
  ): Promise<void> {
    if (!options?.signal?.aborted) await this.store.save(key, value);
  }
}

class Overloaded {
  find(key: string): Promise<string>;
  find(id: number, exact: boolean): Promise<number>;
  async find(key: string | number, exact?: boolean): Promise<string | number> {
    return exact ? 1 : key;
  }
}

const stubs = {
  load: async (_key: string): Promise<number> => 0,
  save: async (_key: string, _value: number): Promise<void> => {},
};

export const scenarios = [
  // stubs, with and without a type of the parameter
  scenario({
    stubs,
    create: (store) => new Cache(store),
    calls: [
      ['get', 'a'],
      ['set', 'a', 1],
    ],
  }),
  scenario({ stubs, create: (store: Store) => new Cache(store), test: [[['get', 'a']], [['set', 'a', 1]]] }),
  // methods, with and without stubs and types
  scenario({
    create: () => new Cache(stubs),
    methods: { both: async (cache, key: string) => cache.get(key) },
    calls: [
      ['both', 'a'],
      ['get', 'a'],
      [
        ['both', 'a'],
        ['set', 'a', 1],
      ],
    ],
  }),
  scenario({
    stubs,
    create: (store) => new Cache(store),
    methods: { both: async (cache: Cache, key: string) => cache.get(key) },
    calls: [
      ['both', 'a'],
      ['get', 'a'],
    ],
  }),
  scenario({
    create: () => async (run: () => Promise<number>) => run(),
    methods: { run: (limit) => limit(async () => 1) },
    calls: [['run']],
  }),
  // generated arguments
  scenario({
    create: () => new Cache(stubs),
    calls: [{ method: 'get', args: (random) => [random.pick(['a', 'b'])], weight: 2 }],
  }),
  // overloads
  scenario({
    create: () => new Overloaded(),
    calls: [
      ['find', 'a'],
      ['find', 1, true],
    ],
  }),
  // an object whose methods use `this`
  scenario({
    create: () => ({
      n: 0,
      add(by: number): void {
        this.n += by;
      },
    }),
    calls: [['add', 1]],
  }),
  // an object that is created later, a literal, a generic class
  scenario({
    create: async () => new Cache(stubs),
    calls: [['get', 'a']],
    validate: (cache) => void cache.store,
  }),
  scenario({
    create: () => ({ run: async (n: number) => n }),
    before: [['run', 1]],
    calls: [['run', 1]],
    oneThread: ['run'],
  }),
  scenario({
    create: () => new Map<string, number>(),
    calls: [
      ['set', 'a', 1],
      ['get', 'a'],
    ],
  }),
  scenario({ create: () => new Mutex(), calls: [['lock'], ['unlock']] }),
  // a spec
  scenario({
    create: (): number[] => [],
    spec: queue<number>(),
    methods: { enqueue: (items, item) => void items.push(item), dequeue: (items) => items.shift() ?? null },
    calls: [['enqueue', 1], ['dequeue']],
  }),
  // real threads
  scenario({
    create: () => new Int32Array(new SharedArrayBuffer(4)),
    attach: (words) => ({ add: (n: number) => Atomics.add(words, 0, n) }),
    calls: [['add', 1]],
  }),
];

export const wrong = [
  // @ts-expect-error no such method
  scenario({ create: () => new Cache(stubs), calls: [['nope']] }),
  // @ts-expect-error another argument
  scenario({ create: () => new Cache(stubs), calls: [['get', 1]] }),
  // @ts-expect-error no such method, with stubs
  scenario({ stubs, create: (store) => new Cache(store), calls: [['nope']] }),
  // @ts-expect-error another argument of a function that makes the call
  scenario({ create: () => new Cache(stubs), methods: { m: (_, _k: string) => 1 }, calls: [['m', 1]] }),
  // @ts-expect-error no such method, beside functions that make calls
  scenario({ create: () => new Cache(stubs), methods: { both: (_cache) => 1 }, calls: [['nope']] }),
  // @ts-expect-error arguments of no overload
  scenario({ create: () => new Overloaded(), calls: [['find', 1, 'a']] }),
  // @ts-expect-error no such method, of an object that is created later
  scenario({ create: async () => new Cache(stubs), calls: [['nope']] }),
  // @ts-expect-error no method of the spec
  scenario({ create: (): number[] => [], spec: queue<number>(), calls: [['push', 1]] }),
];

export { formats, report };
