/** Constructors, initializers, static blocks. And generators and async functions, which threads may not run. */
import type { Snippet } from '../../../support/oracles/fidelity.js';

const GENERATOR = /refused: .*a generator is called by a thread/;
const ASYNC = /refused: .*an asynchronous function is called by a thread/;

export const CONSTRUCTORS: readonly Snippet[] = [
  [
    'all kinds of assignments',
    `class A { a = 1; #p = 2; static s = 0; constructor(n, o = { x: n }) { this.a += n; this.#p **= 2; this.b ??= o.x++; [this.c, this.d = 4] = [o.x]; ({ x: this.e, ...this.f } = { x: 1, y: 2 }); this.a++; A.s++; o['k' + n] = n; delete o.x; this.o = o; this.in = 'x' in o } get p() { return this.#p } } const a = new A(5); return [a, a.p, A.s]`,
  ],
  [
    'private methods and accessors',
    `class A { #n = 1; constructor() { this.#m(5); this.#g = this.#g + 1; this.#g += 10; this.#g++; this.f = this.#m; this.r = A.#s(this) } #m(x) { this.#n += x; return this.#n } get #g() { return this.#n } set #g(v) { this.#n = v } static #s(a) { return a.#n } get n() { return this.#n } } const a = new A(); return [a.n, a.r, a.f.call(a, 1), a.n]`,
  ],
  [
    'private members in initializers',
    `class A { #a = 1; b = this.#m() + this.#g; c = (this.#g = 9); #m() { return this.#a } get #g() { return this.#a * 2 } set #g(v) { this.#a = v } d = this.#a; static #t = 1; static u = ++A.#t; static { A.v = A.#h(); } static #h() { return A.#t } } return [new A(), A.u, A.v]`,
  ],
  [
    'private members after ?.',
    `class A { #a = { b: 1 }; constructor(o) { this.x = o?.#a.b; this.y = o?.#a?.b } } return [new A(new A(null)), new A(null)]`,
  ],
  [
    'private methods after ?.',
    `class A { #m() { return 1 } constructor(o) { this.x = o?.#m() } } return [new A(null), new A(new A(null))]`,
  ],
  [
    'literals with methods',
    `const k = 'key'; class A { o = { [k]() { return 1 }, get [k + 2]() { return 2 }, m() { return this.n }, n: 3, get g() { return 4 }, ['x' + k]: () => this.y }; y = 7; static t = { [k + 1]() { return 5 } }; constructor() { this.p = { ['q' + k](v) { return v + 1 } } } } const a = new A(); return [a.o.key(), a.o.key2, a.o.m(), a.o.g, a.o.xkey(), A.t.key1(), a.p.qkey(1)]`,
  ],
  [
    'closures',
    `class A { n = 0; inc = () => ++this.n; constructor() { let c = 0; this.count = () => ++c; c += 10; const fs = []; for (let i = 0; i < 3; i++) fs.push(() => i); this.fs = fs.map((f) => f()) } } const a = new A(); return [a.inc(), a.inc(), a.count(), a.fs]`,
  ],
  [
    'control',
    `class A { constructor(n) { this.log = []; for (const x of [1, 2, 3]) { if (x === n) continue; this.log.push(x) } for (const k in { a: 1 }) this.log.push(k); l: for (;;) { while (true) break l } switch (n) { case 2: this.log.push('two'); default: this.log.push('d') } try { if (n === 2) throw new Error('e'); return { other: this } } catch (e) { this.log.push(e.message) } finally { this.log.push('f') } do { n-- } while (n > 0); this.n = n } } return [new A(2), new A(1)]`,
  ],
  [
    'patterns, spread and templates',
    `class A { constructor({ a, ...rest }, [b, ...c] = [1, 2], ...d) { Object.assign(this, { a, rest, b, c, d }); this.t = \`\${a}-\${b}\`; this.s = String.raw\`x\${b}\`; this.l = [...c, ...d]; this.o = { ...rest, z: 1 }; this.m = Math.max(...this.l) } } return new A({ a: 1, q: 2 }, undefined, 5, 6)`,
  ],
  [
    'super',
    `class A { constructor(n) { this.n = n } f() { return this.n } get g() { return 1 } } class B extends A { x = super.f(); constructor(...a) { const k = a.length; super(...a); this.y = super.f() + super.g; this.z = (() => super.f() + k)(); super.w = 3 } } return new B(4, 5)`,
  ],
  [
    'new.target in an arrow of a constructor',
    `class A { constructor() { this.f = () => new.target } } return new A().f() === A`,
    /refused: sample.js:3:\d+: new.target in a function/,
  ],
  [
    'the order of initializers, defaults and parameters',
    `const log = []; const f = (x) => { log.push(x); return x }; class A { a = f('a'); #b = f('b'); c; constructor(x = f('x'), { y = f('y') } = {}, ...z) { f(Object.keys(this).join()); this.d = f(this.#b + x + y + z) } e = f(this.a + this.#b) } return [new A(), new A('p', { y: 1 }, 2, 3), log, A.length, A.name]`,
  ],
  [
    'the results of constructors',
    `const k = {}; class A { constructor(o) { if (o) return k; if (o === 0) return; this.x = k.y } } return [new A(1) === k, new A(0) instanceof A, new A(), Reflect.construct(A, [1]) === k]`,
  ],
  [
    'errors of constructors and initializers',
    `const f = (x) => { throw new Error(x) }; class A { a = f('a') } class B { constructor(x) { f(x) } } const t = (g) => { try { g() } catch (e) { return e.message } }; return [t(() => new A()), t(() => new B('b')), t(() => A()), t(() => B.call({}))]`,
  ],
  [
    'a class that extends one with initializers',
    `let n = 0; class A { id = ++n; constructor(x) { this.x = x + n; this.init() } init() { this.by = 'A' } } class B extends A { y = this.x + n; constructor(x) { super(x * 2); this.z = ++n } init() { this.by = 'B' } } class C extends B {} return [new A(1), new B(2), new C(3), n]`,
  ],
  [
    'names and keys of fields',
    `let n = 0; class A { 'a b' = ++n; 7 = ++n; f = () => n; g = function () {}; h = class {}; static s = 1; toString() { return 's' } } const a = new A(); return [Object.keys(a), a.f.name, a.g.name, a.h.name, A.length, Reflect.ownKeys(A).length]`,
  ],
  [
    'accessors with computed names',
    `const k = 'key'; const s = Symbol('s'); let n = 1; class A { get [k + n]() { return n } set [k + n](v) { n = v } static get [s]() { return n * 2 } get [7 + n]() { return 'seven' } } const o = { get [k]() { return n }, set [k](v) { n += v }, m: 1, get [s]() { return 3 } }; const a = new A(); a.key1 = 5; o.key = 2; return [a.key1, A[s], o.key, o[s], a[8], Object.keys(o), 'key1' in A.prototype]`,
  ],
  [
    'classes made by constructors',
    `class A { constructor(n) { this.K = class { v = n; #p = n + 1; get p() { return this.#p } static s = n } } } const { K } = new A(3); return [new K().v, new K().p, K.s, K.name]`,
  ],
  [
    'a constructor that calls methods',
    `class A { constructor() { this.items = []; this.init(1); this.twice = this.items.map((x) => this.double(x)) } init(n) { this.items.push(n, n + 1); for (const x of this.items) this.last = x } double(x) { return x * 2 } } return new A()`,
  ],
  [
    'a constructor that makes others',
    `class Node { constructor(v, next = null) { this.v = v; this.next = next } } class List { constructor(...vs) { this.head = null; for (const v of vs.reverse()) this.head = new Node(v, this.head) } } return new List(1, 2, 3)`,
  ],
  [
    'initializers have no arguments object',
    `class A { f = function () { return arguments.length }; g = (...a) => a.length } const a = new A(); return [a.f(1, 2), a.g(1)]`,
  ],
  [
    'computed keys and this',
    `const keys = ['a', 'b']; class A { [keys[0]] = 1; static [keys[1]] = 2; [Symbol.iterator]() { return [1, 2][Symbol.iterator]() } get [keys[0] + 'g']() { return 3 } static async() { return 4 } } const a = new A(); return [a.a, A.b, [...a], a.ag, A.async()]`,
  ],
  [
    'randomness and time',
    `class A { constructor() { this.r = typeof Math.random(); this.d = typeof Date.now(); this.e = new Date() instanceof Date; this.p = typeof performance.now() } t = typeof Date.now() } return new A()`,
  ],
  [
    'getters and setters in use',
    `class A { #v = 1; constructor() { this.v = 5; this.v += 2; this.v++; const { v } = this; this.w = v } get v() { return this.#v } set v(x) { this.#v = x } } return [new A().v, new A().w]`,
  ],
  [
    'conditions and chains',
    `class A { constructor(o) { this.a = o?.x?.y ?? 'none'; this.b = o?.f?.(1); this.c = o ? o.x : null; this.d = (o && o.x) || 'or'; this.e = o?.['x']; this.g = delete o?.q } } return [new A(null), new A({ x: { y: 1 }, f: (n) => n + 1, q: 1 })]`,
  ],
  [
    'sequences and updates',
    `class A { constructor() { let i = 0; this.l = [i++, ++i, i--, (i, 5), i]; this.m = (this.l.push(1), this.l.length); this.n = -this.m; this.n--; this.o = typeof this.q } } return new A()`,
  ],
  [
    'a shared list that stays as it is',
    `const KINDS = ['a', 'b']; class K { constructor(k) { if (!KINDS.includes(k)) throw new RangeError(k); this.k = KINDS.indexOf(k) } } class S { run() { try { return [new K('b'), new K('z')] } catch (e) { return e.message } } }`,
  ],
  [
    'generators',
    `class A { #n = 2; *all() { for (let i = 0; i < this.#n; i++) yield this.#double(i) } #double(x) { return x * 2 } get #g() { return this.#n } *g() { yield this.#g; const { length } = 'ab'; yield length } } const a = new A(); return [[...a.all()], [...a.g()]]`,
    GENERATOR,
  ],
  [
    'generators with all their methods',
    `function* g(a = 1, ...r) { try { const x = yield a; yield* r; const o = { [a]() { return x } }; yield o[a](); return 'end' } finally { yield 'f' } } const it = g(1, 2); return [it.next(), it.next('x'), it.next(), it.return(9), it.next(), it.next()]`,
    GENERATOR,
  ],
  [
    'a generator that is an iterator',
    `class A { *[Symbol.iterator]() { yield 1; yield 2 } } return [...new A()]`,
    GENERATOR,
  ],
  [
    'asynchronous methods',
    `class A { #n = 1; async f() { return this.#m() } #m() { return this.#n } g = async () => this.#m() } const a = new A(); return [typeof a.f().then, typeof a.g().then]`,
    ASYNC,
  ],
];
