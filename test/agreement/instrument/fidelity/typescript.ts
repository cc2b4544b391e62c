/** Syntax of TypeScript, modules, and layouts of files. */
import type { Snippet } from '../../../support/oracles/fidelity.js';

export const TYPESCRIPT: readonly Snippet[] = [
  [
    'enums',
    `enum E { A, B = 5, C, D = B << 1, F = 'x'.length, G = C | D } enum T { X = 'x', Y = 'y' } const enum K { P = 1, Q } enum E { Z = 100 } class S { run() { return [E, T, K.Q, E[5], E.Z, Object.keys(T), E['A']] } }`,
  ],
  [
    'enums with odd members',
    `enum E { 'a b' = 1, c = -1, d = ~2, e = c + 1, f = \`t\` as any, g = 1.5 } const n = 4; enum R { a = n, b = n * 2 } class S { run() { return [E, R, E['a b'], E[-1]] } }`,
  ],
  [
    'an enum inside of a function',
    `class S { run() { enum L { A = 1, B } const f = (x: L) => L[x]; return [L.B, f(1)] } }`,
  ],
  [
    'an enum whose members name others',
    `enum A { X = 2 } enum B { Y = A.X * 3, Z = Y + 1, W = B.Z } class S { run() { return [B.Y, B.Z, B.W] } }`,
  ],
  [
    'parameter properties',
    `class A { c = this.a + 1; constructor(public a: number, private readonly b = a * 2, protected d?: string) { this.e = this.b } e: number } class B extends A { f = this.a; constructor(public g: number) { super(g + 1); this.f++ } } class S { run() { return [new A(1), new B(5)] } }`,
  ],
  [
    'casts',
    `class S { a: number | null = 1; o?: { x: number }; run(this: S) { const v = this.a as number; const w = <any>this.a; const x = this.a!; (this.a as any) = 5; (this.a!) += 1; (<any>this).q = 2; this.a!++; [this.a as any] = [9]; const y = { k: 1 } satisfies Record<string, number>; const f = <T,>(z: T): T => z; const g = f<number>; return [v, w, x, this.a, y, f<string>('s'), g(2), (this as any).q, this.o!?.x, this.o?.x!, (this.run as any).length] } }`,
  ],
  [
    'chains with casts',
    `class S { o: any = { x: 1, y: { z: 2 } }; nil: any = null; run() { return [(this.o as any)?.y!.z, this.nil!?.x, this.o?.y!.z!, (<any>this.o)?.x, this.nil?.x!.y] } }`,
  ],
  [
    'only types',
    `import type { Server } from 'node:http'; type A = { a: number }; interface B extends A { f(): void } declare const nowhere: A; declare function g(): void; abstract class C { abstract f(): number; abstract x: number; g?(): void; static s?: number; [k: string]: unknown } class S extends C { declare y: string; x!: number; f(): number; f(a?: number): number { return a ?? 1 } run() { return [this.f(), 'y' in this, 'x' in this, Object.keys(this)] } }`,
  ],
  [
    'generics and predicates',
    `class Box<in out T extends object = {}> { constructor(readonly v: T) {} map<U extends object>(f: (v: T) => U): Box<U> { return new Box<U>(f(this.v)) } is(x: unknown): x is Box<T> { return x instanceof Box } assert(x: unknown): asserts x {} } class S { run(): unknown { const b = new Box({ n: 1 }).map((v) => ({ m: v.n + 1 })); return [b, b.is(1), (a: number, b?: string): void => {}] && [b.v, b.is(b)] } }`,
  ],
  [
    'overloads, this types, unique symbols',
    `const k: unique symbol = Symbol('k'); class S { [k] = 1; run(): [number, string]; run(x?: number): [number, string] { const f = function (this: S, n: number) { return this[k] + n }; return [f.call(this, 1), typeof x] } }`,
  ],
  [
    'const type parameters and accessors',
    `class S { #v = 1; get v(): number { return this.#v } set v(x: number | string) { this.#v = Number(x) } static readonly s: number = 3; readonly r = 1 as const; run() { this.v = '5'; const t = <const T,>(x: T) => x; return [this.v, S.s, this.r, t([1])] } }`,
  ],
  [
    'a namespace of types only',
    `namespace N { export type A = number; export interface B { x: A } } class S { run(): N.A { const b: N.B = { x: 1 }; return b.x } }`,
  ],
  [
    'arrows and generics over lines',
    `class S {
  run() {
    const f = async_ as
      unknown as (x: number) => number
    return f(
      1 as number,
    )
  }
}
const async_ = (x: number,): number => x
  + 1`,
  ],
  [
    'module state',
    `let n = 0; const cache = new Map<string, number>(); const list: number[] = []; const conf = { deep: { on: false } }; function next() { return ++n } class S { static made = 0; id = 5; run() { cache.set('k' + next(), n); list.push(n); conf.deep.on = !conf.deep.on; S.made++; return [n, cache.size, list.length, conf.deep.on, S.made] } }`,
  ],
  [
    'module functions and classes that know each other',
    `const a = () => b() + 1; function b() { return C.k } class C { static k = 4; static of = () => new C(); v = a() } class S { run() { return [a(), new C().v, C.of().v, D.x] } } const D = { x: 7 }`,
  ],
  [
    'variables that are exported and stay',
    `export const limit = 3; export let name = 'n'; export function f() { return limit + name } class S { run() { return [f(), limit, name] } }`,
  ],
  [
    'default exports',
    `export default class Main { v = 1; static make() { return new Main() } } class S { run() { return [Main.make(), Main.name] } }`,
  ],
  [
    'a default export that is a function',
    `export default function main(n: number) { return n + 1 } class S { run() { return [main(1), main.name] } }`,
  ],
  [
    'directives and comments',
    `'use strict'\n/** doc */ // line\nclass S /* c */ { /* a */ run() /* b */ { // e\n /* x */ return /* y */ [ /* z */ 1, // w\n 2 /* v */ ] /* u */ } }`,
  ],
  [
    'regular expressions and divisions',
    `class S { a = 8; g = 2; run() { const b = this.a / 2 / this.g; return [b, /[/\\]]+/g.test('/]'), this.a /this.g/ 1] } }`,
  ],
  [
    'unicode',
    `const café = 1; class S { 'ключ' = 2; run() { const ñ = café + this['ключ']; return [ñ, '😀'.length, \`é\${ñ}\`, { ü: 1 }.ü, '\\u{1F600}'] } }`,
  ],
  [
    'lines that end without semicolons',
    `class S {\n  a = 1\n  b = [1, 2]\n  ;['c'] = 3\n  static s = 1\n  run() {\n    let x = this.a\n    ;(() => { x++ })()\n    ;[x, this.a] = [this.a, x]\n    const y = x\n    ++x\n    this.a\n    ++x\n    return [x, y,\n      this.a]\n  }\n}`,
  ],
  [
    'fields before methods without semicolons',
    `class S {\n  a = 1\n  static\n  b = 2\n  'c'\n  d\n  run() { return Object.keys(this).join() }\n}`,
  ],
];
