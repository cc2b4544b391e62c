/** `everySchedule` as a test suite sees it: what fails, what is thrown, what is covered, and what is saved. */
import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ScheduleContext } from '../explore/async/test-body.js';
import { explore } from '../explore/explore.js';
import { isExhaustive } from '../explore/result.js';
import { scenario } from '../explore/scenario/scenario.js';
import { explorationJson } from '../report/json/exploration-json.js';
import { explorationText } from '../report/text/exploration.js';
import { styleOf } from '../report/text/style.js';
import {
  checkEverySchedule,
  type EveryScheduleOptions,
  ScheduleError,
  scheduleOf,
  withAssertionsOf,
} from './every-schedule.js';
import { assertHolds } from './run-scenario.js';
import { everySchedule, withSoftErrors } from './vitest.js';

type Body = (context: ScheduleContext) => unknown;

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
afterEach(() => rmSync('.straightedge', { recursive: true, force: true }));

const sleep = (ms = 1) => new Promise<void>((resolve) => setTimeout(resolve, ms));

class Seats {
  free = 1;
  readonly #pay: () => Promise<void>;
  readonly #isCareful: boolean;
  constructor(pay: () => Promise<void>, isCareful = false) {
    this.#pay = pay;
    this.#isCareful = isCareful;
  }
  async reserve(): Promise<boolean> {
    if (this.free === 0) return false;
    if (this.#isCareful) this.free--;
    await this.#pay();
    if (!this.#isCareful) this.free--;
    return true;
  }
}

const seatsTest =
  (isCareful: boolean): Body =>
  async ({ spawn, stub }) => {
    const seats = new Seats(
      stub('pay', async () => {}),
      isCareful,
    );
    const sold = await Promise.all([spawn('A', () => seats.reserve()), spawn('B', () => seats.reserve())]);
    assert.equal(sold.filter(Boolean).length, 1);
  };

/** What a body throws, and the report of its schedule. */
async function failureOf(
  body: Body,
  options?: EveryScheduleOptions,
): Promise<{ error: Error; text: string }> {
  try {
    await checkEverySchedule(body, options);
  } catch (error) {
    return { error: error as Error, text: scheduleOf(error) ?? (error as Error).message };
  }
  throw new Error('the test passes');
}

everySchedule('a careful seller sells one seat', seatsTest(true), { coverage: 'exhaustive' });

everySchedule('counted assertions are those of one execution', async (context) => {
  expect.assertions(1);
  expect.hasAssertions();
  await seatsTest(true)(context);
  expect(context).toBeDefined();
});

describe('what a runner keeps while a test runs is kept for each execution', () => {
  /** B reads what A has written, or fails an assertion in some schedules. */
  const racing =
    (check: (isWritten: boolean) => void): Body =>
    async ({ spawn }) => {
      let isWritten = false;
      const write = async () => {
        await sleep();
        isWritten = true;
      };
      await Promise.all([spawn('A', write), spawn('B', () => check(isWritten))]);
    };

  test('soft errors of vitest', async ({ task }) => {
    let executions = 0;
    const body = racing((isWritten) => {
      executions++;
      expect.soft(isWritten).toBe(false);
      expect.soft(isWritten).toBe('neither');
    });
    const { error, text } = await failureOf((context) => withSoftErrors(task, () => body(context)));
    expect(error.message).toBe("expected false to be 'neither' // Object.is equality");
    expect(text).toContain('The test fails under this schedule:');
    expect(task.result).toMatchObject({ state: 'run', errors: [] });
    executions = 0;
    const rare = racing((isWritten) => expect.soft(++executions > 1 && isWritten).toBe(false));
    const found = await failureOf((context) => withSoftErrors(task, () => rare(context)));
    expect(found.error.message).toBe('expected true to be false // Object.is equality');
    expect(executions).toBeGreaterThan(2);
    const both = withSoftErrors(task, () => {
      expect.soft(1).toBe(2);
      throw new Error('later');
    });
    await expect(both).rejects.toThrow('expected 1 to be 2');
    await expect(withSoftErrors(task, () => sleep())).resolves.toBeUndefined();
  });

  test('numbers of assertions', async () => {
    const state = {
      assertionCalls: 7,
      expectedAssertionsNumber: null as number | null,
      isExpectingAssertions: true,
    };
    const execution = withAssertionsOf({
      getState: () => state,
      setState: (next) => void Object.assign(state, next),
    });
    const expected = (set: Partial<typeof state>, isMissing = (_isWritten: boolean) => false) =>
      failureOf((context) =>
        execution(async () => {
          Object.assign(state, set);
          const count = (isWritten: boolean) => {
            if (!isMissing(isWritten)) state.assertionCalls++;
          };
          await racing(count)(context);
        }),
      ).then(
        ({ error, text }) => [error.message, text.split('\n')[0]],
        (error: Error) => error.message,
      );
    const fails = 'The test fails under this schedule:';
    expect(await expected({})).toBe('the test passes');
    expect(await expected({ expectedAssertionsNumber: 1, isExpectingAssertions: true })).toBe(
      'the test passes',
    );
    expect(await expected({ expectedAssertionsNumber: 2 })).toEqual([
      'expected 2 assertions, but 1 ran',
      fails,
    ]);
    // the runner has nothing left to report
    expect(state).toMatchObject({ expectedAssertionsNumber: null, isExpectingAssertions: false });
    // B makes none if A has written before
    const isLate = (isWritten: boolean) => isWritten;
    expect(await expected({ expectedAssertionsNumber: 1 }, isLate)).toEqual([
      'expected 1 assertion, but 0 ran',
      fails,
    ]);
    expect(await expected({ isExpectingAssertions: true }, isLate)).toEqual([
      'expected at least 1 assertion, but 0 ran',
      fails,
    ]);
  });
});

describe('a failure', () => {
  test('of an assertion is thrown as it is; its last cause is the schedule', async () => {
    const { error, text } = await failureOf(seatsTest(false));
    expect(error).toBeInstanceOf(assert.AssertionError);
    expect(error).toMatchObject({ actual: 2, expected: 1 });
    expect(error.cause).toBeInstanceOf(ScheduleError);
    expect(error.stack).not.toMatch(/event-loop|explore\/async|node:/);
    expect(text.split('\n\n', 2).join('\n')).toMatchInlineSnapshot(`
      "The test fails under this schedule:
        test                 A                    B
                             starts
                                                  starts
                               pay takes effect
                                                    pay takes effect
                               pay answers
                               → true
                                                    pay answers
                                                    → true
          ! AssertionError [ERR_ASSERTION]: Expected values to be strictly equal:"
    `);
  });

  test('keeps the causes that it has', async () => {
    const own = new Error('the reason');
    const { error, text } = await failureOf(async ({ spawn }) => {
      await Promise.all([spawn(() => sleep()), spawn(() => sleep())]);
      throw new Error('outer', { cause: own });
    });
    expect(error.cause).toBe(own);
    expect((own.cause as Error).message).toBe(text);
  });

  test('that is no error is part of the report', async () => {
    const { error } = await failureOf(async ({ spawn }) => {
      await spawn(() => sleep());
      throw 'a text';
    });
    expect(error).toBeInstanceOf(ScheduleError);
    expect(error.message.startsWith('a text\n\nThe test fails under this schedule:')).toBe(true);
  });

  test('is a deadlock if no macrotask is left', async () => {
    const { error, text } = await failureOf(async ({ spawn }) => {
      let open = () => {};
      const gate = new Promise<void>((resolve) => {
        open = resolve;
      });
      let isOpen = false;
      await Promise.all([
        spawn('waits', async () => {
          if (!isOpen) await gate;
        }),
        spawn('opens', async () => {
          await sleep();
          if (isOpen) open();
          isOpen = true;
        }),
      ]);
    });
    expect(error).toBeInstanceOf(ScheduleError);
    expect(text).toMatch(/^Deadlock: no macrotask is left, and the test has not ended\./);
    expect(text).toMatch(/ {2}test {3}waits\n {2}waits {2}waits\n/);
    expect(text).not.toMatch(/ {2}opens {2}waits/);
  });

  test('is an error of a timer, an immediate or a tick', async () => {
    const throwing = () => {
      throw new Error('thrown later');
    };
    // vitest replaces `process.nextTick` while it sends a message, so it is looked up in the execution
    const nextTick = (run: () => void) => process.nextTick(run);
    for (const later of [setTimeout, setImmediate, nextTick] as ((run: () => void) => unknown)[])
      for (const isAwaited of [true, false]) {
        const { error, text } = await failureOf(async ({ spawn }) => {
          const late = spawn('A', () => void later(throwing));
          await Promise.all([spawn('B', () => sleep()), isAwaited && late]);
        });
        expect(error.message).toBe('thrown later');
        expect(text).toMatch(/^A callback threw, and nothing catches its error:/);
        expect(text).toContain('! Error: thrown later');
      }
  });

  test('is a rejection that is not handled, also if it is handled in a later macrotask', async () => {
    const unhandled = async ({ spawn }: ScheduleContext, handle: (promise: Promise<void>) => unknown) => {
      await Promise.all([
        spawn('A', async () => {
          await sleep();
          await handle(Promise.reject(new Error('lost')));
        }),
        spawn('B', () => sleep()),
      ]);
    };
    const handled = (promise: Promise<void>) => promise.catch(() => {});
    expect(await checkEverySchedule((context) => unhandled(context, handled))).toMatch(/every schedule/);
    const soon = (promise: Promise<void>) => Promise.resolve().then(() => handled(promise));
    expect(await checkEverySchedule((context) => unhandled(context, soon))).toMatch(/every schedule/);
    const late = (promise: Promise<void>) => sleep().then(() => handled(promise));
    for (const handle of [late, () => {}]) {
      const { error, text } = await failureOf((context) => unhandled(context, handle));
      expect(error.message).toBe('lost');
      expect(text).toMatch(/^A rejection is not handled:/);
    }
  });

  test('is a part that has not ended, with strict', async () => {
    const body: Body = async ({ spawn, settled }) => {
      void spawn('A', () => new Promise(() => {}));
      await Promise.all([spawn('B', () => sleep()), settled()]);
    };
    const { text } = await failureOf(body, { strict: true });
    expect(text).toMatch(/^The test has ended, but A has not:/);
    expect(await checkEverySchedule(body)).toContain('Not ended when the test ended, in some schedule: A.');
  });
});

describe('a test body', () => {
  test('sees when everything else waits', async () => {
    const text = await checkEverySchedule(async ({ spawn, settled }) => {
      let open = () => {};
      let isDone = false;
      const part = spawn('A', async () => {
        await new Promise<void>((resolve) => {
          open = resolve;
        });
        await sleep();
        isDone = true;
      });
      void spawn('B', () => later(5));
      await settled();
      assert.equal(isDone, false);
      open();
      await part;
      assert.equal(isDone, true);
    });
    expect(text).toMatch(/^Covered: every schedule\./);
  });

  test('may leave repeating and unref’d timers, and may wait for a repeating one', async () => {
    const text = await checkEverySchedule(async ({ spawn, settled }) => {
      let beats = 0;
      setInterval(() => beats++, 10);
      setTimeout(() => {}, 60_000).unref();
      await Promise.all([spawn('A', () => sleep()), spawn('B', () => sleep())]);
      await settled();
      const before = beats;
      await new Promise<void>((resolve) => {
        setInterval(() => beats > before && resolve(), 10);
      });
    });
    expect(text).toMatch(/^Covered: every schedule, under the assumptions below\./);
    expect(text).toContain('A repeating timer fires at most twice while anything else can run');
    expect(text).not.toContain('These return the same values');
  });

  test('says what it assumes about a clock that was read', async () => {
    const text = await checkEverySchedule(async ({ spawn }) => {
      const read = async () => [Date.now(), performance.now(), Math.random(), await sleep()];
      await Promise.all([spawn('A', read), spawn('B', read)]);
    });
    expect(text).toContain('Date.now and performance.now return the least possible time');
    expect(text).toContain('These return the same values in every run: Math.random.');
    expect(text).not.toContain('repeating');
  });

  describe('that uses inputs of which only some behaviours are run is not exhaustive', () => {
    const wait = async (use: () => unknown) => {
      await use();
      await sleep();
    };
    const clear = (most: number) => () =>
      new Promise<void>((resolve) => {
        let fired = 0;
        const timer = setInterval(() => {
          if (++fired < most) return;
          clearInterval(timer);
          resolve();
        }, 10);
      });
    const rows: readonly (readonly [name: string, use: () => unknown, isLimited: boolean])[] = [
      ['Date.now', () => Date.now(), true],
      ['new Date', () => new Date().toISOString(), true],
      ['performance.now', () => performance.now(), true],
      ['process.hrtime', () => process.hrtime(), true],
      ['process.hrtime.bigint', () => process.hrtime.bigint(), true],
      ['Math.random', () => Math.random(), true],
      ['crypto.randomUUID', () => crypto.randomUUID(), true],
      ['a repeating timer that is never cleared', () => setInterval(() => {}, 10), true],
      ['a repeating timer that is cleared after 5 times', clear(5), true],
      ['a repeating timer that is cleared at once', () => clearInterval(setInterval(() => {}, 10)), false],
      ['a repeating timer that is cleared after 1 time', clear(1), false],
      ['a timer', () => setTimeout(() => {}, 10), false],
      ['nothing', () => {}, false],
    ];
    test.each(rows)('%s', async (_, use, isLimited) => {
      const body: Body = ({ spawn }) =>
        Promise.all([spawn('A', () => wait(use)), spawn('B', () => wait(use))]);
      const text = await checkEverySchedule(body);
      expect(text).toMatch(
        isLimited ? /^Covered: every schedule, under the assumptions below\./ : /^Covered: every schedule\./,
      );
      const required = checkEverySchedule(body, { coverage: 'exhaustive' });
      if (isLimited)
        await expect(required).rejects.toThrow(/^The coverage is exhaustive only for the times.* Used: /);
      else expect(await required).toBe(text);

      class Subject {
        m = () => wait(use);
      }
      const calls = scenario({
        create: () => new Subject(),
        test: [[['m']], [['m']]],
        backend: 'async',
      });
      const exploration = await explore(calls, { allowNondeterminism: true });
      expect(exploration.verdict).toBe('holds');
      expect(isExhaustive(exploration.assumptions)).toBe(!isLimited);
      const report = {
        file: 'it',
        exploration,
        failure: undefined,
        sourceOf: () => undefined,
        saved: undefined,
        ms: { explore: 0 },
      };
      expect(explorationText(report, styleOf({})).includes('under the assumptions below')).toBe(isLimited);
      const { coverage } = explorationJson(report) as {
        coverage: { isExhaustive: boolean; tests: object[] };
      };
      expect(coverage.isExhaustive).toBe(!isLimited);
      expect(coverage.tests[0]).toHaveProperty(isLimited ? 'limited' : 'exhaustive', 1);
      const held = assertHolds(calls, { coverage: 'exhaustive' });
      if (isLimited)
        await expect(held).rejects.toThrow(/^The coverage is exhaustive only for the times.* Used: /);
      else await held;
    });
  });

  test.each([2, 3, 5, 12])(
    'may poll: calls that end after %i firings of their own timers raise no alarm',
    async (most) => {
      const poll = (ms: number) => {
        let fired = 0;
        return new Promise<void>((resolve) => {
          const timer = setInterval(() => {
            if (++fired < most) return;
            clearInterval(timer);
            resolve();
          }, ms);
        });
      };
      for (const [first, second] of [
        [10, 10],
        [10, 25],
        [25, 10],
      ]) {
        const subject = () => ({ a: () => poll(first), b: () => poll(second).then(() => sleep()) });
        const calls = scenario({ create: subject, test: [[['a']], [['b']]], backend: 'async' });
        expect((await explore(calls)).verdict).toBe('holds');
      }
    },
  );

  test('is called deadlocked after repeating timers alone fired 10 times, and the report says so', async () => {
    const { error } = await failureOf(({ spawn }) =>
      Promise.all([
        spawn('A', () => new Promise(() => setInterval(() => {}, 10))),
        spawn('B', () => sleep()),
      ]),
    );
    expect(error.message).toMatch(
      /^Deadlock: only repeating timers are left\. They fired 10 times, and the test has not ended\./,
    );
  });

  test('gets as many failures of stubs as it asks for', async () => {
    const body: Body = async ({ spawn, stub }) => {
      const load = stub('load', (key: string) => key.length);
      const loads = await Promise.allSettled([spawn('A', () => load('a')), spawn('B', () => load('bb'))]);
      const failed = loads.filter(({ status }) => status === 'rejected').length;
      assert.ok(failed < 2, `${failed} failures`);
      if (failed === 0)
        assert.deepEqual(
          loads.map((one) => one.status === 'fulfilled' && one.value),
          [1, 2],
        );
    };
    const without = await checkEverySchedule(body);
    const one = await checkEverySchedule(body, { failures: 1 });
    const executions = (text: string) => Number(/([\d,]+) executions/.exec(text)?.[1].replace(',', ''));
    expect(executions(one)).toBeGreaterThan(executions(without));
    expect((await failureOf(body, { failures: 2 })).error.message).toBe('2 failures');
  });

  test('may start parts between microtasks', async () => {
    const body: Body = async ({ spawn }) => {
      let log = '';
      const write = async () => {
        for (const letter of 'abc') {
          log += letter;
          await Promise.resolve();
        }
      };
      const writeOnce = () => {
        log += 'B';
      };
      await Promise.all([spawn('A', write), spawn('B', writeOnce)]);
      assert.doesNotMatch(log, /abB/);
    };
    expect(await checkEverySchedule(body)).toMatch(/^Covered: every schedule\./);
    const { error, text } = await failureOf(body, { maxMicrotaskStarts: 1 });
    expect(error.message).toMatch(/abB/);
    expect(text).toMatch(/ A +B\n +starts\n +starts \(between microtasks\)\n/);
    // the saved failure runs first
    const again = await failureOf(body, { maxMicrotaskStarts: 1 });
    expect(again.text).toMatch(/starts \(between microtasks\)\n.*This failure was saved/s);
  });

  test('in which nothing can run in another order fails', async () => {
    const { text } = await failureOf(async ({ spawn }) => {
      await spawn('A', () => sleep());
    });
    expect(text).toMatch(/^Nothing in this test can run in another order/);
  });

  test('that is not deterministic fails', async () => {
    let runs = 0;
    const { text } = await failureOf(async ({ spawn }) => {
      runs++;
      await Promise.all([spawn('A', () => sleep(runs)), spawn('B', () => sleep())]);
    });
    expect(text).toMatch(/^the test body is not deterministic: after the same \d+ macrotasks/);
    let failures = 0;
    const other = await failureOf(async ({ spawn }) => {
      await Promise.all([spawn('A', () => sleep()), spawn('B', () => sleep())]);
      if (failures++ === 3) throw new Error('the fourth time');
    });
    expect(other.text).toMatch(/^the test body is not deterministic: /);
  });

  test('fails where fake timers are installed', async () => {
    vi.useFakeTimers();
    const { text } = await failureOf(seatsTest(true)).finally(() => vi.useRealTimers());
    expect(text).toMatch(/^fake timers are installed/);
  });

  test('names what it may wait for outside of the event loop', async () => {
    const { text } = await failureOf(async ({ spawn }) => {
      const { readFile } = await import('node:fs/promises');
      await Promise.all([spawn('A', () => readFile('missing')), spawn('B', () => sleep())]);
    });
    expect(text).toMatch(/^Deadlock/);
    // Node 26 reads files by callbacks
    expect(text.replace(/\s+/g, ' ')).toMatch(
      /outside of the virtual event loop: a file operation \(FSREQ(PROMISE|CALLBACK)\)\./,
    );
  });

  test('that is large is sampled, and says so; it is never called exhaustive', async () => {
    const large: Body = async ({ spawn }) => {
      const part = async () => {
        for (let i = 0; i < 4; i++) await sleep();
      };
      await Promise.all([spawn(part), spawn(part), spawn(part), spawn(part)]);
    };
    for (const maxExecutions of [1, 10, 300]) {
      const text = await checkEverySchedule(large, { maxExecutions });
      expect(text).toMatch(/^Covered: \d+ schedules, and there are more/);
      expect(text).not.toContain('every schedule');
      const { text: demanded } = await failureOf(large, { maxExecutions, coverage: 'exhaustive' });
      expect(demanded).toMatch(/^The coverage is not exhaustive, which `coverage: 'exhaustive'` requires\./);
    }
  });
});

describe('a saved failure', () => {
  let isCareful = false;
  let runs = 0;
  const body: Body = (context) => {
    runs++;
    return seatsTest(isCareful)(context);
  };
  let text = '';

  test('runs first until it passes; a token replays it', async () => {
    ({ text } = await failureOf(body, { name: 'seats' } as EveryScheduleOptions));
    const path = /Saved in\s+(\S+\.json)/.exec(text)?.[1] ?? '';
    expect(path).toMatch(/seats\.json$/);
    const [, token] = /STRAIGHTEDGE_REPLAY=(\S+)/.exec(text) ?? [];
    runs = 0;
    const again = await failureOf(body, { name: 'seats' } as EveryScheduleOptions);
    expect(again.text).toMatch(/It\s+runs\s+first\s+until\s+it\s+passes\./);
    expect(runs).toBe(1);
    const replayed = await failureOf(body, { replay: token });
    expect(replayed.text).toContain('Replayed from a token.');
    expect(runs).toBe(2);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ body: 'seats' });
    isCareful = true;
    expect((await failureOf(body, { replay: token })).text).toMatch(/no longer follows the schedule/);
    expect(existsSync(path)).toBe(true);
    expect(await checkEverySchedule(body, { name: 'seats' })).toMatch(/^Covered: every schedule/);
    expect(existsSync(path)).toBe(false);
    let isRight = false;
    const other: Body = async ({ spawn }) => {
      await Promise.all([spawn('A', () => sleep()), spawn('B', () => sleep())]);
      assert.ok(isRight);
    };
    const [, own] = /STRAIGHTEDGE_REPLAY=(\S+)/.exec((await failureOf(other)).text) ?? [];
    isRight = true;
    expect(await checkEverySchedule(other, { replay: own })).toMatch(/it passes now/);
    isCareful = false;
  });

  test('is replayed by the environment if it has the name of the test', async () => {
    ({ text } = await failureOf(body, { name: 'seats' } as EveryScheduleOptions));
    process.env.STRAIGHTEDGE_REPLAY = /STRAIGHTEDGE_REPLAY=(\S+)/.exec(text)?.[1];
    try {
      const again = await failureOf(body, { name: 'seats' } as EveryScheduleOptions);
      expect(again.text).toContain('Replayed from a token.');
      const other = await failureOf(body, { name: 'others' } as EveryScheduleOptions);
      expect(other.text).toContain('Found in execution');
    } finally {
      delete process.env.STRAIGHTEDGE_REPLAY;
    }
  });
});

test('the smallest schedule is reported: of several failing ones, that with the fewest deviations', async () => {
  // fails whenever C ends first; D and E only add schedules
  const { text } = await failureOf(async ({ spawn, stub }) => {
    const ask = stub('ask', () => {});
    let first = '';
    const part = (name: string) =>
      spawn(name, async () => {
        await ask();
        first ||= name;
      });
    await Promise.all([part('A'), part('B'), part('C')]);
    assert.notEqual(first, 'C');
  });
  const rows = text.split('\n').filter((line) => /ask (takes effect|answers)/.test(line));
  // C answers first; nothing else deviates from Node's order
  expect(rows.filter((row) => row.includes('answers'))[0].indexOf('ask')).toBeGreaterThan(
    rows.filter((row) => row.includes('answers'))[1].indexOf('ask'),
  );
});
