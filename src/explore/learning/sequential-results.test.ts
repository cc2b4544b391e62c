import { describe, expect, test } from 'vitest';
import { evaluateInstrumented } from '../../../test/support/fixtures/instrumented.js';
import { Counter } from '../../../test/support/fixtures/lost-updates.js';
import { inOwnTask } from '../../event-loop/own-task.js';
import { ScenarioError } from '../../execution/memory/program-error.js';
import { type Exploration, exploreSync } from '../explore.js';
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
      exploreSync(
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
  const { create: made } = evaluateInstrumented(`class Cell { n = 0; put() { this.n++; }
    take() { if (this.n === 0) throw new RangeError('empty'); this.n--; } }
    export const create = () => new Cell();`);
  const create = made as () => { put(): void; take(): void };
  const both = scenario({ create, backend: 'instrumented', test: [[['put']], [['take']]] });
  expect(exploreSync(both).alwaysThrew).toEqual([]);
  const one = scenario({ create, backend: 'instrumented', test: [[['take']], [['take']]] });
  expect(() => exploreSync(one)).toThrow(/take always threw RangeError: empty/);
});

describe('allowed-by-serial', () => {
  test('a learnt failure says what serial runs gave at its place', async () => {
    const lost = scenario({ create: () => new Counter(), test: [[['add', 1]], [['add', 2]]] });
    const { results } = await inOwnTask(() => exploreSync(lost));
    const [{ violation }] = results;
    // A has returned 1, so B comes after it
    expect(violation).toMatchObject({ kind: 'outcome', operation: 1, allowed: ['3'] });
  });

  test('what was shown after the results before it, not what is shown first', async () => {
    class Odd extends Counter {
      #calls = 0;
      override async add(by: number): Promise<number> {
        if (++this.#calls > 1) return -1;
        await Promise.resolve();
        return this.#calls === 1 ? super.add(by) : -2;
      }
    }
    const odd = scenario({ create: () => new Odd(), test: [[['add', 1]], [['add', 2]]] });
    const { results } = await inOwnTask(() => exploreSync(odd));
    const wrong = results.find(({ violation }) => violation !== undefined)?.violation;
    expect(wrong).toMatchObject({ kind: 'outcome', operation: 0, allowed: ['1'] });
  });
});
