/** Results of all kinds, against a spec and against sequential runs, on both back ends. */
import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { evaluate, evaluateInstrumented } from '../../test/support/fixtures/instrumented.js';
import { result } from '../base/values/result-reference.js';
import { inOwnTask } from '../event-loop/own-task.js';
import { explorationJson } from '../report/json/exploration-json.js';
import { explorationText } from '../report/text/exploration.js';
import { threw } from '../spec/spec.js';
import { type Exploration, exploreSync } from './explore.js';
import { scenario } from './scenario/scenario.js';

const CLASSES = `class Plain { constructor(n) { this.n = n; } }
class Guard { #hidden = {}; constructor(n) { this.n = n; } release() { return this.#hidden; } }
class Words extends Map {}
function* counting() { yield 1; }`;

/** Expressions by what they are; `n` is a number that the object counts. Those that show it come first. */
const SHOWING: Readonly<Record<string, string>> = {
  number: 'n',
  list: '[1, [n]]',
  'plain object': '({ n })',
  Map: 'new Map([[n, { n }]])',
  Set: 'new Set([n])',
  'instance of a class': 'new Plain(n)',
  'instance with private fields': 'new Guard(n)',
  'instance of a class made by the call': 'new (class Made { n = n })()',
  'subclass of Map': 'new Words([[1, n]])',
  'error by its message': "new Error('number ' + n)",
  'error by its code': "Object.assign(new Error('any'), { code: n })",
  'symbol by its description': 'Symbol(n)',
  Date: 'new Date(n)',
  'typed array': 'new Uint8Array([n])',
  ArrayBuffer: 'new Uint8Array([n]).buffer',
  URL: "new URL('http://a/' + n)",
  cycle: '(() => { const a = { n }; a.a = a; return a; })()',
};
const OPAQUE: Readonly<Record<string, string>> = {
  function: '() => n',
  'named function': '(function release() { return n; })',
  'function in an object': '({ release: () => n })',
  class: 'class Made {}',
  symbol: 'Symbol()',
  'iterator of a list': '[n].values()',
  'iterator of a Map': 'new Map([[n, 1]])[Symbol.iterator]()',
  WeakMap: 'new WeakMap()',
  AbortController: 'new AbortController()',
  'getter that throws':
    "Object.defineProperty({}, 'n', { enumerable: true, get: () => { throw new Error(); } })",
};
/** Only for asynchronous code: generators and timers cannot be instrumented. */
const ASYNC: Readonly<Record<string, string>> = {
  generator: 'counting()',
  timer: 'setTimeout(() => {}, 10)',
  'asynchronous generator': '(async function* () { yield 1; })()',
  'promise in an object': '({ done: Promise.resolve(n) })',
};

/** What throws if it is read, and what is not equal to itself. */
const HOSTILE: Readonly<Record<string, string>> = {
  'revoked proxy': '(() => { const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy; })()',
  'proxy that throws':
    "new Proxy({}, Object.fromEntries(['get', 'getPrototypeOf', 'ownKeys', 'has'].map((trap) => [trap, () => { throw new Error(); }])))",
  'error that is its own cause':
    "(() => { const error = new Error('x'); error.cause = error; return error; })()",
  'error with a symbol as message':
    "Object.assign(new Error('x'), { message: Symbol('m'), name: 1, cause: null })",
  'error with texts that throw':
    "Object.defineProperties(new Error('x'), Object.fromEntries(['name', 'message', 'cause', 'code'].map((key) => [key, { get: () => { throw new Error(); } }])))",
  'object without a text': '({ toString: () => { throw new Error(); }, valueOf: 1 })',
  'object without a prototype': 'Object.create(null)',
  'class that compares by identity':
    'new (class { n = 1; equals(other) { return this === other; } hashCode() { return 1; } })()',
  'class that is never equal': 'new (class { equals() { return false; } hashCode() { return 1; } })()',
  'class whose hash throws': 'new (class { equals() { return true; } hashCode() { throw new Error(); } })()',
};
const ENDS: Readonly<Record<string, (expression: string) => string>> = {
  returned: (expression) => `return ${expression};`,
  'returned in a list': (expression) => `return [{ at: ${expression} }];`,
  thrown: (expression) => `throw ${expression};`,
  'thrown as a cause': (expression) => `throw new Error('x', { cause: ${expression} });`,
};

const atomic = (expression: string, is: string): string =>
  `${CLASSES} class Subject { n = new Int32Array(1); ${is} m() { const n = Atomics.add(this.n, 0, 1); return ${expression}; } }
  export const make = () => new Subject();`;
const racing = (expression: string, is: string): string =>
  `${CLASSES} class Subject { n = 0; ${is} m() { const n = this.n; ${is && 'await null;'} this.n = n + 1; return ${expression}; } }
  export const make = () => new Subject();`;

type Backend = 'async' | 'instrumented';
type Make = () => { m(): unknown };

function exploring(source: string, backend: Backend, spec?: object): Promise<Exploration> {
  const { make } = backend === 'async' ? evaluate(source, 'results.mjs') : evaluateInstrumented(source);
  const test = [[['m']], [['m']]] as const;
  return inOwnTask(() => exploreSync(scenario({ create: make as Make, backend, test, ...spec })));
}

/** The same values in order, as a specification. */
function specOf(expression: string, outcome: (value: unknown) => unknown = (value) => value): object {
  const { made } = evaluate(`${CLASSES} export const made = (n) => ${expression};`, 'spec.mjs');
  const m = (n: number) => [n + 1, outcome((made as (n: number) => unknown)(n))];
  return { spec: { name: 'made', initial: 0, methods: { m } } };
}

const is = (backend: Backend) => (backend === 'async' ? 'async' : '');

describe.each(['async', 'instrumented'] as const)('on the back end %s', (backend) => {
  const own = backend === 'async' ? ASYNC : {};
  const all = Object.entries({ ...SHOWING, ...OPAQUE, ...own });

  test.each(all)('a result that is a %s causes no alarm', async (_kind, expression) => {
    const source = atomic(expression, is(backend));
    expect((await exploring(source, backend)).verdict).toBe('holds');
    expect((await exploring(source, backend, specOf(expression))).verdict).toBe('holds');
  });

  test.each(Object.entries(SHOWING))('a wrong %s is found', async (_kind, expression) => {
    const source = racing(expression, is(backend));
    expect((await exploring(source, backend)).verdict).toBe('violation');
    expect((await exploring(source, backend, specOf(expression))).verdict).toBe('violation');
  });

  describe.each(Object.entries(HOSTILE))('a %s', (kind, expression) => {
    test.each(Object.entries(ENDS))('%s is no alarm and no error', async (_how, end) => {
      const source = `class Subject { ${is(backend)} m() { ${end(expression)} } ${is(backend)} ok() { return 1; } } export const make = () => new Subject();`;
      const { verdict } = await exploring(source, backend, { test: [[['m'], ['ok']], [['m']]] });
      // steps of a proxy are not observed
      const isObserved = backend === 'async' || !kind.includes('proxy');
      expect(verdict).toBe(isObserved ? 'holds' : 'undecided');
    });
  });

  test('a class that compares by content is compared by it', async () => {
    const kinds = [
      'n = 0; constructor(n) { this.n = n; }',
      '#n = 0; constructor(n) { this.#n = n; } get n() { return this.#n; }',
    ];
    for (const fields of kinds) {
      const expression = `new (class { ${fields} equals(other) { return this.n === other.n; } hashCode() { return this.n; } })(n)`;
      const { verdict } = await exploring(atomic(expression, is(backend)), backend);
      if (backend === 'async') expect(verdict).toBe('holds');
      else expect(verdict).not.toBe('violation');
      expect((await exploring(racing(expression, is(backend)), backend)).verdict).toBe('violation');
    }
  });

  test('fields in another order are no difference', async () => {
    const source = `let isOdd = false; class Subject { ${is(backend)} m() { isOdd = !isOdd; const f = () => 0, g = () => 1; return isOdd ? { f, g, n: 1 } : { n: 1, g, f }; } } export const make = () => new Subject();`;
    if (backend === 'async') expect((await exploring(source, backend)).verdict).toBe('holds');
  });

  test.each(['({ it: this })', 'this'])('the object itself causes no alarm: %s', async (expression) => {
    expect((await exploring(atomic(expression, is(backend)), backend)).verdict).toBe('holds');
  });

  test('thrown errors are compared by name, and without a spec by code, message and cause', async () => {
    const throwing = (error: string) =>
      racing('n', is(backend)).replace('return n;', `if (n > 0) throw ${error}; return n;`);
    const verdict = async (error: string, spec?: object) =>
      (await exploring(throwing(error), backend, spec)).verdict;
    const twice = throwing("new RangeError('second')").replace('this.n = n + 1;', 'this.n++;');
    expect((await exploring(twice, backend)).verdict).toBe('violation');
    expect(await verdict("new RangeError('second')")).toBe('violation');
    // only what is compared last differs from the error of sequential runs
    for (const error of [
      "new Error('x' + n)",
      "Object.assign(new Error('x'), { code: n })",
      "Object.assign(new Error('x' + n), { code: 1 })",
      "new Error('x', { cause: new Error(String(n)) })",
    ])
      expect(await verdict(error.replaceAll('n)', 'this.n)').replaceAll('n }', 'this.n }'))).toBe(
        'violation',
      );
    const calls = (error: string) =>
      `class Subject { n = new Int32Array(1); ${is(backend)} m() { const n = Atomics.add(this.n, 0, 1); throw ${error}; } } export const make = () => new Subject();`;
    const named = specOf('n', () => threw('TypeError'));
    for (const error of ["new TypeError('x' + n)", "Object.assign(new TypeError('x'), { code: n })"])
      expect((await exploring(calls(error), backend, named)).verdict).toBe('holds');
  });
});

test.each([
  ["new Error('closed ' + n)", 'Error: closed 1'],
  ["Object.assign(new Error('closed'), { code: n })", 'Error [1]: closed'],
])('the message of an error is shown: %s', async (error, shown) => {
  const source = `class Subject { n = 0; async m() { const n = this.n; await null; this.n++; if (this.n > n + 1) throw ${error.replaceAll('n)', '(n + 1))').replaceAll('n }', 'n + 1 }')}; return n; } } export const make = () => new Subject();`;
  const { results } = await exploring(source, 'async');
  const found = results.at(-1)!;
  if (found.violation?.kind !== 'outcome') throw new Error('expected an outcome');
  const { schedule } = found.violation;
  const { errors } = await inOwnTask(() => found.backend.trace(schedule));
  expect(errors).toContain(shown);
});

/** `n` is the number of calls before. A racing call makes two objects where sequential calls make one. */
describe('identities of results', () => {
  const KINDS: Readonly<Record<string, { make: string; identity?: string }>> = {
    function: { make: '() => 1' },
    'function in an object': { make: '({ release: () => 1 })' },
    symbol: { make: 'Symbol()' },
    'instance of a class': { make: 'new Plain(1)' },
    'instance in a list': { make: '[1, [new Guard(1)]]' },
    iterator: { make: '[1].values()' },
    'promise in an object': { make: '({ done: Promise.resolve(1) })' },
    WeakMap: { make: 'new WeakMap()' },
    'plain object': { make: '({ a: 1 })', identity: 'all' },
    list: { make: '[1]', identity: 'all' },
    Map: { make: 'new Map()', identity: 'all' },
  };
  const WITHOUT: readonly string[] = [
    '({ a: 1 })',
    '[1]',
    'new Map([[1, 2]])',
    "new Error('x')",
    'new Date(1)',
    "Symbol.for('x')",
    'new Set([() => 1])',
  ];
  const lazy = (make: string): string => `${CLASSES}
    class Subject { async m() { if (!this.made) { await null; this.made = ${make}; } return this.made; } }
    export const make = () => new Subject();`;
  const once = (make: string): string => `${CLASSES}
    class Subject { async m() { this.made ??= ${make}; await null; return this.made; } }
    export const make = () => new Subject();`;
  const fresh = (make: string): string => `${CLASSES}
    class Subject { async m() { await null; return ${make}; } }
    export const make = () => new Subject();`;
  const verdictOf = async (source: string, identity?: string): Promise<string> =>
    (await exploring(source, 'async', identity === undefined ? {} : { identity })).verdict;

  test.each(Object.entries(KINDS))('two instead of one are found: %s', async (_kind, { make, identity }) => {
    expect(await verdictOf(lazy(make), identity)).toBe('violation');
    expect(await verdictOf(once(make), identity)).toBe('holds');
    expect(await verdictOf(fresh(make), identity)).toBe('holds');
    expect(await verdictOf(lazy(make), 'none')).toBe('holds');
  });

  test.each(WITHOUT)('data has none: %s', async (make) => {
    expect(await verdictOf(lazy(make))).toBe('holds');
  });

  test('one instead of two is found, and the report names objects of the history', async () => {
    const source = `${CLASSES} class Subject { next = new Plain(1); async m() { const { next } = this; await null; this.next = new Plain(1); return next; } }
      export const make = () => new Subject();`;
    const found = (await exploring(source, 'async')).results.at(-1)!.violation;
    expect(found).toMatchObject({ kind: 'outcome', allowed: ['‹Plain 2› {n: 1}'] });
  });

  test('arguments and the object under test are compared as what they are', async () => {
    const shared = new Map();
    const echo = { m: async () => undefined, echo: async (value: unknown) => value };
    const test = [[['echo', shared]], [['echo', new Date(0)]], [['m']]] as const;
    const { verdict } = await inOwnTask(() =>
      exploreSync(scenario({ create: () => echo, backend: 'async', test })),
    );
    expect(verdict).toBe('holds');
  });
});

describe('a call that uses a result', () => {
  test.each(['undefined', 'null', "(() => { throw new RangeError('none'); })()"])(
    'is not made if there is none: %s',
    async (none) => {
      const { make } = evaluate(
        `class Subject { n = 0; async take() { await null; return this.n++ === 0 ? { close: () => 'closed' } : ${none}; } async size() { return 1; } }
        export const make = () => new Subject();`,
        'taking.mjs',
      );
      const calls = [['take'], [result('take'), 'close'], ['size']];
      const given = { create: make, backend: 'async', test: [calls, calls], after: [['size']] };
      const { verdict, results } = await inOwnTask(() => exploreSync(scenario(given as never)));
      expect(verdict).toBe('holds');
      const { history } = await inOwnTask(() => results[0].backend.trace([]));
      const methods = Array.from(history, ({ method }) => method);
      expect(methods.filter((method) => method === "result('take').close")).toHaveLength(1);
      expect(methods.filter((method) => method === 'size')).toHaveLength(3);
    },
  );
});

/** A cell behind stubs that may fail. One that keeps a copy returns values that were never stored. */
describe('a call that rejects because a stub failed', () => {
  const explored = (method: string, outcome: string | undefined, hasSpec: boolean) => {
    const code = `let row = 0;
      const stubs = { load: async () => row, save: async (value) => { row = value; } };
      class Cell { copy = 0; constructor(store) { this.store = store; } get() { return this.store.load(); } ${method} }
      export const scenario = { stubs, create: (store) => { row = 0; return new Cell(store); } };`;
    const { scenario: made } = evaluate(code, 'cell.mjs');
    const spec = {
      name: 'cell',
      initial: 0,
      methods: {
        get: (n: number) => [n, n] as const,
        set: (_: number, to: number) => [to, undefined] as const,
      },
    };
    const given = {
      ...(made as object),
      test: [[['set', 1], ['get']], [['get']]],
      ...(outcome && { outcome: () => outcome }),
      ...(hasSpec && { spec }),
    };
    return inOwnTask(() => exploreSync(scenario(given as never)).verdict);
  };
  const RIGHT = 'async set(value) { await this.store.save(value); }';
  const WRONG = 'async set(value) { await this.store.save(7); await this.store.save(value); }';

  test.each([
    [undefined, true, 'holds'],
    [undefined, false, 'holds'],
    ['failed', true, 'holds'],
    ['failed', false, 'holds'],
    ['unknown', true, 'holds'],
    ['unknown', false, 'holds'],
    // the spec allows no error
    ['threw', true, 'violation'],
    ['threw', false, 'holds'],
  ])('is judged by `outcome` %s, with a spec: %s', async (outcome, hasSpec, verdict) => {
    expect(await explored(RIGHT, outcome, hasSpec)).toBe(verdict);
    expect(await explored(WRONG, outcome, hasSpec)).toBe('violation');
  });
});

/** Functions that are not instrumented, called in a thread; `s` is shared, `l` is not. */
describe('code that was not observed', () => {
  const explored = (call: string, fault = '') => {
    Object.assign(globalThis, { foreign: (value: unknown) => value, inspect });
    const { make } = evaluateInstrumented(
      `class Subject { s = { a: 0 }; m() { const l = { b: 1 }; ${fault} ${call}; return 1; } } export const make = () => new Subject();`,
    );
    const test = [[['m']], [['m']]] as const;
    return exploreSync(scenario({ create: make as Make, backend: 'instrumented', test }));
  };
  const textOf = (exploration: Exploration) =>
    explorationText({ ...REPORT, exploration }).replace(/\s+/g, ' ');
  const REPORT = {
    file: 'a',
    failure: undefined,
    sourceOf: () => undefined,
    saved: undefined,
    ms: { explore: 0 },
  };

  test.each([
    'foreign(this.s)',
    'foreign({ l, in: [this.s] })',
    'foreign(new Map([[1, this.s]]))',
    'foreign(l)',
    'foreign.bind(null)(1)',
    'foreign.call(this.s)',
  ])('makes the result undecided, and nothing is called exhaustive: %s', (call) => {
    const exploration = explored(call);
    expect(exploration).toMatchObject({ verdict: 'undecided', reason: 'unobserved' });
    const text = textOf(exploration);
    expect(text).toContain('undecided: code ran that was not observed');
    expect(text).toContain('their accesses are unknown: ');
    expect(text).not.toMatch(/exhaustive|every schedule(?! of the observed accesses)/);
    expect(JSON.stringify(explorationJson({ ...REPORT, exploration }))).not.toContain('exhaustive');
    // another exploration in this process is not affected
    expect(explored('l.b = 2').verdict).toBe('holds');
  });

  test.each(['structuredClone(l)', 'structuredClone(this.s)', 'inspect(l)', 'Math.max(1, 2)', 'l.b = 2'])(
    'is none if a function of the platform is called: %s',
    (call) => {
      const exploration = explored(call);
      expect(exploration.verdict).toBe('holds');
      expect(textOf(exploration)).toContain('with every schedule.');
    },
  );
});
