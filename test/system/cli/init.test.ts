/**
 * `init` for kinds of objects, in projects of each test runner. What it writes compiles under `strict`, and runs: `explore` finds no
 * violation in correct objects.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Scenario } from 'straightedge';
import { explore } from 'straightedge/explore';
import ts from 'typescript';
import { afterAll, expect, test } from 'vitest';
import { runHere } from '../../support/processes/command-line.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const folder = mkdtempSync(join(ROOT, '.examples-'));
mkdirSync(join(folder, 'node_modules'));
symlinkSync(ROOT, join(folder, 'node_modules', 'straightedge'), 'dir');
afterAll(() => rmSync(folder, { recursive: true }));

interface Kind {
  readonly source: string;
  /** What the scenario contains. */
  readonly calls: readonly string[];
  /** Is a kit proposed? */
  readonly hasKit?: true;
}

const GUARD = `
export class Lock {
  private tail: Promise<unknown> = Promise.resolve();
  SIGNATURE {
    let release!: () => void;
    const before = this.tail;
    this.tail = new Promise<void>((resolve) => { release = resolve; });
    await before;
    RETURN
  }
}`;
const lock = (signature: string, returned: string): string =>
  GUARD.replace('SIGNATURE', signature).replace('RETURN', returned);

/** A semaphore that other objects are made of. */
const PERMITS = `
class Permits {
  private readonly waiting: (() => void)[] = [];
  private free: number;
  constructor(permits: number) { this.free = permits; }
  async enter(): Promise<void> {
    if (this.free > 0) this.free--;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
  }
  leave(): void {
    const next = this.waiting.shift();
    if (next) next();
    else this.free++;
  }
}
`;
const kit = (source: string, ...calls: string[]): Kind => ({ source, calls, hasKit: true });

const KITS: Readonly<Record<string, Kind>> = {
  'kit of locks': kit(
    lock('async acquire(): Promise<() => void>', 'return release;'),
    'export default mutexKit({',
    'release: (_mutex, release) => release()',
  ),
  'kit of semaphores': kit(
    `${PERMITS}export class Semaphore extends Permits { async acquire(): Promise<void> { await this.enter(); } release(): void { this.leave(); } }`,
    'create: (permits) => new Semaphore(permits)',
    'release: (semaphore) => semaphore.release()',
  ),
  'kit of locks for readers and writers': kit(
    `${PERMITS}export class ReadWriteLock {
  private readonly writer = new Permits(1);
  private readonly count = new Permits(1);
  private readers = 0;
  async readLock(): Promise<() => Promise<void>> {
    await this.count.enter();
    if (this.readers++ === 0) await this.writer.enter();
    this.count.leave();
    return async () => { await this.count.enter(); if (--this.readers === 0) this.writer.leave(); this.count.leave(); };
  }
  async writeLock(): Promise<() => void> { await this.writer.enter(); return () => this.writer.leave(); }
}`,
    'export default readWriteLockKit({',
    'releaseRead: (_lock, release) => release()',
  ),
  'kit of queues': kit(
    `${PERMITS}export class AsyncQueue<T> {
  private readonly items: T[] = [];
  private readonly count = new Permits(0);
  push(item: T): void { this.items.push(item); this.count.leave(); }
  async shift(): Promise<T> { await this.count.enter(); return this.items.shift()!; }
}`,
    'put: (queue, item) => queue.push(item)',
    'take: (queue) => queue.shift()',
  ),
  'kit of caches': kit(
    `export class Cache {
  private readonly values = new Map<string, Promise<string>>();
  constructor(private readonly load: (key: string) => Promise<string>) {}
  get(key: string): Promise<string> {
    const value = this.values.get(key) ?? this.load(key).catch((error: unknown) => { if (this.values.get(key) === value) this.values.delete(key); throw error; });
    this.values.set(key, value);
    return value;
  }
  delete(key: string): void { this.values.delete(key); }
}`,
    'create: (load) => new Cache(load)',
    'invalidate: (cache, key) => cache.delete(key)',
  ),
  'kit of job queues': kit(
    `${PERMITS}export class JobQueue {
  private readonly places: Permits;
  constructor(concurrency: number) { this.places = new Permits(concurrency); }
  async add<T>(job: () => Promise<T>): Promise<T> {
    await this.places.enter();
    try { return await job(); } finally { this.places.leave(); }
  }
}`,
    'create: (concurrency) => new JobQueue(concurrency)',
    'add: (queue, job) => queue.add(job)',
  ),
  'kit of rate limiters': kit(
    `${PERMITS}export class RateLimiter {
  private readonly tokens: Permits;
  constructor(limit: number, private readonly interval: number) { this.tokens = new Permits(limit); }
  async acquire(): Promise<void> { await this.tokens.enter(); setTimeout(() => this.tokens.leave(), this.interval); }
}`,
    'create: ({ limit, interval }) => new RateLimiter(limit, interval)',
    'await limiter.acquire();',
  ),
  'kit of batchers': kit(
    `export class Batcher {
  private batch: { key: string; resolve: (value: string) => void; reject: (error: unknown) => void }[] = [];
  constructor(private readonly loadMany: (keys: readonly string[]) => Promise<string[]>) {}
  load(key: string): Promise<string> {
    return new Promise((resolve, reject) => {
      if (this.batch.length === 0) setTimeout(() => void this.flush(), 5);
      this.batch.push({ key, resolve, reject });
    });
  }
  private async flush(): Promise<void> {
    const batch = this.batch.splice(0);
    try {
      const values = await this.loadMany(batch.map(({ key }) => key));
      for (const [i, { resolve }] of batch.entries()) resolve(values[i]);
    } catch (error) { for (const { reject } of batch) reject(error); }
  }
}`,
    'create: (loadMany) => new Batcher(loadMany)',
    'load: (batcher, key) => batcher.load(key)',
  ),
  'kit of barriers': kit(
    `export class Barrier {
  private readonly waiting: (() => void)[] = [];
  constructor(private readonly parties: number) {}
  async wait(): Promise<void> {
    if (this.waiting.length + 1 === this.parties) for (const wake of this.waiting.splice(0)) wake();
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
  }
}`,
    'create: (parties) => new Barrier(parties)',
  ),
  'kit of latches': kit(
    `export class Latch {
  private readonly waiting: (() => void)[] = [];
  constructor(private count: number) {}
  countDown(): void { if (--this.count === 0) for (const wake of this.waiting.splice(0)) wake(); }
  async wait(): Promise<void> { if (this.count > 0) await new Promise<void>((resolve) => this.waiting.push(resolve)); }
}`,
    'countDown: (latch) => latch.countDown()',
  ),
  'kit of events': kit(
    `export class AsyncEvent {
  private isSet = false;
  private readonly waiting: (() => void)[] = [];
  set(): void { this.isSet = true; for (const wake of this.waiting.splice(0)) wake(); }
  reset(): void { this.isSet = false; }
  async wait(): Promise<void> { if (!this.isSet) await new Promise<void>((resolve) => this.waiting.push(resolve)); }
}`,
    'reset: (event) => event.reset()',
  ),
  'kit of jobs, recognised by its types': kit(
    `export class Conveyor {
  private last: Promise<unknown> = Promise.resolve();
  constructor(readonly workers = 1) {}
  push<T>(run: () => Promise<T>): Promise<T> {
    const result = this.last.then(run);
    this.last = result.catch(() => {});
    return result;
  }
}`,
    'export default jobQueueKit({',
    'add: (queue, job) => queue.push(job)',
  ),
  'kit of condition variables': kit(
    `export class Monitor {
  private isHeld = false;
  private readonly entering: (() => void)[] = [];
  private readonly waiting: (() => void)[] = [];
  async lock(): Promise<void> {
    if (this.isHeld) await new Promise<void>((resolve) => this.entering.push(resolve));
    this.isHeld = true;
  }
  unlock(): void { const next = this.entering.shift(); if (next) next(); else this.isHeld = false; }
  async wait(): Promise<void> {
    this.unlock();
    await new Promise<void>((resolve) => this.waiting.push(resolve));
    await this.lock();
  }
  notify(): void { this.waiting.shift()?.(); }
}`,
    'export default conditionKit({',
    'release: (condition) => condition.unlock()',
    'docs/guide/kits/condition-variable.md',
  ),
  'kit of debounced functions': kit(
    `export function debounce(run: (value: number) => unknown, wait: number): (value: number) => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return (value) => { clearTimeout(timer); timer = setTimeout(() => run(value), wait); };
}`,
    'create: (run, wait) => debounce(run, wait)',
  ),
  'kit of memoized functions': kit(
    `export function memoize(run: (key: string) => Promise<string>): (key: string) => Promise<string> {
  const results = new Map<string, Promise<string>>();
  return (key) => {
    const result = results.get(key) ?? run(key).catch((error: unknown) => { results.delete(key); throw error; });
    results.set(key, result);
    return result;
  };
}`,
    'create: (run) => memoize(run)',
  ),
};

const KINDS: Readonly<Record<string, Kind>> = {
  ...KITS,
  class: {
    source: `export class Counter {
  private n = 0;
  static made = 0;
  get size(): number { return this.n; }
  async add(by: number, twice = false, ...more: string[]): Promise<number> { return (this.n += by); }
  async read(): Promise<number> { return this.n; }
  private async hidden(): Promise<void> {}
  async _internal(): Promise<void> {}
  #own(): void {}
}`,
    calls: ["['add', 1]", "['read']"],
  },
  'class of a list of exports': {
    source: `class Box<T> { value: T | undefined; async put(value: T): Promise<void> { this.value = value; } }
export { Box };`,
    calls: ["['put', 1]"],
  },
  'default class': {
    source: `export default class { n = 0; async add(): Promise<number> { return ++this.n; } }`,
    calls: ["['add']"],
  },
  'arrow fields': {
    source: `export class Arrow { n = 0; add = async (by: bigint): Promise<bigint> => by + BigInt(++this.n); }`,
    calls: ["['add', 1n]"],
  },
  'private constructor': {
    source: `export class Store {
  private constructor(readonly n: number) {}
  static async open(n: number): Promise<Store> { return new Store(n); }
  async read(): Promise<number> { return this.n; }
}`,
    calls: ["['read']", 'create: () => Store.open(1)'],
  },
  'factory of a literal': {
    source: `export function createCounter(start: number, step = 1) {
  let n = start;
  return { async add() { n += step; return n; }, read: async () => n, name: 'counter' };
}`,
    calls: ["['add']", "['read']", 'create: () => createCounter(1)'],
  },
  'arrow factory': {
    source: `export const makeFlag = () => { let isSet = false; return { set: async (to: boolean) => { const old = isSet; isSet = to; return old; } }; };`,
    calls: ["['set', true]"],
  },
  'factory of an interface': {
    source: `export interface Counter { add(by: number): Promise<number>; readonly name: string }
export const counter = (): Counter => { let n = 0; return { name: 'n', add: async (by) => (n += by) }; };`,
    calls: ["['add', 1]"],
  },
  'factory of a class': {
    source: `class Hidden { n = 0; async add(): Promise<number> { return ++this.n; } }
export async function open() { return new Hidden(); }`,
    calls: ["['add']"],
  },
  'inherited methods': {
    source: `class Top { n = 0; async a(one: string): Promise<string> { return one; } async b(): Promise<void> {} protected async c(): Promise<void> {} }
class Middle extends Top { override async b(): Promise<void> { this.n++; } }
export class Own extends Middle { async d(): Promise<number> { return 1; } }`,
    calls: ["['d']", "['b']", "['a', 'a']"],
  },
  'inherited from another file': {
    source: `import { Base } from './base.js';
export class Own extends Base { async d(): Promise<number> { return 1; } }`,
    calls: ["['d']", "['inherited', 'slow']"],
  },
  'literal unions': {
    source: `type Mode = 'slow' | 'fast'; export enum Level { Low, High }
export class Modes { private mode: Mode = 'fast';
  async set(mode: Mode, retries: 1 | 2 | -3, level: Level, kind?: 'x'): Promise<Mode> { const old = this.mode; this.mode = mode; return old; }
  async pick(of: readonly Mode[], by: { mode: Mode; weight: number; note?: string }, pair: [Mode, number]): Promise<number> { return of.length + by.weight + pair[1]; }
}`,
    calls: ["['set', 'slow', 1, Level.Low]", "['pick', [], { mode: 'slow', weight: 1 }, ['slow', 1]]"],
  },
  'types of the platform': {
    source: `export class Types { async take(map: Map<string, number>, list: Array<string>, when: Date, bytes: Uint8Array, any: unknown, nothing: string | null): Promise<number> { return map.size + list.length + when.getTime() + bytes.length; } }`,
    calls: ["['take', new Map(), [], new Date(0), new Uint8Array(1), 1, 'a']"],
  },
  'jobs as callbacks': {
    source: `export class Limit {
  private tail: Promise<unknown> = Promise.resolve();
  run<T>(job: () => Promise<T>): Promise<T> { const own = this.tail.then(job); this.tail = own.catch(() => {}); return own; }
  async each(visit: (n: number) => 'stop' | 'go', done: () => void): Promise<string> { done(); return visit(1); }
}`,
    calls: ["['run', async () => 1]", "['each', () => 'stop' as const, () => {}]"],
  },
  'callbacks with an error': {
    source: `export class Files {
  private readonly files = new Map<string, string>();
  write(path: string, text: string, callback: (error: Error | null) => void): void { setImmediate(() => { this.files.set(path, text); callback(null); }); }
  read(path: string, callback: (error: Error | null, text?: string) => void): void { setImmediate(() => callback(null, this.files.get(path))); }
  list(done: (names: string[]) => void): void { setImmediate(() => done([...this.files.keys()])); }
}`,
    calls: ["['write']", "['read']", "['list']", 'callbacks become promises'],
  },
  'lock with a declared function': {
    source: lock('async acquire(): Promise<() => void>', 'return release;'),
    calls: ["[['acquire'], [result('acquire')]]"],
  },
  'lock with a type of its own': {
    source: `type Release = () => void;${lock('async acquire(key: string): Promise<Release>', 'return release;')}`,
    calls: ["[['acquire', 'a'], [result('acquire')]]"],
  },
  'lock without a declared type': {
    source: lock('async acquire()', 'return () => release();'),
    calls: ["[['acquire'], [result('acquire')]]"],
  },
  'lock with an object': {
    source: lock('async acquire()', 'return { at: 1, release: () => release() };'),
    calls: ["[['acquire'], [result('acquire'), 'release']]"],
  },
  'lock with a guard': {
    source: `export interface Guard { readonly id: number; release(): Promise<void> }
${lock('async acquire(): Promise<Guard | undefined>', 'return { id: 1, release: async () => release() };')}`,
    calls: ["[['acquire'], [result('acquire'), 'release']]"],
  },
  pool: {
    source: `export class Connection {}
export class Pool {
  private readonly free = [new Connection(), new Connection(), new Connection(), new Connection()];
  async take(): Promise<Connection | undefined> { return this.free.pop(); }
  async give(connection: Connection, isBroken: boolean): Promise<void> { if (!isBroken) this.free.push(connection); }
}`,
    calls: ["[['take'], ['give', result('take'), true]]"],
  },
  stubs: {
    source: `interface Store { load(key: string): Promise<string>; save(key: string, text: string): Promise<void> }
export class Cache { constructor(private readonly store: Store, readonly max: number) {} async get(key: string): Promise<string> { return this.store.load(key); } }`,
    calls: [
      "load: async (key) => stored.get(key) ?? 'a'",
      'stored.set(key, value);',
      'satisfies ConstructorParameters<typeof Cache>[0]',
      'return new Cache(stubs, 1);',
      "['get', 'a']",
    ],
  },
  'stub function': {
    source: `export class Batcher { constructor(private readonly fetch: (keys: number[]) => Promise<number[]>) {} async load(key: number): Promise<number[]> { return this.fetch([key]); } }`,
    calls: ['fetch: async () => []', 'create: (stubs) => new Batcher(stubs.fetch)'],
  },
  options: {
    source: `export interface Options { size: number; name?: string; onError: (error: Error) => void }
export class Ring { constructor(readonly options: Options) {} async size(): Promise<number> { return this.options.size; } }`,
    calls: ['create: () => new Ring({ size: 1, onError: () => {} })'],
  },
  'method that returns an object of a class': {
    source: `class Named { constructor(readonly name: string) {} }
export class User extends Named {}
export class Users { async get(): Promise<User> { return new User('a'); } }`,
    calls: ["['get']"],
  },
  'unknown types': {
    source: `import type { Server } from 'node:http';
export class Site { constructor(readonly server: Server) {} async visit(): Promise<number> { return 1; } }`,
    calls: ['create: () => new Site(undefined as never /* fill in */)'],
  },
};

/** Classes over a store, which lose an update: names of the methods of the store, and what it stores. */
const STORES = (
  ['get set', 'load save', 'find put', 'readTotal writeTotal', 'fetchById update'] as const
).flatMap((names) =>
  (['key', 'no key', 'own key'] as const).map((kind) => {
    const [read, write] = names.split(' ');
    const stored = kind === 'own key' ? '{ id: string; n: number }' : 'number';
    const key = kind === 'no key' ? '' : 'id: string';
    const given = kind === 'key' ? `${key}, value: ${stored}` : `value: ${stored}`;
    const id = kind === 'no key' ? '' : "'x'";
    const old = kind === 'own key' ? '?.n' : '';
    const changed = kind === 'own key' ? "{ id: 'x', n }" : kind === 'key' ? "'x', n" : 'n';
    return {
      name: `${names} with ${kind}`,
      source: `export interface Store { ${read}(${key}): Promise<${stored} | undefined>; ${write}(${given}): Promise<void>; ping(): Promise<string> }
export const makeCounter = (store: Store) => ({
  async increment(): Promise<number> {
    const n = ((await store.${read}(${id}))${old} ?? 0) + 1;
    await store.${write}(${changed});
    return n;
  },
});`,
    };
  }),
);

const RUNNERS = {
  vitest: { devDependencies: { vitest: '4' } },
  jest: { devDependencies: { jest: '30' } },
  'node-test': { scripts: { test: 'node --test' } },
};
const BASE = `export class Base { async inherited(mode: Mode): Promise<Mode> { return mode; } }
type Mode = 'slow' | 'fast';\n`;

const written = Object.entries(KINDS).map(([kind, { source }], i) => {
  const runner = Object.keys(RUNNERS)[i % 3] as keyof typeof RUNNERS;
  const own = join(folder, kind.replaceAll(' ', '-'));
  mkdirSync(own);
  writeFileSync(join(own, 'package.json'), JSON.stringify({ type: 'module', ...RUNNERS[runner] }));
  writeFileSync(join(own, 'base.ts'), BASE);
  writeFileSync(join(own, 'subject.ts'), `${source}\n`);
  return { kind, runner, own };
});

const stores = STORES.map(({ name, source }) => {
  const own = join(folder, name.replaceAll(' ', '-'));
  mkdirSync(own);
  writeFileSync(join(own, 'package.json'), '{ "type": "module" }');
  writeFileSync(join(own, 'subject.ts'), `${source}\n`);
  return { name, own };
});

test.each(stores)('init writes a store that shows a lost update: $name', async ({ own }) => {
  const { status, stderr } = await runHere(['init', join(own, 'subject.ts')]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const { default: scenario } = (await import(join(own, 'subject.scenario.ts'))) as { default: Scenario };
  expect((await explore(scenario)).verdict).toBe('violation');
});

test.each(written)(
  'init of a $kind writes its calls, and a test for $runner',
  async ({ kind, runner, own }) => {
    const { hasKit, calls } = KINDS[kind];
    const { status, stderr } = await runHere([
      'init',
      join(own, 'subject.ts'),
      ...(hasKit ? [] : ['--no-kit']),
    ]);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const scenario = readFileSync(join(own, 'subject.scenario.ts'), 'utf8');
    for (const call of calls) expect(scenario).toContain(call);
    expect(scenario).not.toMatch(/'(hidden|_internal|c|own|made)'/);
    expect(readFileSync(join(own, 'subject.test.ts'), 'utf8')).toContain(`from 'straightedge/${runner}'`);
  },
);

test('all that was written compiles under strict', () => {
  const files = [...written, ...stores].flatMap(({ own }) => [
    join(own, 'subject.scenario.ts'),
    join(own, 'subject.test.ts'),
  ]);
  const program = ts.createProgram(files, {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: ts.ScriptTarget.ES2023,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    types: ['node'],
  });
  const problems = ts.getPreEmitDiagnostics(program).map(({ file, start = 0, messageText }) => {
    const line = file?.text.slice(0, start).split('\n').length;
    return `${file?.fileName.slice(folder.length)}:${line} ${ts.flattenDiagnosticMessageText(messageText, ' ')}`;
  });
  expect(problems).toEqual([]);
});

test.each(written)('the scenario of a $kind runs without a violation', async ({ own }) => {
  const { default: written } = (await import(join(own, 'subject.scenario.ts'))) as { default: Scenario };
  const { verdict, reason } = await explore(written, { callsPerThread: 1, maxExecutions: 300 });
  expect({ verdict, reason: reason ?? 'executions' }).toEqual({
    verdict: expect.stringMatching(/holds|undecided/) as string,
    reason: 'executions',
  });
});

test('a package is found by its name, and its declarations are followed', async () => {
  const own = join(folder, 'package');
  const home = join(own, 'node_modules', '@scope', 'locks');
  mkdirSync(join(home, 'lib'), { recursive: true });
  writeFileSync(
    join(home, 'package.json'),
    JSON.stringify({ exports: { '.': { types: './lib/index.d.ts' } } }),
  );
  writeFileSync(
    join(home, 'lib', 'index.d.ts'),
    "export * from './index.js';\nexport { default as Mutex } from './mutex.js';\n",
  );
  writeFileSync(
    join(home, 'lib', 'mutex.d.ts'),
    'declare class Mutex { acquire(): Promise<() => void>; isLocked(): boolean; }\nexport default Mutex;\n',
  );
  const { status, stdout, stderr } = await runHere(['init', '@scope/locks'], own);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toContain('mutexKit fits it');
  const scenario = readFileSync(join(own, 'locks.scenario.js'), 'utf8');
  expect(scenario).toContain("import { Mutex } from '@scope/locks';");
  expect(scenario).toContain('isLocked: (mutex) => mutex.isLocked()');
});

/** The manifest of a package, its declarations, and what the scenario contains. */
const PACKAGES: Readonly<
  Record<string, readonly [manifest: object, files: Readonly<Record<string, string>>, ...says: string[]]>
> = {
  'a variable with the type of a function': [
    { types: 'main.d.ts' },
    {
      'main.d.ts':
        'interface Queue { add<T>(run: () => PromiseLike<T>): Promise<T>; done(): Promise<void>; }\nexport declare let newQueue: (concurrency: number) => Queue;\n',
    },
    "import { newQueue } from 'subject'",
    'create: (concurrency) => newQueue(concurrency)',
    'onIdle: (queue) => queue.done()',
  ],
  'an assigned export, with a namespace of the same name': [
    { types: './main.d.cts' },
    {
      'main.d.cts': "import { throttle } from './core.ts';\nexport = throttle;\n",
      'core.d.ts':
        'export declare function throttle(run: () => void, wait: number): () => void;\nexport declare namespace throttle { var Aborted: number; }\n',
    },
    "import throttle from 'subject'",
    'export default throttleKit({',
  ],
  'a folder of types': [
    { types: 'dist' },
    { 'dist/index.d.ts': 'export declare class Mutex { lock(): Promise<void>; unlock(): void; }\n' },
    'export default mutexKit({',
    'acquire: (mutex) => mutex.lock()',
  ],
};

const inPackage = (name: string, manifest: object, files: Readonly<Record<string, string>>): string => {
  const own = join(folder, name.replaceAll(' ', '-'));
  const home = join(own, 'node_modules', 'subject');
  for (const [file, text] of Object.entries({ 'package.json': JSON.stringify(manifest), ...files })) {
    mkdirSync(dirname(join(home, file)), { recursive: true });
    writeFileSync(join(home, file), text);
  }
  return own;
};

test.each(Object.entries(PACKAGES))(
  'init reads a package with %s',
  async (name, [manifest, files, ...says]) => {
    const own = inPackage(name, manifest, files);
    const { status, stderr } = await runHere(['init', 'subject'], own);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    const scenario = readFileSync(join(own, 'subject.scenario.js'), 'utf8');
    for (const one of says) expect(scenario).toContain(one);
  },
);

test('for a package without types, init says that the adapter is written by hand', async () => {
  const own = inPackage('no types', { main: 'index.js' }, { 'index.js': 'module.exports = () => {};\n' });
  const { status, stderr } = await runHere(['init', 'subject'], own);
  expect(status).toBe(2);
  expect(stderr).toContain('the package subject declares no types');
  expect(stderr).toContain('docs/guide/kits.md');
});
