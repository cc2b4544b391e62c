/** Nested constructs, and rare combinations of constructs. */
import type { Snippet } from '../../../support/oracles/fidelity.js';

export const MIXED: readonly Snippet[] = [
  [
    'assignments in conditions and arguments',
    `let x; const f = (a) => a; if ((x = this.nil) === null) this.log.push(x); f((this.a = 5, this.b = 6)); return [x, this.a, this.b, f(this.a += 1), f(x ??= 3), x]`,
  ],
  [
    'assignments as keys and elements',
    `const o = {}; let k = 'a'; o[k = 'b'] = k; o[(k += 'c')] ??= [k, (k = 'd')]; this.xs[this.a = 1] = this.a; return [o, k, this.xs]`,
  ],
  [
    'a pattern in a closure that shares its variables',
    `let a, b; const set = (v) => ([a, { b = 9 } = {}] = v); set([1, { b: 2 }]); const r = [a, b]; set([3]); return [r, a, b]`,
  ],
  [
    'patterns with computed keys',
    `let v; const k = 'x'; ({ [k]: this.a, [k + '']: v, ['y']: { ['z']: this.b } } = this.o); return [this.a, this.b, v]`,
  ],
  [
    'patterns that declare with literal keys',
    `const { 'x': a, ['y']: { z }, 0: q = 5 } = this.o; return [a, z, q]`,
  ],
  [
    'patterns with rest into members',
    `({ x: this.a, ...this.o.rest } = this.o); [this.b, ...this.o.tail] = this.xs; return [this.a, this.b, this.o.rest, this.o.tail]`,
  ],
  [
    'patterns over several lines',
    `[\n this.a,\n { b: this.b = (() => {\n return 7 })() },\n] = [1,\n {}];\n return [this.a, this.b, new Error('x').message]`,
  ],
  [
    'patterns with private members and accessors',
    `class P { #a = 1; #l = [1, 2]; get #g() { return this.#a } set #g(v) { this.#a = v * 2 } go() { [this.#a, this.#l[0]] = [5, 6]; const r = [this.#a, [...this.#l]]; ({ x: this.#g } = { x: 4 }); [this.#g] = [this.#g]; const [q] = this.#l; return [r, this.#a, q] } } return new P().go()`,
  ],
  [
    'patterns into super members',
    `class A { set v(x) { this.w = x } } class B extends A { go() { [super.v] = [3]; return this.w } } return new B().go()`,
  ],
  [
    'a swap of elements with side effects',
    `let i = 0; const n = () => i++; const a = ['p', 'q', 'r', 's']; [a[n()], a[n()]] = [a[n()], a[n()]]; return [a, i]`,
  ],
  [
    'an iterator that several patterns continue',
    `const it = this.m.keys(); const [a] = it; const [b] = it; const [c] = it; const e = [4, 5, 6].values(); const [p] = e; let q; [q] = e; [this.a] = e; return [a, b, c, p, q, this.a]`,
  ],
  [
    'an iterator that several loops continue',
    `const it = this.xs.values(); for (const x of it) { this.log.push(x); break } for (const x of it) this.log.push(x); const m = this.m.entries(); m.next(); return [...m]`,
  ],
  [
    'nested loops over one Map',
    `const out = []; for (const a of this.m.keys()) for (const [b, v] of this.m) { if (a === b) continue; out.push(a + b + v) } return out`,
  ],
  [
    'loops with closures over shared state',
    `const fs = []; for (const [k, v] of this.m) fs.push(() => this.m.set(k, v + 1).get(k)); return fs.map((f) => f())`,
  ],
  [
    'callbacks in callbacks',
    `return this.xs.map((x) => this.xs.filter((y) => y > x).reduce((s, y) => s + y * this.b, 0)).sort((a, b) => a - b).map(String).join('-')`,
  ],
  [
    'callbacks that throw',
    `try { this.xs.forEach((x) => { if (x === 1) throw new Error('at ' + x); this.a += x }) } catch (e) { return [e.message, this.a] }`,
  ],
  [
    'callbacks that return early',
    `const f = () => { for (const x of this.xs) { const r = [1, 2].find((y) => y === x && this.b > 0); if (r !== undefined) return ['found', r] } return 'none' }; return f()`,
  ],
  [
    'methods handed over',
    `const { t } = this; const bound = this.t.bind(this); const table = { add: (a, b) => a + b, mul(a, b) { return a * b } }; return [bound(1), table['add'](2, 3), ['add', 'mul'].map((k) => table[k](2, 5)), typeof t]`,
  ],
  [
    'a builder',
    `class B { parts = []; add(p) { this.parts.push(p); return this } when(c, f) { return c ? f(this) : this } end() { return this.parts.join(' ') } } this.o = new B(); return [new B().add('a').when(true, (b) => b.add('b')).end(), this.o.add('x').when(this.nil, (b) => b).end()]`,
  ],
  [
    'an event emitter',
    `class E { #h = new Map(); on(n, f) { (this.#h.get(n) ?? this.#h.set(n, []).get(n)).push(f); return () => this.off(n, f) } off(n, f) { this.#h.set(n, (this.#h.get(n) ?? []).filter((g) => g !== f)) } emit(n, ...a) { return (this.#h.get(n) ?? []).slice().map((f) => f(...a)) } } this.e ??= new E(); const off = this.e.on('x', (v) => v + this.a); const r = this.e.emit('x', 1); off(); const s = this.e.emit('x', 1); delete this.e; return [r, s]`,
  ],
  [
    'a least recently used cache',
    `class L { #m = new Map(); constructor(n) { this.n = n } get(k) { if (!this.#m.has(k)) return; const v = this.#m.get(k); this.#m.delete(k); this.#m.set(k, v); return v } set(k, v) { this.#m.delete(k); this.#m.set(k, v); if (this.#m.size > this.n) this.#m.delete(this.#m.keys().next().value); return this } get keys() { return [...this.#m.keys()] } } this.c ??= new L(2); this.c.set('a', 1).set('b', 2); this.c.get('a'); this.c.set('d', 3); const { keys } = this.c; delete this.c; return keys`,
  ],
  [
    'a heap',
    `class H { #a = []; constructor(less = (x, y) => x < y) { this.less = less } push(x) { const a = this.#a; let i = a.push(x) - 1; while (i > 0) { const p = (i - 1) >> 1; if (!this.less(a[i], a[p])) break; [a[i], a[p]] = [a[p], a[i]]; i = p } } pop() { const a = this.#a; const top = a[0]; const last = a.pop(); if (a.length) { a[0] = last; let i = 0; for (;;) { let c = 2 * i + 1; if (c >= a.length) break; if (c + 1 < a.length && this.less(a[c + 1], a[c])) c++; if (!this.less(a[c], a[i])) break; [a[i], a[c]] = [a[c], a[i]]; i = c } } return top } get size() { return this.#a.length } } this.h = new H(); for (const x of [5, 2, 8, 1, 9, 3]) this.h.push(x); const out = []; while (this.h.size) out.push(this.h.pop()); this.h = null; return out`,
  ],
  [
    'a tree',
    `class T { root = null; add(v) { const n = { v, l: null, r: null }; if (this.root === null) { this.root = n; return this } let at = this.root; for (;;) { const side = v < at.v ? 'l' : 'r'; if (at[side] === null) { at[side] = n; return this } at = at[side] } } walk(f, n = this.root) { if (n === null) return; this.walk(f, n.l); f(n.v); this.walk(f, n.r) } } this.t2 = new T().add(3).add(1).add(2); const out = []; this.t2.walk((v) => out.push(v)); return [out, JSON.stringify(this.t2)]`,
  ],
  [
    'a state machine',
    `const next = { idle: { go: 'busy' }, busy: { stop: 'idle', fail: 'broken' } }; const step = (s, e) => next[s]?.[e] ?? (() => { throw new Error(s + ' ' + e) })(); let s = 'idle'; for (const e of ['go', 'stop', 'go', 'fail']) s = step(s, e); try { step(s, 'go') } catch (e) { return [s, e.message] }`,
  ],
  [
    'memoize',
    `const memo = (f, cache = new Map()) => (n) => cache.get(n) ?? (cache.set(n, f(n)), cache.get(n)); const fib = memo((n) => (n < 2 ? n : fib(n - 1) + fib(n - 2))); return fib(40)`,
  ],
  [
    'currying and composition',
    `const compose = (...fs) => (x) => fs.reduceRight((v, f) => f(v), x); const curry = (f) => function g(...a) { return a.length >= f.length ? f(...a) : (...b) => g(...a, ...b) }; const add3 = curry((a, b, c) => a + b + c + this.a); return [compose((x) => x + 1, (x) => x * 2)(5), add3(1)(2)(3), add3(1, 2)(3)]`,
  ],
  [
    'mixins',
    `const Counts = (B) => class extends B { #n = 0; count() { return ++this.#n } }; const Logs = (B) => class extends B { say(x) { return [this.count(), x, super.say?.(x)] } }; class Base { say(x) { return 'base ' + x } } class M extends Logs(Counts(Base)) {} const m = new M(); m.count(); return [m.say('hi'), m instanceof Base]`,
  ],
  [
    'symbols as members',
    `const hid = Symbol('hid'); class A { [hid] = 1; [Symbol.toPrimitive](h) { return h === 'string' ? 'str' : this[hid]++ } static [Symbol.hasInstance](x) { return x === 1 } get [Symbol.toStringTag]() { return 'T' } } const a = new A(); return [a + 1, \`\${a}\`, +a, 1 instanceof A, a[hid], String(Object.prototype.toString.call(a))]`,
  ],
  [
    'getters that change as they are read',
    `const q = { n: 0, get next() { return ++this.n } }; this.o = q; return [q.next, this.o.next, { ...this.o }.n, q.next + q.next, this.o?.next, JSON.stringify(this.o)]`,
  ],
  [
    'lazy getters that replace themselves',
    `class A { get v() { const value = 42; Object.defineProperty(this, 'v', { value, configurable: true }); return value } } const a = new A(); return [a.v, a.v, Object.hasOwn(a, 'v')]`,
  ],
  [
    'inherited data and accessors',
    `const p = { n: 1, get d() { return this.n * 2 }, set d(v) { this.n = v } }; const c = Object.create(p); c.d = 5; c.d += 1; this.o = Object.create(p, { own: { value: 1, enumerable: true } }); this.o.n++; return [c, c.d, p.n, this.o.n, this.o.d, p]`,
  ],
  [
    'frozen, sealed, and not extensible',
    `const r = []; for (const f of [Object.freeze, Object.seal, Object.preventExtensions]) { const o = f({ a: 1 }); for (const g of [() => { o.a = 2 }, () => { o.b = 1 }, () => { delete o.a }]) try { g(); r.push(o.a) } catch (e) { r.push(e.message) } } return r`,
  ],
  [
    'frozen lists',
    `const l = Object.freeze([1, 2]); const r = []; for (const f of [() => l.push(3), () => { l[0] = 5 }, () => l.sort(), () => { l.length = 0 }]) try { r.push(f()) } catch (e) { r.push(e.name) } return [l, r]`,
  ],
  [
    'writing fields of primitive values',
    `const r = []; for (const v of ['s', 1, true, null, undefined, Symbol('y')]) try { v.x = 1; r.push('no error') } catch (e) { r.push(e.message) } return r`,
  ],
  [
    'lengths that are written',
    `this.xs.length = 1; this.xs[3] = 9; const a = []; a.length = 2; a.push(1); try { a.length = -1 } catch (e) { this.log.push(e.message) } return [this.xs, a]`,
  ],
  [
    'strings as lists',
    `const s = 'héllo'; let out = ''; for (let i = s.length - 1; i >= 0; i--) out += s[i]; return [out, s['length'], 'length' in Object(s), Object.keys(Object('ab')), [...s].map((c, i) => c + i).join('')]`,
  ],
  [
    'deep equality by recursion',
    `const eq = (a, b) => a === b || (typeof a === 'object' && typeof b === 'object' && a !== null && b !== null && Object.keys(a).length === Object.keys(b).length && Object.keys(a).every((k) => eq(a[k], b[k]))); return [eq(this.o, { x: 1, y: { z: 2 } }), eq(this.xs, [3, 1]), eq([[1]], [[1]])]`,
  ],
  [
    'exceptions through many layers',
    `class Retry extends Error {} const attempt = (f, n) => { for (let i = 0; ; i++) { try { return [f(i), i] } catch (e) { if (!(e instanceof Retry) || i >= n) throw e; this.log.push(e.message) } finally { this.a++ } } }; const r = attempt((i) => { if (i < 2) throw new Retry('again ' + i); return 'done' }, 5); try { attempt(() => { throw new TypeError('no') }, 5) } catch (e) { return [r, e.message, this.a] }`,
  ],
  [
    'generatorless ranges',
    `const range = (n) => ({ [Symbol.iterator]: () => { let i = 0; return { next: () => (i < n ? { value: i++, done: false } : { value: undefined, done: true }) } } }); const zip = (a, b) => { const out = []; const it = b[Symbol.iterator](); for (const x of a) { const { value, done } = it.next(); if (done) break; out.push([x, value]) } return out }; return [zip(range(3), this.xs), [...range(2)], Object.fromEntries(zip('ab', range(9)))]`,
  ],
  [
    'comparisons of all kinds',
    `return [null == undefined, null == 0, '1' == 1, NaN == NaN, [1] == 1, '' == 0, this.o == this.o, 'a' < 'b', '10' < '9', 10 < 9, null >= 0, undefined > 0, [2] > 1, 1n < 2, 2n == 2, 'b' in { b: 1 }]`,
  ],
  [
    'bit operations',
    `this.a = 0xff; this.a &= ~(1 << 3); this.a |= 1 << 9; this.a ^= 3; return [this.a, this.a >> 2, this.a >>> 1, -1 >>> 28, ~this.a, this.a << 30, 5 & 6 | 1 ^ 8]`,
  ],
  [
    'precedence',
    `return [1 + 2 * 3 ** 2, -(2 ** 2), !this.nil && this.a + 1 > 1 || 0, this.a ? this.b ? 'bb' : 'b' : 'n', (this.a, this.b), typeof this.a + 1, 6 / 2 * 3, 2 + +'3', 'a' + 1 + 2, 1 + 2 + 'a', void 0 ?? (this.a && 'x')]`,
  ],
  [
    'numbers as keys',
    `this.o[1] = 'one'; this.o['1'] += '!'; this.o[1.5] = 'x'; this.o[-1] = 'm'; this.o[1e21] = 'big'; return [this.o, Object.keys(this.o), this.o[01 - 0 + 0]]`.replace(
      '01 - 0 + 0',
      '1',
    ),
  ],
  [
    'names of Object.prototype',
    `const o = { constructor: 1, toString: () => 'ts', hasOwnProperty: 5, valueOf: () => 7 }; this.o.constructor = 3; this.o['__proto__x'] = 1; return [o.constructor, \`\${o}\`, o + 1, this.o.constructor, Object.keys(this.o), o.hasOwnProperty]`,
  ],
  [
    '__proto__',
    `const o = { __proto__: { up: 1 } }; const p = { ['__proto__']: 5 }; this.o.n = { __proto__: null, a: 1 }; return [o.up, Object.keys(o), Object.keys(p), p.__proto__, Object.getPrototypeOf(this.o.n), 'a' in this.o.n, this.o.n.a]`,
  ],
  [
    'objects without a prototype',
    `const d = Object.create(null); d.a = 1; d.b ??= 2; this.o.d = d; this.o.d.c = 3; return ['a' in d, 'toString' in d, Object.keys(this.o.d), d.a++, { ...this.o.d }]`,
  ],
];
