/** Root causes of asynchronous code: the awaits that must be atomic. Each repair is verified by exploring again. */
import { readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { control } from '../../../src/event-loop/control.js';
import { inOwnTask } from '../../../src/event-loop/own-task.js';
import { type Block, Blocks, NO_RUN } from '../../../src/execution/atomic-blocks.js';
import { lineUp } from '../../../src/explore/line-up.js';
import { Deadline } from '../../../src/explore/model/deadline.js';
import type { Schedule, ScheduleViolation } from '../../../src/explore/model/engine.js';
import type { TraceStep } from '../../../src/explore/model/trace-types.js';
import type { TestResult } from '../../../src/explore/result.js';
import { type Scenario, scenario } from '../../../src/explore/scenario/scenario.js';
import type { TestCase } from '../../../src/explore/scenario/test-case.js';
import type { PlainCall } from '../../../src/instrument/instrumented-program.js';
import { runtime } from '../../../src/instrument/runtime/runtime.js';
import { register } from '../../../src/objects/cells/register.js';
import { type Explanation, explainSync } from '../../../src/root-cause/explain.js';
import { accessTrace } from '../../../src/root-cause/repairs/access-trace.js';
import { ranked } from '../../../src/root-cause/repairs/forbids.js';

beforeAll(() => control());

const LINES = readFileSync(fileURLToPath(import.meta.url), 'utf8').split('\n');
const later = () => new Promise<void>((resolve) => setTimeout(resolve, 1));

/** Methods with awaits between reading and writing a value; comments at the ends of lines name awaits for the tests. */
class Counter {
  value = 0;

  async twoAwaits(): Promise<number> {
    await later(); // before
    const seen = this.value;
    await later(); // first
    await later(); // second
    this.value = seen + 1;
    await later(); // after
    return seen;
  }

  async microtask(): Promise<number> {
    const seen = this.value;
    await Promise.resolve(); // microtask
    this.value = seen + 1;
    return seen;
  }

  /** Increments twice; each iteration can lose an update. */
  async rounds(): Promise<number> {
    for (let i = 0; i < 2; i++) {
      const seen = this.value;
      await later(); // round
      this.value = seen + 1;
    }
    return this.value;
  }

  async inner(): Promise<number> {
    const seen = await this.look(); // outer
    this.value = seen + 1;
    return seen;
  }

  async look(): Promise<number> {
    const { value } = this;
    await sleep(1);
    return value;
  }

  /** Continues in a callback instead of an await. */
  callback(): Promise<number> {
    const seen = this.value;
    return new Promise((resolve) => {
      const store = () => {
        this.value = seen + 1;
        resolve(seen);
      };
      setTimeout(store, 1); // callback
    });
  }

  async put(value: number): Promise<void> {
    this.value = value;
  }

  async get(): Promise<number> {
    return this.value;
  }
}

const of = (calls: readonly (readonly PlainCall[])[], given: object = {}): Scenario =>
  scenario({
    name: 'counter',
    create: () => new Counter(),
    backend: 'async',
    test: calls,
    ...given,
  } as never);

const testOf = ({ test: threads, before, after }: Scenario): TestCase => ({
  threads: threads!,
  before,
  after,
});

const explored = (given: Scenario): Promise<TestResult> =>
  inOwnTask(() => lineUp(given, testOf(given), { seed: 1 }, new Deadline(Number.POSITIVE_INFINITY)));

/** The number of failing executions, of all, in which no other call runs during the awaits of the blocks. */
const failingWith = (given: Scenario, repair: readonly Block[]): Promise<number> =>
  inOwnTask(() => {
    const blocks = new Blocks(repair, (site) => runtime.sites.placeOf(site));
    const failing: Schedule[] = [];
    const onClass = (found: ScheduleViolation | undefined) => {
      if (found) failing.push(found.schedule);
    };
    const options = { seed: 1, onClass };
    const { backend } = lineUp(given, testOf(given), options, new Deadline(Number.POSITIVE_INFINITY));
    return failing.filter((schedule) => !isInterrupted(backend.trace(schedule).awaits ?? [], blocks)).length;
  });

/** Does another call resume while a call is inside a block? */
function isInterrupted(awaits: readonly TraceStep[], blocks: Blocks): boolean {
  const runs = awaits.map(({ levels }) => blocks.runOf(levels));
  return awaits.some(({ operation }, i) => {
    const before = awaits.findLastIndex((other, k) => k < i && other.operation === operation);
    return runs[i] !== NO_RUN && before >= 0 && before < i - 1 && runs[before] === runs[i];
  });
}

async function explained(given: Scenario): Promise<Explanation> {
  const { backend, violation } = await explored(given);
  if (violation === undefined || violation.kind === 'nondeterminism') throw new Error('expected a violation');
  return inOwnTask(() => {
    const shown = accessTrace(backend.trace(violation.schedule), true);
    const deadline = new Deadline(Number.POSITIVE_INFINITY);
    return explainSync(given, testOf(given), shown, { seed: 1, largerTests: 0 }, deadline);
  });
}

/** The comments at the end of the first and the last line of each block. */
const marks = (repair: readonly Block[]): string[] =>
  repair.flatMap(({ start, end }) =>
    [...new Set([start.line, end.line])].map((line) => LINES[line - 1].split('// ')[1]),
  );

describe.each<[method: string, other: PlainCall, marks: readonly string[], isWhole: boolean]>([
  ['twoAwaits', ['put', 5], ['first', 'second'], false],
  ['microtask', ['microtask'], ['microtask'], true],
  ['rounds', ['rounds'], ['round'], true],
  ['inner', ['inner'], ['outer'], true],
  ['callback', ['callback'], ['callback'], true],
])('%s', (method, other, expected, isWhole) => {
  test('the awaits that must be atomic are found, and fewer do not suffice', async () => {
    const given = of([[[method]], [other]], { after: [['get']] });
    const { repairs, collected, isCut } = await explained(given);
    expect([collected.isWhole, isCut]).toEqual([true, false]);
    const [{ repair, verification }] = repairs;
    expect(marks(repair)).toEqual(expected);
    expect(repair.map((block) => [block.methods, block.isWhole])).toEqual([[[method], isWhole]]);
    expect(verification).toEqual({ kind: 'confirmed', tests: 1 });
    expect(await failingWith(given, repair)).toBe(0);
    const { start, end } = repair[0];
    const less = start.line < end.line ? [{ ...repair[0], end: start }] : [];
    expect(await failingWith(given, less)).toBeGreaterThan(0);
  });
});

test('harmless awaits are not part of a repair', async () => {
  const { repairs, collected } = await explained(of([[['twoAwaits']], [['put', 5]]], { after: [['get']] }));
  const [{ forbidden, repair }] = repairs;
  expect(forbidden).toBe(0);
  const outside = repair.map((block) => ({ ...block, end: { line: block.end.line + 9, column: 0 } }));
  const placeOf = (site: number) => runtime.sites.placeOf(site);
  expect(ranked([outside], collected.passing, placeOf)[0].forbidden).toBeGreaterThan(0);
});

test('a violation without concurrency during an await has no repair', async () => {
  const spec = register({ initial: 0 });
  const methods = {
    read: async () => 7,
    write: () => undefined,
  };
  const { repairs, reason } = await explained(of([[['read']], [['read']]], { spec, methods }));
  expect([repairs, reason?.kind]).toEqual([[], 'sequential']);
});
