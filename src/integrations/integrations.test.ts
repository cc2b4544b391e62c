/** Matchers and tests for scenarios, as a user's test suite sees them. */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { scenario } from '../explore/scenario/scenario.js';
import { sketch } from '../history/drawing/sketch.js';
import { type Queue, queue } from '../objects/collections/container.js';
import { type Channel, channel } from '../objects/rendezvous/channel.js';
import { assertHolds } from './run-scenario.js';
import { testScenario } from './vitest.js';

class Seats {
  #free = 1;
  readonly #isCareful: boolean;
  constructor(isCareful: boolean) {
    this.#isCareful = isCareful;
  }
  async reserve(): Promise<boolean> {
    if (this.#free === 0) return false;
    if (this.#isCareful) this.#free--;
    await new Promise((resolve) => setTimeout(resolve, 20));
    if (!this.#isCareful) this.#free--;
    return true;
  }
}

let isCareful = false;
const seats = scenario({
  name: 'seats / of a theatre',
  create: () => new Seats(isCareful),
  test: [[['reserve']], [['reserve']]],
});
const careful = scenario({ ...seats, name: 'careful', create: () => new Seats(true) } as never);
const FIRST = 'No sequential order of these calls that respects real time gives these results.\n';
const home = process.cwd();
let folder = '';

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'straightedge-'));
  process.chdir(folder);
});
afterAll(() => {
  process.chdir(home);
  rmSync(folder, { recursive: true });
});

const messageOf = async (run: () => unknown): Promise<string> => {
  try {
    await run();
  } catch (error) {
    return (error as Error).message;
  }
  return '';
};

describe('a history', () => {
  test('that is linearizable passes', () => {
    expect(sketch<Queue<number>>`A |- enqueue(1) -|  |- dequeue() -> 1 -|`).toBeLinearizable(queue<number>());
  });

  test('that is not linearizable fails with the report', async () => {
    const history = sketch<Queue<number>>`A |- enqueue(1) -|  |- dequeue() -> 2 -|`;
    expect(history).not.toBeLinearizable(queue<number>());
    const message = await messageOf(() => expect(history).toBeLinearizable(queue<number>()));
    expect(message.startsWith(FIRST)).toBe(true);
    expect(message).toContain('returned 2; allowed: 1.');
  });

  test('that is empty or undecided fails, with `not` as well', async () => {
    const empty = sketch<Queue<number>>``;
    const overlapping = sketch<Queue<number>>`
      A  |- enqueue(1) -|  |- dequeue() -> 2 -|
      B  |- enqueue(2) -|  |- dequeue() -> 1 -|`;
    for (const [history, limits, message] of [
      [empty, {}, /^The history is empty/],
      [overlapping, { maxSteps: 0 }, /^Undecided: a limit was reached/],
    ] as const)
      for (const assertion of [expect(history), expect(history).not])
        expect(await messageOf(() => assertion.toBeLinearizable(queue<number>(), limits))).toMatch(message);
  });
});

describe('rendezvous objects', () => {
  /** A sender that does not block, and one that blocks forever. */
  class Careless {
    async send(): Promise<void> {}
    receive(): Promise<number> {
      return new Promise(() => {});
    }
  }
  const failing = (test: readonly (readonly (readonly ['send', number] | readonly ['receive'])[])[]) =>
    scenario({
      name: 'careless',
      create: () => new Careless(),
      spec: channel<number>(),
      backend: 'async',
      test,
    });

  test('fail with a message about rendezvous', async () => {
    const history = sketch<Channel<number>>`A |- send(1) -|`;
    const message = await messageOf(() => expect(history).toBeLinearizable(channel<number>()));
    expect(message).toMatch(
      /^No sequence of rendezvous of these calls gives these results\.\n\n✗ not synchronisation linearizable /,
    );
    const linearizable = sketch<Channel<number>>`
      A  |- send(1) ---------|
      B    |- receive() -> 1 -|`;
    const wrong = await messageOf(() => expect(linearizable).not.toBeLinearizable(channel<number>()));
    expect(wrong).toBe('Some sequence of rendezvous of these calls gives these results.');
  });

  test('in a scenario fail with the same message', async () => {
    const message = await messageOf(() => expect(failing([[['send', 1]]])).toHold());
    expect(message).toMatch(
      /^No sequence of rendezvous of these calls gives these results\.\n\n✗ not synchronisation linearizable /,
    );
  });
});

describe('a scenario', () => {
  test('that holds passes, also if exhaustive coverage is required', async () => {
    await expect(careful).toHold();
    await expect(careful).toHold({ coverage: 'exhaustive' });
    expect(await assertHolds(careful)).toContain('every schedule');
  });

  test('that is too large for the time limit fails only if exhaustive coverage is required', async () => {
    const large = scenario({
      ...careful,
      name: 'large',
      test: Array(6).fill(Array(3).fill(['reserve'])),
    } as never);
    await expect(large).toHold({ timeout: 300 });
    const message = await messageOf(() => expect(large).toHold({ timeout: 300, coverage: 'exhaustive' }));
    expect(message).toMatch(/^The coverage is not exhaustive, which `coverage: 'exhaustive'` requires\.\n/);
    const negated = await messageOf(() => expect(large).not.toHold({ timeout: 300, coverage: 'exhaustive' }));
    expect(negated).toMatch(/^The coverage is not exhaustive, which `coverage: 'exhaustive'` requires\.\n/);
  });

  test('whose calls cannot interleave fails, with `not` as well', async () => {
    const one = scenario({
      name: 'set',
      create: () => new Set<number>(),
      test: [[['add', 1]], [['add', 1]]],
    });
    for (const assertion of [expect(one), expect(one).not])
      expect(await messageOf(() => assertion.toHold())).toMatch(/^Every call returned without waiting\./);
  });

  test('that fails is saved, replayed first, and deleted when it passes', async () => {
    const file = expect.getState().testPath ?? '';
    const message = await messageOf(() => expect(seats).toHold());
    expect(message.startsWith(FIRST)).toBe(true);
    expect(message).toContain('reserve() → true');
    const [, kept, command] = /The failure is saved in (\S+)\. .*\n {2}Replay: (.*)/.exec(message) ?? [];
    expect(kept).toMatch(/integrations-test-ts-seats-of-a-theatre\.json$/);
    expect(command).toBe(`npx straightedge replay ${kept} --scenario PATH_OF_THE_SCENARIO`);
    expect(existsSync(kept)).toBe(true);
    const again = await messageOf(() => assertHolds(seats, {}, file));
    expect(again).toContain('This failure was saved in');
    expect(again).toContain(command);
    // a scenario of the same name in another file has its own failure
    expect(await messageOf(() => assertHolds(seats, {}, 'other.test.ts'))).toContain(
      join('.straightedge', 'other-test-ts-seats-of-a-theatre.json'),
    );
    isCareful = true;
    await expect(seats).toHold();
    expect(existsSync(kept)).toBe(false);
  });

  test('refuses an invalid time', async () => {
    expect(await messageOf(() => assertHolds(careful, { timeout: 'soon' }))).toContain('invalid time "soon"');
  });

  testScenario('is a test', careful, { timeout: '5s', coverage: 'exhaustive' });
});

test('jest gets the same matchers through its globals', async () => {
  const extended: object[] = [];
  const tests: string[] = [];
  const globals = globalThis as unknown as Record<string, unknown>;
  Object.assign(globals, {
    expect: { extend: (given: object) => extended.push(given) },
    test: (name: string) => tests.push(name),
  });
  try {
    const jest = await import('./jest.js');
    jest.testScenario('careful', careful);
    expect(extended).toEqual([jest.matchers]);
    expect(tests).toEqual(['careful']);
  } finally {
    delete globals.expect;
    delete globals.test;
  }
});

describe('fake timers', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  test.each([
    'setTimeout',
    'setInterval',
    'setImmediate',
    'Date',
    'performance',
    'hrtime',
    'queueMicrotask',
  ] as const)('that replace %s are an error', async (name) => {
    vi.useFakeTimers({ toFake: [name] });
    for (const backend of [undefined, 'async'] as const)
      expect(await messageOf(() => assertHolds({ ...careful, backend }))).toContain(
        'fake timers are installed; exploration has its own virtual time',
      );
    vi.useRealTimers();
    expect(await assertHolds(careful)).toContain('no violation');
  });
});

describe('a synchronous class', () => {
  class Jobs {
    #taken = 0;
    take(): number {
      const next = this.#taken;
      this.#taken = next + 1;
      return next;
    }
  }
  const jobs = scenario({ name: 'jobs', create: () => new Jobs(), test: [[['take']], [['take']]] });

  test.each([undefined, 'exhaustive'] as const)('fails if no back end is named (%s)', async (coverage) => {
    const options = coverage ? { coverage } : {};
    const message = await messageOf(() => assertHolds(jobs, options));
    expect(message).toContain('On one event loop such calls cannot interleave, so this test cannot fail.');
    expect(message).toContain('instrument({ globs:');
    await expect(assertHolds({ ...jobs, backend: 'async' }, options)).resolves.toContain(
      'synchronous calls cannot interleave',
    );
  });

  test.each([undefined, 'exhaustive'] as const)('fails if no call ever returns (%s)', async (coverage) => {
    const never = scenario({
      create: () => ({ wait: () => new Promise<void>(() => {}) }),
      test: [[['wait']], [['wait']]],
    });
    expect(await messageOf(() => assertHolds(never, coverage ? { coverage } : {}))).toContain(
      'wait() ends in no learned run',
    );
  });

  test('fails if it is not instrumented, and names the plugin', async () => {
    expect(await messageOf(() => assertHolds({ ...jobs, backend: 'instrumented' }))).toMatch(
      /^no file of Jobs is instrumented, .*plugins: \[instrument\(/,
    );
  });
});
