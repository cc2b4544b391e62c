/**
 * The exploration engines on instrumented code, against brute force.
 *
 * The tests detect accesses that are not announced, locations with two names, and different states with the same
 * fingerprint.
 */
import { describe, expect, test } from 'vitest';
import { Random } from '../../../src/base/random.js';
import { AtomicRef } from '../../../src/execution/primitives/atomic-ref.js';
import { Monitor, Mutex, Semaphore } from '../../../src/execution/primitives/locks.js';
import {
  evaluate,
  instrumentedProgram,
  instrumentedPrograms,
  type Threads,
} from '../../support/fixtures/instrumented.js';
import { randomClass } from '../../support/generators/random-class.js';
import {
  allResults,
  hasSequentialWitness,
  maximalOrders,
  sequentialHistories,
} from '../../support/oracles/brute-force.js';
import { resultsByDpor, violationsBy } from '../../support/oracles/engines.js';
import { share } from '../../support/share.js';

const { raw } = String;
const PRIMITIVES = { AtomicRef, Monitor, Mutex, Semaphore };
const MOST = 40_000;

interface Case extends Threads {
  readonly name: string;
  readonly code: string;
  /** Is there a schedule without a sequential witness? */
  readonly isWrong: boolean;
}

const CASES: readonly Case[] = [
  {
    name: 'a counter that sometimes takes two steps',
    isWrong: true,
    threads: [[['inc'], ['get']], [['inc']]],
    code: raw`class C { n = 0; m = 0; inc() { if (Math.random() < 0.1) this.n++; else this.m++; return 0 } get() { return this.n + this.m } } export const make = () => new C()`,
  },
  {
    name: 'a lock whose waiters pause for a random time',
    isWrong: false,
    threads: [[['inc']], [['inc']]],
    code: raw`declare const AtomicRef: any; class C { lock = new AtomicRef(0); n = 0; pause = 0; inc() { while (!this.lock.compareAndSet(0, 1)) { const pause = Math.random() * 10 } this.n++; const n = this.n; this.lock.set(0); return n } } export const make = () => new C()`,
  },
  {
    name: 'a lock that is kept if another thread waits, with random pauses',
    isWrong: true,
    threads: [
      [['lock'], ['unlock']],
      [['lock'], ['unlock']],
    ],
    code: raw`declare const AtomicRef: any; class C { held = new AtomicRef(0); hurry = 0; lock() { if (this.held.compareAndSet(0, 1)) return; this.hurry = 1; while (!this.held.compareAndSet(0, 1)) { const pause = Math.random() * 10 } } unlock() { if (this.hurry === 0) this.held.set(0) } } export const make = () => new C()`,
  },
  {
    name: 'a random choice that is repeated until it succeeds',
    isWrong: false,
    threads: [[['throw_']], [['set'], ['throw_']]],
    code: raw`class C { n = 0; set() { this.n = 1 } throw_() { while (Math.random() < 0.9) this.n; return 0 } } export const make = () => new C()`,
  },
  {
    name: 'a wait with a deadline',
    isWrong: false,
    threads: [[['wait', 5_000]], [['open']]],
    code: raw`class C { isOpen = false; open() { this.isOpen = true } wait(ms: number) { const end = Date.now() + ms; while (!this.isOpen) if (Date.now() >= end) return false; return true } } export const make = () => new C()`,
  },
  {
    name: 'time stamps that should increase',
    isWrong: true,
    threads: [[['stamp']], [['wait'], ['last']]],
    code: raw`class C { at = 0; stamp() { const now = Date.now() - 1_767_225_600_000; this.at = now; return now } wait() { const end = Date.now() + 1; while (Date.now() < end); this.at = 7 } last() { return this.at } } export const make = () => new C()`,
  },
  {
    name: 'a counter that reads, then writes',
    isWrong: true,
    threads: [[['inc'], ['get']], [['inc']]],
    code: raw`export const make = () => new (class { n = 0; inc() { return ++this.n } get() { return this.n } })()`,
  },
  {
    name: 'a counter with a compare-and-set',
    isWrong: false,
    threads: [[['inc']], [['inc']], [['get']]],
    code: raw`declare const AtomicRef: any; class C { r = new AtomicRef(0); inc() { for (;;) { const n = this.r.get(); if (this.r.compareAndSet(n, n + 1)) return n + 1 } } get() { return this.r.get() } } export const make = () => new C()`,
  },
  {
    name: 'private fields behind accessors',
    isWrong: true,
    threads: [[['add', 1]], [['add', 2]]],
    code: raw`class P { #n = 0; get n() { return this.#n } set n(v: number) { this.#n = v } add(k: number) { this.n += k; return this.#n } } export const make = () => new P()`,
  },
  {
    name: 'a closure that counts',
    isWrong: true,
    threads: [[['next']], [['next']]],
    code: raw`export const make = () => { let n = 0; const bump = () => { n = n + 1; return n }; return { next: () => bump() } }`,
  },
  {
    name: 'a closure that another thread calls',
    isWrong: true,
    threads: [[['put', 1]], [['run'], ['run']]],
    code: raw`class H { f: null | (() => number) = null; put(k: number) { let n = k; this.f = () => n++; return this.f() } run() { return this.f === null ? -1 : this.f() } } export const make = () => new H()`,
  },
  {
    name: 'a Treiber stack',
    isWrong: false,
    threads: [
      [['push', 1], ['pop']],
      [['push', 2], ['pop']],
    ],
    code: raw`declare const AtomicRef: any; class Node { next: Node | null = null; constructor(readonly value: number) {} }
class Stack { top = new AtomicRef(null); push(v: number) { const n = new Node(v); for (;;) { const old = this.top.get(); n.next = old; if (this.top.compareAndSet(old, n)) return 'ok' } } pop() { for (;;) { const old = this.top.get(); if (old === null) return null; if (this.top.compareAndSet(old, old.next)) return old.value } } }
export const make = () => new Stack()`,
  },
  {
    name: 'a stack without compare-and-set',
    isWrong: true,
    threads: [[['push', 1], ['pop']], [['pop']]],
    code: raw`class Stack { top: any = null; push(value: number) { this.top = { value, next: this.top } } pop() { const old = this.top; if (old === null) return null; this.top = old.next; return old.value } } export const make = () => new Stack()`,
  },
  {
    name: 'an array as a queue',
    isWrong: true,
    threads: [[['deq']], [['deq']]],
    before: [['enq', 1]],
    after: [['size']],
    code: raw`class Q { items: number[] = []; enq(v: number) { this.items.push(v) } deq() { if (this.items.length === 0) return null; return this.items.shift() } size() { return this.items.length } } export const make = () => new Q()`,
  },
  {
    name: 'a Map that is read before it is changed',
    isWrong: true,
    threads: [[['once', 'k', 1]], [['once', 'k', 2]]],
    after: [['get', 'k']],
    code: raw`class M { m = new Map<string, number>(); once(k: string, v: number) { if (!this.m.has(k)) this.m.set(k, v); return this.m.get(k) } get(k: string) { return [...this.m.values(), this.m.size] } } export const make = () => new M()`,
  },
  {
    name: 'a callback in the middle of a loop over an array',
    isWrong: true,
    threads: [[['sum']], [['move']]],
    code: raw`class A { xs = [{ n: 1 }, { n: 0 }]; sum() { let s = 0; this.xs.forEach((x) => { s += x.n }); return s } move() { this.xs[1].n++; this.xs[0].n--; } } export const make = () => new A()`,
  },
  {
    name: 'a loop over a Set that changes',
    isWrong: true,
    threads: [[['both']], [['swap']]],
    code: raw`class S { s = new Set([1, 2]); both() { const seen = []; for (const x of this.s) seen.push(x); return seen } swap() { this.s.delete(2); this.s.add(3) } } export const make = () => new S()`,
  },
  {
    name: 'two fields that are destructured',
    isWrong: true,
    threads: [[['read']], [['write']]],
    code: raw`class D { p = { x: 0, y: 0 }; read() { const { x, y } = this.p; return x - y } write() { this.p.x = 1; this.p.y = 1 } } export const make = () => new D()`,
  },
  {
    name: 'a swap by destructuring',
    isWrong: true,
    threads: [[['swap']], [['sum']]],
    code: raw`class D { a = 1; b = 2; swap() { [this.a, this.b] = [this.b, this.a] } sum() { return this.a + this.b } } export const make = () => new D()`,
  },
  {
    name: 'a spin lock',
    isWrong: false,
    threads: [[['inc']], [['inc']]],
    code: raw`declare const AtomicRef: any; class L { held = new AtomicRef(false); n = 0; inc() { while (!this.held.compareAndSet(false, true)) {} const v = this.n; this.n = v + 1; this.held.set(false); return v } } export const make = () => new L()`,
  },
  {
    name: 'a spin lock that is kept',
    isWrong: false,
    threads: [[['take'], ['take']], [['take']]],
    code: raw`declare const AtomicRef: any; class L { held = new AtomicRef(false); take() { while (!this.held.compareAndSet(false, true)); return 1 } } export const make = () => new L()`,
  },
  {
    name: 'a spin lock of plain fields, tested and set in two steps',
    isWrong: true,
    threads: [[['inc']], [['inc']]],
    code: raw`class L { locked = false; n = 0; inc() { while (this.locked) {} this.locked = true; const v = this.n; this.n = v + 1; this.locked = false; return v } } export const make = () => new L()`,
  },
  {
    name: 'waiting for an array to fill, without a pause',
    isWrong: false,
    threads: [[['take']], [['put', 1]]],
    code: raw`class Q { xs: number[] = []; take() { let x; while ((x = this.xs.shift()) === undefined); return x } put(v: number) { this.xs.push(v) } } export const make = () => new Q()`,
  },
  {
    name: 'a mutex around a counter',
    isWrong: false,
    threads: [[['inc']], [['inc']], [['inc']]],
    code: raw`declare const Mutex: any; class M { lock = new Mutex(); n = 0; inc() { this.lock.lock(); try { return ++this.n } finally { this.lock.unlock() } } } export const make = () => new M()`,
  },
  {
    name: 'a bounded buffer with a monitor that wakes one',
    isWrong: false,
    threads: [
      [
        ['put', 1],
        ['put', 2],
      ],
      [['take'], ['take']],
    ],
    code: raw`declare const Monitor: any; class B { m = new Monitor(); items: number[] = []; put(v: number) { this.m.enter(); while (this.items.length === 1) this.m.wait(); this.items.push(v); this.m.notify(); this.m.exit() } take() { this.m.enter(); while (this.items.length === 0) this.m.wait(); const v = this.items.pop(); this.m.notify(); this.m.exit(); return v } } export const make = () => new B()`,
  },
  {
    name: 'a semaphore in a nested object',
    isWrong: false,
    threads: [[['go', 1]], [['go', 2]]],
    code: raw`declare const Semaphore: any; class Gate { s = new Semaphore(1); pass<T>(f: () => T): T { this.s.acquire(); const r = f(); this.s.release(); return r } } class G { gate = new Gate(); n = 0; go(k: number) { return this.gate.pass(() => { this.n += k; return this.n }) } } export const make = () => new G()`,
  },
  {
    name: 'shared memory with Atomics, and without',
    isWrong: true,
    threads: [[['add']], [['plain']]],
    after: [['get']],
    code: raw`class T { i = new Int32Array(new SharedArrayBuffer(8)); add() { return Atomics.add(this.i, 0, 1) } plain() { const v = new Int32Array(this.i.buffer); v[0] += 10; return v[0] } get() { return Atomics.load(this.i, 0) } } export const make = () => new T()`,
  },
  {
    name: 'Atomics.wait and notify',
    isWrong: false,
    threads: [[['take']], [['give']]],
    code: raw`class W { i = new Int32Array(new SharedArrayBuffer(4)); take() { for (;;) { if (Atomics.compareExchange(this.i, 0, 1, 0) === 1) return 'got'; Atomics.wait(this.i, 0, 0) } } give() { Atomics.store(this.i, 0, 1); Atomics.notify(this.i, 0, 1) } } export const make = () => new W()`,
  },
  {
    name: 'a lost wake-up',
    isWrong: true,
    threads: [[['take']], [['give']]],
    code: raw`class W { ready = false; i = new Int32Array(new SharedArrayBuffer(4)); take() { if (!this.ready) Atomics.wait(this.i, 0, 0); return 'got' } give() { this.ready = true; Atomics.notify(this.i, 0, 1) } } export const make = () => new W()`,
  },
  {
    name: 'a wait with a time limit',
    isWrong: true,
    threads: [[['take']], [['give']]],
    code: raw`class W { i = new Int32Array(new SharedArrayBuffer(4)); take() { return Atomics.wait(this.i, 0, 0, 10) } give() { return Atomics.notify(this.i, 0) } } export const make = () => new W()`,
  },
  {
    name: 'module variables',
    isWrong: true,
    threads: [[['next']], [['next']]],
    after: [['all']],
    code: raw`let id = 0; const given: number[] = []; export const make = () => ({ next() { id++; given.push(id); return id }, all: () => given.length })`,
  },
  {
    name: 'static fields',
    isWrong: true,
    threads: [[['make']], [['make']]],
    code: raw`class S { static #n = 0; static n = 0; make() { S.#n++; S.n += 1; return [S.#n, S.n].join() } } export const make = () => new S()`,
  },
  {
    name: 'a dictionary whose keys are listed',
    isWrong: true,
    threads: [
      [['list']],
      [
        ['add', 'b'],
        ['drop', 'a'],
      ],
    ],
    code: raw`class D { d: Record<string, number> = { a: 1 }; list() { const out = []; for (const k in this.d) out.push(k + this.d[k]); return out.join() } add(k: string) { this.d[k] = 2 } drop(k: string) { delete this.d[k] } } export const make = () => new D()`,
  },
  {
    name: 'objects that are thread-local until they are linked',
    isWrong: false,
    threads: [[['add', 1]], [['add', 2]]],
    code: raw`declare const AtomicRef: any; class L { head = new AtomicRef(null); add(v: number) { const list: number[] = []; for (let i = 0; i < 3; i++) list.push(i * v); const n = { v, next: null as any, sum: 0 }; for (const x of list) n.sum += x; do { n.next = this.head.get() } while (!this.head.compareAndSet(n.next, n)); return n.sum } } export const make = () => new L()`,
  },
];

describe.each(CASES)('$name', ({ code, isWrong, ...calls }) => {
  let load: ReturnType<typeof instrumentedPrograms> | undefined;
  const program = () => {
    load ??= instrumentedPrograms(code, PRIMITIVES);
    return load(calls);
  };
  let found: ReturnType<typeof allResults>;
  /** By brute force, once. */
  const results = () => {
    found ??= allResults(program(), MOST);
    return found!;
  };

  test('dpor: the results are those of brute force', () => {
    expect(results()).toBeDefined();
    expect(maximalOrders(resultsByDpor(program()))).toEqual(maximalOrders(results()));
  });

  test.each(['dpor', 'stateful'] as const)('%s: the verdict is that of brute force', (engine) => {
    const sequential = sequentialHistories(program());
    expect(results().some((result) => !hasSequentialWitness(result, sequential))).toBe(isWrong);
    expect(violationsBy(program(), engine).length > 0).toBe(isWrong);
  });
});

const SEED = Number(process.env.SEED ?? 20261116);
const CLASSES = share(1_500, 13);
const MOST_RANDOM = share(20_000, 4_000);

describe(`${CLASSES} random classes, seed ${SEED}`, () => {
  const random = new Random(SEED);
  const classes = Array.from({ length: CLASSES }, () => randomClass(random));

  test('give the results of the original code in sequential runs', () => {
    for (const { code, threads } of classes) {
      const calls = threads.flat();
      const object = (evaluate(code, 'sample.ts').make as () => Record<string, (k: number) => unknown>)();
      const expected = calls.map(([method, k]) =>
        JSON.stringify({ kind: 'returned', value: object[method](k) }),
      );
      const [result] = allResults(instrumentedProgram(code, { threads: [calls] }), 1)!;
      expect(result.outcomes, code).toEqual(expected);
    }
  });

  test('get the results and verdicts of brute force from both engines', () => {
    let compared = 0;
    let wrong = 0;
    for (const { code, threads } of classes) {
      const program = instrumentedProgram(code, { threads });
      const results = allResults(program, MOST_RANDOM);
      if (results === undefined) continue;
      compared++;
      expect(maximalOrders(resultsByDpor(program)), code).toEqual(maximalOrders(results));
      const sequential = sequentialHistories(program);
      const isWrong = results.some((result) => !hasSequentialWitness(result, sequential));
      if (isWrong) wrong++;
      for (const engine of ['dpor', 'stateful'] as const)
        expect(
          violationsBy(program, engine).length > 0,
          `${engine}\n${code}\n${JSON.stringify(threads)}`,
        ).toBe(isWrong);
    }
    expect(compared).toBeGreaterThan(CLASSES / 4);
    expect(wrong).toBeGreaterThan(compared / 10);
  });
});
