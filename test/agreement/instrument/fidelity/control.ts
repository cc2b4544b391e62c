/** Control: loops, labels, switch, exceptions; and iterators, which have to be closed. */
import type { Snippet } from '../../../support/oracles/fidelity.js';

const LOUD = `const self = this; const loud = (n, more = {}) => ({ [Symbol.iterator]() { self.log.push('open'); let i = 0; return { next() { self.log.push('next'); return i < n ? { value: i++, done: false } : { value: 'end', done: true } }, return(v) { self.log.push('return'); return { value: v, done: true } }, ...more } } });`;

export const CONTROL: readonly Snippet[] = [
  [
    'labels',
    `const out = []; a: for (let i = 0; i < 3; i++) { b: for (const x of this.xs) { if (x === 1) continue a; if (i === 2) break a; if (x === 2) break b; out.push(i, x) } out.push('-') } c: { out.push('c'); if (out.length) break c; out.push('no') } d: while (true) { do { break d } while (true) } return out`,
  ],
  [
    'labels on blocks with loops in try',
    `const out = []; l: { for (const x of this.xs) { try { if (x === 1) break l; out.push(x) } finally { out.push('f') } } out.push('no') } return out`,
  ],
  [
    'continue runs the test and the update',
    `const out = []; for (let i = 0; i < 5; i++) { if (i % 2) continue; out.push(i) } let j = 0; do { if (j === 1) continue; out.push(j) } while (++j < 3); return out`,
  ],
  [
    'two labels on one loop',
    `let n = 0; a: b: for (;;) { n++; if (n < 3) continue a; if (n < 5) continue b; break a } return n`,
  ],
  [
    'empty bodies',
    `let i = 0; while (i++ < 3); for (; i < 9; i++); do i--; while (i > 5); for (const x of this.xs); for (const k in this.o); if (i) ; else i = 100; return i`,
  ],
  [
    'one statement as a body',
    `const out = []; for (const x of this.xs) if (x > 1) out.push(x); else for (const y of [x]) out.push(-y); for (const k in this.o) out.push(k); let n = 2; while (n) out.push(n--); return out`,
  ],
  [
    'var in loops',
    `for (var i = 0, n = 2; i < n; i++) { var last = i } for (var k in this.o); for (var x of this.xs); return [i, n, last, k, x]`,
  ],
  [
    'for … in',
    `class A { a = 1; b() {} } A.prototype.c = 2; const p = Object.create({ up: 1, a: 'hidden' }, { own: { value: 1, enumerable: true }, hid: { value: 2 } }); this.o = new A(); const ks = []; for (const k in this.o) ks.push(k); for (const k in p) ks.push(k); for (const k in 'ab') ks.push(k); for (const k in this.xs) ks.push(k); for (const k in null) ks.push('no'); for (const k in undefined) ks.push('no'); for (const k in 5) ks.push('no'); return ks`,
  ],
  [
    'for … in, while it changes',
    `const o = { a: 1, b: 2, c: 3 }; const ks = []; for (const k in o) { ks.push(k); delete o.b; o.z = 1 } for (const k in this.o) { ks.push(k); delete this.o.y; this.o.w = 1 } return ks`,
  ],
  [
    'for … in of a function and a Map',
    `const f = () => 1; f.x = 1; const ks = []; for (const k in f) ks.push(k); for (const k in this.m) ks.push(k); for (const k in this.s) ks.push('s' + k); return ks`,
  ],
  [
    'for … of, while an array grows',
    `const out = []; const a = [1, 2]; for (const x of a) { out.push(x); if (a.length < 4) a.push(x * 10) } for (const x of this.xs) { out.push(x); if (this.xs.length < 6) this.xs.push(x + 10) } return out`,
  ],
  [
    'for … of, while a Map changes',
    `const out = []; for (const [k, v] of this.m) { out.push(k, v); this.m.delete('l'); if (this.m.size < 4) this.m.set(k + k, v) } for (const v of this.s) { out.push(v); this.s.delete(v); if (v < 4) this.s.add(v + 3) } return [out, this.m, this.s]`,
  ],
  [
    'for … of, while an own Map changes',
    `const m = new Map([[1, 1], [2, 2]]); const out = []; for (const [k] of m) { out.push(k); m.delete(2); if (k < 5) m.set(k + 3, 0) } const s = new Set([1]); for (const v of s) { out.push(v); s.delete(v); if (out.length < 9) s.add(v) } return out`,
  ],
  [
    'forEach, while it changes',
    `const out = []; this.m.forEach((v, k, m) => { out.push(k); m.delete('l'); if (m.size < 3) m.set(k + k, v) }); this.s.forEach((v, k, s) => { out.push(v, k === v); if (v < 3) s.add(v + 2) }); this.xs.forEach((x, i, a) => { out.push(x); if (i === 0) { a.pop(); a.push(8, 9) } }); return out`,
  ],
  ['for … of over a value that is not iterable', `for (const x of this.o);`],
  ['for … of of null', `for (const x of this.nil);`],
  [
    'for … of of a string, arguments and a typed array',
    `const out = []; (function () { for (const x of arguments) out.push(x) })(1, 2); for (const c of 'a😀') out.push(c); for (const n of new Uint8Array([7, 8])) out.push(n); return out`,
  ],
  [
    'an iterator is read to its end',
    `${LOUD} const out = []; for (const x of loud(2)) out.push(x); return out`,
  ],
  [
    'an iterator is closed by break',
    `${LOUD} for (const x of loud(5)) { if (x === 1) break } return this.log.length`,
  ],
  [
    'an iterator is closed by return',
    `${LOUD} const f = () => { for (const x of loud(5)) { if (x === 1) return 'r' + x } }; return f()`,
  ],
  [
    'an iterator is closed by throw',
    `${LOUD} try { for (const x of loud(5)) { if (x === 1) throw new Error('t') } } catch (e) { this.log.push(e.message) }`,
  ],
  [
    'an iterator is closed by continue of an outer loop',
    `${LOUD} o: for (const a of [1, 2]) { for (const x of loud(5)) { if (x === a) continue o } } return this.log.length`,
  ],
  [
    'an iterator that is closed throws',
    `${LOUD} for (const x of loud(5, { return() { throw new Error('closing') } })) break`,
  ],
  [
    'an iterator that is closed throws, after an error',
    `${LOUD} for (const x of loud(5, { return() { throw new Error('closing') } })) throw new Error('first')`,
  ],
  [
    'an iterator that is closed by nothing',
    `${LOUD} for (const x of loud(5, { return: undefined })) break; return this.log.length`,
  ],
  [
    'an iterator that is closed gives no object',
    `${LOUD} for (const x of loud(5, { return() { return 1 } })) break`,
  ],
  [
    'an iterator that is closed gives no object, after an error',
    `${LOUD} for (const x of loud(5, { return() { return 1 } })) throw new Error('first')`,
  ],
  [
    'an iterator that throws is not closed',
    `${LOUD} for (const x of loud(5, { next() { self.log.push('bad'); throw new Error('next') } })) this.log.push(x)`,
  ],
  [
    'an iterator that gives no object',
    `${LOUD} for (const x of loud(5, { next() { return 1 } })) this.log.push(x)`,
  ],
  [
    'an iterator whose next changes keeps the first one',
    `${LOUD} const it = loud(2)[Symbol.iterator](); const wrapped = { [Symbol.iterator]: () => it }; const out = []; for (const x of wrapped) { out.push(x); it.next = () => ({ done: true }) } return out`,
  ],
  ['an iterator that is not one', `for (const x of { [Symbol.iterator]() { return 1 } });`],
  [
    'an iterator whose result has getters',
    `const self = this; const it = { [Symbol.iterator]() { let i = 0; return { next: () => ({ get done() { self.log.push('done'); return i > 1 }, get value() { self.log.push('value'); return i++ } }) } } }; return [...it]`,
    /refused: sample.js:3:\d+: shared by threads, and used where a thread cannot be suspended/,
  ],
  [
    'a pattern that throws closes the iterator',
    `${LOUD} try { for (const { x: { y } } of loud(3)); } catch (e) { this.log.push(e.name) }`,
  ],
  [
    'shared iterators',
    `class R { n = 3; [Symbol.iterator]() { let i = 0; return { next: () => ({ value: i, done: i++ >= this.n }), [Symbol.iterator]() { return this } } } } this.o = new R(); const out = []; for (const x of this.o) { if (x === 1) continue; out.push(x) } const it = this.o[Symbol.iterator](); it.next(); for (const x of it) out.push('it' + x); return [out, [...this.o], Math.max(...this.o), new Set(this.o)]`,
  ],
  [
    'iterators by hand',
    `const it = this.xs[Symbol.iterator](); const out = [it.next(), it.next().value]; for (const x of it) out.push(x); out.push(it.next()); const k = this.m.keys(); out.push(k.next().value, [...k], k.next().done); const e = this.m.entries(); out.push(e.next().value, Array.from(e)); return out`,
  ],
  [
    'iterators are their own iterables',
    `const v = this.m.values(); this.o.it = this.xs.values(); return [v[Symbol.iterator]() === v, this.o.it.next(), [...this.o.it], Object.prototype.toString.call(this.xs.keys()), typeof v.next, String(this.m.entries()), (this.o.it = null)]`,
  ],
  [
    'switch',
    `const f = (k) => { const out = []; switch (k) { case this.t('a', 1): out.push(1); case 2: out.push(2); break; default: out.push('d'); case 3: { let x = 3; out.push(x); break } case this.t('last', 9): out.push(9) } return out }; return [f(1), f(2), f(3), f(9), f('else'), f('1')]`,
  ],
  [
    'switch with one scope',
    `const f = (k) => { switch (k) { case 1: let x = 'one'; return x; case 2: x = 'two'; return x; case 3: { let x = 3; return x } default: class A {} return typeof A } }; const r = [f(1), f(3), f(4)]; try { f(2) } catch (e) { r.push(e.name, e.message) } return r`,
  ],
  ['switch with functions', `switch (this.a) { case 5: function g() { return 'g' } default: return g() }`],
  [
    'switch in a loop',
    `const out = []; for (const x of this.xs) { switch (x) { case 1: continue; case 3: break; default: out.push('d') } out.push(x) } return out`,
  ],
  [
    'switch true',
    `switch (true) { case this.a > 5: return 'big'; case this.nil?.x: return 'no'; case this.a === 1: return 'one' }`,
  ],
  [
    'finally overrides',
    `const f = () => { try { return this.t('try') } finally { return this.t('finally') } }; const g = () => { try { throw new Error('e') } finally { return 'swallowed' } }; const h = () => { for (;;) { try { return 1 } finally { break } } return 2 }; const i = () => { l: try { return 1 } finally { break l } return 3 }; return [f(), g(), h(), i()]`,
  ],
  [
    'finally keeps the value',
    `const f = () => { let x = 1; try { return x } finally { x = 2 } }; const g = () => { const o = { v: 1 }; try { return o } finally { o.v = 2 } }; return [f(), g()]`,
  ],
  [
    'finally in order',
    `const f = () => { try { try { this.t(1); throw new Error('a') } finally { this.t(2) } } catch (e) { this.t(3); throw new Error('b') } finally { this.t(4) } }; try { f() } catch (e) { return e.message }`,
  ],
  [
    'catch of anything',
    `const r = []; for (const v of [1, null, undefined, 'x', { a: 1 }]) try { throw v } catch (e) { r.push(e) } try { throw 1 } catch { r.push('none') } return r`,
  ],
  [
    'catch shadows',
    `const e = 'outer'; try { throw 'inner' } catch (e) { { const e = 'block'; this.t(e) } this.t(e) } return e`,
  ],
  ['a var of a catch clause', `try { throw 1 } catch (e) { var v = e; var w = () => v } return [v, w()]`],
  ['throwing', `throw { code: this.a }`],
  ['throwing null', `throw null`],
  [
    'errors',
    `try { null.x } catch (e) { this.t(e.constructor.name) } try { undefined_ } catch (e) { this.t(e.message) } try { new Array(-1) } catch (e) { this.t(e.message) } try { 'x'.repeat(-1) } catch (e) { this.t(e.message) } try { (1).toFixed(200) } catch (e) { this.t(e.message) } try { JSON.parse('{') } catch (e) { this.t(e.name) } try { BigInt(1.5) } catch (e) { this.t(e.message) } try { Symbol() + 1 } catch (e) { this.t(e.message) } try { decodeURIComponent('%') } catch (e) { this.t(e.name) }`,
  ],
  [
    'AggregateError and causes',
    `const e = new AggregateError([new Error('a')], 'many', { cause: this.o }); return [e.errors.length, e.message, e.cause === this.o, e.name]`,
  ],
  [
    'while with an assignment in its test',
    `let m; const re = /\\d/g; const out = []; while ((m = re.exec('a1b2')) !== null) out.push(m[0], m.index); let x; while ((x = this.xs.pop()) !== undefined) out.push(x); return out`,
  ],
  [
    'a loop that changes its condition',
    `while (this.xs.length > 1) this.xs.shift(); for (let n = this.b; n > 0; n--) this.a *= 2; do { this.b-- } while (this.b > 0); return [this.xs, this.a, this.b]`,
  ],
];
