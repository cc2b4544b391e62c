/**
 * Constructs of the language times places of an object, with a race: the results of both engines are those of all interleavings of a
 * plain model (oracles/interleaver.ts). Where the accesses of a place are not all observed, the run says so; where code cannot be
 * suspended, it is refused.
 */
import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/base/random.js';
import { untilValid } from '../../../src/execution/memory/program-error.js';
import { runtime } from '../../../src/instrument/runtime/runtime.js';
import { loadScript, programOn } from '../../support/fixtures/instrumented.js';
import {
  aliasRows,
  cellRows,
  containerRows,
  loopRows,
  type Row,
} from '../../support/generators/constructs.js';
import { REFUSED, randomRows } from '../../support/generators/random-constructs.js';
import { maximalOrders } from '../../support/oracles/brute-force.js';
import { resultsByDpor, resultsByStates } from '../../support/oracles/engines.js';
import { interleavings } from '../../support/oracles/interleaver.js';
import { share } from '../../support/share.js';

/** What each engine says of a row: nothing if its results are those of the model. `load` gives the function that makes its object. */
function explore({ code, threads, model }: Row, load: () => () => object = () => loadScript(code)): string[] {
  const expected = maximalOrders(interleavings(() => [0, 0, 0, 0], model)).join();
  const globals = new Set(Object.keys(globalThis));
  runtime.atomic.clear();
  try {
    const program = programOn(load(), { threads });
    const byClasses = maximalOrders(untilValid(() => resultsByDpor(program))).join();
    const byStates = untilValid(() => resultsByStates(program));
    const isObserved = [...runtime.atomic.values()].every((called) => called.isObserved);
    return [
      ...(byClasses === expected ? [] : ['wrong by classes']),
      ...(byStates === undefined || maximalOrders(byStates).join() === expected ? [] : ['wrong by states']),
      ...(byStates === undefined ? ['no states'] : []),
      ...(isObserved ? [] : ['not observed']),
    ];
  } catch (error) {
    return [(error as Error).message.includes('cannot be suspended') ? 'refused' : String(error)];
  } finally {
    runtime.leave();
    runtime.failure = undefined;
    // what a row leaves there is not there when the next one begins
    for (const name of Object.keys(globalThis))
      if (!globals.has(name)) Reflect.deleteProperty(globalThis, name);
  }
}

describe('cells', () => {
  const rows = cellRows(share(1, 89));
  const found = rows.map((row) => ({ row, said: explore(row) }));
  const namesOf = (says: (said: readonly string[]) => boolean): string[] =>
    found.filter(({ said }) => says(said)).map(({ row, said }) => `${row.name}: ${said.join()}`);

  test('there are enough of them', () => {
    expect(rows.length).toBeGreaterThan(220);
  });

  test('none is wrong', () => {
    expect(namesOf((said) => said.some((text) => !/^(no states|not observed|refused)$/.test(text)))).toEqual(
      [],
    );
  });

  test('only opaque objects have no states', () => {
    const opaque = namesOf((said) => said.includes('no states'));
    expect(opaque.filter((name) => !/Weak|proxy|global/.test(name))).toEqual([]);
  });

  test('only a Proxy is not observed, and that is said of each', () => {
    const proxies = rows.filter(({ name }) => name.endsWith(': proxy'));
    const unobserved = namesOf((said) => said.includes('not observed'));
    expect(unobserved.filter((name) => !name.includes('proxy'))).toEqual([]);
    expect(unobserved.length).toBe(proxies.length);
  });

  test('none is refused', () => {
    expect(namesOf((said) => said.includes('refused'))).toEqual([]);
  });
});

test('loops and calls that carry state have all results of their model', () => {
  const rows = loopRows();
  expect(rows.length).toBeGreaterThan(75);
  const said = rows.map((row) => [row.name, ...explore(row)]).filter(({ length }) => length > 1);
  // the position of a built-in iterator cannot be read
  const isOpaque = ([name, what]: string[]) => /^(WeakMap|iterator of)/.test(name) && what === 'no states';
  expect(said.filter((row) => !isOpaque(row))).toEqual([]);
});

test('loops that carry which of two equal objects they hold have all results of their model', () => {
  const rows = aliasRows();
  expect(rows.length).toBeGreaterThan(40);
  expect(rows.map((row) => [row.name, ...explore(row)]).filter(({ length }) => length > 1)).toEqual([]);
});

test('ways to read, copy and convert containers have all results of their model', () => {
  const rows = containerRows();
  expect(rows.length).toBeGreaterThan(60);
  expect(rows.map((row) => [row.name, ...explore(row)]).filter(({ length }) => length > 1)).toEqual([]);
});

test.each(REFUSED)('%s is refused', (form) => {
  const code = `class C { c0 = 0; c1 = 0; go() { return ${form}; } put() { this.c0 = 1; } } exports.make = () => new C()`;
  const go = () =>
    untilValid(() => resultsByDpor(programOn(loadScript(code), { threads: [[['go']], [['put']]] })));
  try {
    expect(go).toThrow(/^script-\d+\.cjs:1:\d+: /);
  } finally {
    runtime.leave();
    runtime.failure = undefined;
  }
});

const CHUNKS = 4;
const ROWS_OF_A_FILE = 4;
const FILES = share(50_000, 2_000) / CHUNKS / ROWS_OF_A_FILE;
const SEED = Number(process.env.SEED ?? 20261117);

test.each(Array.from({ length: CHUNKS }, (_, i) => SEED + i))(
  `${FILES * ROWS_OF_A_FILE} random programs have all results of their model by both engines, seed %i`,
  (seed) => {
    const random = new Random(seed);
    let withStates = 0;
    for (let i = 0; i < FILES; i++) {
      const rows = randomRows(random, ROWS_OF_A_FILE);
      let make: (() => object) | undefined;
      for (const row of rows) {
        const said = explore(row, () => (make ??= loadScript(row.code)));
        if (!said.includes('no states')) withStates++;
        const wrong = said.filter((text) => text !== 'no states');
        if (wrong.length > 0)
          expect.fail(`file ${i}, ${row.threads.join(' and ')}: ${wrong.join()}\n${row.code}`);
      }
    }
    expect(withStates).toBeGreaterThan((FILES * ROWS_OF_A_FILE) / 2);
  },
  3_600_000,
);
