import { expect, test } from 'vitest';
import { firstScenario, runnerIn } from './init.js';

const SOURCE = `
interface Options { size: number }
export class Cache<V> {
  #items = new Map<string, V>();
  static of() {}
  constructor(private readonly options: Options) {}
  get size() { return this.#items.size; }
  async get(key: string): Promise<V | undefined> { return this.#items.get(key); }
  set(key: string, value: V, ttl = 5, extra?: number): void {}
  private prune(): void {}
  #hidden() {}
}`;

test('public methods become calls, with arguments of their types', () => {
  const { scenario, test: written, isUnfinished } = firstScenario('src/cache.ts', SOURCE);
  expect(scenario).toContain("import { Cache } from './cache.js';");
  expect(scenario).toContain('create: () => new Cache({ size: 1 }),');
  expect(isUnfinished).toBe(false);
  const unknown = firstScenario(
    'src/cache.ts',
    SOURCE.replace('private readonly options: Options', 'other: Other'),
  );
  expect(unknown.scenario).toContain('create: () => new Cache(undefined as never /* fill in */),');
  expect(unknown.isUnfinished).toBe(true);
  expect(scenario).toContain("  calls: [\n    ['get', 'a'],\n    ['set', 'a', 1],\n  ],");
  expect(written).toContain("import scenario from './cache.scenario.js';");
});

test('a file without a class is an error', () => {
  expect(() => firstScenario('a.ts', 'export const a = 1;')).toThrow(
    /a\.ts exports no class with public methods/,
  );
  expect(() => firstScenario('a.ts', 'export class {')).toThrow(/cannot parse a\.ts/);
});

test('the first class is used, or the class that is named', () => {
  const two = 'export class One { go() {} }\nexport class Two { come() {} }';
  const first = firstScenario('a.ts', two);
  expect([first.className, first.otherClasses]).toEqual(['One', ['Two']]);
  const second = firstScenario('a.ts', two, { className: 'Two' });
  expect([second.className, second.otherClasses]).toEqual(['Two', []]);
  expect(second.scenario).toContain("['come']");
  expect(() => firstScenario('a.ts', two, { className: 'Three' })).toThrow(
    'a.ts exports no class Three with public methods; expected One or Two',
  );
});

/** Types of parameters, and arguments of these types. */
const SAMPLES: readonly (readonly [type: string, argument: string])[] = [
  ['string', "'a'"],
  ['number', '1'],
  ['boolean', 'true'],
  ["'read' | 'write'", "'read'"],
  ['Mode', "'slow'"],
  ['2 | 3', '2'],
  ['number[]', '[]'],
  ['() => void', '() => {}'],
  ['(done: boolean) => number', '() => 1'],
  ["(mode: Mode) => 'yes' | 'no'", "() => 'yes' as const"],
  ['() => Promise<void>', 'async () => {}'],
  ['() => Promise<string>', "async () => 'a'"],
  ['(() => void) | null', '() => {}'],
];

test.each(SAMPLES.flatMap((one) => SAMPLES.map((other) => [one, other] as const)))(
  'arguments of the types %j and %j',
  ([type, argument], [otherType, otherArgument]) => {
    const source = `type Mode = 'slow' | 'fast';
export class Box { async put(one: ${type}, other: ${otherType}, more?: string): Promise<void> {} }`;
    expect(firstScenario('box.ts', source).scenario).toContain(`['put', ${argument}, ${otherArgument}],`);
  },
);

test('inherited methods of the same file become calls; overridden ones once', () => {
  const source = `class Top { async a(one: string) {} async b() {} private c() {} }
class Middle extends Top { async b(two: number) {} }
export class Own extends Middle { async d() {} }
class One extends Other {} class Other extends One {}`;
  const { scenario, isUnfinished } = firstScenario('own.ts', source);
  expect(scenario).toContain("calls: [\n    ['d'],\n    ['b', 1],\n    ['a', 'a'],\n  ],");
  expect(isUnfinished).toBe(false);
  expect(
    firstScenario('own.ts', 'export class A extends B { async a() {} }\nclass B extends A {}').scenario,
  ).toContain("['a']");
});

test('the test is for the runner of the project', () => {
  const runners = [
    [{ devDependencies: { vitest: '4' } }, 'vitest'],
    [{ dependencies: { jest: '30' } }, 'jest'],
    [{ devDependencies: { jest: '30', vitest: '4' } }, 'vitest'],
    [{ scripts: { test: 'node --import tsx --test src' } }, 'node-test'],
    [{ scripts: { test: 'mocha' } }, 'vitest'],
    [{}, 'vitest'],
  ] as const;
  for (const [manifest, runner] of runners) {
    expect(runnerIn(JSON.stringify(manifest))).toBe(runner);
    const { test: written } = firstScenario('a.ts', 'export class A { async a() {} }', { runner });
    expect(written).toContain(`import { testScenario } from 'straightedge/${runner}';`);
  }
});

/** Constructors, and how a kit makes the object. */
const CONSTRUCTORS: readonly (readonly [kind: string, parameters: string, expected: string])[] = [
  ['Limiter', 'limit = 2, interval = 100', '({ limit, interval }) => new Limiter(limit, interval)'],
  [
    'Limiter',
    'private limit: number, private interval: number',
    '({ limit, interval }) => new Limiter(limit, interval)',
  ],
  [
    'Limiter',
    'windowMs: number, maxRequests: number',
    '({ limit, interval }) => new Limiter(interval, limit)',
  ],
  ['Limiter', 'n: number, perMs = 5', '({ limit, interval }) => new Limiter(limit, interval)'],
  [
    'Limiter',
    'name: string, max?: number, ms?: number',
    "({ limit, interval }) => new Limiter('a', limit, interval)",
  ],
  [
    'Limiter',
    'name = "x", max = 3, window = 5',
    '({ limit, interval }) => new Limiter(undefined, limit, interval)',
  ],
  [
    'Limiter',
    'options: { max: number; interval: number }',
    '({ limit, interval }) => new Limiter({ max: limit, interval })',
  ],
  [
    'Limiter',
    'options: { max?: number; interval?: number } = {}',
    '({ limit, interval }) => new Limiter({ max: limit, interval })',
  ],
  ['Limiter', 'options', '({ limit, interval }) => new Limiter({ limit, interval } /* fill in */)'],
  ['Limiter', 'limit = 2', '({ limit }) => new Limiter(limit)'],
  ['Limiter', '', '() => new Limiter()'],
  ['Limiter', 'a: number, b: number', '() => new Limiter(1, 1)'],
  ['Pool', 'connect: () => Promise<object>, max: number', '(factory, max) => new Pool(factory.create, max)'],
  ['Pool', 'max: number, connect: () => Promise<object>', '(factory, max) => new Pool(max, factory.create)'],
  ['Pool', 'connect: () => Promise<object>, size = 4', '(factory, max) => new Pool(factory.create, max)'],
  ['Pool', 'connect: () => Promise<object>', '(factory) => new Pool(factory.create)'],
  ['Semaphore', 'count = 1', '(permits) => new Semaphore(permits)'],
  ['Semaphore', 'x: number', '(permits) => new Semaphore(permits)'],
  ['Semaphore', '', '() => new Semaphore()'],
];
const METHODS: Readonly<Record<string, string>> = {
  Limiter: 'async run<T>(job: () => Promise<T>): Promise<T> { return job(); }',
  Pool: 'async acquire(): Promise<object> { return {}; } release(one: object): void {}',
  Semaphore: 'async acquire(): Promise<void> {} release(): void {}',
};
const NEEDED: Readonly<Record<string, readonly string[]>> = {
  Limiter: ['limit', 'interval'],
  Pool: [],
  Semaphore: ['permits'],
};

test.each(CONSTRUCTORS)(
  'the values of the kit of a %s reach the constructor(%s)',
  (kind, given, expected) => {
    const source = `export class ${kind} { constructor(${given}) {} ${METHODS[kind]} }`;
    const { scenario, kit, isUnfinished } = firstScenario('one.ts', source, { hasKits: true });
    expect(kit).toBeDefined();
    expect(scenario).toContain(`  create: ${expected},\n`);
    // what it does not take is what the class uses, to be filled in
    const missing = NEEDED[kind].filter((name) => !expected.split('=>')[0].includes(name));
    for (const name of missing) expect(scenario).toContain(`  ${name}: 1 /* fill in */,\n`);
    expect(isUnfinished).toBe(missing.length > 0 || expected.includes('fill in'));
  },
);

test('the scenario of a class without asynchronous methods says that it is about threads', () => {
  const source = 'export class Sync { n = 0; add(k: number) { return (this.n += k); } }';
  const first = firstScenario('sync.ts', source);
  expect(first.isSynchronous).toBe(true);
  expect(first.scenario).toMatch(
    /cannot overlap on one event loop;\n.*as threads over shared memory[\s\S]*backend: 'instrumented'/,
  );
  const waiting = firstScenario('wait.ts', source.replace('add(', 'async add('));
  expect([waiting.isSynchronous, waiting.scenario.includes('backend')]).toEqual([false, false]);
});
