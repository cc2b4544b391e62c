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
  expect(scenario).toContain('create: () => new Cache(/* what it needs */),');
  expect(isUnfinished).toBe(true);
  expect(scenario).toContain("  calls: [\n    ['get', 'a'],\n    ['set', 'a', 1],\n  ],");
  expect(written).toContain("import scenario from './cache.scenario.js';");
});

test('a file without a class is refused, and what to do is said', () => {
  expect(() => firstScenario('a.ts', 'export const a = 1;')).toThrow(/a\.ts exports no class with methods/);
  expect(() => firstScenario('a.ts', 'export class {')).toThrow(/a\.ts can not be read/);
});

test('of several classes the first is taken, or the one that is asked for', () => {
  const two = 'export class One { go() {} }\nexport class Two { come() {} }';
  const first = firstScenario('a.ts', two);
  expect([first.taken, first.others]).toEqual(['One', ['Two']]);
  const second = firstScenario('a.ts', two, 'Two');
  expect([second.taken, second.others]).toEqual(['Two', []]);
  expect(second.scenario).toContain("['come']");
  expect(() => firstScenario('a.ts', two, 'Three')).toThrow(
    'a.ts exports no class Three with methods; there is One, Two',
  );
});
