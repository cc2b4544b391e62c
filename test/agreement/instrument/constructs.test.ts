/**
 * Constructs of the language times places of an object, with a race: the results of both engines are those of all interleavings of a
 * plain model (oracles/interleaver.ts). Where the accesses of a place are not all observed, the run says so; where code cannot be
 * suspended, it is refused.
 */
import { beforeAll, describe, expect, test } from 'vitest';
import { Random } from '../../../src/base/random.js';
import { untilValid } from '../../../src/execution/memory/program-error.js';
import { runtime } from '../../../src/instrument/runtime/runtime.js';
import { loadScript, programOn } from '../../support/fixtures/instrumented.js';
import {
  aliasRows,
  builtinRows,
  cellRows,
  containerRows,
  loopRows,
  type Row,
  unobservedRows,
} from '../../support/generators/constructs.js';
import { keptRows } from '../../support/generators/kept-values.js';
import { REFUSED, randomRows } from '../../support/generators/random-constructs.js';
import { audit } from '../../support/oracles/audit.js';
import { apart, explored } from '../../support/oracles/constructs.js';
import { resultsByDpor } from '../../support/oracles/engines.js';
import { share } from '../../support/share.js';

describe('cells', () => {
  const rows = cellRows(share(1, 89));
  let found: readonly { readonly row: Row; readonly said: readonly string[] }[];
  beforeAll(() => {
    found = rows.map((row) => ({ row, said: explored(row) }));
  }, 3_600_000);
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

  test('only a Proxy and a change of a prototype are not observed, and that is said of each', () => {
    const proxies = rows.filter(({ name }) => /: (proxy|prototype of an object)$/.test(name));
    const unobserved = namesOf((said) => said.includes('not observed'));
    expect(unobserved.filter((name) => !/proxy|prototype of an object/.test(name))).toEqual([]);
    expect(unobserved.length).toBe(proxies.length);
  });

  test('none is refused', () => {
    expect(namesOf((said) => said.includes('refused'))).toEqual([]);
  });
});

test('loops and calls that carry state have all results of their model', () => {
  const rows = loopRows();
  expect(rows.length).toBeGreaterThan(75);
  const said = rows.map((row) => [row.name, ...explored(row)]).filter(({ length }) => length > 1);
  // the position of a built-in iterator cannot be read
  const isOpaque = ([name, what]: string[]) => /^(WeakMap|iterator of)/.test(name) && what === 'no states';
  expect(said.filter((row) => !isOpaque(row))).toEqual([]);
});

test('loops that carry which of two equal objects they hold have all results of their model', () => {
  const rows = aliasRows();
  expect(rows.length).toBeGreaterThan(40);
  expect(rows.map((row) => [row.name, ...explored(row)]).filter(({ length }) => length > 1)).toEqual([]);
});

test('a value that was read early is kept as long as code can use it', () => {
  const rows = keptRows().filter((_, i) => i % share(1, 3) === 0);
  expect(rows.length).toBeGreaterThan(150);
  const said = rows.map((row) => [row.name, ...explored(row)]).filter(({ length }) => length > 1);
  expect(said).toEqual([]);
});

test('ways to read, copy and convert containers have all results of their model', () => {
  const rows = containerRows();
  expect(rows.length).toBeGreaterThan(60);
  expect(rows.map((row) => [row.name, ...explored(row)]).filter(({ length }) => length > 1)).toEqual([]);
});

/** Uses of a regular expression with the flags that they allow; `f` is a callback that is suspended. */
const USES: Readonly<Record<string, readonly [flags: string, use: string]>> = {
  'replace by a callback': ['|g|y|gy', '"aab".replace(this.r, f)'],
  'replace by a text': ['|g|y|gy', '"aab".replace(this.r, "c")'],
  'replaceAll by a callback': ['g|gy', '"aab".replaceAll(this.r, f)'],
  'replace of a text by a callback': ['g', '"aab".replace("a", f) + "aab".replaceAll("a", f)'],
  match: ['|g|y|gy', 'String("aab".match(this.r))'],
  matchAll: ['g|gy', '[..."aab".matchAll(this.r)].join()'],
  split: ['|g|y', '"bab".split(this.r).join()'],
  search: ['|g|y', '"baa".search(this.r)'],
  test: ['|g|y', 'this.r.test("aab")'],
  exec: ['|g|y', 'String(this.r.exec("aab"))'],
};

test.each(Object.keys(USES))('%s of a shared regular expression: engines agree with brute force', (name) => {
  const [flags, use] = USES[name];
  const puts = ['this.r.lastIndex = 1;', 'this.n = 5; this.r.lastIndex = 1;', 'return this.r.test("aa");'];
  for (const flag of flags.split('|'))
    for (const put of puts) {
      const code = `class C { n = 0; r = /a/${flag}; put() { ${put} }
        go() { const f = (...a) => "" + this.n++ + a.length; return ${use} + this.r.lastIndex; } } exports.make = () => new C()`;
      const program = programOn(loadScript(code), { threads: [[['go']], [['put']]] });
      expect(
        apart(() => audit(program, 5_000)),
        code,
      ).toEqual([]);
    }
});

test('built-in functions that read or convert what they are given have all results of their model', () => {
  const rows = builtinRows();
  expect(rows.length).toBeGreaterThan(60);
  expect(rows.map((row) => [row.name, ...explored(row)]).filter(({ length }) => length > 1)).toEqual([]);
});

test('changes of what objects inherit, and accesses through a Proxy, are said to be not observed', () => {
  const rows = unobservedRows();
  expect(rows.length).toBeGreaterThan(10);
  const observed = rows.filter((row) => !explored(row).includes('not observed'));
  expect(observed.map(({ name }) => name)).toEqual([]);
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

const CHUNKS = share(10, 4);
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
      const make = loadScript(rows[0].code);
      for (const row of rows) {
        const said = explored(row, make);
        if (!said.includes('no states')) withStates++;
        // what an object inherits then is not observed
        const allowed = row.code.includes('setPrototypeOf') ? ['no states', 'not observed'] : ['no states'];
        const wrong = said.filter((text) => !allowed.includes(text));
        if (wrong.length > 0)
          expect.fail(`file ${i}, ${row.threads.join(' and ')}: ${wrong.join()}\n${row.code}`);
      }
    }
    expect(withStates).toBeGreaterThan((FILES * ROWS_OF_A_FILE) / 2);
  },
  3_600_000,
);

/** The threads of a row, the same call twice, and three calls. */
const programsOf = ({ threads: [[go], [put]] }: Row): Row['threads'][] => [
  [[go], [put]],
  [[go], [go]],
  [[go], [put, go]],
];
/** How many programs of a kind are audited. */
const ENOUGH = share(Number.POSITIVE_INFINITY, 24);
const MOST_EXECUTIONS = share(2_000, 120);

describe('audit: every engine, to its end, agrees with brute force', () => {
  const some = <T>(rows: readonly T[], every: number): readonly T[] =>
    rows.filter((_, i) => i % share(1, every) === 0);
  const random = new Random(SEED);
  const audited: Readonly<Record<string, () => readonly Row[]>> = {
    cells: () => some(cellRows(share(1, 89)), 40),
    loops: () => some([...loopRows(), ...aliasRows()], 20),
    containers: () => some(containerRows(), 12),
    'random programs': () =>
      Array.from({ length: share(2_500, 8) }, () => randomRows(random, ROWS_OF_A_FILE)).flat(),
  };

  test.each(Object.keys(audited))('%s', (name) => {
    let [programs, skipped] = [0, 0];
    for (const row of audited[name]()) {
      if (programs - skipped >= ENOUGH) return;
      const make = loadScript(row.code);
      for (const threads of programsOf(row)) {
        const found = apart(() => audit(programOn(make, { threads }), MOST_EXECUTIONS));
        programs++;
        if (found === undefined) skipped++;
        expect(found ?? [], `${threads.join(' and ')} of ${row.name}: ${row.code}`).toEqual([]);
      }
    }
    expect(skipped).toBeLessThan(programs / 2);
  });
});
