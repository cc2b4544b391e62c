/** One execution of each class shows all that all executions show. */
import { afterAll, expect, test } from 'vitest';
import { Random } from '../../../src/base/random.js';
import { control } from '../../../src/event-loop/control.js';
import { inOwnTask } from '../../../src/event-loop/own-task.js';
import { Outcomes } from '../../../src/execution/outcomes.js';
import { AsyncClasses } from '../../../src/explore/async/dpor.js';
import { AsyncTree, type Look } from '../../../src/explore/async/engines.js';
import type { AsyncProgram } from '../../../src/explore/async/program.js';
import { AsyncRun, type Ending } from '../../../src/explore/async/run.js';
import { programIn } from '../../support/fixtures/async-program.js';
import { randomAsync } from '../../support/generators/random-async.js';
import { share } from '../../support/share.js';

const PROGRAMS = share(3_000, 20);
/** Programs with more executions than that are left out. */
const MOST = 1_000;

/** What a history says: how calls ended, and which ended before which others began. */
function historyOf({ events, outcome, standing, outcomes }: AsyncRun, ending: Ending): string {
  const ended = [...outcome].map((number, k) =>
    number < 0 ? 'open' : `${JSON.stringify(outcomes.at(number))}${standing[k]}`,
  );
  const orders = events.flatMap((event, i) =>
    event < 0 ? events.slice(i + 1).flatMap((later) => (later >= 0 ? [`${~event}<${later}`] : [])) : [],
  );
  return `${ending}: ${ended.join()}; ${orders.sort().join()}`;
}

interface Shown {
  readonly histories: readonly string[];
  readonly executions: number;
  readonly classes: number;
  readonly strangers: readonly string[];
}

function shownBy(
  program: AsyncProgram,
  engineOf: (run: AsyncRun, look: Look) => AsyncTree | AsyncClasses,
): Shown | undefined {
  const run = new AsyncRun(program, new Outcomes());
  const histories = new Set<string>();
  const engine = engineOf(run, (ending) => {
    histories.add(historyOf(run, ending));
    return undefined;
  });
  while (engine.advance(1_000) !== 'done') if (engine.stats.executions > MOST) return undefined;
  const strangers = engine instanceof AsyncClasses ? [...engine.footprints.strangers] : [];
  const { executions, classes } = engine.stats;
  return { histories: [...histories].sort(), executions, classes, strangers };
}

const all = (program: AsyncProgram) => shownBy(program, (run, look) => new AsyncTree(run, look));
const classes = (program: AsyncProgram) => shownBy(program, (run, look) => new AsyncClasses(run, look));

const seen = { programs: 0, executions: 0, reduced: 0, fewer: 0 };
afterAll(() => process.env.AGREE === 'all' && console.log(seen));

test('on random objects, the histories of some are those of all', async () => {
  control();
  const random = new Random(11);
  for (let i = 0; i < PROGRAMS; i++) {
    const { code, methods } = randomAsync(random);
    const call = () => random.pick(methods);
    const threads = random.withProbability(50) ? [[call()], [call()]] : [[call(), call()], [call()]];
    await inOwnTask(() => {
      const recorded = programIn(code, threads, true);
      const expected = all(programIn(code, threads, false));
      if (expected === undefined) return;
      const told = `program ${i}: ${threads.join(' | ')} of ${code}`;
      expect(all(recorded)?.histories, told).toEqual(expected.histories);
      const reduced = classes(recorded)!;
      expect(reduced.histories, told).toEqual(expected.histories);
      expect(reduced.strangers, told).toEqual([]);
      seen.programs++;
      seen.executions += expected.executions;
      seen.reduced += reduced.executions;
      if (reduced.executions < expected.executions) seen.fewer++;
    });
  }
  expect(seen.programs).toBeGreaterThan(PROGRAMS / 2);
  expect(seen.fewer).toBeGreaterThan(seen.programs / 8);
}, 600_000);

/** Each key is asked for outside, and kept; `shared` is what both calls of it also do. */
const cache = (shared: string) => `
export const ask = (n) => n;
export const make = (io) => new (class {
  a = undefined; b = undefined; hits = 0;
  async one() { const value = await io.ask(1); ${shared}; this.a = value; return value; }
  async two() { const value = await io.ask(2); ${shared}; this.b = value; return value; }
})();`;

test('calls that share nothing are tried in few orders; calls that do, in more', async () => {
  control();
  await inOwnTask(() => {
    const apart = programIn(cache(''), [['one'], ['two']], true);
    const together = programIn(cache('this.hits++'), [['one'], ['two']], true);
    expect(all(apart)!.histories).toEqual(classes(apart)!.histories);
    expect(all(together)!.histories).toEqual(classes(together)!.histories);
    expect([all(apart)!.executions, classes(apart)!.classes]).toEqual([74, 20]);
    expect(classes(together)!.classes).toBeGreaterThan(classes(apart)!.classes);
  });
});

test('code that does not tell what it does is named, and makes no two orders the same', async () => {
  control();
  const outside = { n: 0 };
  const stranger = () => ++outside.n % 2;
  Object.assign(globalThis, { stranger });
  await inOwnTask(() => {
    const program = programIn(cache('stranger()'), [['one'], ['two']], true);
    const reduced = classes(program)!;
    expect(reduced.strangers).toEqual(['stranger']);
    expect(reduced.histories).toEqual(all(program)!.histories);
  });
});
