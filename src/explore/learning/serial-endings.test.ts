import { describe, expect, test } from 'vitest';
import { inOwnTask } from '../../event-loop/own-task.js';
import { ScenarioError } from '../../execution/scenario-error.js';
import { type Exploration, explore } from '../explore.js';
import { scenario } from '../scenario/scenario.js';

/** Its constructor has to be given something. */
class Repository {
  readonly #rows: Map<string, number>;
  readonly #loaded: string[] = [];
  constructor(rows: Map<string, number>) {
    this.#rows = rows;
  }
  async get(key: string): Promise<number | undefined> {
    return this.#rows.get(key);
  }
  async set(key: string, value: number): Promise<void> {
    this.#rows.set(key, value);
  }
  async loaded(): Promise<number> {
    return this.#loaded.length;
  }
}

const exploring = (
  calls: readonly (readonly ['get' | 'loaded', ...string[]])[],
  rows?: Map<string, number>,
) =>
  inOwnTask(
    (): Exploration =>
      explore(
        scenario({
          create: () => new Repository(rows as never),
          calls: calls as never,
          threads: 2,
          callsPerThread: 1,
        }),
      ),
  );

describe('a method that threw in every serial run', () => {
  test('is told, with what it threw', async () => {
    const { verdict, alwaysThrew } = await exploring([['get', 'a'], ['loaded']]);
    expect(verdict).toBe('holds');
    expect(alwaysThrew).toEqual([
      { method: 'get', threw: expect.stringMatching(/^TypeError: Cannot read .* \(reading 'get'\)$/) },
    ]);
  });

  test('is an error where all methods are such', async () => {
    await expect(exploring([['get', 'a']])).rejects.toThrow(ScenarioError);
    await expect(exploring([['get', 'a']])).rejects.toThrow(
      /get always threw TypeError: .*Is what `create` makes complete\?/,
    );
  });

  test('is none where it has returned once', async () => {
    const { alwaysThrew } = await exploring([['get', 'a'], ['loaded']], new Map());
    expect(alwaysThrew).toEqual([]);
  });
});

test('threads too: what throws in some states only is not told, what throws in all is', () => {
  class Cell {
    n = 0;
    put(): void {
      this.n++;
    }
    take(): void {
      if (this.n === 0) throw new RangeError('empty');
      this.n--;
    }
  }
  const create = () => new Cell();
  const both = scenario({ create, backend: 'transform', test: [[['put']], [['take']]] });
  expect(explore(both).alwaysThrew).toEqual([]);
  const one = scenario({ create, backend: 'transform', test: [[['take']], [['take']]] });
  expect(() => explore(one)).toThrow(/take always threw RangeError: empty/);
});
