import { describe, expect, test } from 'vitest';
import { evaluate, evaluateInstrumented } from '../../../test/support/fixtures/instrumented.js';
import { Counter } from '../../../test/support/fixtures/lost-updates.js';
import { inOwnTask } from '../../event-loop/own-task.js';
import { ScenarioError } from '../../execution/memory/program-error.js';
import { Mutex } from '../../execution/primitives/locks.js';
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

describe('a method that threw in every sequential run', () => {
  test('is reported with its error', async () => {
    const { verdict, alwaysThrew } = await exploring([['get', 'a'], ['loaded']]);
    expect(verdict).toBe('holds');
    expect(alwaysThrew).toEqual([
      { method: 'get', threw: expect.stringMatching(/^TypeError: Cannot read .* \(reading 'get'\)$/) },
    ]);
  });

  test('is a scenario error if no method returned', async () => {
    await expect(exploring([['get', 'a']])).rejects.toThrow(ScenarioError);
    await expect(exploring([['get', 'a']])).rejects.toThrow(
      /get always threw TypeError: .*Is what `create` makes complete\?/,
    );
  });

  test('is not reported if it returned once', async () => {
    const { alwaysThrew } = await exploring([['get', 'a'], ['loaded']], new Map());
    expect(alwaysThrew).toEqual([]);
  });
});

test('on threads, a method is reported if it throws in every state, not only in some', () => {
  const { create: made } = evaluateInstrumented(`class Cell { n = 0; put() { this.n++; }
    take() { if (this.n === 0) throw new RangeError('empty'); this.n--; } }
    export const create = () => new Cell();`);
  const create = made as () => { put(): void; take(): void };
  const both = scenario({ create, backend: 'instrumented', test: [[['put']], [['take']]] });
  expect(exploreSync(both).alwaysThrew).toEqual([]);
  const one = scenario({ create, backend: 'instrumented', test: [[['take']], [['take']]] });
  expect(() => exploreSync(one)).toThrow(/take always threw RangeError: empty/);
});

describe.each(['async', 'instrumented'] as const)(
  'a call that a sequential run blocks, on the back end %s',
  (backend) => {
    const [is, lock] =
      backend === 'async'
        ? [
            'async',
            'class Lock { is = false; waiting = []; async lock() { while (this.is) await new Promise((r) => this.waiting.push(r)); this.is = true; } unlock() { this.is = false; this.waiting.shift()?.(); } }',
          ]
        : ['', 'const Lock = Mutex;'];
    const wait = backend === 'async' ? 'await ' : '';
    const explored = (methods: string, calls: string): Promise<Exploration> => {
      const code = `${lock} class Subject { l = new Lock(); n = 0; ${methods} } export const make = () => new Subject();`;
      Object.assign(globalThis, { Mutex });
      const { make } = backend === 'async' ? evaluate(code, 'blocked.mjs') : evaluateInstrumented(code);
      const test = calls.split(' | ').map((column) => column.split(' ').map((method) => [method] as const));
      return inOwnTask(() =>
        exploreSync(scenario({ create: make as () => Subject, backend, test } as never)),
      );
    };
    type Subject = Record<string, () => unknown>;
    const inc = `${is} inc() { ${wait}this.l.lock(); this.n++; this.l.unlock(); }`;
    const keep = `${is} keep() { ${wait}this.l.lock(); return this.n; }`;
    const get = `${is} get() { return this.n; }`;
    const twice = `${is} twice() { ${wait}this.l.lock(); ${wait}this.l.lock(); }`;
    const fail = `${is} fail() { ${wait}this.l.lock(); throw new RangeError('no'); }`;

    test.each([
      ['if it is the only call', `${get} ${twice}`, 'get | twice', [{ call: 'twice()', after: [] }]],
      [
        'after a call that keeps a lock',
        `${inc} ${keep}`,
        'inc | keep',
        [{ call: 'inc()', after: ['keep()'] }],
      ],
      [
        'after a call that throws with a lock',
        `${inc} ${fail}`,
        'inc | fail',
        [{ call: 'inc()', after: ['fail()'] }],
      ],
      ['in no order', inc, 'inc | inc', []],
    ])('is reported with the calls before it: %s', async (_, methods, calls, blocked) => {
      const { verdict, blockedInSequence } = await explored(methods, calls);
      expect(verdict).toBe('holds');
      expect(blockedInSequence).toEqual(blocked);
    });

    test.each([
      ['alone', twice, 'twice | twice', [{ call: 'twice()', after: [] }]],
      [
        'all of several',
        `${twice} ${is} again() { ${wait}this.twice(); }`,
        'twice | again',
        [
          { call: 'twice()', after: [] },
          { call: 'again()', after: [] },
        ],
      ],
      [
        'beside calls that throw',
        `${twice} ${is} no() { throw new RangeError('no'); }`,
        'twice | no',
        [{ call: 'twice()', after: [] }],
      ],
    ])('is undecided and reported if no call returns: %s', async (_, methods, calls, blocked) => {
      const exploration = await explored(methods, calls);
      expect(exploration).toMatchObject({ verdict: 'undecided', reason: 'blocked' });
      expect(exploration.blockedInSequence).toEqual(expect.arrayContaining(blocked));
      expect(exploration.blockedInSequence).toHaveLength(blocked.length);
    });

    test('is an error if every call throws', async () => {
      await expect(explored(`${is} no() { throw new RangeError('no'); }`, 'no | no')).rejects.toThrow(
        'no always threw RangeError: no',
      );
    });
  },
);

describe.each(['async', 'instrumented'] as const)(
  'results of sequential runs, on the back end %s',
  (backend) => {
    const METHODS = {
      nothing: 'this.n++;',
      value: 'return this.n;',
      empty: 'return null;',
      throws: "throw new RangeError('no');",
    };
    const names = Object.keys(METHODS) as (keyof typeof METHODS)[];
    const subsets = Array.from({ length: 1 << names.length }, (_, set) =>
      names.filter((_name, i) => set & (1 << i)),
    );
    const is = backend === 'async' ? 'async' : '';
    const methods = names.map((name) => `${is} ${name}() { ${METHODS[name]} }`).join(' ');
    const code = `class Subject { n = 0; ${methods} } export const make = () => new Subject();`;
    const { make } = backend === 'async' ? evaluate(code, 'nothing.mjs') : evaluateInstrumented(code);
    const explored = (more: object) =>
      inOwnTask(() => exploreSync(scenario({ create: make, backend, ...more } as never)));

    test.each(subsets.filter((subset) => subset.some((name) => name !== 'throws')))(
      'a warning says if all calls returned undefined: %s %s %s %s',
      async (...given) => {
        const subset = given.filter((name) => name !== undefined);
        const test = subset.map((name) => [[name]]);
        expect((await explored({ test })).hasNoResults).toBe(subset.every((name) => name === 'nothing'));
      },
    );

    test('the return of a call is a result if a call blocks', async () => {
      const lock =
        backend === 'async'
          ? 'class Subject { wake = []; n = 0; async lock() { while (this.n > 0) await new Promise((resolve) => this.wake.push(resolve)); this.n = 1; } async unlock() { this.n = 0; this.wake.shift()?.(); } }'
          : 'class Subject { n = 0; lock() { while (this.n > 0); this.n = 1; } unlock() { this.n = 0; } }';
      const code = `${lock} export const make = () => new Subject();`;
      const { make: create } = backend === 'async' ? evaluate(code, 'lock.mjs') : evaluateInstrumented(code);
      const noResults = async (test: object) => (await explored({ create, test })).hasNoResults;
      expect(await noResults([[['lock'], ['unlock']], [['lock']]])).toBe(false);
      expect(await noResults([[['unlock']], [['unlock']]])).toBe(true);
    });

    test('a spec knows the results', async () => {
      const spec = { name: 'nothing', initial: 0, methods: { nothing: (n: number) => [n, undefined] } };
      expect((await explored({ test: [[['nothing']], [['nothing']]], spec })).hasNoResults).toBe(false);
    });
  },
);

describe('an error that nothing catches', () => {
  const explored = (body: string, more = ''): Promise<Exploration> => {
    const code = `class Subject { busy = 0; async m() { this.busy++; ${body}; this.busy--; } } export const make = () => new Subject();`;
    const { make } = evaluate(code, 'uncaught.mjs');
    const given = {
      create: make as () => { m(): Promise<void> },
      test: [[['m']], [['m']]],
      ...(more && { spec: { name: 'nothing', initial: 0, methods: { m: () => [0, undefined] } } }),
    };
    return inOwnTask(() => exploreSync(scenario(given as never)));
  };
  const { nextTick } = process;
  const THROW = "throw new Error('two at once')";
  const callbacks: Readonly<Record<string, readonly [source: string, body: (guard: string) => string]>> = {
    timer: [
      'timer of 1 ms',
      (guard) => `await new Promise((r) => setTimeout(() => { ${guard} ${THROW}; r(); }, 1))`,
    ],
    immediate: [
      'immediate',
      (guard) => `await new Promise((r) => setImmediate(() => { ${guard} ${THROW}; r(); }))`,
    ],
    tick: [
      'process.nextTick',
      (guard) =>
        `await new Promise((r) => setTimeout(() => process.nextTick(() => { ${guard} ${THROW}; r(); }), 1))`,
    ],
    rejection: [
      'a promise is rejected with',
      (guard) =>
        `const f = async () => { ${guard} ${THROW}; }; await 0; void f(); await new Promise((r) => setTimeout(r, 1))`,
    ],
    'callback after all calls have returned': [
      'timer of 1 ms',
      (guard) => `setTimeout(() => { ${guard} ${THROW}; }, 1); this.busy++`,
    ],
  };

  test.each(Object.entries(callbacks))('is a violation with its schedule: %s', async (_, [source, body]) => {
    for (const [guard, calls] of [
      ['if (this.busy > 1)', 2],
      ['', 1],
    ] as const)
      for (const spec of ['', 'spec']) {
        // as vitest does, between two requests
        process.nextTick = nextTick;
        const { verdict, results } = await explored(body(guard), spec);
        const found = results.at(-1)!;
        expect([verdict, found.violation?.kind]).toEqual(['violation', 'uncaught']);
        if (found.violation?.kind !== 'uncaught') throw new Error('expected an uncaught error');
        expect(found.violation.error).toMatch(new RegExp(`^${source}( threw)? Error: two at once$`));
        const { schedule } = found.violation;
        const { uncaught, history } = await inOwnTask(() => found.backend.trace(schedule));
        expect(uncaught).toBe(found.violation.error);
        expect(history.length).toBeGreaterThanOrEqual(calls);
      }
  });
});

describe('allowed results', () => {
  test('a violation lists the results of sequential runs at the same point', async () => {
    const lost = scenario({ create: () => new Counter(), test: [[['add', 1]], [['add', 2]]] });
    const { results } = await inOwnTask(() => exploreSync(lost));
    const [{ violation }] = results;
    // A has returned 1, so B comes after it
    expect(violation).toMatchObject({ kind: 'outcome', operation: 1, allowed: ['3'] });
  });

  test('only sequential runs with the same earlier results count', async () => {
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

test('allowed results name fields in the order of the object', async () => {
  class Odd {
    #sum = 0;
    async add(by: number): Promise<object> {
      const sum = this.#sum;
      await Promise.resolve();
      this.#sum = sum + by;
      return { sum: this.#sum, by };
    }
  }
  const lost = scenario({ create: () => new Odd(), test: [[['add', 1]], [['add', 2]]] });
  const { results } = await inOwnTask(() => exploreSync(lost));
  expect(results[0].violation).toMatchObject({ kind: 'outcome', allowed: ['{sum: 3, by: 2}'] });
});

describe('the nearest run', () => {
  const WAITS = {
    'a timer': () => new Promise<void>((done) => setTimeout(done, 15)),
    'an immediate': () => new Promise<void>((done) => setImmediate(done)),
    'two timers': async () => {
      await new Promise<void>((done) => setTimeout(done, 1));
      await new Promise<void>((done) => setTimeout(done, 1));
    },
  };
  const TESTS: readonly (readonly number[])[] = [
    [1, 1],
    [2, 1],
    [1, 2],
    [1, 1, 1],
  ];

  // what a call holds while it waits is seen by others, and by none of them in sequence
  test.each(
    Object.entries(WAITS).flatMap(([name, wait]) => TESTS.map((calls) => [name, calls, wait] as const)),
  )('is the beginning of a learned run: %s, calls %j', async (_, calls, wait) => {
    class Seats {
      #isHeld = false;
      async book(): Promise<string> {
        if (this.#isHeld) return 'taken';
        this.#isHeld = true;
        await wait();
        this.#isHeld = false;
        return 'declined';
      }
    }
    const threads = calls.map((made) => Array.from({ length: made }, () => ['book'] as const));
    const given = scenario({ create: () => new Seats(), test: threads });
    const { results, learned } = await inOwnTask(() => exploreSync(given, { showLearned: true }));
    const violation = results.at(-1)?.violation;
    if (violation?.kind !== 'outcome') throw new Error('a seat is taken');
    const nearest = violation.nearest ?? [];
    expect(nearest.length).toBeGreaterThan(0);
    const inWords = (steps: typeof nearest) =>
      steps.map(({ process, text, result }) => [process, text, result]);
    const runs = learned.flatMap((one) =>
      one.runs.map(({ steps }) => inWords(steps.slice(0, nearest.length))),
    );
    expect(runs).toContainEqual(inWords(nearest));
  });
});

describe('a stub that fails', () => {
  const FAIL = "const fail = () => { throw new Error('down'); };";
  const STUBS: Readonly<Record<string, string>> = {
    'throws in an async function': 'async () => fail()',
    'throws after an await': 'async () => { await null; fail(); }',
    'throws at once': '() => fail()',
    'returns a rejected promise': "() => Promise.reject(new Error('down'))",
    'returns a thenable that rejects': "() => ({ then: (_, no) => no(new Error('down')) })",
    'returns a promise of a subclass': "() => (class Own extends Promise {}).reject(new Error('down'))",
  };
  const CALLS: Readonly<Record<string, readonly [body: string, isCaught: boolean]>> = {
    'catches it': ['try { return await load(); } catch (error) { return error.message; }', true],
    'handles it': ['return load().then((v) => v, (error) => error.message)', true],
    'waits for all': ['return (await Promise.allSettled([load(), load()])).length', true],
    'returns it to the caller': ['return load()', true],
    'ignores it': ['load(); return 1', false],
    'handles only success': ['load().then((v) => v); return 1', false],
  };
  test.each(Object.keys(STUBS).flatMap((stub) => Object.keys(CALLS).map((call) => [stub, call] as const)))(
    '%s, and the call %s',
    async (stub, call) => {
      const [body, isCaught] = CALLS[call];
      const code = `${FAIL} export const load = ${STUBS[stub]};
      export const make = ({ load }) => ({ async get() { ${body}; }, async one() { return 1; } });`;
      const { make, load } = evaluate(code, 'failing.mjs');
      const given = { stubs: { load }, create: make, test: [[['get']], [['one']]] };
      const { verdict, results } = await inOwnTask(() => exploreSync(scenario(given as never)));
      if (isCaught) expect(verdict).toBe('holds');
      else expect(results.at(-1)?.violation).toMatchObject({ kind: 'uncaught' });
    },
  );
});

describe('learned runs', () => {
  class Door {
    readonly #waiting: (() => void)[] = [];
    pass(): Promise<void> {
      return new Promise((resolve) => this.#waiting.push(resolve));
    }
    async open(): Promise<number> {
      const waiting = this.#waiting.splice(0);
      for (const wake of waiting) wake();
      return waiting.length;
    }
    knock(_who: string): Promise<void> {
      return new Promise(() => {});
    }
  }
  const learnedFrom = (test: readonly (readonly [string, ...string[]])[][]) =>
    inOwnTask(() =>
      exploreSync(scenario({ create: () => new Door(), test: test as never }), { showLearned: true }),
    );

  test('are shown with the calls that each step completes, and whether calls are blocked', async () => {
    const { learned } = await learnedFrom([[['pass']], [['open']]]);
    const completes = [{ process: 'A', text: 'pass()', result: 'undefined' }];
    expect(learned).toEqual([
      {
        calls: [['pass()'], ['open()']],
        runs: [
          {
            steps: [
              { process: 'A', text: 'pass()', completes: [] },
              { process: 'B', text: 'open()', result: '1', completes },
            ],
            isBlocked: false,
          },
          {
            steps: [
              { process: 'B', text: 'open()', result: '0', completes: [] },
              { process: 'A', text: 'pass()', completes: [] },
            ],
            isBlocked: true,
          },
        ],
        hasMore: false,
      },
    ]);
  });

  test('a call is reported if it ends in none of them, by its arguments', async () => {
    const { neverEnded, learned } = await learnedFrom([[['pass']], [['open'], ['knock', 'a']]]);
    expect(neverEnded).toEqual(['knock("a")']);
    expect(learned[0].runs.every(({ isBlocked }) => isBlocked)).toBe(true);
    expect((await learnedFrom([[['pass']], [['open']]])).neverEnded).toEqual([]);
  });

  test('are not shown unless asked for, and a spec leaves none', async () => {
    const given = { create: () => new Counter(), test: [[['add']]] } as never;
    const options = { showLearned: true };
    expect((await inOwnTask(() => exploreSync(scenario(given)))).learned).toEqual([]);
    const [{ runs }] = (await inOwnTask(() => exploreSync(scenario(given), options))).learned;
    expect(runs).toHaveLength(1);
    const spec = { initial: 0, name: 'counter', methods: { add: (state: number) => [state + 1, state + 1] } };
    const { learned } = await inOwnTask(() =>
      exploreSync(scenario({ ...(given as object), spec } as never), options),
    );
    expect(learned.map((one) => one.runs)).toEqual([[]]);
  });
});

describe('`failures`', () => {
  /** Calls a stub three times and counts the failures. */
  class Caller {
    readonly #ask: () => Promise<void>;
    constructor(ask: () => Promise<void>) {
      this.#ask = ask;
    }
    async call(): Promise<number> {
      const results = await Promise.allSettled([this.#ask(), this.#ask()]);
      const [last] = await Promise.allSettled([this.#ask()]);
      return [...results, last].filter(({ status }) => status === 'rejected').length;
    }
  }

  test.each([0, 1, 2, 3, Number.POSITIVE_INFINITY])(
    '%d bounds the failures of an execution',
    async (failures) => {
      const { learned, verdict } = await inOwnTask(() =>
        exploreSync(
          scenario({
            stubs: { ask: async () => {} },
            create: ({ ask }: { ask: () => Promise<void> }) => new Caller(ask),
            failures,
            test: [[['call']]],
          }),
          { showLearned: true },
        ),
      );
      expect(verdict).toBe('holds');
      const results = new Set(learned[0].runs.map(({ steps }) => steps.at(-1)?.result));
      expect([...results].sort()).toEqual(['0', '1', '2', '3'].slice(0, Math.min(failures, 3) + 1));
    },
  );

  test.each([-1, 0.5, '1'])('%s is refused', (failures) => {
    const given = { create: () => new Counter(), test: [[['add']]], failures };
    expect(() => scenario(given as never)).toThrow(
      `\`failures\` of a scenario is ${failures}; expected a whole number from 0`,
    );
  });
});
