/** Scenarios of plain code, loaded from files and explored. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import * as objects from '../api/objects.js';
import { AtomicRef } from '../execution/primitives/atomic-ref.js';
import { Monitor, Mutex, yieldNow } from '../execution/primitives/locks.js';
import { loadInstrumented } from '../instrument/load.js';
import { type Exploration, type ExploreSyncOptions, explore, exploreSync, trace } from './explore.js';
import {
  failureOf,
  failureText,
  isToken,
  parseFailure,
  parseToken,
  replay,
  replaySync,
  tokenOf,
} from './failure/failure.js';
import { shrink, shrinkSync } from './failure/shrink.js';
import { Deadline } from './model/deadline.js';
import { type Scenario, scenario } from './scenario/scenario.js';

const folder = mkdtempSync(join(tmpdir(), 'straightedge-explore-'));
afterAll(() => rmSync(folder, { recursive: true }));

let files = 0;
const exploring = (source: string, options: ExploreSyncOptions = {}): Exploration =>
  exploreSync(loaded(source), options);

function loaded(source: string): Scenario {
  const file = join(folder, `${++files}.scenario.ts`);
  writeFileSync(
    file,
    `import { scenario, AtomicRef, Monitor } from 'straightedge'; import * as objects from 'straightedge/objects';\n${source}`,
  );
  const modules = {
    straightedge: { AtomicRef, Monitor, Mutex, scenario, yieldNow },
    'straightedge/objects': objects,
  };
  const { default: made } = loadInstrumented(file, { globs: [], modules }) as { default: Scenario };
  return made;
}

const violationOf = (exploration: Exploration) => exploration.results.at(-1)?.violation;

const COUNTER = `class Counter { n = 0; increment() { const old = this.n; this.n = old + 1; return old + 1 } }`;
const TREIBER = `class Item { constructor(readonly value: number, readonly next: Item | null) {} }
class Stack {
  top = new AtomicRef<Item | null>(null);
  push(value: number) { for (;;) { const old = this.top.get(); if (this.top.compareAndSet(old, new Item(value, old))) return } }
  pop() { for (;;) { const old = this.top.get(); if (old === null) return null; if (this.top.compareAndSet(old, old.next)) return old.value } }
}`;

test('a lost update is found with results from sequential runs, and can be replayed', () => {
  const exploration = exploring(
    `${COUNTER} export default scenario({ create: () => new Counter(), calls: [['increment']], threads: 2, callsPerThread: 2 })`,
  );
  expect(exploration.verdict).toBe('violation');
  const explored = exploration.results.at(-1)!;
  const violation = explored.violation;
  if (violation?.kind !== 'outcome') throw new Error('expected an outcome');
  const { history } = explored.backend.trace(violation.schedule);
  const results = Array.from(history, ({ outcome }) =>
    outcome.kind === 'returned' ? outcome.value : outcome.kind,
  );
  expect(new Set(results).size).toBeLessThan(history.length);
});

test('a lost update is found against a spec whose methods have other names', () => {
  const source = (increment: string) =>
    `${COUNTER} export default scenario({ create: () => new Counter(), spec: objects.fetchAndAdd(), calls: [['add', 1]], methods: { add: (c) => ${increment} }, threads: 2, callsPerThread: 1 })`;
  expect(exploring(source('c.increment() - 1')).verdict).toBe('violation');
});

test('an element is read in a step of its own, though only methods of the array change it', () => {
  const { verdict } = exploring(
    `class Line { items = []; enqueue(item) { this.items.push(item) } peek() { return this.items[0] ?? null } }
    export default scenario({ create: () => new Line(), spec: objects.queue(), test: [[['peek']], [['enqueue', 1]]] })`,
  );
  expect(verdict).toBe('holds');
});

test('a spec may be defined in an instrumented file', () => {
  const source = `${COUNTER}
  const spec = { name: 'numbers', initial: [], methods: {
    increment: (given) => { const next = [...given, given.length]; return [next.map((n) => n), next.length] } } };
  export default scenario({ create: () => new Counter(), spec, calls: [['increment']], threads: 2, callsPerThread: 1 })`;
  expect(violationOf(exploring(source))?.kind).toBe('outcome');
  const right = source.replace('this.n = old + 1; return old + 1', 'return this.n += 1');
  expect(exploring(right, { threads: 1 }).verdict).toBe('holds');
});

test("Treiber's stack holds, exhaustively, with a spec and without", () => {
  for (const spec of ['', 'spec: objects.stack(),']) {
    const { verdict, results } = exploring(
      `${TREIBER} export default scenario({ create: () => new Stack(), ${spec} calls: [['push', 1], ['push', 2], ['pop']], threads: 2, callsPerThread: 2 })`,
      { randomTests: 20 },
    );
    expect(verdict).toBe('holds');
    expect(results).toHaveLength(20);
    for (const { coverage } of results) expect(coverage).toEqual([{ kind: 'all' }]);
  }
});

test('small tests are explored first, all of them; then random ones of the full size', () => {
  const { verdict, batches } = exploring(
    `${TREIBER} export default scenario({ create: () => new Stack(), calls: [['push', 1], ['pop']] })`,
    { timeout: 5_000 },
  );
  expect(verdict).toBe('holds');
  const sizes = batches.map(
    ({ choice, threads, callsPerThread }) => `${choice} ${threads}x${callsPerThread}`,
  );
  expect(sizes.slice(0, 4)).toEqual(['all 1x1', 'all 2x1', 'all 3x1', 'all 2x2']);
  expect(batches.slice(0, 4).map(({ results }) => results.length)).toEqual([2, 3, 4, 10]);
});

test('a requested size that is not covered leaves the verdict undecided, and no larger size is started', () => {
  const endless = `export default scenario({ create: () => ({ n: 0, run() { for (;;) this.n++ } }), calls: [['run']] })`;
  const { verdict, reason, batches } = exploring(endless, { timeout: 1_500 });
  expect([verdict, reason]).toEqual(['undecided', 'steps']);
  expect(batches.map(({ choice }) => choice)).toEqual(['all', 'random']);
});

const LATCH = (check: string) => `class Latch {
  isOpen = false; monitor = new Monitor();
  open() { this.monitor.enter(); this.isOpen = true; this.monitor.notifyAll(); this.monitor.exit() }
  pass() { ${check} }
}
export default scenario({ create: () => new Latch(), test: [[['open']], [['pass']]] })`;

test('a lost wake-up is found: a call blocks forever that returns in every sequential run', () => {
  const lost = LATCH('if (!this.isOpen) { this.monitor.enter(); this.monitor.wait(); this.monitor.exit() }');
  expect(violationOf(exploring(lost))).toMatchObject({ kind: 'wait', operation: 1 });
  const kept = LATCH('this.monitor.enter(); while (!this.isOpen) this.monitor.wait(); this.monitor.exit()');
  expect(exploring(kept).verdict).toBe('holds');
});

test('a wait without a loop fails under spurious wake-ups, and the failure can be replayed', () => {
  const waiting = (wait: string, isSpurious: boolean) =>
    loaded(`class Event {
  isSet_ = false; monitor = new Monitor();
  set() { this.monitor.enter(); this.isSet_ = true; this.monitor.notifyAll(); this.monitor.exit() }
  wait() { this.monitor.enter(); ${wait}; this.monitor.exit() }
}
export default scenario({ create: () => new Event(), spec: objects.event(), test: [[['set']], [['wait']]], methods: { isSet: (e) => e.isSet_, reset: (e) => { e.isSet_ = false } }, spuriousWakeups: ${isSpurious} })`);
  const [once, loop] = ['if (!this.isSet_) this.monitor.wait()', 'while (!this.isSet_) this.monitor.wait()'];
  expect(exploreSync(waiting(once, false)).verdict).toBe('holds');
  expect(exploreSync(waiting(loop, true)).verdict).toBe('holds');
  const exploration = exploreSync(waiting(once, true));
  expect(violationOf(exploration)).toMatchObject({ kind: 'outcome', operation: 1 });
  const failure = failureOf('a.ts', exploration.results.at(-1)!)!;
  for (const again of [parseToken(tokenOf(failure)), parseFailure(failureText(failure)!)])
    expect(replaySync(waiting(once, false), again).kind).toBe('reproduced');
});

test('validate checks the object after all calls, with a spec and without', () => {
  const source = (spec: string, validate: string) =>
    `class Pair { a = 0; b = 0; add(n: number) { const old = this.a; this.a += n; this.b += n; return old } read() { return this.a } }
  export default scenario({ create: () => new Pair(), ${spec} test: [[['add', 1]], [['read']]], validate: (pair) => { ${validate} } })`;
  for (const spec of ['', 'spec: objects.fetchAndAdd(),']) {
    expect(exploring(source(spec, 'if (pair.a !== pair.b) throw new RangeError()')).verdict).toBe('holds');
  }
  const twice = source('', 'if (pair.a !== 2) throw new RangeError()').replace("[['read']]", "[['add', 1]]");
  const exploration = exploring(twice.replace('const old = this.a;', '').replace('return old', ''));
  expect(violationOf(exploration)).toMatchObject({ kind: 'outcome', operation: 2 });
  expect(() => exploring(source('', '').replace("['read']", "['validate']"))).toThrow(
    'threads call a method `validate`',
  );
});

test('an object with two results for the same sequential run is nondeterministic', () => {
  writeFileSync(join(folder, 'hidden.ts'), 'let asked = 0; export const ask = () => ++asked % 5;');
  const source = `import { ask } from './hidden'; export default scenario({ create: () => ({ ask: () => ask() }), test: [[['ask'], ['ask']], [['ask']]] })`;
  const exploration = exploring(source);
  const violation = violationOf(exploration);
  if (violation?.kind !== 'nondeterminism') throw new Error('expected nondeterminism');
  const [one, other] = violation.histories.map((history) => Array.from(history));
  expect(one.map(({ method }) => method)).toEqual(other.map(({ method }) => method));
  expect(one.at(-1)?.outcome).not.toEqual(other.at(-1)?.outcome);
});

test('an infinite loop with changing state leaves the verdict undecided, with the reason', () => {
  const endless = `export default scenario({ create: () => ({ n: 0, run() { for (;;) this.n++ } }), test: [[['run']]] })`;
  expect(exploring(endless)).toMatchObject({ verdict: 'undecided', reason: 'steps' });
});

test('a run that is abandoned is named with its limit and its lines, and a larger limit finishes it', () => {
  const long = `class Long {
  n = 0;
  count() {
    for (let i = 0; i < 60; i++) this.n++;
    return this.n;
  }
}
export default scenario({ create: () => new Long(), calls: [['count']], threads: 1, callsPerThread: 1 })`;
  const failed = exploring(long, { maxSteps: 100 }).assumptions.filter(({ status }) => status === 'failed');
  const places = [
    { file: expect.stringMatching(/scenario\.ts$/), line: 5, column: expect.any(Number), name: 'n' },
  ];
  expect(failed).toEqual([{ name: 'steps', status: 'failed', reason: 'steps', limit: 100, places }]);
  expect(exploring(long, { maxSteps: 200 }).verdict).toBe('holds');
});

test('sequential runs that do not end teach nothing: a result that they lack is no violation', () => {
  const source = `class C { n = 0; k = 0; write() { this.n = 1; this.n = 2 } read() { const { n } = this; if (n === 2) for (;;) this.k++; return n } } export default scenario({ create: () => new C(), test: [[['write']], [['read']]] })`;
  expect(exploring(source)).toMatchObject({ verdict: 'undecided', reason: 'steps' });
});

test('maxPreemptions bounds the schedules that are explored', () => {
  const source = `${COUNTER} export default scenario({ create: () => new Counter(), test: [[['increment']], [['increment']]] })`;
  expect(exploring(source, { maxPreemptions: 0 })).toMatchObject({
    verdict: 'holds',
    results: [{ coverage: [{ kind: 'bound', preemptions: 0 }] }],
  });
  expect(exploring(source, { maxPreemptions: 1 }).verdict).toBe('violation');
});

test('an interrupted exploration is undecided, with that reason', () => {
  const source = `${COUNTER} export default scenario({ create: () => new Counter(), calls: [['increment']] })`;
  expect(exploring(source, { shouldStop: () => true })).toMatchObject({
    verdict: 'undecided',
    reason: 'interrupted',
  });
});

test('uncontrolled state is an error, not a violation', () => {
  writeFileSync(join(folder, 'outside.ts'), 'let asked = 0; export const ask = () => ++asked;');
  const source = `import { ask } from './outside'; class Asks { n = 0; ask() { this.n = 1; const got = ask(); this.n = 2; return got } }
  export default scenario({ create: () => new Asks(), test: [[['ask']], [['ask']]] })`;
  expect(() => exploring(source)).toThrow('the same schedule has given other results');
});

test('an object with opaque content is explored by equivalence classes instead of states', () => {
  const source = `const KEY = {}; class Hidden { value = new WeakMap<object, number>();
    set(value: number) { this.value.set(KEY, value) } get() { return this.value.get(KEY) } }
  export default scenario({ create: () => new Hidden(), test: [[['set', 1], ['get']], [['set', 2], ['get']]] })`;
  const [{ violation, coverage, classes, observations = '' }] = exploring(source, {
    isObserving: true,
  }).results;
  expect({ violation, coverage }).toEqual({ violation: undefined, coverage: [{ kind: 'all' }] });
  expect(classes).toBeGreaterThan(1);
  // six sequential runs with three different results: each get returns the value of the last set
  expect(observations.match(/<history>/g)).toHaveLength(6);
  expect(observations.match(/<observation>/g)).toHaveLength(3);
});

test('functions in an object: instrumented and built-in ones are visible, others are opaque', () => {
  const source = (
    held: string,
  ) => `class Holds { n = 0; held = ${held}; add() { const n = this.n; this.n = this.held(n) + 1; return n } }
  export default scenario({ create: () => new Holds(), test: [[['add']], [['add']], [['add']]] })`;
  const of = (held: string) => exploring(source(held)).results[0];
  const held = ['(n: number) => n', 'Math.abs', 'Math.abs.bind(null)'].map(of);
  expect(held.map(({ violation }) => violation?.kind)).toEqual(['outcome', 'outcome', 'outcome']);
  expect(held.map(({ states }) => states > 1)).toEqual([true, true, false]);
});

test('a file may contain a Proxy that throws on unknown fields', () => {
  const source = `const strict = new Proxy(() => 0, { get(of, key) { if (!(key in of)) throw new Error(String(key)); return Reflect.get(of, key) } });
  class Adds { n = 0; add() { const n = this.n; this.n = n + 1; return n } adds() { return strict.length } }
  export default scenario({ create: () => new Adds(), test: [[['add']], [['add']]] })`;
  expect(exploring(source).verdict).toBe('violation');
});

test('yieldNow is a step that accesses nothing', () => {
  const source = (
    body: string,
  ) => `import { yieldNow } from 'straightedge'; class Idle { idle() { ${body} return 1 } }
  export default scenario({ create: () => new Idle(), test: [[['idle']], [['idle']]] })`;
  const [none, two] = ['', 'yieldNow(); yieldNow();'].map((body) => exploring(source(body)));
  expect([none.verdict, two.verdict]).toEqual(['holds', 'holds']);
  const { steps } = two.results[0].backend.trace([0, 1, 0, 1]);
  expect(steps.map(({ thread }) => thread)).toEqual([0, 1, 0, 1]);
  expect(two.results[0].steps).toBeGreaterThan(none.results[0].steps);
});

const found = (made: Scenario, options: ExploreSyncOptions = {}) => {
  const explored = exploreSync(made, options).results.at(-1);
  if (!explored?.violation) throw new Error('expected a violation');
  return explored;
};
const shrunk = (made: Scenario) =>
  shrinkSync(made, found(made), { seed: 1 }, new Deadline(Number.POSITIVE_INFINITY));
const MANY = `${COUNTER} export default scenario({ create: () => new Counter(), before: [['increment']], after: [['increment']], calls: [['increment']], threads: 3, callsPerThread: 2 })`;

test('shrinking leaves two threads with one call each and one preemption', () => {
  const { test, backend, violation } = shrunk(loaded(MANY));
  expect(test).toEqual({ threads: [[['increment']], [['increment']]], before: [], after: [] });
  if (violation?.kind !== 'outcome') throw new Error('expected an outcome');
  const threads = backend.trace(violation.schedule).steps.map(({ thread }) => thread);
  expect(threads.filter((thread, i) => i > 0 && thread !== threads[i - 1])).toHaveLength(2);
});

test('shrinking joins threads if one thread can make the calls of both', () => {
  const source = `class Jobs { list = [] as number[]; taken = 0; add(n: number) { this.list.push(n) }
  take() { const next = this.taken; if (next === this.list.length) return null; this.taken = next + 1; return this.list[next] } }
  export default scenario({ create: () => new Jobs(), test: [[['add', 1]], [['take']], [['take']]] })`;
  expect(
    shrunk(loaded(source))
      .test.threads.map((calls) => calls.length)
      .sort(),
  ).toEqual([1, 2]);
});

test('a saved failure is replayed; changed code passes or diverges from the schedule', () => {
  const made = loaded(MANY);
  const written = failureOf('../a.scenario.ts', found(made))!;
  const failure = parseFailure(failureText(written) ?? '');
  expect(failure).toMatchObject({ version: 1, scenario: '../a.scenario.ts' });
  expect(replaySync(made, failure).kind).toBe('reproduced');

  const blind = loaded(MANY.replace('return old + 1', 'return 0'));
  expect(replaySync(blind, failure).kind).toBe('passes');
  const locked = loaded(
    MANY.replace('const old = this.n;', 'const old = this.n; this.m;').replace(
      'n = 0;',
      'n = 0; m = 0; touch() { this.m = 1 }',
    ),
  );
  expect(replaySync(locked, failure)).toMatchObject({
    kind: 'diverged',
    step: 1,
    before: { access: 'writes n' },
    now: { access: 'reads m' },
  });
});

test('a token encodes a failure, and its replay detects changed code', () => {
  const made = loaded(MANY);
  const token = tokenOf(failureOf('a.scenario.ts', shrunk(made))!);
  expect(token).toMatch(/^se1\.[\w-]{20,150}$/);
  const failure = parseToken(token);
  expect(replaySync(made, failure).kind).toBe('reproduced');
  expect(replaySync(loaded(MANY.replace('return old + 1', 'return 0')), failure).kind).toBe('passes');
  const other = loaded(
    MANY.replace('this.n = old + 1', 'this.m = old + 1').replace('n = 0;', 'n = 0; m = 0;'),
  );
  expect(replaySync(other, failure)).toMatchObject({ kind: 'diverged', now: { access: 'writes m' } });
});

test.each([
  ['se1.', 'this token is not whole'],
  ['se1.abc', 'this token is not whole'],
  ['se2.abc', 'this failure is of the version se2; this straightedge reads se1'],
])('the token %s is refused', (token, message) => {
  expect(isToken(token)).toBe(true);
  expect(() => parseToken(token)).toThrow(message);
});

test('races are reported by position: a plain access with a plain or an atomic one; locks order accesses', () => {
  const racesOf = (body: string) =>
    exploring(
      `import { Mutex } from 'straightedge'; class Counter { n = 0; lock = new Mutex(); cell = new Int32Array(new SharedArrayBuffer(4));
  increment() { ${body} } }
  export default scenario({ create: () => new Counter(), calls: [['increment']], threads: 2, callsPerThread: 1 })`,
    ).races.map(({ name, places }) => [name, ...places.map(({ line, access }) => `${line} ${access}`)]);
  expect(racesOf('const old = this.n;\nthis.n = old + 1')).toEqual([
    ['n', '3 reads', '4 writes'],
    ['n', '4 writes', '4 writes'],
  ]);
  expect(racesOf('this.lock.lock(); this.n++; this.lock.unlock()')).toEqual([]);
  expect(racesOf('Atomics.add(this.cell, 0, 1)')).toEqual([]);
  expect(racesOf('Atomics.store(this.cell, 0, 1);\nreturn this.cell[0]')).toEqual([
    ['0', '3 writes', '4 reads'],
  ]);
  expect(racesOf('this.cell[0] = Atomics.load(this.cell, 0) + 1')).toHaveLength(2);
});

test.each([
  ['', 'this is no failure'],
  ['[]', 'this is no failure; expected a file that `straightedge explore` has written'],
  ['{"version":2}', 'this failure has version 2; this straightedge reads version 1'],
  ['{"version":1}', 'this failure is not whole'],
])('%j is refused', (text, message) => {
  expect(() => parseFailure(text)).toThrow(message);
});

test('explore, trace, shrink and replay can be called from any task', async () => {
  const { scenario: found, results } = await explore(
    loaded(`class Counter { n = 0; async add() { const { n } = this; await null; this.n = n + 1; return n } }
    export default scenario({ create: () => new Counter(), calls: [['add']] })`),
  );
  expect(found.backend).toBe('async');
  const failing = results.at(-1)!;
  expect((await trace(failing)).history.length).toBe(2);
  const smallest = await shrink(found, failing);
  const failure = failureOf('', smallest)!;
  expect((await replay(found, failure)).kind).toBe('reproduced');
  expect((await replay(found, failureText(failure)!)).kind).toBe('reproduced');
  expect((await replay(found, tokenOf(failure))).kind).toBe('reproduced');
  await expect(trace({ ...failing, violation: undefined })).rejects.toThrow('expected a schedule');
});

test('a signal stops an exploration: before it, from onProgress, and from another task', async () => {
  const stack = loaded(
    `${TREIBER} export default scenario({ create: () => new Stack(), calls: [['push', 1], ['push', 2], ['pop']] })`,
  );
  const interrupted = { verdict: 'undecided', reason: 'interrupted' };
  const before = await explore(stack, { signal: AbortSignal.abort() });
  expect(before).toMatchObject(interrupted);
  expect(before.results).toHaveLength(0);
  const inside = new AbortController();
  const onProgress = () => inside.abort();
  expect(await explore(stack, { signal: inside.signal, onProgress })).toMatchObject(interrupted);
  const outside = new AbortController();
  const later = () => void setTimeout(() => outside.abort(), 0);
  const stopped = await explore(stack, { signal: outside.signal, onProgress: later });
  expect(stopped).toMatchObject(interrupted);
  expect(stopped.results.length).toBeGreaterThan(0);
});

test('a timeout may be a string with a unit', async () => {
  const counter = loaded(
    `${COUNTER} export default scenario({ create: () => new Counter(), calls: [['increment']] })`,
  );
  expect((await explore(counter, { timeout: '60s' })).verdict).toBe('violation');
  await expect(explore(counter, { timeout: 'soon' })).rejects.toThrow('invalid timeout "soon"');
});
