/** Classes: fields, accessors, private members, static parts, inheritance, built-in classes extended. */
import type { Snippet } from '../../../support/oracles/fidelity.js';

export const CLASSES: readonly Snippet[] = [
  [
    'fields see earlier ones and methods',
    `class A { a = 1; b = this.a + 1; c = this.f(); f() { return this.b * 2 } d = () => this.c; ['e' + 1] = 5; 'f g' = 6; 7 = 8; static s = 1 } const x = new A(); return [x, x.d(), A.s]`,
  ],
  ['fields without a value', `class A { a; static b } const x = new A(); return [x, 'a' in x, 'b' in A]`],
  ['fields hide setters', `class A { set v(x) { this.w = x } } class B extends A { v = 1 } return [new B()]`],
  [
    'a constructor calls a setter',
    `class A { set v(x) { this.w = x } } class B extends A { constructor() { super(); this.v = 1 } } return [new B()]`,
  ],
  [
    'order of static parts',
    `const log = this.log; class A { static a = log.push('a'); static { log.push('block'); this.c = 1 } static b = log.push('b'); static [(log.push('key'), 'k')] = log.push('k'); static m() { return this.a + this.c } } return [A.m(), A.k, Object.keys(A)]`,
    /refused: sample.js:3:\d+: shared by threads, and used where a thread cannot be suspended/,
  ],
  [
    'order of static parts, of its own',
    `const log = []; class A { static a = log.push('a'); static { log.push('block'); this.c = 1 } static b = log.push('b'); static [(log.push('key'), 'k')] = log.push('k'); static m() { return this.a + this.c } } return [A.m(), A.k, Object.keys(A), log]`,
  ],
  [
    'static this, static private',
    `class A { static #n = 1; static n = A.#n + this.#n; static #f() { return ++this.#n } static go() { return [this.#f(), this.n] } static get g() { return this.#n } static set g(v) { this.#n = v } } A.g = 10; A.g += 5; return [A.go(), A.g]`,
  ],
  [
    'accessors',
    `class A { #v = 1; get v() { return this.#v } set v(x) { this.#v = x } get ro() { return 7 } set wo(x) { this.#v = -x } } const x = new A(); x.v = 2; x.v++; x.v **= 2; x.wo = x.v; return [x.v, x.ro, x.wo, 'v' in x, Object.keys(x)]`,
  ],
  ['a getter without a setter', `class A { get v() { return 1 } } new A().v = 2`],
  [
    'shared accessors',
    `class A { v_ = 1; get v() { return this.v_ } set v(x) { this.v_ = x } } this.o = new A(); this.o.v += 5; this.o.v++; const { v } = this.o; return [v, this.o.v, this.o, { ...this.o }, JSON.stringify(this.o)]`,
  ],
  [
    'own accessors in literals',
    `const o = { n: 1, get v() { return this.n }, set v(x) { this.n = x }, get ['c' + 1]() { return 3 }, get 5() { return 5 }, get 'a b'() { return 6 } }; this.o = o; this.o.v = 4; this.o.v++; return [o.v, o.c1, o[5], o['a b'], Object.keys(o), JSON.stringify(this.o)]`,
  ],
  [
    'accessors by defineProperty',
    `const o = {}; let n = 1; Object.defineProperty(o, 'v', { get: () => n, set: (x) => { n = x }, enumerable: true }); this.o = o; this.o.v = 5; this.o.v += 1; return [this.o.v, n]`,
  ],
  [
    'private methods and accessors',
    `class A { #n = 1; #m(x) { return x + this.#n } get #g() { return this.#m(1) } set #g(x) { this.#n = x } static #s(x) { return x.#m(5) } go(f = this.#m) { this.#g = 4; this.#g += 1; return [this.#m(1), this.#g, A.#s(this), f.call(this, 2), this.#m === this.#m, this.#m.name] } } this.o = new A(); return [this.o.go(), new A().go()]`,
  ],
  ['assigning a private method', `class A { #m() {} go() { this.#m = 1 } } new A().go()`],
  ['writing a private getter', `class A { get #m() { return 1 } go() { this.#m = 1 } } new A().go()`],
  ['reading a private setter', `class A { set #m(x) {} go() { return this.#m } } new A().go()`],
  [
    'private in',
    `class A { #a; #b() {} static has(o) { return [#a in o, #b in o] } } return [A.has(new A()), A.has({})]`,
  ],
  [
    'private in on a value that is no object',
    `class A { #a; static has(o) { return #a in o } } return A.has(1)`,
  ],
  [
    'private names of nested classes',
    `class A { #x = 1; go() { const outer = this; class B { #x = 2; go() { return [this.#x, outer.y()] } } return new B().go() } y() { return this.#x } } return new A().go()`,
  ],
  [
    'inheritance',
    `class A { constructor(n) { this.n = n; this.kind = new.target.name } f(x) { return ['A.f', x, this.n] } get g() { return this.n } static s() { return 'A.s ' + this.name } toString() { return 'A' + this.n } } class B extends A { constructor(n) { super(n * 2); this.m = n } f(x) { return ['B.f', ...super.f(x)] } get g() { return super.g + 1 } static s() { return 'B+' + super.s() } h() { return (() => super.f(1))() } } const b = new B(2); return [b, b.f(5), b.g, B.s(), b.h(), b + '', b instanceof A, Object.getPrototypeOf(B) === A, B.length]`,
  ],
  [
    'super in the arrow of a field',
    `class A { f() { return 1 } } class B extends A { h = () => super.f() } return new B().h()`,
  ],
  [
    'without a constructor',
    `class A { constructor(...a) { this.a = a } } class B extends A { b = this.a.length } return new B(1, 2, 3)`,
  ],
  [
    'super members are assigned',
    `class A { get v() { return this.w ?? 1 } set v(x) { this.w = x } } class B extends A { go() { super.v = 5; super.v += 2; super.v++; super.q = 1; return [super.v, this.w, this.q, super['v']] } } return new B().go()`,
  ],
  [
    'super in object literals',
    `const base = { f() { return 'base' + this.n } }; const o = { __proto__: base, n: 1, f() { return 'own ' + super.f() } }; return o.f()`,
  ],
  [
    'super in static methods and blocks',
    `class A { static f() { return 1 } static x = 3 } class B extends A { static f() { return super.f() + 1 } static y = super.x + 1; static { this.z = super.f() } } return [B.f(), B.y, B.z]`,
  ],
  [
    'super in arrows, nested',
    `class A { f(x) { return [this.n, x] } n = 1 } class B extends A { f(x) { const g = () => { const h = () => super.f(x + 1); return h() }; return [1].map(() => g()) } } return new B().f(1)`,
  ],
  ['super before this', `class A {} class B extends A { constructor() { this.x = 1; super() } } new B()`],
  [
    'a constructor that returns another object',
    `class A { constructor() { return { other: 1 } } } class B extends A { b = 2 } return [new A(), new B()]`,
  ],
  [
    'a constructor of a derived class that returns a number',
    `class A {} class B extends A { constructor() { super(); return 1 } } return new B()`,
  ],
  [
    'super call in an arrow',
    `class A { constructor(n) { this.n = n } } class B extends A { constructor() { const f = (n) => super(n); f(4); this.m = 1 } } return new B()`,
    /refused: sample.js:3:106: super is called in an arrow function/,
  ],
  [
    'super with spread and an expression',
    `class A { constructor(...a) { this.a = a } } const mix = (K) => class extends K { x = 1 }; class B extends mix(A) { constructor(...a) { super(...a, ...[9]) } } return [new B(1, 2)]`,
  ],
  [
    'extending null',
    `class A extends null { static f() { return 1 } } return [A.f(), Object.getPrototypeOf(A.prototype)]`,
  ],
  ['extending a value that is no class', `class A extends this.o {}`],
  [
    'extending Array',
    `class L extends Array { sum() { return this.reduce((a, b) => a + b, 0) } last() { return this[this.length - 1] } } const l = L.from([1, 2, 3]); l.push(4); const m = l.map((x) => x * 2); this.o = l; this.o.push(5); return [l.sum(), l.last(), l instanceof L, m instanceof L, m.constructor === L, l.filter((x) => x > 1).sum(), this.o.length, this.o.slice(1).last(), l.concat([1]) instanceof L]`,
  ],
  [
    'extending Array, shared',
    `class L extends Array { add(x) { this.push(x); return this } total() { let n = 0; for (const x of this) n += x; return n } } this.o = new L(); this.o.add(1).add(2); const m = this.o.map((x) => x + 1); return [this.o.total(), this.o.length, this.o, m, m instanceof L, Array.isArray(this.o), [...this.o], this.o.filter(Boolean).total()]`,
  ],
  [
    'extending Map',
    `class M extends Map { get(k) { return super.get(k) ?? 'none' } inc(k) { this.set(k, (super.get(k) ?? 0) + 1); return this } } this.o = new M([['a', 1]]); this.o.inc('a').inc('b'); return [this.o.get('a'), this.o.get('zz'), this.o.size, [...this.o], this.o]`,
  ],
  [
    'extending Map, its set called by its constructor',
    `class M extends Map { n = 0; set(k, v) { return super.set(k, v * 2) } } return [new M([['a', 1]])]`,
  ],
  [
    'extending Set',
    `class U extends Set { add(v) { if (v > 5) throw new RangeError('big ' + v); return super.add(v) } union2(o) { return new U([...this, ...o]) } } this.o = new U([1]); this.o.add(2); try { this.o.add(9) } catch (e) { this.log.push(e.message) } return [this.o, this.o.union2([3]), this.o.has(2)]`,
  ],
  [
    'extending Error',
    `class E extends Error { constructor(m, code) { super(m, { cause: 'c' }); this.name = 'E'; this.code = code } get twice() { return this.code * 2 } } try { throw new E('boom', 4) } catch (e) { return [e instanceof E, e.name, e.message, e.code, e.twice, e.cause, String(e), typeof e.stack] }`,
  ],
  [
    'throwing a subclass of Error',
    `class Bad extends RangeError { name = 'Bad' } throw new Bad('so ' + this.a)`,
  ],
  [
    'extending a constructor function',
    `function P(n) { this.n = n } P.prototype.f = function () { return this.n }; class Q extends P { f() { return super.f() + 1 } } return [new Q(1).f(), new P(2).f()]`,
  ],
  [
    'new.target in constructors',
    `class A { constructor() { if (new.target === A) throw new TypeError('abstract'); this.t = new.target.name } } class B extends A {} const b = new B(); try { new A() } catch (e) { return [b.t, e.message] }`,
  ],
  [
    'names of classes',
    `const A = class {}; const B = class Named { who() { return Named.name } }; let C; C = class {}; const o = { D: class {} }; class E { static name = 'own' } return [A.name, B.name, new B().who(), C.name, o.D.name, E.name, (class {}).name]`,
  ],
  [
    'names and lengths of functions',
    `const f = () => 1; const g = function (a, b) {}; const h = function named(a, b = 1, c) {}; const o = { m(a) {}, p: () => 1, get q() { return 1 }, s: function () {} }; let l; l = (...a) => a; return [f.name, g.name, g.length, h.name, h.length, o.m.name, o.p.name, o.s.name, l.name, l.length, Object.getOwnPropertyDescriptor(o, 'q').get.name, (() => 1).name, this.run.name, this.t.length]`,
  ],
  [
    'names of defaults and fields',
    `class A { f = () => 1; static g = () => 2; #p = () => 4; p() { return this.#p.name } } const { d = () => 1, e = function () {} } = {}; const [h = () => 1] = []; const k = (c = () => 1) => c.name; const a = new A(); let u; u ??= () => 1; return [a.f.name, A.g.name, a.p(), d.name, e.name, h.name, k(), u.name]`,
  ],
  [
    'the keys of prototypes',
    `class A { f() {} get g() { return 1 } static s() {} } return [Object.getOwnPropertyNames(A.prototype), Object.keys(A.prototype), Object.keys(A), Object.getOwnPropertyDescriptor(A.prototype, 'f').enumerable, Object.getOwnPropertyDescriptor(A.prototype, 'g').enumerable, Object.getOwnPropertyNames(A)]`,
  ],
  [
    'prototypes of functions',
    `const f = () => 1; const g = function () {}; return ['prototype' in f, 'prototype' in g, 'prototype' in this.run, Object.getOwnPropertyNames(g.prototype), Object.getOwnPropertyNames(f).sort()]`,
  ],
  ['functions as text', `const f = (a) => a + 1; return [typeof f.toString(), typeof String(this.run)]`],
  [
    'classes in expressions',
    `const made = [1, 2].map((n) => class { v = n; static w = n * 2; get() { return this.v } }); return made.map((K) => [new K().get(), K.w])`,
  ],
  [
    'methods that are generators by name only',
    `const o = { async: 1, get: 2, set: 3, static: 4, of: 5, await: 6, yield: 7, let: 8 }; class A { get = 1; set = 2; static = 3; async = 4; static static() { return 5 } get get() { return 6 } } return [o, new A(), A.static()]`,
  ],
  [
    'methods called get, set, static, async',
    `class A { get() { return 1 } set(v) { return v } async() { return 3 } static async() { return 4 } static get() { return 5 } of() { return 6 } } const a = new A(); return [a.get(), a.set(2), a.async(), A.async(), A.get(), a.of()]`,
  ],
  [
    'methods replaced on an instance and a prototype',
    `class A { f() { return 'proto' } } const a = new A(), b = new A(); a.f = () => 'own'; A.prototype.f = function () { return 'new' + (this === b) }; delete a.f; return [a.f(), b.f()]`,
  ],
  [
    'toString, hasOwnProperty and others of prototypes',
    `return [this.o.hasOwnProperty('x'), this.o.propertyIsEnumerable('x'), Object.prototype.toString.call(this.xs), this.o.isPrototypeOf(this.xs), this.o.valueOf() === this.o, this.o.toString(), this.constructor.name, Object.getPrototypeOf(this) === S.prototype]`,
  ],
  [
    'Symbol.toStringTag and species',
    `class A { get [Symbol.toStringTag]() { return 'Tag' } static get [Symbol.species]() { return Array } } return [String(new A()), Object.prototype.toString.call(new A()), A[Symbol.species].name]`,
  ],
];
