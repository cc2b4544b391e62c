/**
 * Small subjects, one a construct: each exports `make`, and is called as told. What the calls
 * answer must be the same whether the file was transformed or not.
 */
export interface Sample {
  readonly name: string;
  readonly calls: readonly (readonly [method: string, ...args: unknown[]])[];
  readonly code: string;
  /** Its file name tells the language. */
  readonly file?: string;
}

const { raw } = String;

export const SAMPLES: readonly Sample[] = [
  {
    name: 'fields and methods',
    calls: [['inc'], ['inc'], ['get']],
    code: raw`export class C { n = 0; inc(): number { this.n = this.n + 1; return this.n } get() { return this.n } }
export const make = () => new C()`,
  },
  {
    name: 'compound and logical assignment, increments',
    calls: [['all', 5], ['all', 7], ['bits'], ['big']],
    code: raw`export const make = () => new C()
class C { a = 1; b: number | null = null; c = 0; d = 'x'; n = 10n
  all(k: number) { this.a += k; this.b ??= k; this.c ||= k; this.c &&= this.c * 2; this.d += k
    const x = this.a++; const y = ++this.a; const z = this.a--; const w = --this.a
    this.a **= 2; this.a %= 1000
    return [this.a, this.b, this.c, this.d, x, y, z, w, (this.b ??= 99), (this.c ||= 98), (this.c &&= 97)] }
  bits() { let v = this.c; v <<= 2; this.c >>>= 1; this.c ^= 5; this.c |= 8; this.c &= ~2; return [v, this.c] }
  big() { const old = this.n++; this.n *= 2n; return [old, this.n, typeof this.n] } }`,
  },
  {
    name: 'private fields, methods, accessors and statics',
    calls: [['add', 3], ['add', 4], ['total'], ['asValue'], ['has'], ['stat'], ['swap'], ['twice', 2]],
    code: raw`export class P { #n = 0; static #made = 0; readonly #id: number
  constructor() { P.#made++; this.#id = P.#made }
  #bump(by: number) { this.#n += by; return this.#n }
  get #double() { return this.#n * 2 }
  set #double(v: number) { this.#n = v / 2 }
  static #count() { return P.#made > 0 }
  add(by: number) { return this.#bump(by) }
  total() { return this.#double }
  twice(by: number) { this.#double = by; this.#double += 2; return [this.#n, this.#double] }
  asValue() { const f = this.#bump; return f.call(this, 1) }
  has() { return [#n in this, P.has({})] }
  static has(o: object) { return #n in o }
  stat() { return P.#count() && this.#id > 0 }
  swap() { return this.#n++ + ++this.#n } }
export const make = () => new P()`,
  },
  {
    name: 'getters and setters',
    calls: [['fill', 12], ['read'], ['clear'], ['read'], ['bump'], ['nullish']],
    code: raw`class T { #c = 0; log: string[] = []
  get f(): number { this.log.push('get'); return this.#c * 2 + 32 }
  set f(v: number) { this.log.push('set'); this.#c = (v - 32) / 2 }
  static get unit() { return 'F' }
  get ['computed' + 1]() { return 7 }
  get maybe(): number | null { return null }
  fill(v: number) { this.f = v; return this.f }
  read() { return [this.f, this.log.length, T.unit, (this as any).computed1] }
  bump() { this.f++; this.f += 2; return this.f }
  nullish() { return this.maybe ?? 'none' }
  clear() { this.log = []; return this.log.length } }
export const make = () => new T()`,
  },
  {
    name: 'inheritance, super, abstract classes',
    calls: [['area', 3], ['name'], ['both', 2], ['arrow'], ['label']],
    code: raw`abstract class Shape { protected k = 2; abstract size(n: number): number; area(n: number) { return this.size(n) * this.k } name() { return 'shape' } get label() { return 'L' } static kind() { return 'base' } }
class Square extends Shape { override size(n: number) { return n * n } override name() { return 'square ' + super.name() }
  both(n: number) { return [super.area(n), this.area(n), Square.kind()] }
  override get label() { return super.label + '!' }
  arrow() { const f = () => super.name() + this.k; return f() } }
class Named extends Square { constructor(private readonly tag: string) { super(); this.k = 3 } override name() { return this.tag + super.name() } static override kind() { return super.kind() + '+' } both(n: number) { return [...super.both(n), Named.kind()] } }
export const make = () => { const o = new Named('n'); return { area: (n: number) => o.area(n), name: () => o.name(), both: (n: number) => o.both(n), arrow: () => o.arrow(), label: () => o.label } }`,
  },
  {
    name: 'a closure as object',
    calls: [['inc'], ['inc', 5], ['dec'], ['size'], ['list']],
    code: raw`export function make() { let count = 0; const list: number[] = []; let last: number | undefined
  const note = (n: number) => { list.push(n); last = n; return n }
  return { inc(by = 1) { count += by; return note(count) }, dec() { count--; return note(count) }, get value() { return count }, size() { return [this.value, last] }, list: () => [...list] } }`,
  },
  {
    name: 'counters made by functions that are made by functions',
    calls: [['go']],
    code: raw`const adder = (a: number) => (b: number) => { a += b; return a }
export const make = () => ({ go() { const f = adder(1), g = adder(10); const out = [f(1), g(1), f(2), g(2)]; const fs = []; for (let i = 0; i < 3; i++) fs.push(() => i * 2); return [...out, ...fs.map((h) => h())] } })`,
  },
  {
    name: 'array methods with callbacks',
    calls: [['go'], ['sorting'], ['finding'], ['reducing'], ['holes']],
    code: raw`class A { xs = [5, 3, 8, 1]; k = 2
  go() { return [this.xs.map((x) => x * this.k), this.xs.filter((x, i) => x > i), this.xs.flatMap((x) => [x, this.k]), this.xs.some((x) => x > 7), this.xs.every((x) => x > 7)] }
  sorting() { this.xs.sort((a, b) => a - b); const s = this.xs.toSorted((a, b) => b - a); return [this.xs.slice(), s, [3, 1, 2].sort(), this.xs.indexOf(8), this.xs.includes(9)] }
  finding() { return [this.xs.find((x) => x === this.xs[1]), this.xs.findIndex((x) => x > 100), this.xs.findLast((x) => x < 6), this.xs.findLastIndex((x) => x < 0)] }
  reducing() { let n = 0; this.xs.forEach((x, i, all) => { n += x * i + all.length }); return [n, this.xs.reduce((a, b) => a + b), this.xs.reduceRight((a, b) => a + '-' + b, '')] }
  holes() { const h = [1, , 3]; const seen: number[] = []; h.forEach((_, i) => seen.push(i)); return [seen, h.map((x) => x! + 1).length] } }
export const make = () => new A()`,
  },
  {
    name: 'Map and Set',
    calls: [
      ['put', 'a', 1],
      ['put', 'b', 2],
      ['put', 'a', 3],
      ['all'],
      ['each'],
      ['drop', 'a'],
      ['all'],
      ['sets'],
    ],
    code: raw`class M { m = new Map<string, number>(); s = new Set<string>()
  put(k: string, v: number) { const old = this.m.get(k); this.m.set(k, v); this.s.add(k); return [old, this.m.size, this.m.has('z')] }
  all() { return [[...this.m], [...this.m.keys()], Array.from(this.m.values(), (v) => v * 2), [...this.s]] }
  each() { const out: string[] = []; for (const [k, v] of this.m) out.push(k + v); this.m.forEach((v, k) => out.push(k + v)); for (const k of this.s.values()) out.push(k); for (const [i, [k]] of [...this.m.entries()].entries()) out.push(i + k); return out.join() }
  drop(k: string) { return [this.m.delete(k), this.m.delete(k), this.s.delete(k)] }
  sets() { const c = new Set(this.s), d = new Map(this.m); c.add('new'); d.clear(); return [c.size, d.size, this.m.size] } }
export const make = () => new M()`,
  },
  {
    name: 'loops of every kind',
    calls: [['go', 5], ['nested'], ['inside']],
    code: raw`class L { xs = [1, 2, 3, 4]; o = { a: 1, b: 2 }
  go(n: number) { let s = 0; for (let i = 0; i < n; i++) { if (i === 1) continue; s += i } while (s > 3) s -= 3; do { s++ } while (s < this.xs.length); for (const x of this.xs) s += x; for (const k in this.o) s += k.length; let i = 3; while (i--) s++; for (const c of 'héy') s += c.length; return s }
  nested() { const out: number[] = []; outer: for (const x of this.xs) { for (let y = 0; ; y++) { if (y > x) continue outer; if (x === 4) break outer; if (y % 2) continue; out.push(x * 10 + y) } } return out }
  inside() { let n = 0; for (;;) { if (++n > this.xs.length) break; switch (n) { case 2: continue; case 3: { n += 1; break } default: n += 0 } } return n } }
export const make = () => new L()`,
  },
  {
    name: 'optional chaining',
    calls: [['go'], ['deep'], ['calls']],
    code: raw`class O { a: any = { b: { c: 1, f(x: number) { return x + this.c } } }; n: any = null; k = 'b'
  go() { return [this.a?.b.c, this.n?.b.c.d.e, this.a?.['b']?.c, this.n?.[this.k], this.a?.z?.y, this.n?.b(this.n.c)] }
  deep() { return [this.a?.b?.f?.(4), this.a.b.g?.(1), this.a?.q?.f(1), (this.a?.b).c, this.n?.x ?? 'dflt', this.a?.b!.c] }
  calls() { const f = this.n; return [f?.(), f?.a.b(), this.a[this.k].f(1), typeof this.n?.x] } }
export const make = () => new O()`,
  },
  {
    name: 'destructuring',
    calls: [['go'], ['swap'], ['params', { x: 1, y: [2, 3] }], ['rest'], ['loops'], ['assign']],
    code: raw`class D { p = { x: 1, y: { z: [1, 2, 3] }, w: undefined as number | undefined }; a = 1; b = 2; list = [[1, 'a'], [2, 'b']] as [number, string][]
  go() { const { x, y: { z: [first, ...others] }, w = this.a + 10 } = this.p; const [, second = 7, third = 9] = this.p.y.z; return [x, first, others, w, second, third] }
  swap() { ;[this.a, this.b] = [this.b, this.a]; let c = 1, d = 2; [c, d] = [d, c]; return [this.a, this.b, c, d] }
  params({ x, y: [q, r], t = this.a }: any, ...more: number[]) { return [x, q, r, t, more.length] }
  rest() { const { x, ...others } = this.p; const [h, ...t] = this.list; return [x, Object.keys(others), h, t.length] }
  loops() { const out = []; for (const [n, s] of this.list) out.push(s + n); for (const { length } of this.list) out.push(length); return out }
  assign() { const o: any = {}; const r = ({ x: o.x, y: { z: [o.f, , o.g = 5] } } = this.p); return [o, r === this.p] } }
export const make = () => new D()`,
  },
  {
    name: 'spread',
    calls: [['go'], ['args', 3, 4]],
    code: raw`class S { xs = [1, 2]; o = { a: 1 }; go() { return [[...this.xs, 3, ...this.xs], { ...this.o, b: 2, ...{ c: 3 } }, Math.max(...this.xs), [...'ab'], [...new Set(this.xs)]] }
  args(...xs: number[]) { return [this.sum(...xs, ...this.xs), this.xs.concat(xs, [9]), this.xs.push(...xs), this.xs] } sum(...xs: number[]) { return xs.reduce((a, b) => a + b, 0) } }
export const make = () => new S()`,
  },
  {
    name: 'template literals',
    calls: [['go', 'x']],
    code: `class T { n = 1; tag(s: TemplateStringsArray, ...v: unknown[]) { return s.raw.join('|') + v.join() } go(v: string) { return [\`a\${this.n}b\${v}c\${this.n + 1}\`, this.tag\`q\${this.n}r\`, String.raw\`\\n\${v}\`] } }
export const make = () => new T()`,
  },
  {
    name: 'exceptions',
    calls: [['go', 0], ['go', 1], ['go', 2], ['fin'], ['boom'], ['rethrow']],
    code: raw`class Closed extends Error { override name = 'Closed' }
class E { n = 0; go(k: number) { try { if (k === 1) throw new Closed('c'); if (k === 2) (null as any).x; return 'ok' + this.n } catch (e) { this.n++; return (e as Error).name } finally { this.n += 10 } }
  fin() { const out: number[] = []; for (let i = 0; i < 3; i++) { try { if (i === 1) continue; out.push(i) } finally { out.push(this.n) } } return out }
  boom() { throw new Closed('no') } rethrow() { try { this.boom() } catch ({ message }) { return message } } }
export const make = () => new E()`,
  },
  {
    name: 'delete, in, typeof, void, computed keys',
    calls: [['go'], ['dict', 'k', 1], ['dict', 'j', 2], ['dict', 'k', 3], ['drop', 'k'], ['keys']],
    code: raw`class K { o: any = { a: 1, b: 2 }; d: Record<string, number> = {}; static n = 'zed'
  go() { const r = ['a' in this.o, delete this.o.a, 'a' in this.o, typeof this.o.b, void this.o.b, this.o['b'], !this.o.b, -this.o.b]; this.o[K.n] = 5; this.o['q' + 1] = 6; return [r, { ...this.o }, { [K.n]: 1, [this.o.zed]() { return 2 } }[5]!()] }
  dict(k: string, v: number) { const had = k in this.d; this.d[k] = (this.d[k] ?? 0) + v; return [had, this.d[k]] }
  drop(k: string) { return [delete this.d[k], Object.hasOwn(this.d, k), this.d.hasOwnProperty('j')] }
  keys() { return [Object.keys(this.d), Object.entries(this.d), Object.values(this.d), JSON.stringify({ d: this.d, o: [this.o] }), Object.assign(this.d, { m: 1 }).m] } }
export const make = () => new K()`,
  },
  {
    name: 'switch, labels, conditional, comma',
    calls: [['go', 1], ['go', 'two'], ['go', 3], ['go', null], ['label']],
    code: raw`class W { n = 3; go(k: unknown) { let out = ''; switch (k) { case 1: out += 'one'; case 'two': out += 'two'; break; case this.n: { const f = () => out + this.n; return f() } default: out = k === null ? 'nil' : 'else' } return (this.n, out) }
  label() { let n = 0; a: { n++; if (this.n === 3) break a; n = 100 } b: for (;;) { for (;;) { n++; break b } } return n } }
export const make = () => new W()`,
  },
  {
    name: 'default parameters and arguments',
    calls: [['a', 1], ['a', undefined, 5], ['b'], ['c', 1, 2, 3], ['d']],
    code: raw`class P { n = 4; a(x: number | undefined, y = this.n + (x ?? 0), z = y * 2) { return [x, y, z] } b(f = () => this.n, { q = f() } = {} as any) { return [f(), q] } c(..._xs: number[]) { return [arguments.length, arguments[1]] }
  d() { return [this.a.length, this.c.name, ((x: number, y = 1) => x + y)(2)] } }
export const make = () => new P()`,
  },
  {
    name: 'iterators of the user',
    calls: [['go'], ['lazy'], ['early']],
    code: raw`class Range { constructor(private from: number, private to: number, readonly log: string[] = []) {}
  [Symbol.iterator]() { let i = this.from; const end = this.to; const log = this.log; return { next: () => (i < end ? { value: i++, done: false } : { value: undefined, done: true }), return() { log.push('closed'); return { value: undefined, done: true } } } } }
class List { items = [1, 2, 3]; [Symbol.iterator]() { return this.items[Symbol.iterator]() } }
class I { r = new Range(1, 4); l = new List()
  go() { let s = 0; for (const x of this.r) s += x; for (const x of this.l) s += x; return [s, [...this.r], [...this.l], Math.max(...this.l)] }
  lazy() { const [a, b] = this.r; return [a, b, Array.from(this.l)] }
  early() { for (const x of this.r) if (x === 2) break; try { for (const _ of this.r) throw new Error('x') } catch {} return this.r.log.length } }
export const make = () => new I()`,
  },
  {
    name: 'functions: bind, call, apply, higher order, recursion',
    calls: [['go'], ['rec', 6], ['names']],
    code: raw`function fact(n: number): number { return n <= 1 ? 1 : n * fact(n - 1) }
function twice<T>(f: (x: T) => T) { return (x: T) => f(f(x)) }
class F { k = 3; add(a: number, b = 0) { return this.k + a + b }
  go() { const b = this.add.bind(this, 1); const c = this.add; return [b(), b(5), c.call(this, 2), c.apply({ k: 10 } as any, [1, 2]), twice((x: number) => x + this.k)(1), [1, 2].map(this.add, this), [1, 2].map(Number)] }
  rec(n: number) { const fib = (k: number): number => (k < 2 ? k : fib(k - 1) + fib(k - 2)); return [fact(n), fib(n), (function f(k: number): number { return k ? k + f(k - 1) : 0 })(n)] }
  names() { return [fact.name, fact.length, this.add.name, this.add.length, twice.length] } }
export const make = () => new F()`,
  },
  {
    name: 'hoisting and shadowing',
    calls: [['go', 2]],
    code: raw`export const make = () => ({ go(n: number) { const r = [early(n)]; { const n = 5; function inner() { return n } r.push(inner()) } for (var v = 0; v < 2; v++) { var w = v } r.push(v, w!); function early(x: number) { return x + n } { let n = 7; n++; r.push(n) } return r } })`,
  },
  {
    name: 'module state',
    calls: [['next'], ['next'], ['peek'], ['put', 1], ['put', 2]],
    code: raw`let id = 0; const seen: number[] = []; const table = new Map<string, number>([['a', 1]]); const config = { depth: 1 }
class Box { static count = 0; #v = 0; set(v: number) { this.#v += v; Box.count++; return this.#v } }
const box = new Box()
function fresh() { return ++id }
export const make = () => ({ next() { seen.push(fresh()); config.depth += 1; table.set('n', id); return [id, seen.length, config.depth, table.size] }, peek: () => [id, seen, [...table]], put: (v: number) => [box.set(v), Box.count] })`,
  },
  {
    name: 'enums, parameter properties, casts, generics',
    calls: [['go'], ['flag']],
    code: raw`enum Color { Red, Green = 5, Blue }
const enum Flag { A = 1 << 0, B = 1 << 1, AB = A | B }
export enum Name { X = 'x', Y = 'y' }
type Pair<A, B> = [A, B]
interface Has { color: Color }
declare const nothing: string
class G<T extends object = {}> implements Has { declare ghost: string; constructor(public color: Color, protected readonly items: T[] = [], private n?: number) {}
  go(this: G<T>): Pair<string, number> { const c = <Color>this.color; return [Color[c]!, (this.items as unknown as number[]).length + (this.n ?? 1)] satisfies Pair<string, number> }
  flag(): unknown; flag(x?: number): unknown { return [Flag.AB, Name.X, Color.Blue, Color['Red'], x!] } }
export const make = () => new G(Color.Green)`,
  },
  {
    name: 'classes inside of functions, and as values',
    calls: [['go'], ['stat'], ['mix']],
    code: raw`const Mixin = (B: any) => class extends B { extra() { return 'extra' + this.base() } }
export const make = () => { let made = 0; class Local { static all: Local[] = []; static total = 0; static { Local.total = 100 } m = () => this.n * 10; constructor(readonly n: number) {} static of() { const o = new Local(++made); Local.all.push(o); return o } twice() { return this.n * 2 + made } }
  const Anon = class Self { who() { return Self.name } }
  return { go() { const a = Local.of(), b = Local.of(); return [a.twice(), b.m(), made, new Anon().who()] }, stat: () => [Local.all.length, Local.total], mix() { const M = Mixin(class { base() { return made } }); return new M().extra() } } }`,
  },
  {
    name: 'typed arrays and Atomics',
    calls: [['go'], ['cas'], ['views']],
    code: raw`class T { buf = new SharedArrayBuffer(32); i = new Int32Array(this.buf); f = new Float64Array(4)
  go() { Atomics.store(this.i, 0, 5); this.i[1] = 7; this.i[1] += 2; this.f[0] = 1.5; return [Atomics.add(this.i, 0, 3), Atomics.load(this.i, 0), this.i[1], this.i.length, Atomics.sub(this.i, 0, 1), this.f[0]] }
  cas() { return [Atomics.compareExchange(this.i, 0, 7, 70), Atomics.compareExchange(this.i, 0, 7, 71), Atomics.exchange(this.i, 0, 4), Atomics.or(this.i, 0, 1), Atomics.and(this.i, 0, 6), Atomics.xor(this.i, 0, 2), Atomics.notify(this.i, 0), Atomics.wait(this.i, 0, 12345)] }
  views() { const v = new Int32Array(this.buf, 4); v[0]++; return [v[0], this.i[1], v.length] } }
export const make = () => new T()`,
  },
  {
    name: 'a linked list with nested private objects',
    calls: [['add', 1], ['add', 2], ['add', 3], ['find', 2], ['remove', 2], ['all'], ['reverse']],
    code: raw`interface Item { v: number; next: Item | null }
class L { #head: Item | null = null; #len = 0
  add(v: number) { const n = { v, next: null } as Item; if (!this.#head) this.#head = n; else { let at = this.#head; while (at.next) at = at.next; at.next = n } return ++this.#len }
  find(v: number) { for (let n = this.#head; n; n = n.next) if (n.v === v) return n.v; return -1 }
  remove(v: number) { let prev: Item | null = null; for (let n = this.#head; n !== null; prev = n, n = n.next) if (n.v === v) { if (prev) prev.next = n.next; else this.#head = n.next; this.#len--; return true } return false }
  all() { const out = []; let n = this.#head; while (n) { out.push(n.v); n = n.next } return out }
  reverse() { let r: Item | null = null, n = this.#head; while (n) { const t = n.next; n.next = r; r = n; n = t } this.#head = r; return this.all() } }
export const make = () => new L()`,
  },
  {
    name: 'lines without semicolons',
    calls: [['go']],
    code: raw`class N {
  n = 1
  xs = [1, 2]
  go() {
    let a = this.n
    this.n = 2
    const f = () => this.n
    ;[this.n, a] = [a, this.n]
    let s = a
    this.xs[0] = 5
    if (a) this.n = 9
    else this.n = 8
    if (s)
      s = this.n
    else
      this.n++
    for (const x of this.xs)
      s += x
    do this.n++
    while (this.n < 12)
    return [
      s,
      this.n, f(),
      this
        .xs
        [0]
    ]
  }
}
export const make = () => new N()`,
  },
  {
    name: 'comments and odd spacing',
    calls: [['go', 1]],
    code: raw`class /* a */ C /* b */ { /* c */ n /* d */ = /* e */ 1 // f
  /* g */ go /* h */ ( /* i */ a /* j */ : number /* k */ , b = /* l */ 2 /* m */ ) /* n */ : /* o */ unknown /* p */ { // q
    return /* r */ [ this /* s */ . /* t */ n, this /* u */ [ /* v */ 'n' /* w */ ], ( /* x */ a /* y */ ) => /* z */ a, this.f // tail
      ( 1 , // one
        2 ), b ].filter((x) => typeof x !== 'function') } f ( a : number , b : number ) { return a + b } }
export const make = () => new C()`,
  },
  {
    name: 'object literals',
    calls: [
      ['go', 2],
      ['acc', 3],
    ],
    code: raw`const key = 'dyn'
export const make = () => { const base = { hi() { return 'base' } }; const n = 1; const o = { __proto__: base, n, v: 5, m(x: number) { return x + this.v }, f: function (x: number) { return x * 2 }, a: (x: number) => x + n, [key]: 1, [key + 2](x: number) { return x + 100 }, get g() { return this.v + 1 }, set g(x: number) { this.v = x }, 'quoted-name'() { return 'q' }, 42() { return 42 }, hi() { return 'own ' + super.hi() } } as any
  return { go: (x: number) => [o.m(x), o.f(x), o.a(x), o.dyn, o.dyn2(x), o.g, o['quoted-name'](), o[42](), o.hi(), Object.keys(o).length], acc(x: number) { o.g = x; o.g += 1; return [o.v, o.g] } } }`,
  },
  {
    name: 'dates, numbers, strings and regular expressions',
    calls: [['go', 'a1b22']],
    code: raw`class Z { re = /\d+/g; s = 'Hello'; d = new Date(0); go(t: string) { return [t.match(this.re), t.replace(/\d/g, (c) => '<' + c + '>'), this.s.toUpperCase().slice(1), this.s.length, this.s[0], this.d.getTime(), parseInt('12px'), (12.345).toFixed(1), Number.isInteger(this.s.length), Math.abs(-this.s.length), JSON.parse('{"a":[1]}').a[0], [...this.s].reverse().join(''), this.s.split('').map((c) => c.charCodeAt(0))] } }
export const make = () => new Z()`,
  },
  {
    name: 'a queue on an array',
    calls: [['enq', 1], ['enq', 2], ['deq'], ['deq'], ['deq'], ['peek'], ['misc']],
    code: raw`class Q<T> { private items: T[] = []; enq(v: T) { return this.items.push(v) } deq(): T | null { if (this.items.length === 0) return null; return this.items.shift() ?? null } peek() { return this.items[0] ?? this.items.at(-1) }
  misc() { const xs: any[] = this.items; xs.unshift(3, 1, 2); const cut = xs.splice(1, 1); xs.length = 5; xs.fill(0, 3); xs.reverse(); return [cut, xs, xs.join('-'), xs.flat(), xs.pop(), xs.lastIndexOf(0), Array.isArray(xs), xs.length = 1, xs.entries().next().value] } }
export const make = () => new Q<number>()`,
  },
  {
    name: 'immediately called functions and sequences',
    calls: [['go']],
    code: raw`export const make = () => ({ n: 1, go() { const r = (() => { const x = this.n; return x + 1 })(); const s = (function () { return 3 })(); return [r, s, (this.n++, this.n), !(this.n > 5), this.n > 1 ? 'y' : 'n', this.n && this.n + 1, this.n || 0, null ?? this.n] } })`,
  },
  {
    name: 'new with expressions, instanceof, constructor calls',
    calls: [['go']],
    code: raw`class A { constructor(readonly v = 1) {} } class B extends A {} const ns = { B, make: () => A }
export const make = () => ({ cls: B as typeof A, go() { const a = new this.cls(4), b = new ns.B(5), c = new (ns.make())(6), d = new A; return [a.v, b.v, c.v, d.v, a instanceof A, c instanceof B, new Array(3).length, new Map([[1, 2]]).get(1), new Error('e').message, new Int8Array(2).length] } })`,
  },
  {
    name: 'classes that are their own iterators and comparators',
    calls: [['go']],
    code: raw`class V { constructor(readonly n: number) {} valueOf() { return this.n } toString() { return 'V' + this.n } toJSON() { return { v: this.n } } cmp(o: V) { return this.n - o.n } }
export const make = () => ({ vs: [new V(3), new V(1)], go() { const [a, b] = this.vs; return [[...this.vs].sort((x, y) => x.cmp(y)).map((v) => v.n), JSON.stringify(this.vs), a.n > b.n] } })`,
  },
  {
    name: 'state in nested closures',
    calls: [['on', 'a'], ['on', 'b'], ['emit', 1], ['off', 'a'], ['emit', 2], ['log']],
    code: raw`type H = (n: number) => void
export function make() { const handlers = new Map<string, H>(); const log: string[] = []; let emitted = 0
  const logger = (name: string): H => { let times = 0; return (n) => { times++; log.push(name + n + times) } }
  return { on(name: string) { handlers.set(name, logger(name)); return handlers.size }, off: (name: string) => handlers.delete(name), emit(n: number) { emitted++; for (const h of handlers.values()) h(n); [...handlers.values()].forEach((h) => h(-n)); return emitted }, log: () => log } }`,
  },
  {
    name: 'a bank with checks',
    calls: [
      ['deposit', 'a', 10],
      ['transfer', 'a', 'b', 4],
      ['transfer', 'a', 'b', 40],
      ['total'],
      ['audit'],
    ],
    code: raw`class Insufficient extends Error { constructor(readonly missing: number) { super('missing ' + missing); this.name = 'Insufficient' } }
class Account { balance = 0; readonly history: { at: number; by: number }[] = []; apply(by: number, at: number) { if (this.balance + by < 0) throw new Insufficient(-(this.balance + by)); this.balance += by; this.history.push({ at, by }) } }
class Bank { #accounts: Record<string, Account> = {}; #clock = 0
  #of(n: string) { return (this.#accounts[n] ??= new Account()) }
  deposit(n: string, k: number) { this.#of(n).apply(k, this.#clock++); return this.#of(n).balance }
  transfer(a: string, b: string, k: number) { try { this.#of(a).apply(-k, this.#clock++); this.#of(b).apply(k, this.#clock++); return true } catch (e) { if (e instanceof Insufficient) return e.missing; throw e } }
  total() { return Object.values(this.#accounts).reduce((s, { balance }) => s + balance, 0) }
  audit() { return Object.fromEntries(Object.entries(this.#accounts).map(([n, a]) => [n, a.history.map(({ by }) => by)])) } }
export const make = () => new Bank()`,
  },
  {
    name: 'CommonJS with constructor functions',
    file: 'sample.cjs',
    calls: [['push', 1], ['push', 2], ['pop'], ['size'], ['each']],
    code: raw`'use strict'
var Base = require('node:events')
function Stack() { if (!(this instanceof Stack)) return new Stack(); this.items = []; this.count = 0 }
Stack.prototype.push = function (v) { this.items[this.count++] = v; return this.count }
Stack.prototype.pop = function pop() { if (!this.count) return undefined; var v = this.items[--this.count]; delete this.items[this.count]; return v }
Stack.prototype.size = function () { var self = this; return (function () { return self.count })() }
Stack.prototype.each = function () { var out = []; for (var i = 0; i < this.count; i++) (function (j, s) { out.push(function () { return s.items[j] }) })(i, this); return out.map(function (f) { return f() }) }
module.exports = { make: function () { return Stack() }, Base: typeof Base }
exports.unused = 1`,
  },
  {
    name: 'constructors that take their arguments apart',
    calls: [['go']],
    code: raw`class A { n: number; constructor({ n, m = n + 1 }: { n: number; m?: number }, private readonly k = m * 2, [x, ...ys]: number[] = [7, 8], ...more: number[]) { this.n = n + m + k + x! + ys.length + more.length } get() { return [this.n, this.k] } }
class B extends A { constructor(o: { n: number }) { const { n } = o; super({ n: n * 2 }, undefined, [1, 2, 3], 4, 5) } }
export const make = () => ({ go: () => [new A({ n: 1 }).get(), new B({ n: 2 }).get()] })`,
  },
  {
    name: 'directives inside of functions',
    file: 'sample.cjs',
    calls: [['go']],
    code: raw`function strict() { 'use strict'; return this === undefined }
function sloppy() { return this !== undefined }
exports.make = function () { return { go: function () { "use strict"
  var strictly = (function () { return !this })(); return [strict(), sloppy(), strictly] } } }`,
  },
  {
    name: 'closures in parameters',
    calls: [
      ['go', 1],
      ['go', 2],
    ],
    code: raw`export const make = () => ({ go(a: number, f = () => ++a, b = f(), { c = f() + b } = {} as any) { a += 10; return [a, b, c, f()] } })`,
  },
  {
    name: 'names of types among exports and imports, lists as names',
    calls: [['go']],
    code: raw`import { type ParsedPath, sep, posix } from 'node:path'
import type { Server } from 'node:http'
export { type ParsedPath as Parsed, join } from 'node:path'
export type { Server } from 'node:http'
interface Local { a: number }
const value = 1
export { value, type Local }
export { Local as Renamed, value as again }
export const make = () => ({ go: () => [typeof sep, { ['a']: 1, [[1, 2].join('+')](x: number) { return x } }['1+2']!(5)] })`,
  },
  {
    name: 'CommonJS in sloppy mode',
    file: 'sample.cjs',
    calls: [['go', 3]],
    code: raw`var total = 0
function mapped(a, b) { arguments[0] = 9; b = 8; return [a, b, arguments[1], arguments.length] }
exports.make = function () { return { go: function (n) { if (n > 0) { function inner() { return n * 2 } } total += n; var r = inner(); try { undefined_variable } catch (e) { r += e.name } return [r, total, typeof this.go, arguments.length, mapped(1, 2), mapped(1)] } } }`,
  },
  {
    name: 'JavaScript modules',
    file: 'sample.mjs',
    calls: [['go']],
    code: raw`#!/usr/bin/env node
import { sep } from 'node:path'
import * as url from 'node:url'
export default class D { go() { return [typeof sep, typeof url.pathToFileURL, this.constructor.name] } }
export const make = () => new D(), other = 1
export { make as again }
export function named() { return named.name }`,
  },
  {
    name: 'accesses in every kind of expression',
    calls: [
      ['go', 1],
      ['go', 0],
    ],
    code: raw`class X { a = 1; b = [1, 2, 3]; f = (x: number) => x + this.a; o: any = { p: { q: 2 } }
  go(k: number) { const r: unknown[] = []; if (this.a && k) r.push(this.b[k]); else r.push(this.b[this.b.length - 1]); r.push(this.a ? this.b[0] : this.b[1], [this.a, this.b][0], { a: this.a, ['k' + this.a]: this.b.length }, !this.a, -this.a, +this.a, ~this.a, typeof this.b, this.a + this.b[0]! * this.f(this.a), (this.a, this.b[2]), this.o.p.q++, this.o['p']['q'] += this.a, this.f(this.f(this.a)), [this.f][0]!(1), (this.o.p ? this.f : null)?.(3)); while (this.a < 3) this.a++; return r } }
export const make = () => new X()`,
  },
];
