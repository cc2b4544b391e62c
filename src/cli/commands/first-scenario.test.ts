import { expect, test } from 'vitest';
import { firstScenario } from './first-scenario.js';

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
  expect(scenario).toContain('create: () => new Cache(/* arguments */),');
  expect(isUnfinished).toBe(true);
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
  const second = firstScenario('a.ts', two, 'Two');
  expect([second.className, second.otherClasses]).toEqual(['Two', []]);
  expect(second.scenario).toContain("['come']");
  expect(() => firstScenario('a.ts', two, 'Three')).toThrow(
    'a.ts exports no class Three with public methods; expected One or Two',
  );
});
