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
