import { describe, expect, test } from 'vitest';
import { evaluateInstrumented } from '../../../test/support/fixtures/instrumented.js';
import { Counter } from '../../../test/support/fixtures/lost-updates.js';
import { Random } from '../../base/random.js';
import { inOwnTask } from '../../event-loop/own-task.js';
import { conflict, READ, UPDATE, WRITE } from '../../execution/memory/access.js';
import type { LocationName } from '../../execution/memory/locations.js';
import { Monitor, Mutex, Semaphore } from '../../execution/primitives/locks.js';
import { exploreSync } from '../../explore/explore.js';
import type { Trace, TraceStep } from '../../explore/model/trace-types.js';
import { scenario } from '../../explore/scenario/scenario.js';
import { HistoryBuilder } from '../../history/builder/builder.js';
import { endsOfSteps, interleaving } from './interleaving.js';
import { styleOf } from './style.js';

const lost = () => {
  const { results } = exploreSync(
    scenario({ create: () => new Counter(), test: [[['add', 1]], [['add', 1]]] }),
  );
  const { violation, backend } = results[0];
  if (violation === undefined || violation.kind === 'nondeterminism') throw new Error('an update is lost');
  return backend.trace(violation.schedule);
};

test('calls of one synchronous turn are shown before their ends', async () => {
  const found = await inOwnTask(lost);
  expect(endsOfSteps(found)).toEqual([[], [0, 1]]);
  expect(
    interleaving(found, 1, () => undefined, styleOf({})).map((line) => line.replace(/ +/g, ' ')),
  ).toEqual(['A B', 'add(1)', ' add(1)', ' → 1', ' → 1']);
});

test('a call that never ends is shown after its own last step', async () => {
  const waits = scenario({
    create: () => ({ wait: () => new Promise<void>(() => {}), go: async () => {} }),
    test: [[['wait']], [['go']]],
  });
  const { backend } = await inOwnTask(() => exploreSync(waits).results[0]);
  const whole = await inOwnTask(() => backend.trace([]));
  expect(whole.isStuck).toBe(true);
  expect(endsOfSteps(whole)).toEqual([[0], [1]]);
});

describe('values', () => {
  const WIDTHS = [60, 80, 100, 140];
  const PROGRAMS = 60;
  const pick = <T>(random: Random, list: readonly T[]): T => list[random.below(list.length)];

  /** Threads that take random steps at a few locations. The value of each step is another text. */
  function randomTrace(random: Random): Trace {
    const threads = 2 + random.below(3);
    const builder = new HistoryBuilder();
    const idOf = Array.from({ length: threads }, (_, k) =>
      builder.call({ process: String.fromCharCode(65 + k), method: 'call', args: [] }),
    );
    const steps = Array.from({ length: 4 + random.below(20) }, (_, i): TraceStep => {
      const thread = random.below(threads);
      const extent = pick(random, [undefined, undefined, undefined, 'whole', 'everything'] as const);
      return {
        thread,
        operation: thread,
        kind: pick(random, [READ, READ, WRITE, UPDATE]),
        location: {
          thread: 0,
          number: random.below(2),
          field: 1 + random.below(3),
          ...(extent && { extent }),
        },
        site: random.below(4),
        levels: [],
        alternative: 0,
        value: `"v${i}${'x'.repeat(random.below(40))}"`,
        isStored: random.below(2) === 0,
      };
    });
    const last = steps.map(({ operation }) => operation);
    for (const k of idOf.keys()) builder.end(idOf[k], { kind: 'returned', value: undefined });
    return {
      steps,
      history: builder.finish(),
      idOf,
      endOf: idOf.map((_, k) => last.lastIndexOf(k)),
      errors: [],
      isStuck: false,
      waiting: [],
      isWhole: true,
      followed: steps.length,
      schedule: last,
    };
  }

  const sourceOf = (site: number) => ({
    place: { file: 'some-file.ts', line: site + 1, column: 0 },
    text: `  line ${site} ${'of source '.repeat(site * 3)}`,
    name: site % 2 === 0 ? 'name' : '',
    lines: [],
  });
  /** By definition: an access of another thread overlaps, and one of the two changes something. */
  const overlap = (one: LocationName, other: LocationName): boolean =>
    [one, other].some(({ extent }) => extent === 'everything') ||
    (one.number === other.number &&
      ([one, other].some(({ extent }) => extent === 'whole') || one.field === other.field));

  test(`that depend on the schedule are shown whole, at widths ${WIDTHS.join(', ')}`, () => {
    const random = new Random(20261118);
    let [shown, cut] = [0, 0];
    for (let i = 0; i < PROGRAMS; i++) {
      const trace = randomTrace(random);
      for (const width of WIDTHS) {
        const lines = interleaving(trace, -1, sourceOf, styleOf({ width }));
        for (const line of lines) expect([...line].length).toBeLessThanOrEqual(width - 2);
        // a value that is longer than its column is broken, and other threads have no text between
        const text = lines.join('').replace(/[\sA-D]/g, '');
        for (const { thread, kind, location, value } of trace.steps) {
          const decides = trace.steps.some(
            (other) =>
              other.thread !== thread && conflict(kind, other.kind) && overlap(location!, other.location!),
          );
          const isShown = text.includes(value!);
          if (decides) expect(isShown, `${value} at ${width}\n${lines.join('\n')}`).toBe(true);
          if (decides) shown++;
          else if (!isShown) cut++;
        }
      }
    }
    expect(shown).toBeGreaterThan(PROGRAMS * WIDTHS.length);
    expect(cut).toBeGreaterThan(PROGRAMS / 4);
  });
});

describe('a blocked call is shown at the end, with its line and the reason', () => {
  const blockedIn = (body: string): string[] => {
    const { make } = evaluateInstrumented(
      `class Subject { flag = 0; view = new Int32Array(new SharedArrayBuffer(4)); ${body} }
       export const make = (parts) => Object.assign(new Subject(), parts);`,
    );
    const create = make as (parts: object) => { f(): void; g(): void };
    const one = scenario({
      create: () => create({ a: new Mutex(), b: new Mutex(), m: new Monitor(), s: new Semaphore(1) }),
      test: [[['f']], [['g']]],
      backend: 'instrumented',
    });
    const { violation, backend } = exploreSync(one).results[0];
    if (violation?.kind !== 'wait') throw new Error('no call is blocked');
    const trace = backend.trace(violation.schedule);
    const lines = (site: number) => ({
      place: { file: 'sample.ts', line: site, column: 0 },
      text: `site ${site}`,
      name: '',
      lines: [],
    });
    const rows = interleaving(trace, 0, lines, styleOf({ width: 140 })).map((row) => row.trim());
    const blocked = rows.findIndex((row) => row.startsWith('blocked'));
    // every row after the first blocked one is about a blocked call
    expect(rows.slice(blocked).every((row) => /^(blocked forever|sample.ts)/.test(row))).toBe(true);
    expect(rows[blocked - 1]).toContain(`site ${trace.waiting[0].site}`);
    return rows.filter((row) => row.startsWith('blocked'));
  };

  test.each([
    [
      'locks in two orders',
      `f() { this.a.lock(); this.b.lock(); this.b.unlock(); this.a.unlock(); }
       g() { this.b.lock(); this.a.lock(); this.a.unlock(); this.b.unlock(); }`,
      ['blocked forever: B holds it', 'blocked forever: A holds it'],
    ],
    [
      'a notification that comes too early',
      `f() { if (this.flag === 0) { this.m.enter(); this.m.wait(); this.m.exit(); } }
       g() { this.m.enter(); this.flag = 1; this.m.notifyAll(); this.m.exit(); }`,
      ['blocked forever: nothing wakes it'],
    ],
    [
      'Atomics.wait after the notification',
      `f() { if (this.flag === 0) Atomics.wait(this.view, 0, 0); }
       g() { this.flag = 1; Atomics.notify(this.view, 0); }`,
      ['blocked forever: nothing wakes it'],
    ],
    [
      'a loop for a flag that is lost',
      `f() { const old = this.flag; this.flag = old + 1; while (this.flag < 2 && old > 0) {} }
       g() { const old = this.flag; this.flag = old + 1; while (this.flag < 2 && old === 0) { if (this.flag !== 1) break; } }`,
      ['blocked forever: the loop repeats'],
    ],
    [
      'a permit that is not given back',
      `f() { this.s.acquire(); this.flag = 1; this.s.release(); this.s.acquire(); this.s.release(); }
       g() { const { flag } = this; this.s.acquire(); if (flag === this.flag) this.s.release(); }`,
      ['blocked forever: B holds it'],
    ],
  ])('%s', (_, body, expected) => {
    expect(blockedIn(body)).toEqual(expected);
  });
});
