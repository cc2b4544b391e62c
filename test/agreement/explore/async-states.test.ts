/**
 * Stateful search of asynchronous code, against all executions: no history is lost, whatever the state is hidden in.
 *
 * Each row stores a value in another place. Two calls store different values, at the same time; a third one returns what is
 * stored. If the place were not part of the state, both orders of the first two calls would lead to equal states.
 */
import { describe, expect, test, vi } from 'vitest';
import { Random } from '../../../src/base/random.js';
import { result } from '../../../src/base/values/result-reference.js';
import { control } from '../../../src/event-loop/control.js';
import { inOwnTask } from '../../../src/event-loop/own-task.js';
import { SharedStates } from '../../../src/explore/async/client-names.js';
import { AsyncClasses } from '../../../src/explore/async/dpor.js';
import { lineUp } from '../../../src/explore/line-up.js';
import { Deadline } from '../../../src/explore/model/deadline.js';
import type { Scenario } from '../../../src/explore/scenario/scenario.js';
import { programIn, scenarioIn } from '../../support/fixtures/async-program.js';
import { randomAsync } from '../../support/generators/random-async.js';
import { exploreAll, exploreStates } from '../../support/oracles/async-histories.js';
import { share } from '../../support/share.js';

/** Code of the module, fields of the object, and how `x` is stored and read. */
interface Place {
  readonly module?: string;
  readonly fields?: string;
  readonly put: string;
  readonly get: string;
}

/** The first call starts two timers, one after the other. If it waits long enough between them, the first fires first. */
function elapsed(longer: 1 | 2): Place {
  return {
    fields:
      "log = ''; wait = (n) => new Promise((r) => setTimeout(r, n)); start = (name, n) => setTimeout(() => { this.log += name; }, n);",
    put: `if (this.first) return; this.first = this.start('first', 8); await this.wait(x === ${longer} ? 6 : 1); this.second = this.start('second', 3);`,
    get: "if (!this.second) return 'early'; await this.wait(20); return this.log;",
  };
}

const PLACES: Readonly<Record<string, Place>> = {
  'a field': { put: 'this.x = x;', get: 'return this.x;' },
  'a deep field': { fields: 'o = { p: {} };', put: 'this.o.p.x = x;', get: 'return this.o.p.x;' },
  'a private field': { fields: '#x = 0;', put: 'this.#x = x;', get: 'return this.#x;' },
  'a static field': { fields: 'static x = 0;', put: 'Sample.x = x;', get: 'return Sample.x;' },
  'a private static field': { fields: 'static #x = 0;', put: 'Sample.#x = x;', get: 'return Sample.#x;' },
  'a private field of another class': {
    module: 'class Other { #x = 0; put(x) { this.#x = x; } get() { return this.#x; } }',
    fields: 'o = new Other();',
    put: 'this.o.put(x);',
    get: 'return this.o.get();',
  },
  'a private field of a base class': {
    module:
      'class Base { #x = 0; put(x) { this.#x = x; } get() { return this.#x; } } class Derived extends Base {}',
    fields: 'o = new Derived();',
    put: 'this.o.put(x);',
    get: 'return this.o.get();',
  },
  'a variable of the module': {
    module: 'let v = 0;',
    fields: 'reset = (v = 0);',
    put: 'v = x;',
    get: 'return v;',
  },
  'a variable of a function': {
    module: 'const cell = () => { let v = 0; return { put: (x) => { v = x; }, get: () => v }; };',
    fields: 'o = cell();',
    put: 'this.o.put(x);',
    get: 'return this.o.get();',
  },
  'a variable of a method of an object': {
    module: 'const cell = () => { let v = 0; return { put(x) { v = x; }, get value() { return v; } }; };',
    fields: 'o = cell();',
    put: 'this.o.put(x);',
    get: 'return this.o.value;',
  },
  'a constant of a function': { put: 'this.f = () => x;', get: 'return this.f?.();' },
  'a declared function': { put: 'function f() { return x; } this.f = f;', get: 'return this.f?.();' },
  'a class': { put: 'this.C = class { get() { return x; } };', get: 'return this.C && new this.C().get();' },
  'this of an arrow function': {
    put: 'this.f = (function () { return () => this.y; }).call({ y: x });',
    get: 'return this.f?.();',
  },
  'a bound function': { put: 'this.f = ((y) => y).bind(undefined, x);', get: 'return this.f?.();' },
  'a field of a function': { fields: 'f = () => 0;', put: 'this.f.x = x;', get: 'return this.f.x;' },
  'a getter': {
    put: "Object.defineProperty(this, 'y', { get: () => x, configurable: true });",
    get: 'return this.y;',
  },
  'a symbol': { module: "const key = Symbol('key');", put: 'this[key] = x;', get: 'return this[key];' },
  'which of two objects': {
    fields: 'a = { n: 1 }; b = { n: 1 };',
    put: 'this.c = x === 1 ? this.a : this.b;',
    get: 'return this.c === this.a;',
  },
  'which of two variables': {
    module: 'const cell = () => { let v = 0; return [() => ++v, () => v]; };',
    fields: 'p = cell(); q = cell(); f = undefined;',
    put: 'this.f = (x === 1 ? this.p : this.q)[0];',
    get: 'this.f?.(); return this.p[1]();',
  },
  'which of two equal variables': {
    module: 'const cell = () => { let v = 0; return { adder: () => () => ++v, get: () => v }; };',
    fields: 'p = cell(); q = cell(); f = undefined;',
    put: 'this.f = (x === 1 ? this.p : this.q).adder();',
    get: 'this.f?.(); return this.p.get();',
  },
  'the order of fields': { put: "this['k' + x] = 1;", get: "return Object.keys(this).join('');" },
  'a prototype': {
    module: 'class A { v() { return 1; } } class B { v() { return 2; } }',
    put: 'this.o = x === 1 ? new A() : new B();',
    get: 'return this.o?.v();',
  },
  'a frozen object': {
    put: 'this.o ??= { n: 0 }; if (x === 1) Object.freeze(this.o); else this.o.n++;',
    get: 'try { this.o.n++; } catch {} return this.o.n;',
  },
  'a field that cannot be written': {
    put: "if (!('n' in this)) Object.defineProperty(this, 'n', { value: 0, writable: x === 1 });",
    get: 'try { this.n++; } catch {} return this.n;',
  },
  'an array': { fields: 'a = [];', put: 'this.a.push(x);', get: "return this.a.join('');" },
  'the length of an array': { fields: 'a = [];', put: 'this.a.length = x;', get: 'return this.a.length;' },
  'the order of a map': {
    fields: 'm = new Map();',
    put: 'this.m.set(x, 0);',
    get: "return [...this.m.keys()].join('');",
  },
  'the order of a set': {
    fields: 's = new Set();',
    put: 'this.s.add(x);',
    get: "return [...this.s].join('');",
  },
  'a date': { fields: 'd = new Date(0);', put: 'this.d.setTime(x);', get: 'return this.d.getTime();' },
  'a regular expression': {
    fields: 'r = /a/g;',
    put: 'this.r.lastIndex = x;',
    get: 'return this.r.lastIndex;',
  },
  'a typed array': { fields: 'a = new Int8Array(1);', put: 'this.a[0] = x;', get: 'return this.a[0];' },
  'an error': { put: "this.e = new Error('e' + x);", get: 'return this.e?.message;' },
  'negative zero': { put: 'this.x = x === 1 ? 0 : -0;', get: 'return 1 / this.x;' },
  'a promise with a value': { put: 'this.p = Promise.resolve(x);', get: 'return this.p;' },
  'a rejected promise': {
    put: 'this.p = Promise.reject(x); this.p.catch(() => {});',
    get: 'try { return await this.p; } catch (y) { return y; }',
  },
  'what settles a promise': {
    fields:
      'log = 0; f = []; p = [0, 1].map((i) => new Promise((resolve) => { this.f[i] = resolve; }).then(() => { this.log += i + 1; }));',
    put: 'this.g = this.f[x - 1];',
    get: 'this.g?.(); await 0; await 0; return this.log;',
  },
  'the order of reactions': {
    fields: "log = ''; f = undefined; p = new Promise((resolve) => { this.f = resolve; });",
    put: 'void this.p.then(() => { this.log += x; });',
    get: 'this.f(); await 0; await 0; return this.log;',
  },
  'a function that waits': {
    fields:
      "log = ''; f = undefined; p = new Promise((resolve) => { this.f = resolve; }); wait = async (y) => { await this.p; this.log += y; };",
    put: 'if (!this.w) this.w = this.wait(x);',
    get: 'this.f(); await this.w; return this.log;',
  },
  'where a function waits': {
    fields:
      'f = undefined; y = 0; p = new Promise((resolve) => { this.f = resolve; }); wait = async (x) => { if (x === 1) { await this.p; this.y = 1; } else { await this.p; this.y = 2; } };',
    put: 'this.w ??= this.wait(x);',
    get: 'this.f(); await this.w; return this.y;',
  },
  'a variable of a loop': {
    fields:
      "log = ''; f = undefined; wait = async () => { for (let i = 0; i < 3; i++) { await new Promise((resolve) => { this.f = resolve; }); this.log += i; } };",
    put: 'this.w ??= this.wait(); if (x === 1) { this.f(); await 0; this.log = ""; } else this.log = "";',
    get: 'this.f?.(); await 0; await 0; return this.log;',
  },
  'an operand that is kept': {
    fields:
      'f = undefined; y = 0; p = new Promise((resolve) => { this.f = resolve; }); wait = async (x) => { let own = x; own += await this.p; this.y = own; };',
    put: 'this.w ??= this.wait(x);',
    get: 'this.f(10); await this.w; return this.y;',
  },
  'an operand of a field': {
    fields:
      'f = undefined; y = 0; p = new Promise((resolve) => { this.f = resolve; }); wait = async () => { this.y += await this.p; };',
    put: 'this.y = x; this.w ??= this.wait(); this.y = 0;',
    get: 'this.f(10); await this.w; return this.y;',
  },
  'the object of an assignment': {
    fields:
      'f = undefined; o = [{ y: 0 }, { y: 0 }]; p = new Promise((resolve) => { this.f = resolve; }); wait = async (x) => { this.o[x - 1].y = await this.p; };',
    put: 'this.w ??= this.wait(x);',
    get: 'this.f(10); await this.w; return this.o[0].y;',
  },
  'an argument that is kept': {
    fields:
      'f = undefined; y = 0; p = new Promise((resolve) => { this.f = resolve; }); wait = async (x) => { const add = (a, b) => a + b; this.y = add(x, await this.p); };',
    put: 'this.w ??= this.wait(x);',
    get: 'this.f(10); await this.w; return this.y;',
  },
  'a value that finally delays': {
    fields:
      'f = undefined; p = new Promise((resolve) => { this.f = resolve; }); wait = async (x) => { try { return x; } finally { await this.p; } };',
    put: 'this.w ??= this.wait(x);',
    get: 'this.f(10); return this.w;',
  },
  'an iteration': {
    fields:
      "log = ''; f = undefined; wait = async (a) => { for (const y of a) { await new Promise((resolve) => { this.f = resolve; }); this.log += y; } };",
    put: 'this.w ??= this.wait(x === 1 ? [1, 2] : [2, 1]);',
    get: 'this.f?.(); await 0; await 0; return this.log;',
  },
  'a generator': {
    module: 'function* count() { yield 1; yield 2; yield 3; }',
    fields: 'g = count();',
    put: 'for (let i = 0; i < (this.n ?? x); i++) this.g.next(); this.n = 0;',
    get: 'return this.g.next().value;',
  },
  'an iterator': {
    fields: 'i = [1, 2, 3].values();',
    put: 'for (let i = 0; i < (this.n ?? x); i++) this.i.next(); this.n = 0;',
    get: 'return this.i.next().value;',
  },
  'a weak map': {
    module: 'const map = new WeakMap();',
    put: 'map.set(this, x);',
    get: 'return map.get(this);',
  },
  'the argument of a timer': {
    put: 'clearTimeout(this.t); this.t = setTimeout((y) => { this.x = y; }, 2, x);',
    get: 'await new Promise((r) => setTimeout(r, 9)); return this.x;',
  },
  'the duration of a timer': {
    fields: "log = '';",
    put: 'this.d ??= setTimeout(() => { this.log += 1; }, x === 1 ? 2 : 8);',
    get: 'await new Promise((r) => setTimeout(r, 5)); return this.log;',
  },
  'the order of timers': {
    fields: "log = '';",
    put: 'setTimeout(() => { this.log += x; }, 2);',
    get: 'await new Promise((r) => setTimeout(r, 9)); return this.log;',
  },
  'the time since a timer was started': elapsed(1),
  'the same, with the calls in the other order': elapsed(2),
  'a stub': {
    fields: "log = '';",
    put: 'this.p ??= io.ask(x);',
    get: 'try { return await this.p; } catch { return 0; }',
  },
  'all of some promises': {
    fields: 'f = undefined; p = new Promise((resolve) => { this.f = resolve; });',
    put: 'this.w ??= Promise.all([x, this.p]);',
    get: "this.f(0); return (await this.w)?.join('');",
  },
};

const codeOf = ({ module = '', fields = '', put, get }: Place): string => `
${module}
export const ask = (n) => n;
export const make = (io) => {
  class Sample { ${fields} async one() { const x = 1; ${put} } async two() { const x = 2; ${put} } async get() { ${get} } }
  return new Sample();
};`;

/** Places that the search does not see: it must decline. */
const HIDDEN = new Set([
  'a bound function',
  'an operand of a field',
  'a value that finally delays',
  'an iteration',
  'a generator',
  'an iterator',
  'a weak map',
  'all of some promises',
]);

test.each(Object.entries(PLACES))('%s is part of the state', async (name, place) => {
  control();
  await inOwnTask(() => {
    const code = codeOf(place);
    // the state before the last call is not compared
    const threads = [['one'], ['two'], ['get', 'get']];
    const states = exploreStates(programIn(code, threads, true), 20_000)!;
    expect(states.declined !== undefined, states.declined).toBe(HIDDEN.has(name));
    if (states.declined !== undefined) return;
    const all = exploreAll(programIn(code, threads, false), 200_000)!;
    expect(states.histories).toEqual(all.histories);
  });
});

/** What a call leaves behind: `f` runs later. */
const LEFT: Readonly<Record<string, string>> = {
  nothing: '',
  'a tick': 'process.nextTick(f);',
  'a microtask': 'queueMicrotask(f);',
  'a job of a promise': 'void Promise.resolve().then(f);',
  'a job that sets up a tick': 'void Promise.resolve().then(() => process.nextTick(f));',
  'a tick that sets up a microtask': 'process.nextTick(() => queueMicrotask(f));',
  'a thenable': 'void Promise.resolve({ then: f });',
  'a function that waits': 'void (async () => { await null; await null; f(); })();',
  'a rejection that is handled': 'Promise.reject(new Error()).catch(f);',
  'an immediate': 'setImmediate(f);',
  'a timer': 'setTimeout(f, 1);',
};

/** How the call returns. */
const RETURNS: Readonly<Record<string, string>> = {
  'at once': 'return 1;',
  'a settled promise': 'return Promise.resolve(1);',
  'after some microtasks': 'return (async () => { await null; await null; await null; return 1; })();',
  'in an immediate': 'return new Promise((resolve) => setImmediate(resolve));',
  'in a timer': 'return new Promise((resolve) => setTimeout(resolve, 1));',
};

/*
 * Where nothing is queued, a call need not start before the macrotask has ended. If something were queued that is not seen, the history
 * would be lost in which the next call comes before it.
 */
describe.each(Object.entries(RETURNS))('a call that returns %s', (_, returns) => {
  test.each(Object.entries(LEFT))('and leaves %s behind', async (name, left) => {
    control();
    await inOwnTask(() => {
      const code = `
export const ask = (n) => n;
export const make = () => new (class {
  log = '';
  one() { const f = () => { this.log += 'f'; }; ${left} ${returns} }
  get() { this.log += 'g'; ${name.includes('immediate') || name.includes('timer') ? "setImmediate(() => { this.log += 'i'; });" : ''} return this.log; }
  async end() { await new Promise((resolve) => setTimeout(resolve, 5)); return this.log; }
})();`;
      const threads = [
        ['one', 'get'],
        ['get', 'end'],
      ];
      const all = exploreAll(programIn(code, threads, false), 200_000)!;
      const states = exploreStates(programIn(code, threads, true), 200_000)!;
      expect(states.declined).toBeUndefined();
      expect(states.histories).toEqual(all.histories);
    });
  });
});

test('the search declines if the object extends a class of the language', async () => {
  control();
  const extended = {
    module: 'let v = 0; Array.prototype.latest = () => v;',
    put: 'v = x;',
    get: 'return [].latest();',
  };
  try {
    await inOwnTask(() => {
      const program = programIn(codeOf(extended), [['one'], ['two'], ['get']], true);
      expect(exploreStates(program)?.declined).toBe('an object of the language that is extended');
    });
  } finally {
    Reflect.deleteProperty(Array.prototype, 'latest');
  }
});

test('the configurations of the judge are part of the state', async () => {
  control();
  const code = `export const ask = (n) => n;
export const make = (io) => {
  const wait = () => new Promise((resolve) => setTimeout(resolve, 2));
  class Pair { a = 0; b = 0; async put() { this.a = 1; await wait(); this.b = 1; } async get() { return this.a - this.b; } }
  return new Pair();
};`;
  await inOwnTask(() => {
    // while `put` waits, the state is the same whether `get` returned 0 before it was called, or 1 after that
    const given = scenarioIn(code, [['get'], ['put']], true);
    const { violation, states } = decideByStates(given, given.test, new SharedStates(false));
    expect(states).toBeGreaterThan(0);
    expect(violation).toBeDefined();
  });
});

/** A test whose violation is missed if a state omits who has which calls left. Tests of a row share states. */
interface Similar {
  readonly members: string;
  readonly methods: Record<string, (state: number, ...args: never[]) => [number, unknown]>;
  /** Only the last test has a violation. */
  readonly tests: readonly (readonly (readonly (string | readonly unknown[])[])[])[];
}

const nothing = (n: number): [number, unknown] => [n, undefined];

/*
 * Calls that follow in the same microtask pass no state, so each object notices them: it behaves until its immediate has run. Of
 * states without a choice only every second one is compared, so the number of steps matters.
 *
 * Not in a row, because states would differ without them: which clients wait for the calls before them, and which calls are in
 * progress (a configuration names both); the number of calls left (it follows from the calls that each client has left); where
 * a later call takes its results from (the results are in the state).
 * These rows have a spec, whose states say nothing of calls. A learned state lists all calls that are left, by the same roles, so the
 * rest of a state is not needed there to distinguish calls.
 */
const SIMILAR: Readonly<Record<string, Similar>> = {
  // the first `one` breaks `get` of the other client
  'which calls follow the calls in progress': {
    members: `first = true; x = 0;
      async one() { if (!this.first) return turn(); this.first = false; await turn(); this.x = 1; await turn(); this.x = 0; }
      async two() {} async get() { return this.x; }`,
    methods: { one: nothing, two: nothing, get: (n) => [n, 0] },
    tests: [
      [
        ['one', 'get'],
        ['one', 'two'],
      ],
    ],
  },
  // `two` is wrong after one `one`
  'which calls can start': {
    members: `n = 0; isFresh = false;
      async one() { this.n++; this.isFresh = true; setImmediate(() => { this.isFresh = false; }); }
      async two() { return this.isFresh ? 2 : this.n; } async get() {}`,
    methods: { one: nothing, two: (n) => [n, 2], get: nothing },
    tests: [
      [
        ['one', 'get'],
        ['one', 'two'],
      ],
    ],
  },
  // `put(2)` is wrong after one `one`
  'the arguments of calls that can start': {
    members: `n = 0; isFresh = false;
      async one() { this.n++; this.isFresh = true; setImmediate(() => { this.isFresh = false; }); }
      async put(x) { return this.isFresh || x === 1 ? 2 : this.n; }`,
    methods: { one: nothing, put: (n) => [n, 2] },
    tests: [
      [
        ['one', ['put', 1]],
        ['one', ['put', 2]],
      ],
    ],
  },
  // the first `one` breaks `give(1)` of the other client
  'the results that calls use later': {
    members: `first = true; x = 0; n = 0;
      async take() { return ++this.n; }
      async one() { if (!this.first) return turn(); this.first = false; await turn(); this.x = 1; await turn(); this.x = 0; }
      async give(result) { return result === 1 ? this.x : 0; }`,
    methods: { take: (n) => [n + 1, n + 1], one: nothing, give: (n) => [n, 0] },
    tests: [
      [
        ['take', 'one', ['give', result('take')]],
        ['take', 'one', ['give', result('take')]],
      ],
    ],
  },
  // `give(2)` is wrong
  'the results of earlier calls': {
    members:
      'n = 0; async take() { return ++this.n; } async one() { for (let i = 0; i < 3; i++) await turn(); } async two() {} async give(x) { return x - 1; }',
    methods: { take: (n) => [n + 1, n + 1], one: nothing, two: nothing, give: (n) => [n, 0] },
    tests: [
      [
        ['take', 'one', ['give', result('take')]],
        ['take', 'two'],
      ],
    ],
  },
  // the same state is right after `put(1)` and wrong after `put(2)`
  'the number of the test': {
    members: `x = 0; latest = undefined;
      async put(x) { this.x = 1; this.latest = x; setImmediate(() => { this.latest = undefined; }); }
      async get() { return this.latest ?? this.x; } async idle() {}`,
    methods: { put: (_, x: number) => [x, undefined], get: (x) => [x, x], idle: nothing },
    tests: [1, 2].map((x) => [[['put', x], 'get', 'idle'], ['idle']]),
  },
  // the later caller is served first, if it came after the immediate of the earlier one and between two calls of `get`
  'which client the configurations mean': {
    members: `list = []; isLate = false; gets = 0;
      finish = () => { this.list.forEach((wake, i) => wake(i + 1)); };
      go = () => { setImmediate(this.finish); };
      async one() {
        return new Promise((resolve) => {
          if (this.list.length === 0) { this.list.push(resolve); setImmediate(() => { this.isLate = true; }); return; }
          if (this.isLate && this.gets === 1) this.list.unshift(resolve); else this.list.push(resolve);
          if (this.gets === 2) setImmediate(this.go);
        });
      }
      async get() { if (++this.gets === 2) setImmediate(this.go); return this.list.length; }`,
    methods: { one: (n) => [n + 1, n + 1], get: (n) => [n, n] },
    tests: [[['one'], ['one'], ['get', 'get']]],
  },
};

test.each(Object.entries(SIMILAR))('%s is part of the state', async (_name, { members, methods, tests }) => {
  control();
  const code = `const turn = () => new Promise((resolve) => setImmediate(resolve));
export const make = () => new (class { ${members} })();`;
  const spec = { name: 'similar', initial: 0, methods } as never;
  await inOwnTask(() => {
    const [plain, traced] = [false, true].map((isTraced) => scenarioIn(code, [], isTraced, undefined, spec));
    const shared = new SharedStates(true);
    for (const [i, threads] of tests.entries()) {
      const calls = threads.map((list) =>
        list.map((call) => (typeof call === 'string' ? [call] : call)),
      ) as never;
      const all = decide(plain, calls);
      const reduced = decideByStates(traced, calls, shared);
      expect(all.violation !== undefined).toBe(i + 1 === tests.length);
      expect(reduced.hiddenState).toBeUndefined();
      expect(reduced.violation !== undefined).toBe(all.violation !== undefined);
    }
  });
});

/*
 * If `slow` and `quick` start in one turn, `slow` writes last, in whichever order they start. One at a time, the later one writes
 * last. So the states are equal after both orders, and `get` returns what `fair` refuses after one of them. Until an immediate has
 * run, `get` returns what is right.
 */
test.each([
  ['slow', 'quick'],
  ['quick', 'slow'],
])('what fair calls may still return is part of the state: %s and %s', async (first, second) => {
  control();
  const code = `const never = () => new Promise(() => {});
export const make = () => new (class {
  x = ''; latest = undefined;
  begin(name) { this.latest = name; setImmediate(() => { this.latest = undefined; }); }
  async slow() { this.begin('slow'); await null; await null; this.x = 'slow'; return never(); }
  async quick() { this.begin('quick'); await null; this.x = 'quick'; return never(); }
  async get() { return this.latest ?? this.x; }
})();`;
  const calls = [[[first]], [[second]], [['get']]] as never;
  await inOwnTask(() => {
    for (const fair of [false, true]) {
      const [plain, traced] = [false, true].map((isTraced) => ({ ...scenarioIn(code, [], isTraced), fair }));
      const all = decide(plain, calls);
      const reduced = decideByStates(traced, calls, new SharedStates(false));
      expect(all.violation !== undefined).toBe(fair);
      expect(reduced.hiddenState).toBeUndefined();
      expect(reduced.violation !== undefined).toBe(fair);
    }
  });
});

/** The same as `decide`, without partial-order reduction, which may find what the stateful search misses. */
function decideByStates(given: Scenario, calls: Scenario['test'], shared: SharedStates) {
  const reduction = vi.spyOn(AsyncClasses.prototype, 'advance').mockReturnValue(undefined);
  try {
    return decide(given, calls, shared);
  } finally {
    reduction.mockRestore();
  }
}

/** Explores one test; `shared` is what earlier tests of the same scenario have explored. */
function decide(given: Scenario, calls: Scenario['test'], shared?: SharedStates) {
  const testCase = { threads: calls!, before: [], after: [] };
  return lineUp(
    given,
    testCase,
    { seed: 1, isExhaustive: true, maxExecutions: 1_000, shared },
    new Deadline(1e9),
  );
}

const PROGRAMS = share(2_000, 30);
const SHARING_PROGRAMS = share(1_000, 20);

/** Lines of methods whose state is visible, so that the search does not decline. */
const LINES = [
  'own = this.a;',
  'this.a = own + 1;',
  'this.a = 2 * own;',
  'this.b = this.a;',
  'this.a++;',
  'await turn();',
  'own = this.a; await turn(); this.a = own + 1;',
  'this.kept.push(own);',
  'own += this.kept.shift() ?? 0;',
  'if (this.a === 0) await new Promise((resolve) => { this.waiting.push(resolve); });',
  'this.waiting.shift()?.();',
];

function smallAsync(random: Random): string {
  const methods = ['one', 'two'].map((name) => {
    const lines = Array.from({ length: 2 + random.below(3) }, () => random.pick(LINES));
    return `async ${name}() { let own = 0; ${lines.join(' ')} return own + 10 * this.a + 100 * this.b; }`;
  });
  return `
const turn = () => new Promise((resolve) => setImmediate(resolve));
export const make = () => new (class { a = 0; b = 0; kept = []; waiting = []; ${methods.join(' ')} async get() { return this.a + 10 * this.b; } })();`;
}

/** Clients with equal and with different calls: states of several tests differ in the names of clients only. */
const TESTS = [
  [['get'], ['one']],
  [['one'], ['one']],
  [['one'], ['two']],
  [['get', 'get'], ['two']],
  [['get'], ['one'], ['get']],
  [['get', 'two'], ['one']],
  [['one', 'get'], ['two']],
];

test('tests that share states find the same violations as tests without, of random objects', async () => {
  control();
  const random = new Random(8);
  const found = { violations: 0, covered: 0 };
  for (let i = 0; i < SHARING_PROGRAMS; i++) {
    const code = smallAsync(random);
    await inOwnTask(() => {
      const [plain, traced] = [false, true].map((isTraced) => scenarioIn(code, TESTS[0], isTraced));
      const shared = new SharedStates(false);
      for (const threads of TESTS) {
        const calls = threads.map((list) => list.map((method) => [method])) as never;
        const all = decide(plain, calls);
        const reduced = decideByStates(traced, calls, shared);
        if (all.coverage.length === 0 && !all.violation) continue;
        const label = `program ${i}: ${threads.join(' | ')} of ${code}`;
        expect(reduced.violation === undefined, label).toBe(all.violation === undefined);
        if (all.violation) found.violations++;
        else found.covered++;
        expect(reduced.hiddenState, label).toBeUndefined();
        if (!all.violation) expect(decideByStates(traced, calls, shared).states, label).toBe(0);
      }
    });
  }
  expect(found.violations).toBeGreaterThan(SHARING_PROGRAMS / 2);
  expect(found.covered).toBeGreaterThan(SHARING_PROGRAMS / 2);
}, 600_000);

test('stateful search finds a violation of a random object iff one of all executions is a violation', async () => {
  control();
  const random = new Random(5);
  let violations = 0;
  let states = 0;
  for (let i = 0; i < PROGRAMS; i++) {
    const { code, methods } = randomAsync(random);
    const call = () => random.pick(methods);
    const threads = random.withProbability(50) ? [[call()], [call()]] : [[call(), call()], [call()]];
    await inOwnTask(() => {
      const [plain, traced] = [false, true].map((isTraced) => {
        const given = scenarioIn(code, threads, isTraced);
        return decide(given, given.test);
      });
      if (plain.coverage.length === 0 && !plain.violation) return;
      const label = `program ${i}: ${threads.join(' | ')} of ${code}`;
      expect(traced.violation === undefined, label).toBe(plain.violation === undefined);
      if (plain.violation) violations++;
      states += traced.states;
    });
  }
  expect(violations).toBeGreaterThan(0);
  expect(violations).toBeLessThan(PROGRAMS / 2);
  expect(states).toBeGreaterThan(PROGRAMS);
}, 600_000);
