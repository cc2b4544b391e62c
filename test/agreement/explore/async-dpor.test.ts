/** Partial-order reduction and stateful search of asynchronous code, against all executions: all show the same histories. */
import { afterAll, expect, test } from 'vitest';
import { Random } from '../../../src/base/random.js';
import { control } from '../../../src/event-loop/control.js';
import { inOwnTask } from '../../../src/event-loop/own-task.js';
import { programIn } from '../../support/fixtures/async-program.js';
import { randomAsync } from '../../support/generators/random-async.js';
import { exploreAll, exploreReduced, exploreStates } from '../../support/oracles/async-histories.js';
import { share } from '../../support/share.js';

const PROGRAMS = share(3_000, 14);

const totals = { programs: 0, executions: 0, reduced: 0, fewer: 0, visible: 0, byStates: 0, ofVisible: 0 };
afterAll(() => process.env.AGREE === 'all' && console.log(totals));

test('the reduced exploration of random objects shows the histories of all executions', async () => {
  control();
  const random = new Random(11);
  for (let i = 0; i < PROGRAMS; i++) {
    const { code, methods } = randomAsync(random);
    const call = () => random.pick(methods);
    const threads = random.withProbability(50) ? [[call()], [call()]] : [[call(), call()], [call()]];
    await inOwnTask(() => {
      const traced = programIn(code, threads, true);
      const expected = exploreAll(programIn(code, threads, false));
      if (expected === undefined) return;
      const label = `program ${i}: ${threads.join(' | ')} of ${code}`;
      expect(exploreAll(traced)?.histories, label).toEqual(expected.histories);
      const reduced = exploreReduced(traced)!;
      expect(reduced.histories, label).toEqual(expected.histories);
      expect(reduced.strangers, label).toEqual([]);
      const states = exploreStates(traced)!;
      if (states.declined === undefined) {
        expect(states.histories, label).toEqual(expected.histories);
        totals.visible++;
        totals.byStates += states.executions;
        totals.ofVisible += expected.executions;
      }
      totals.programs++;
      totals.executions += expected.executions;
      totals.reduced += reduced.executions;
      if (reduced.executions < expected.executions) totals.fewer++;
    });
  }
  expect(totals.programs).toBeGreaterThan(PROGRAMS / 2);
  expect(totals.fewer).toBeGreaterThan(totals.programs / 8);
  expect(totals.visible).toBeGreaterThan(totals.programs / 8);
}, 3_600_000);

/** A cache of two keys that awaits a stub for each; both methods also run the code `shared`. */
const cache = (shared: string) => `
export const ask = (n) => n;
export const make = (io) => new (class {
  a = undefined; b = undefined; hits = 0;
  async one() { const value = await io.ask(1); ${shared}; this.a = value; return value; }
  async two() { const value = await io.ask(2); ${shared}; this.b = value; return value; }
})();`;

test('calls without shared accesses have fewer equivalence classes than calls with a shared counter', async () => {
  control();
  await inOwnTask(() => {
    const apart = programIn(cache(''), [['one'], ['two']], true);
    const together = programIn(cache('this.hits++'), [['one'], ['two']], true);
    expect(exploreAll(apart)!.histories).toEqual(exploreReduced(apart)!.histories);
    expect(exploreAll(together)!.histories).toEqual(exploreReduced(together)!.histories);
    expect([exploreAll(apart)!.executions, exploreReduced(apart)!.classes]).toEqual([74, 20]);
    expect(exploreReduced(together)!.classes).toBeGreaterThan(exploreReduced(apart)!.classes);
  });
});

test('code that is not instrumented is reported, and counts as dependent on everything', async () => {
  control();
  const outside = { n: 0 };
  const stranger = () => ++outside.n % 2;
  Object.assign(globalThis, { stranger });
  await inOwnTask(() => {
    const program = programIn(cache('stranger()'), [['one'], ['two']], true);
    const reduced = exploreReduced(program)!;
    expect(reduced.strangers).toEqual(['stranger']);
    expect(reduced.histories).toEqual(exploreAll(program)!.histories);
  });
});

/** Two calls that read the clock between waits: each way to wait before and after it. */
const clocked = (before: string, after: string) => `
export const ask = (n) => n;
export const make = (io) => new (class {
  async one() { ${before}; const time = Date.now() % 10; ${after}; return time; }
})();`;

const WAITS = {
  timer: 'await new Promise((resolve) => setTimeout(resolve, 2))',
  immediate: 'await new Promise((resolve) => setImmediate(resolve))',
  stub: 'await io.ask(1)',
};
/** Two stubs that may fail have too many executions. */
const PAIRS = Object.entries(WAITS)
  .flatMap(([first, before]) =>
    Object.entries(WAITS).map(([last, after]) => [first, last, before, after] as const),
  )
  .filter(([first, last]) => first !== 'stub' || last !== 'stub');

test.each(PAIRS)(
  'a clock read between %s and %s depends on every step',
  async (_first, _last, before, after) => {
    control();
    await inOwnTask(() => {
      const code = clocked(before, `${after}; ${WAITS.immediate}`);
      const program = programIn(code, [['one'], ['one']], true);
      const all = exploreAll(program);
      expect(all).toBeDefined();
      expect(exploreReduced(program)?.histories).toEqual(all?.histories);
    });
  },
);

/** Where a field is that the object `o` does not have itself: in the holder `h`. */
const HOLDERS = {
  'a base class': 'class Base {} class Sub extends Base {} const [h, o] = [Base, Sub];',
  'the prototype': 'class Own {} const [h, o] = [Own.prototype, new Own()];',
  'a created object': 'const h = {}; const o = Object.create(h);',
  'two levels above': 'const h = {}; const o = Object.create(Object.create(h));',
  'a kind of list': 'class List extends Array {} const [h, o] = [List.prototype, new List()];',
  'a kind of map': 'class Table extends Map {} const [h, o] = [Table.prototype, new Table()];',
};
const READS = {
  member: 'o.f',
  computed: "o['f' + '']",
  chain: 'o?.f',
  pattern: '(({ f }) => f)(o)',
  in: "'f' in o",
  loop: '(() => { let n = 0; for (const key in o) n += key === "f" ? 1 : 0; return n; })()',
  method: 'typeof o.f',
  super: '({ __proto__: o, read() { return super.f; } }).read()',
};

test.each(
  Object.entries(HOLDERS).flatMap(([held, setUp]) =>
    Object.entries(READS).map(([kind, read]) => [kind, held, setUp, read] as const),
  ),
)('a read (%s) of a field that is in %s conflicts with a write of it', async (_kind, _held, setUp, read) => {
  control();
  const code = `
export const ask = (n) => n;
export const make = (io) => {
  ${setUp}
  return {
    async write() { ${WAITS.stub}; h.f = 1; ${WAITS.stub}; delete h.f; },
    async read() { const seen = ${read}; ${WAITS.stub}; return String(seen); },
  };
};`;
  await inOwnTask(() => {
    const program = programIn(code, [['write'], ['read']], true, 0);
    const all = exploreAll(program)!;
    expect(new Set(all.histories.map((history) => history.split(';')[0])).size).toBeGreaterThan(1);
    expect(exploreReduced(program)?.histories).toEqual(all.histories);
  });
});
