/**
 * Constructs of the language in places of an object: rows of the matrix of races.
 *
 * A construct is code over two cells, in which `R(0)` reads a cell and `W(0, e)` writes one. A placement says where the cells are. The
 * same text, with `m[0]` for a cell and a `yield` before each access, is the model (oracles/interleaver.ts).
 */
import type { ModelCall } from '../oracles/interleaver.js';

export interface Row {
  readonly name: string;
  /** A script that assigns `exports.make`. */
  readonly code: string;
  readonly threads: readonly (readonly [method: string])[][];
  readonly model: readonly (readonly ModelCall[])[];
}

/** Where two cells are. `$` stands for the number of the row, so that no two rows share a name. */
export interface Placement {
  readonly name: string;
  /** Members of `class C$`, and statements before it. */
  readonly members?: string;
  readonly before?: string;
  readonly read: readonly [string, string];
  /** `V` stands for the value. */
  readonly write: readonly [string, string];
  /** Expressions that can be assigned, if there are any. */
  readonly target?: readonly [string, string];
  /** Can a cell only hold 0 and 1? */
  readonly isBoolean?: boolean;
}

const both = (text: string): [string, string] => [text.replaceAll('@', '0'), text.replaceAll('@', '1')];
/** Cells that are assignable expressions. */
const at = (name: string, members: string, target: string, before = ''): Placement => ({
  name,
  members,
  before,
  read: both(target),
  write: both(`(${target} = V)`),
  target: both(target),
});
/** Cells behind functions. */
const by = (name: string, members: string, read: string, write: string, before = ''): Placement => ({
  name,
  members,
  before,
  read: both(read),
  write: both(write),
  isBoolean: /^\(?V \?|, V \?/.test(write),
});

export const PLACEMENTS: readonly Placement[] = [
  at('field', 'c0$ = 0; c1$ = 0', 'this.c@$'),
  at('computed field', 'c0$ = 0; c1$ = 0; k$ = "$"', 'this["c@" + this.k$]'),
  at('field of an object', 'o$ = { c0$: 0, c1$: 0 }', 'this.o$.c@$'),
  at('element', 'e$ = [0, 0]', 'this.e$[@]'),
  at('element of an element', 'e$ = [[0], [0]]', 'this.e$[@][0]'),
  at('static', 'static c0$ = 0; static c1$ = 0', 'C$.c@$'),
  at('static private', 'static #o$ = { n0$: 0, n1$: 0 }', 'C$.#o$.n@$'),
  at('private', '#c0$ = 0; #c1$ = 0', 'this.#c@$'),
  at('behind a private field', '#o$ = { c0$: 0, c1$: 0 }', 'this.#o$.c@$'),
  at('symbol', '[S0$] = 0; [S1$] = 0', 'this[S@$]', 'const S0$ = Symbol("0"); const S1$ = Symbol("1");'),
  at('behind a symbol', '[S$] = { c0$: 0, c1$: 0 }', 'this[S$].c@$', 'const S$ = Symbol("s");'),
  at(
    'behind a field that is not enumerable',
    'constructor() { Object.defineProperty(this, "h$", { value: { c0$: 0, c1$: 0 } }) }',
    'this.h$.c@$',
  ),
  at('variable of the file', '', 'v@$', 'let v0$ = 0; let v1$ = 0;'),
  at('object of the file', '', 'O$.c@$', 'const O$ = { c0$: 0, c1$: 0 };'),
  at('property of a function', 'f$ = Object.assign(() => 0, { c0$: 0, c1$: 0 })', 'this.f$.c@$'),
  at('property of an array', 'a$ = Object.assign([7], { c0$: 0, c1$: 0 })', 'this.a$.c@$'),
  at('field of a Map', 'm$ = new M$()', 'this.m$.c@$', 'class M$ extends Map { c0$ = 0; c1$ = 0 }'),
  at(
    'behind a field of a Map',
    'm$ = new M$()',
    'this.m$.o$.c@$',
    'class M$ extends Map { o$ = { c0$: 0, c1$: 0 } }',
  ),
  at('field of an array', 'm$ = new M$()', 'this.m$.c@$', 'class M$ extends Array { c0$ = 0; c1$ = 0 }'),
  at('field of an error', 'm$ = new M$()', 'this.m$.c@$', 'class M$ extends Error { c0$ = 0; c1$ = 0 }'),
  at(
    'object without a prototype',
    'o$ = Object.assign(Object.create(null), { c0$: 0, c1$: 0 })',
    'this.o$.c@$',
  ),
  at('behind a frozen object', 'o$ = Object.freeze({ i$: { c0$: 0, c1$: 0 } })', 'this.o$.i$.c@$'),
  at('behind a value of a Map', 'm$ = new Map([["k", { c0$: 0, c1$: 0 }]])', 'this.m$.get("k").c@$'),
  at('behind a key of a Map', 'm$ = new Map([[{ c0$: 0, c1$: 0 }, 1]])', '[...this.m$.keys()][0].c@$'),
  at('behind a value of a Set', 'm$ = new Set([{ c0$: 0, c1$: 0 }])', '[...this.m$][0].c@$'),
  at(
    'behind a WeakMap',
    'constructor() { W$.set(this, { c0$: 0, c1$: 0 }) }',
    'W$.get(this).c@$',
    'const W$ = new WeakMap();',
  ),
  at(
    'behind a WeakMap of the object',
    'w$ = new WeakMap([[K$, { c0$: 0, c1$: 0 }]])',
    'this.w$.get(K$).c@$',
    'const K$ = {};',
  ),
  at('behind a WeakRef', 'o$ = { c0$: 0, c1$: 0 }; w$ = new WeakRef(this.o$)', 'this.w$.deref().c@$'),
  at(
    'field of a prototype',
    '',
    'this.c@$',
    'const late$ = (C) => { C.prototype.c0$ = 0; C.prototype.c1$ = 0; return C };',
  ),
  at(
    'behind a field of a prototype',
    '',
    'this.o$.c@$',
    'const late$ = (C) => { C.prototype.o$ = { c0$: 0, c1$: 0 }; return C };',
  ),
  at('typed element', 't$ = new Int32Array(2)', 'this.t$[@]'),
  at('typed element behind a view', 't$ = new Float64Array(new SharedArrayBuffer(32), 8, 2)', 'this.t$[@]'),
  at('lastIndex', 'r0$ = /a/g; r1$ = /a/y', 'this.r@$.lastIndex'),
  at(
    'bound function',
    'o$ = { c0$: 0, c1$: 0 }; g$ = function () { return this }.bind(this.o$)',
    'this.g$().c@$',
  ),
  at('global', 'constructor() { globalThis.c0$ = 0; globalThis.c1$ = 0 }', 'globalThis.c@$'),
  at(
    'message of an error',
    'm$ = [new Error("e"), new Error("e")]; constructor() { this.m$[0].message = 0; this.m$[1].message = 0 }',
    'this.m$[@].message',
  ),
  at(
    'argument that is kept',
    'static k$(o) { return () => o } f$ = C$.k$({ c0$: 0, c1$: 0 })',
    'this.f$().c@$',
  ),
  at('proxy', 'p$ = new Proxy({ c0$: 0, c1$: 0 }, {})', 'this.p$.c@$'),
  by(
    'inherited static',
    '',
    'D$.c@$',
    '(B$.c@$ = V)',
    'class B$ { static c0$ = 0; static c1$ = 0 } class D$ extends B$ {}',
  ),
  by(
    'inherited object',
    'b$ = { c0$: 0, c1$: 0 }; d$ = Object.create(this.b$)',
    'this.d$.c@$',
    '(this.b$.c@$ = V)',
  ),
  by(
    'accessor over a private field',
    '#c0$ = 0; #c1$ = 0; get v0$() { return this.#c0$ } set v0$(x) { this.#c0$ = x } get v1$() { return this.#c1$ } set v1$(x) { this.#c1$ = x }',
    'this.v@$',
    '(this.v@$ = V)',
  ),
  by(
    'accessor over a closure',
    'o$ = mk$()',
    'this.o$.v@$',
    '(this.o$.v@$ = V)',
    'const mk$ = () => { let n0 = 0; let n1 = 0; return { get v0$() { return n0 }, set v0$(x) { n0 = x }, get v1$() { return n1 }, set v1$(x) { n1 = x } } };',
  ),
  by(
    'accessor by defineProperty',
    'o$ = mk$()',
    'this.o$.v@$',
    '(this.o$.v@$ = V)',
    'const mk$ = () => { let n0 = 0; let n1 = 0; const o = {}; Object.defineProperty(o, "v0$", { get() { return n0 }, set(x) { n0 = x } }); Object.defineProperty(o, "v1$", { get() { return n1 }, set(x) { n1 = x } }); return o };',
  ),
  by(
    'accessor with a computed name',
    'c0$ = 0; c1$ = 0; get ["w" + "0$"]() { return this.c0$ } get ["w" + "1$"]() { return this.c1$ }',
    'this["w@$"]',
    '(this.c@$ = V)',
  ),
  by(
    'inherited accessor',
    'o$ = new D$()',
    'this.o$.v@$',
    '(this.o$.v@$ = V)',
    'class B$ { c0$ = 0; c1$ = 0; get v0$() { return this.c0$ } set v0$(x) { this.c0$ = x } get v1$() { return this.c1$ } set v1$(x) { this.c1$ = x } } class D$ extends B$ {}',
  ),
  by(
    'closure',
    'o$ = mk$()',
    'this.o$.r@()',
    'this.o$.w@(V)',
    'const mk$ = () => { let n0 = 0; let n1 = 0; return { r0: () => n0, r1: () => n1, w0: (x) => (n0 = x), w1: (x) => (n1 = x) } };',
  ),
  by(
    'closure that is bound',
    'o$ = mk$()',
    'this.o$.r@()',
    'this.o$.w@(V)',
    'const mk$ = () => { const n = [0, 0]; const r = (i) => n[i]; const w = (i, x) => (n[i] = x); return { r0: r.bind(null, 0), r1: r.bind(null, 1), w0: w.bind(null, 0), w1: w.bind(null, 1) } };',
  ),
  by('entry of a Map', 'm$ = new Map([[0, 0], [1, 0]])', 'this.m$.get(@)', 'this.m$.set(@, V)'),
  by(
    'entry of a Map under an object',
    'm$ = new Map([[K0$, 0], [K1$, 0]])',
    'this.m$.get(K@$)',
    'this.m$.set(K@$, V)',
    'const K0$ = {}; const K1$ = {};',
  ),
  by('entry of a Map of the file', '', 'M$.get(@)', 'M$.set(@, V)', 'const M$ = new Map([[0, 0], [1, 0]]);'),
  by(
    'entry of a WeakMap',
    'm$ = new WeakMap([[K0$, 0], [K1$, 0]])',
    'this.m$.get(K@$)',
    'this.m$.set(K@$, V)',
    'const K0$ = {}; const K1$ = {};',
  ),
  by('new entry of a Map', 'm$ = new Map()', '(this.m$.get(@) ?? 0)', 'this.m$.set(@, V)'),
  by(
    'value of a Set',
    'm$ = new Set()',
    '(this.m$.has(@) ? 1 : 0)',
    '(V ? this.m$.add(@) : this.m$.delete(@))',
  ),
  by(
    'value of a WeakSet',
    'm$ = new WeakSet()',
    '(this.m$.has(K@$) ? 1 : 0)',
    '(V ? this.m$.add(K@$) : this.m$.delete(K@$))',
    'const K0$ = {}; const K1$ = {};',
  ),
  by('new field', 'o$ = {}', '(this.o$.c@$ ?? 0)', '(this.o$.c@$ = V)'),
  by(
    'presence of a field',
    'o$ = {}',
    '("c@$" in this.o$ ? 1 : 0)',
    '(V ? (this.o$.c@$ = 1) : delete this.o$.c@$)',
  ),
  by(
    'absence of a field',
    'o$ = { c0$: 9, c1$: 9 }',
    '("c@$" in this.o$ ? 0 : 1)',
    '(V ? delete this.o$.c@$ : (this.o$.c@$ = 9))',
  ),
  by(
    'absence of a field with a computed name',
    'o$ = { c0$: 9, c1$: 9 }; k$ = "$"',
    '(this.o$["c@" + this.k$] === undefined ? 1 : 0)',
    '(V ? delete this.o$["c@" + this.k$] : (this.o$.c@$ = 9))',
  ),
  by(
    'absence of an entry of a Map',
    'm$ = new Map([[0, 9], [1, 9]])',
    '(this.m$.has(@) ? 0 : 1)',
    '(V ? this.m$.delete(@) : this.m$.set(@, 9))',
  ),
  by(
    'absence of a value of a Set',
    'm$ = new Set([0, 1])',
    '(this.m$.has(@) ? 0 : 1)',
    '(V ? this.m$.delete(@) : this.m$.add(@))',
  ),
  by(
    'field through super',
    'o$ = new D$()',
    'this.o$.c@$',
    'this.o$.w@$(V)',
    'class B$ {} class D$ extends B$ { c0$ = 0; c1$ = 0; w0$(x) { return (super.c0$ = x); } w1$(x) { return (super.c1$ = x); } }',
  ),
  by('time of a date', 'd0$ = new Date(0); d1$ = new Date(0)', 'this.d@$.getTime()', 'this.d@$.setTime(V)'),
  by('year of a date', 'd0$ = new Date(0); d1$ = new Date(0)', '(+this.d@$)', 'this.d@$.setTime(V)'),
  by(
    'element by Atomics',
    't$ = new Int32Array(new SharedArrayBuffer(8))',
    'Atomics.load(this.t$, @)',
    'Atomics.store(this.t$, @, V)',
  ),
  by('element by at', 'e$ = [0, 0]', 'this.e$.at(@)', '(this.e$[@] = V)'),
  by('element by Reflect', 'e$ = [0, 0]', 'Reflect.get(this.e$, @)', 'Reflect.set(this.e$, @, V)'),
  by(
    'field by Reflect',
    'o$ = { c0$: 0, c1$: 0 }',
    'Reflect.get(this.o$, "c@$")',
    'Reflect.set(this.o$, "c@$", V)',
  ),
  by(
    'field by Reflect for a receiver',
    'o$ = { c0$: 0, c1$: 0 }; r$ = Object.create(this.o$)',
    'Reflect.get(this.o$, "c@$", this.r$)',
    'Reflect.set(this.r$, "c@$", V, this.o$)',
  ),
  by(
    'accessor by Reflect for a receiver',
    'c0$ = 0; c1$ = 0; a$ = { get v0$() { return this.c0$ }, set v0$(x) { this.c0$ = x }, get v1$() { return this.c1$ }, set v1$(x) { this.c1$ = x } }',
    'Reflect.get(this.a$, "v@$", this)',
    'Reflect.set(this.a$, "v@$", V, this)',
  ),
  by(
    'descriptor of a field',
    'o$ = { c0$: 0, c1$: 0 }',
    'Object.getOwnPropertyDescriptor(this.o$, "c@$").value',
    'Object.defineProperty(this.o$, "c@$", { value: V, writable: true, configurable: true, enumerable: true })',
  ),
  by(
    'error in a field',
    'x0$ = new Error(0); x1$ = new Error(0)',
    'Number(this.x@$.message)',
    '(this.x@$ = new Error(V))',
  ),
  by(
    'error with a cause',
    'x0$ = new Error("", { cause: 0 }); x1$ = new Error("", { cause: 0 })',
    'this.x@$.cause',
    '(this.x@$ = new Error("", { cause: V }))',
  ),
  by('boxed number', 'x0$ = Object(0); x1$ = Object(0)', 'this.x@$.valueOf()', '(this.x@$ = Object(V))'),
  by(
    'date that is replaced',
    'x0$ = new Date(0); x1$ = new Date(0)',
    'this.x@$.getTime()',
    '(this.x@$ = new Date(V))',
  ),
  by('array that is replaced', 'x0$ = [0]; x1$ = [0]', 'this.x@$[0]', '(this.x@$ = [V])'),
  by('length of an array', 'e0$ = []; e1$ = []', 'this.e@$.length', '(this.e@$.length = V)'),
  by('length after push', 'e0$ = []; e1$ = []', 'this.e@$.length', '(V ? this.e@$.push(9) : this.e@$.pop())'),
  by(
    'size of a Map',
    'e0$ = new Map(); e1$ = new Map()',
    'this.e@$.size',
    '(V ? this.e@$.set("q", 1) : this.e@$.clear())',
  ),
  by(
    'size of a Set',
    'e0$ = new Set(); e1$ = new Set()',
    'this.e@$.size',
    '(V ? this.e@$.add("q") : this.e@$.clear())',
  ),
  by(
    'number of fields',
    'e0$ = {}; e1$ = {}',
    'Object.keys(this.e@$).length',
    '(V ? (this.e@$.q = 1) : delete this.e@$.q)',
  ),
  by(
    'prototype of an object',
    'e0$ = {}; e1$ = {}',
    '(Object.getPrototypeOf(this.e@$) === P$ ? 1 : 0)',
    'Object.setPrototypeOf(this.e@$, V ? P$ : Object.prototype)',
    'const P$ = {};',
  ),
  by(
    'frozen or not',
    'e0$ = {}; e1$ = {}',
    '(Object.isFrozen(this.e@$) ? 1 : 0)',
    '(V ? Object.freeze(this.e@$) : 0)',
  ),
];

/** A construct over cells. */
interface Construct {
  readonly name: string;
  readonly go: string;
  readonly put?: string;
  /** Where `yield` cannot stand in `go`. */
  readonly model?: string;
  /** Does it assign cells by operators? `T(0)` is a cell to assign. */
  readonly isTarget?: boolean;
  /** Does it write other values than 1? */
  readonly isNumeric?: boolean;
}

const PUT = 'W(1, 1); W(0, 1);';
const read = (name: string, expression: string, model?: string): Construct => ({
  name,
  go: `return ${expression};`,
  ...(model !== undefined && { model: `return ${model};` }),
});
const two = '[R(0), R(1)]';
/** Two threads that do the same. */
const change = (name: string, go: string, model?: string): Construct => ({
  name,
  go,
  put: go,
  isNumeric: !/check/.test(name),
  ...(model !== undefined && { model }),
});
const assign = (name: string, go: string, model: string): Construct => ({
  ...change(name, go, model),
  isTarget: true,
});
const INCREMENT = 'let t = (yield, m[0]); (yield, m[0] = t + 1); return (yield, m[0]);';

const CONSTRUCTS: readonly Construct[] = [
  read('list', `${two}.join("")`),
  // biome-ignore lint/suspicious/noTemplateCurlyInString: source of a template string
  read('template', '`${R(0)}${R(1)}`'),
  read('sum', 'R(0) * 10 + R(1)'),
  read('comparison', 'R(0) < R(1)'),
  read('equality', 'R(0) === R(1)'),
  read('condition', 'R(0) ? "new" : R(1) ? "torn" : "old"'),
  read('or', 'R(0) || R(1)'),
  read('object', 'Object.values({ a: R(0), b: R(1) }).join("")'),
  read('argument', 'Math.max(R(0), R(1) * 2)'),
  read(
    'converted argument',
    'Math.max({ valueOf: () => R(0) }, { valueOf: () => R(1) * 2 })',
    'Math.max(R(0), R(1) * 2)',
  ),
  read(
    'converted argument in a variable',
    '((a) => Math.min(a, 5))({ valueOf: () => R(0) * 10 + R(1) })',
    'Math.min(R(0) * 10 + R(1), 5)',
  ),
  read('argument of a method', '"xyz".slice(R(0), R(1) + 1)'),
  read('spread', `[...${two}].join("")`),
  read('destructuring', '(([a, b]) => a + "" + b)([R(0), R(1)])', '((a, b) => a + "" + b)(R(0), R(1))'),
  read('function', '((a, b) => a + "" + b)(R(0), R(1))'),
  read('arrow', '(() => R(0) + "" + R(1))()', '(R(0) + "" + R(1))'),
  read('default', '((a = R(0), b = R(1)) => a + "" + b)()', '(R(0) + "" + R(1))'),
  read('callback', '[0].map(() => R(0) + "" + R(1))[0]', '(R(0) + "" + R(1))'),
  // biome-ignore lint/suspicious/noTemplateCurlyInString: source of a template string
  read('toString', '`${{ toString: () => R(0) + "" + R(1) }}`', '(R(0) + "" + R(1))'),
  read('valueOf', '+{ valueOf: () => R(0) * 10 + R(1) }', '(R(0) * 10 + R(1))'),
  read('getter', '({ f: () => R(0), get v() { return this.f() } }).v + "" + R(1)', 'R(0) + "" + R(1)'),
  { name: 'switch', go: 'switch (R(0)) { case 1: return "new"; default: return R(1) ? "torn" : "old"; }' },
  {
    name: 'try',
    go: 'try { if (R(0) === 0) throw 1; return "new"; } catch { return R(1) ? "torn" : "old"; }',
  },
  { name: 'finally', go: 'let s = ""; try { s += R(0); } finally { s += R(1); } return s;' },
  {
    name: 'while',
    go: 'let s = ""; let i = 0; while (i < 2) { s += i === 0 ? R(0) : R(1); i++; } return s;',
  },
  { name: 'do', go: 'let n = 0; do { n += R(0); } while (n++ < 1 && R(1)); return n;' },
  { name: 'for of', go: 'let s = ""; for (const k of [0, 1]) s += k === 0 ? R(0) : R(1); return s;' },
  {
    name: 'for in',
    go: 'let s = ""; for (const k in { a: 0, b: 1 }) s += k === "a" ? R(0) : R(1); return s;',
  },
  { name: 'label', go: 'let s = ""; out: for (;;) { for (;;) { s += R(0); break out; } } return s + R(1);' },
  {
    name: 'constructor',
    go: 'const f = () => R(0); const g = () => R(1); const o = new (class { constructor() { this.v = f(); this.w = g(); } })(); return o.v + "" + o.w;',
    model: 'return R(0) + "" + R(1);',
  },
  {
    name: 'initializers',
    go: 'const f = () => R(0); const g = () => R(1); const o = new (class { v = f(); #w = g(); get w() { return this.#w; } })(); return o.v + "" + o.w;',
    model: 'return R(0) + "" + R(1);',
  },
  ...Object.entries({
    'constructor of a subclass':
      'class A { constructor(x) { this.x = x; this.v = f(); } } class B extends A { constructor() { super(1); this.w = g(); } }',
    'initializers of a subclass': 'class A { v = f(); } class B extends A { w = g(); }',
    'argument of super':
      'class A { constructor(x) { this.v = x; } } class B extends A { constructor() { const x = f(); super(x); this.w = g(); } }',
    'subclass without a constructor':
      'class A { constructor() { this.v = f(); this.w = g(); } } class B extends A {}',
    'subclass of a subclass':
      'class A { constructor() { this.v = f(); } } class M extends A { m = 1; } class B extends M { #w = g(); get w() { return this.#w; } }',
    'subclass of a Map':
      'class B extends Map { constructor() { super([["v", f()]]); this.w = g(); } get v() { return this.get("v"); } }',
    'subclass of an error':
      'class B extends Error { constructor() { super("e" + f()); this.w = g(); } get v() { return this.message.slice(1); } }',
    'method called by the constructor of a superclass':
      'class A { constructor() { this.init(); } } class B extends A { w = g(); init() { this.v = f(); } }',
    'closure in the constructor of a subclass':
      'class A { v = f(); } class B extends A { constructor() { super(); const h = () => { this.w = g(); }; h(); } }',
  }).map(([name, classes]) => ({
    name,
    go: `const f = () => R(0); const g = () => R(1); ${classes} const o = new B(); return o.v + "" + o.w;`,
    model: 'return R(0) + "" + R(1);',
  })),
  {
    name: 'constructor argument',
    go: 'const o = new (class { constructor(x) { this.x = x; } })(R(0)); return o.x + "" + R(1);',
  },
  {
    name: 'Map of its own',
    go: 'const o = new Map([["a", R(0)]]); o.set("b", R(1)); return [...o.values()].join("");',
  },
  { name: 'read twice', go: 'const a = R(0); return a + "" + R(0);' },
  change('read, then write', 'const n = R(0); W(0, n + 1); return n;'),
  change('check, then act', 'if (R(0) === 0) { W(0, 1); return "mine"; } return "taken";'),
  change('write, then read', 'W(0, R(1)); W(1, 1); return R(0);'),
  change('write in an argument', 'return [W(0, R(0) + 1), R(0)].length + "" + R(0);'),
  assign('increment', 'T(0)++; return R(0);', INCREMENT),
  assign('prefix increment', '++T(0); return R(0);', INCREMENT),
  assign('compound', 'T(0) += 1; return R(0);', INCREMENT),
  assign(
    'or assignment',
    'T(0) ||= R(1) + 1; T(1) = 1; return R(0);',
    'if (!(yield, m[0])) { const v = (yield, m[1]) + 1; (yield, m[0] = v); } (yield, m[1] = 1); return (yield, m[0]);',
  ),
  assign(
    'array pattern',
    '[T(0), T(1)] = [R(1) + 1, R(0)]; return R(1);',
    'const a = (yield, m[1]) + 1; const b = (yield, m[0]); (yield, m[0] = a); (yield, m[1] = b); return (yield, m[1]);',
  ),
  assign('object pattern', '({ a: T(0) } = { a: R(0) + 1 }); return R(0);', INCREMENT),
];

/** Ways to read a cell three times, each of which carries the values, or the number of rounds, in another kind of state. */
const CARRIERS: Readonly<Record<string, string>> = {
  local: 'let i = 0; let s = ""; while (i < 3) { s += R(0); i++; } return s;',
  'for loop': 'let s = ""; for (let i = 0; i < 3; i++) s += R(0); return s;',
  'do loop': 'let i = 0; let s = ""; do { s += R(0); } while (++i < 3); return s;',
  'list by push': 'const a = []; while (a.length < 3) a.push(R(0)); return a.join("");',
  'list by index': 'const a = []; for (let i = 0; i < 3; i++) a[i] = R(0); return a.join("");',
  'list by unshift': 'const a = []; while (a.length < 3) a.unshift(R(0)); return a.reverse().join("");',
  'list that is rebuilt': 'let a = []; while (a.length < 3) a = [...a, R(0)]; return a.join("");',
  'list of work': 'const w = [1, 2, 3]; let s = ""; while (w.pop()) s += R(0); return s;',
  'list of work by shift': 'const w = [1, 2, 3]; let s = ""; while (w.shift()) s += R(0); return s;',
  'length of a list':
    'const w = [1, 2, 3]; let s = ""; while (w.length > 0) { s += R(0); w.length--; } return s;',
  field: 'const o = { n: 0, s: "" }; while (o.n < 3) { o.s += R(0); o.n++; } return o.s;',
  'fields by name':
    'const o = {}; while (Object.keys(o).length < 3) o["k" + Object.keys(o).length] = R(0); return Object.values(o).join("");',
  'deleted fields':
    'const o = { a: 1, b: 2, c: 3 }; let s = ""; for (let k = Object.keys(o)[0]; k !== undefined; k = Object.keys(o)[0]) { s += R(0); delete o[k]; } return s;',
  symbol:
    'const k = Symbol("k"); const o = { [k]: 0 }; let s = ""; while (o[k] < 3) { s += R(0); o[k]++; } return s;',
  'hidden field':
    'const o = Object.defineProperty({}, "n", { value: 0, writable: true }); let s = ""; while (o.n < 3) { s += R(0); o.n++; } return s;',
  'field by Reflect':
    'const o = { n: 0 }; let s = ""; while (o.n < 3) { s += R(0); Reflect.set(o, "n", o.n + 1); } return s;',
  'field by assign':
    'const o = { n: 0 }; let s = ""; while (o.n < 3) { s += R(0); Object.assign(o, { n: o.n + 1 }); } return s;',
  'field by defineProperty':
    'const o = {}; let n = 0; Object.defineProperty(o, "n", { value: 0, configurable: true }); let s = ""; while (o.n < 3) { s += R(0); Object.defineProperty(o, "n", { value: o.n + 1, configurable: true }); } return s;',
  accessor:
    'const o = { v: 0, get n() { return this.v; }, set n(x) { this.v = x; } }; let s = ""; while (o.n < 3) { s += R(0); o.n++; } return s;',
  'private field':
    'const o = new (class { #n = 0; next() { return this.#n++; } })(); let s = ""; while (o.next() < 3) s += R(0); return s;',
  'static field': 'class L { static n = 0; } let s = ""; while (L.n < 3) { s += R(0); L.n++; } return s;',
  'field of an instance':
    'class L { n = 0; } const o = new L(); let s = ""; while (o.n < 3) { s += R(0); o.n++; } return s;',
  closure: 'let n = 0; const next = () => n++; let s = ""; while (next() < 3) s += R(0); return s;',
  'closure in a list':
    'const mk = () => { let n = 0; return [() => n++]; }; const [next] = mk(); let s = ""; while (next() < 3) s += R(0); return s;',
  'property of a function':
    'const f = () => f.n++; f.n = 0; let s = ""; while (f() < 3) s += R(0); return s;',
  'bound function':
    'const o = { n: 0 }; const f = function () { return this.n++; }.bind(o); let s = ""; while (f() < 3) s += R(0); return s;',
  Map: 'const m = new Map(); while (m.size < 3) m.set(m.size, R(0)); return [...m.values()].join("");',
  'entry of a Map':
    'const m = new Map([["n", 0]]); let s = ""; while (m.get("n") < 3) { s += R(0); m.set("n", m.get("n") + 1); } return s;',
  Set: 'const m = new Set(); let s = ""; while (m.size < 3) { s += R(0); m.add(m.size); } return s;',
  'Set that is emptied':
    'const m = new Set([1, 2, 3]); let s = ""; for (const k of m) { s += R(0); m.delete(k); } return s;',
  WeakMap:
    'const k = {}; const m = new WeakMap([[k, 0]]); let s = ""; while (m.get(k) < 3) { s += R(0); m.set(k, m.get(k) + 1); } return s;',
  'class that extends Map':
    'class M extends Map { n = 0; } const m = new M(); let s = ""; while (m.n < 3) { s += R(0); m.n++; } return s;',
  'typed array': 'const t = new Int32Array(1); let s = ""; while (t[0] < 3) { s += R(0); t[0]++; } return s;',
  'typed array by set':
    'const t = new Int32Array(1); let s = ""; while (t[0] < 3) { s += R(0); t.set([t[0] + 1]); } return s;',
  'typed array by fill':
    'const t = new Int32Array(1); let s = ""; while (t[0] < 3) { s += R(0); t.fill(t[0] + 1); } return s;',
  Atomics: 'const t = new Int32Array(1); let s = ""; while (Atomics.add(t, 0, 1) < 3) s += R(0); return s;',
  DataView:
    'const d = new DataView(new ArrayBuffer(4)); let s = ""; while (d.getInt32(0) < 3) { s += R(0); d.setInt32(0, d.getInt32(0) + 1); } return s;',
  Date: 'const d = new Date(0); let s = ""; while (d.getTime() < 3) { s += R(0); d.setTime(d.getTime() + 1); } return s;',
  'regular expression': 'const r = /\\w+/g; let s = ""; while (r.test("one two six")) s += R(0); return s;',
  'regular expression by exec':
    'const r = /\\w+/g; let s = ""; while (r.exec("one two six")) s += R(0); return s;',
  'sticky regular expression':
    'const r = /\\w /y; let s = ""; while ("a b c ".match(r)) s += R(0); return s;',
  lastIndex: 'const r = /a/g; let s = ""; while (r.lastIndex < 3) { s += R(0); r.lastIndex++; } return s;',
  error:
    'const e = new Error("0"); let s = ""; while (Number(e.message) < 3) { s += R(0); e.message = String(Number(e.message) + 1); } return s;',
  'iterator of a list':
    'const it = [1, 2, 3].values(); let s = ""; while (!it.next().done) s += R(0); return s;',
  'iterator of a Map':
    'const it = new Map([[1, 1], [2, 2], [3, 3]]).keys(); let s = ""; while (!it.next().done) s += R(0); return s;',
  'iterator of a string':
    'const it = "abc"[Symbol.iterator](); let s = ""; while (!it.next().done) s += R(0); return s;',
  'iterator of matches':
    'const it = "a b c".matchAll(/\\w/g); let s = ""; while (!it.next().done) s += R(0); return s;',
  'for of a list': 'let s = ""; for (const _ of [1, 2, 3]) s += R(0); return s;',
  'for of a Map': 'let s = ""; for (const _ of new Map([[1, 1], [2, 2], [3, 3]])) s += R(0); return s;',
  'for of a string': 'let s = ""; for (const _ of "abc") s += R(0); return s;',
  'for of entries': 'const a = []; for (const [i] of [7, 8, 9].entries()) a[i] = R(0); return a.join("");',
  'for of matches': 'let s = ""; for (const _ of "a b c".matchAll(/\\w/g)) s += R(0); return s;',
  'for in': 'let s = ""; for (const _ in { a: 1, b: 2, c: 3 }) s += R(0); return s;',
  'linked list':
    'let l = null; for (let i = 0; i < 3; i++) l = { v: R(0), l }; let s = ""; for (; l; l = l.l) s = l.v + s; return s;',
  swap: 'let [a, b] = [0, ""]; while (a < 3) [a, b] = [a + 1, b + R(0)]; return b;',
  'object that is rebuilt':
    'let o = { n: 0, s: "" }; while (o.n < 3) o = { n: o.n + 1, s: o.s + R(0) }; return o.s;',
  'frozen object':
    'let o = Object.freeze({ n: 0, s: "" }); while (o.n < 3) o = Object.freeze({ n: o.n + 1, s: o.s + R(0) }); return o.s;',
  bigint: 'let n = 0n; let s = ""; while (n < 3n) { s += R(0); n++; } return s;',
  'nested loops': 'let s = ""; for (let i = 0; i < 2; i++) for (let j = i; j < 2; j++) s += R(0); return s;',
  label:
    'let s = ""; let i = 0; out: for (;;) { while (true) { s += R(0); if (++i === 3) break out; continue out; } } return s;',
  'copy that is changed':
    'const a = [1, 2, 3]; let s = ""; for (let b = a.slice(); b.length > 0; b = b.slice(1)) s += R(0); return s;',
  'copy of a shared list':
    'this.q_ = [1, 2, 3]; const b = [...this.q_]; let s = ""; while (b.pop()) s += R(0); return s;',
};
/** Ways to do the same by callbacks and calls. */
const ROUNDS: Readonly<Record<string, string>> = {
  forEach: 'let s = ""; [1, 2, 3].forEach(() => { s += R(0); }); return s;',
  map: 'return [1, 2, 3].map(() => R(0)).join("");',
  reduce: 'return [1, 2, 3].reduce((s) => s + R(0), "");',
  'Array.from': 'return Array.from({ length: 3 }, () => R(0)).join("");',
  flatMap: 'return [1, 2, 3].flatMap(() => [R(0)]).join("");',
  filter: 'let s = ""; [1, 2, 3].filter(() => { s += R(0); return true; }); return s;',
  'Map.forEach': 'let s = ""; new Map([[1, 1], [2, 2], [3, 3]]).forEach(() => { s += R(0); }); return s;',
  replace: 'return "aaa".replace(/a/g, () => R(0));',
  recursion: 'const f = (n) => (n === 0 ? "" : R(0) + f(n - 1)); return f(3);',
  'iterable of the user':
    'const it = { n: 0, [Symbol.iterator]() { return this; }, next() { return { done: this.n++ === 3, value: 1 }; } }; let s = ""; for (const _ of it) s += R(0); return s;',
  'spread of an iterable':
    'let n = 0; const it = { [Symbol.iterator]: () => ({ next: () => (n++ === 3 ? { done: true, value: 0 } : { done: false, value: R(0) }) }) }; return [...it].join("");',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: source of a template string
  'getter that is called thrice': 'const o = { get v() { return R(0); } }; return `${o.v}${o.v}${o.v}`;'
    .replace('return R(0);', 'return f();')
    .replace('const o', 'const f = () => R(0); const o'),
  // biome-ignore lint/suspicious/noTemplateCurlyInString: source of a template string
  'toString that is called thrice': 'const o = { toString: () => String(R(0)) }; return `${o}${o}${o}`;',
  'call, apply and bind':
    'const f = () => R(0); return "" + f.call(null) + f.apply(null, []) + f.bind(null)();',
  'Reflect.apply':
    'const f = () => R(0); let s = ""; for (let i = 0; i < 3; i++) s += Reflect.apply(f, null, []); return s;',
  'optional call': 'const f = () => R(0); return "" + f?.() + f?.() + f?.();',
  'tagged template': 'const f = () => R(0); return "" + f`` + f`` + f``;',
  sort: 'let s = ""; [2, 1].sort(() => { s += R(0); return 1; }); return s + R(0) + R(0);',
  JSON: 'const o = { toJSON: () => R(0) }; return JSON.parse(JSON.stringify([o, o, o])).join("");',
};

/** Rows that read a cell three times. */
export function loopRows(): Row[] {
  const model = modelOf('let s = ""; for (let k = 0; k < 3; k++) s += R(0); return s;');
  const put = modelOf('W(0, 1);');
  const cells = PLACEMENTS.filter(({ name }) => ['field', 'element', 'closure'].includes(name));
  const last = modelOf('let s = ""; for (let k = 0; k < 3; k++) s = "" + R(0); return s;');
  const rows = [...Object.entries(CARRIERS), ...Object.entries(ROUNDS)];
  // nothing but the carrier changes in an iteration that reads the same value again
  const idle = Object.entries(CARRIERS)
    .filter(([, go]) => go.includes('s += R(0)'))
    .map(([name, go]) => [`${name}, last value`, go.replaceAll('s += R(0)', 's = "" + R(0)')]);
  return [...rows, ...idle].flatMap(([name, go], i) => {
    const row = cellRow(
      { name, go, put: 'W(0, 1);', model: 'return R(0);' },
      cells[i % cells.length],
      10_000 + i,
    );
    return {
      ...row,
      threads: [[['go']], [['put']]],
      model: [[i < rows.length ? model : last], [put]],
    };
  });
}

/**
 * Code in which an early read decides only which of two objects a variable, a container or the heap holds: equal content, another object.
 * `A` is an expression in which `x` is the value read. A later change of one object shows which it was.
 */
const ALIASES: Readonly<Record<string, readonly [before: string, early: string, late: string]>> = {
  'a variable': ['const a = []; const c = []; let b = c;', 'b = x ? a : c;', 'a.push(7); return b.length'],
  'a variable or a new object': [
    'const a = []; let b = [];',
    'b = x ? a : [];',
    'a.push(7); return b.length',
  ],
  'the changed one of two': ['const a = [[], []];', 'a[x].push(7);', 'return a[1].length'],
  'the changed field of one of two': [
    'const a = { n: 0 }; const c = { n: 0 };',
    '(x ? a : c).n = 7;',
    'return a.n === 7 ? 1 : 0',
  ],
  'an element': ['const a = [0]; const l = [];', 'l[0] = x ? a : [0];', 'a[0] = 1; return l[0][0]'],
  'a key of a Map': [
    'const k = {}; const l = new Map();',
    'l.set(x ? k : {}, 1);',
    'return l.has(k) ? 1 : 0',
  ],
  'a value of a Set': ['const k = {}; const l = new Set();', 'l.add(x ? k : {});', 'return l.has(k) ? 1 : 0'],
  'a value of a WeakSet': [
    'const k = {}; const l = new WeakSet();',
    'l.add(x ? k : {});',
    'return l.has(k) ? 1 : 0',
  ],
  'a captured variable': [
    'let n = []; const a = []; const f = () => n; const g = (v) => { n = v; };',
    'g(x ? a : []);',
    'a.push(7); return f().length',
  ],
  'a shared field': ['const a = [0];', 'this.q_ = x ? a : [0];', 'a.push(7); return this.q_.length - 1'],
  'a shared element': [
    'this.q_ = []; const a = [0];',
    'this.q_.push(x ? a : [0]);',
    'a.push(7); return this.q_[0].length - 1',
  ],
  'an object inside another one': [
    'const o = { a: [0] };',
    'this.q_ = x ? o.a : [0];',
    'o.a.push(7); return this.q_.length - 1',
  ],
  'a typed array': [
    'const a = new Int8Array(1); let b = a;',
    'b = x ? a : new Int8Array(1);',
    'a[0] = 1; return b[0]',
  ],
  'a view of a buffer': [
    'const u = new ArrayBuffer(1); const a = new Int8Array(u); let b = a;',
    'b = new Int8Array(x ? u : 1);',
    'a[0] = 1; return b[0]',
  ],
  'a regular expression': [
    'const a = /a/g; let b = a;',
    'b = x ? a : /a/g;',
    'a.test("aa"); return b.lastIndex',
  ],
  'a date': [
    'const a = new Date(0); let b = a;',
    'b = x ? a : new Date(0);',
    'a.setTime(1); return b.getTime()',
  ],
  'a function': ['const a = () => 0; let b = a;', 'b = x ? a : () => 0;', 'return a === b ? 1 : 0'],
  'a symbol': ['const a = Symbol(); let b = a;', 'b = x ? a : Symbol();', 'return a === b ? 1 : 0'],
  'an object of a class': [
    'class N { v = 0 } const a = new N(); let b = a;',
    'b = x ? a : new N();',
    'a.v = 1; return b.v',
  ],
  'a private field': [
    'class N { #l = null; put(l) { this.#l = l; } get() { return this.#l; } } const a = [0]; const o = new N();',
    'o.put(x ? a : [0]);',
    'a[0] = 1; return o.get()[0]',
  ],
  'a copy of a shared list': [
    'this.q_ = [0]; const a = [...this.q_]; let b = a;',
    'b = x ? a : [...this.q_];',
    'a.push(7); return b.length - 1',
  ],
  'a prototype': [
    'const a = { v: 0 }; let b = {};',
    'b = Object.create(x ? a : { v: 0 });',
    'a.v = 1; return b.v',
  ],
};

/** Copies of a shared list, which only their thread has. */
const COPIES: readonly string[] = [
  '[...this.e$]',
  '{ ...this.e$ }',
  'this.e$.slice()',
  'this.e$.concat([])',
  'this.e$.map((x) => x)',
  'this.e$.filter(() => true)',
  'this.e$.toReversed().reverse()',
  'this.e$.flat()',
  'this.e$.with(1, 5)',
  'this.e$.toSpliced(1, 1)',
  'Array.from(this.e$)',
  'Object.values(this.e$)',
  'Object.assign([], this.e$)',
  'structuredClone(this.e$)',
  'JSON.parse(JSON.stringify(this.e$))',
  'Int8Array.from(this.e$)',
  'new Float64Array(this.e$)',
];

/**
 * Rows in which a loop carries which object it is; in the function itself, and in one that is called. The reads of cell 1 make the calls
 * overlap: otherwise the order of the calls would distinguish the states. And rows in which a thread forgets what a copy held.
 */
export function aliasRows(): Row[] {
  const model = modelOf('const p = R(1); const x = R(0); return p + "" + x + R(1);');
  const cell = PLACEMENTS.find(({ name }) => name === 'field')!;
  const put = 'W(0, 1); W(1, 1);';
  const row = (name: string, go: string, number: number, at = cell): Row => ({
    ...cellRow({ name, go: `const p = R(1); ${go}`, put, model: 'return 0;' }, at, number),
    threads: [[['go']], [['put']]],
    model: [[model], [modelOf(put)]],
  });
  const list = PLACEMENTS.find(({ name }) => name === 'element')!;
  const copies = COPIES.map((copy, i) =>
    row(
      `a changed copy: ${copy}`,
      `const b = ${copy}; const x = b[0]; b[0] = 9; return p + "" + x + R(1);`,
      31_000 + i,
      list,
    ),
  );
  const aliases = Object.entries(ALIASES).flatMap(([name, [before, early, late]], i) => {
    const round = `const x = i === 0 ? R(0) : R(1); if (i === 0) { ${early} } else return`;
    const end = `(() => { ${late} })()`;
    const loop = `for (let i = 0; i < 2; i++) { ${round} p + "" + ${end} + x; }`;
    const called = `const f_ = () => { for (let i = 0; i < 2; i++) { ${round} x; } }; const y = f_(); return p + "" + ${end} + y;`;
    return [loop, called].map((body, k) =>
      row(`${name}${k === 0 ? '' : ', in a call'}`, `${before} ${body}`, 30_000 + 2 * i + k),
    );
  });
  return [...aliases, ...copies];
}

/** Containers of two numbers, and ways to read both: one by one, or in one step. `X` is the container; each gives two digits. */
const CONTAINERS: readonly {
  readonly name: string;
  readonly made: string;
  readonly put: string;
  readonly oneByOne: readonly string[];
  readonly atOnce: readonly string[];
}[] = [
  {
    name: 'array',
    made: '[0, 0]',
    put: 'X[1] = 1; X[0] = 1;',
    oneByOne: [
      'let s = ""; for (const x of X) s += x; return s;',
      'let s = ""; for (const [, x] of X.entries()) s += x; return s;',
      'let s = ""; for (let i = 0; i < X.length; i++) s += X[i]; return s;',
      'let s = ""; for (const i in X) s += X[i]; return s;',
      'let s = ""; X.forEach((x) => { s += x; }); return s;',
      'return X.map((x) => x).join("");',
      'return X.reduce((s, x) => s + x, "");',
      'return X.flatMap((x) => [x]).join("");',
      'return structuredClone(X).join("");',
      'const it = X.values(); return "" + it.next().value + it.next().value;',
      'return "" + Reflect.get(X, 0) + Reflect.get(X, 1);',
      'return "" + X.at(0) + X.at(1);',
      'const { 0: a, 1: b } = X; return "" + a + b;',
      'return JSON.stringify(X).replace(/\\D/g, "");',
    ],
    atOnce: [
      'return [...X].join("");',
      'return Array.from(X).join("");',
      'return X.join("");',
      'return String(X).replace(",", "");',
      // biome-ignore lint/suspicious/noTemplateCurlyInString: source of a template string
      'return `${X}`.replace(",", "");',
      'return (X + "").replace(",", "");',
      'return X.toString().replace(",", "");',
      'return X.slice().join("");',
      'return X.concat([]).join("");',
      'return X.toReversed().reverse().join("");',
      'const [a, b] = X; return "" + a + b;',
      'const [a, ...b] = X; return "" + a + b[0];',
      'return ((a, b) => "" + a + b)(...X);',
      'return ((a, b) => "" + a + b).apply(null, X);',
      'return Reflect.apply((a, b) => "" + a + b, null, X);',
      'return Object.values(X).join("");',
      'return new Array(...X).join("");',
      'return [X].flat().join("");',
      'const o = { ...X }; return "" + o[0] + o[1];',
    ],
  },
  {
    name: 'object',
    made: '{ a: 0, b: 0 }',
    put: 'X.b = 1; X.a = 1;',
    oneByOne: [
      'return Object.values(X).join("");',
      'return Object.entries(X).map(([, v]) => v).join("");',
      'return Object.values({ ...X }).join("");',
      'return Object.values(Object.assign({}, X)).join("");',
      'const { a, b } = X; return "" + a + b;',
      'const { a, ...rest } = X; return "" + a + rest.b;',
      'let s = ""; for (const k in X) s += X[k]; return s;',
      'return JSON.stringify(X).replace(/\\D/g, "");',
      'return Object.values(structuredClone(X)).join("");',
      'return Object.keys(X).map((k) => X[k]).join("");',
      'return Reflect.ownKeys(X).map((k) => Reflect.get(X, k)).join("");',
      'return (({ a, b }) => "" + a + b)(X);',
      'return new URLSearchParams(X).toString().replace(/\\D/g, "");',
      'return Object.values(Object.fromEntries(Object.entries(X))).join("");',
      'return Object.values(Object.getOwnPropertyDescriptors(X)).map((d) => d.value).join("");',
    ],
    atOnce: [],
  },
  {
    name: 'object inside an object',
    made: '{ a: { v: 0 }, b: 0 }',
    put: 'X.b = 1; X.a.v = 1;',
    oneByOne: [
      'return JSON.stringify(X).replace(/\\D/g, "");',
      'return JSON.stringify([X]).replace(/\\D/g, "");',
      'return JSON.stringify({ toJSON: () => X }).replace(/\\D/g, "");',
      'const { a, b } = structuredClone(X); return "" + a.v + b;',
      'const { a: { v }, b } = X; return "" + v + b;',
    ],
    atOnce: [],
  },
  {
    name: 'list of entries',
    made: '[["a", 0], ["b", 0]]',
    put: 'X[1][1] = 1; X[0][1] = 1;',
    oneByOne: [
      'return Object.values(Object.fromEntries(X)).join("");',
      'return [...new Map(X).values()].join("");',
      'return Object.values(Object.fromEntries(new Map(X))).join("");',
      'return Object.values(Object.fromEntries([...X])).join("");',
      'return Object.values(Object.fromEntries(X.values())).join("");',
      'return Object.values(Object.fromEntries(X.map((x) => x))).join("");',
      'return [...new Map([...X]).values()].join("");',
      'return [...new Map(X.slice()).values()].join("");',
      'return new URLSearchParams(X).toString().replace(/\\D/g, "");',
      'return [...new URLSearchParams(X).values()].join("");',
      'return X.flat().filter(Number.isInteger).join("");',
      'return [].concat(...X).filter(Number.isInteger).join("");',
      'return X.flatMap(([, v]) => [v]).join("");',
      'return X.flatMap((x) => x).filter(Number.isInteger).join("");',
      'return X.flatMap((x, i) => (i === 0 ? x : [X[1][1]])).filter(Number.isInteger).join("");',
      'return X.join("").replace(/\\D/g, "");',
      'return String(X).replace(/\\D/g, "");',
      'return X.toString().replace(/\\D/g, "");',
      'return X.toLocaleString().replace(/\\D/g, "");',
      'return JSON.stringify(X).replace(/\\D/g, "");',
      'return X.map((x) => x.at(1)).join("");',
      'return X.map((x) => "" + x).join("").replace(/\\D/g, "");',
      'return X.map(String).join("").replace(/\\D/g, "");',
      'const [[, a], [, b]] = X; return "" + a + b;',
      'let s = ""; for (const [, v] of X) s += v; return s;',
      'let s = ""; for (const [, v] of new Set(X)) s += v; return s;',
      'return Array.from(X, ([, v]) => v).join("");',
      'return X.reduce((s, x) => s + x[1], "");',
      'return [...X.values()].map((x) => x[1]).join("");',
      'return Object.values(Object.assign({}, X)).map((x) => x[1]).join("");',
      'return X.reduce((s, x) => s.concat(x), []).filter(Number.isInteger).join("");',
      'return Array.from(Object.values(X), (x) => x[1]).join("");',
      'return [...Reflect.construct(Map, [X]).values()].join("");',
      'return [...((M) => new M(X))(Map).values()].join("");',
      'const w = new WeakMap([[this, X[0]]]); return "" + w.get(this)[1] + X[1][1];',
    ],
    atOnce: [],
  },
  {
    name: 'object like an array',
    made: '{ length: 2, 0: 0, 1: 0 }',
    put: 'X[1] = 1; X[0] = 1;',
    oneByOne: [
      'return Array.from(X).join("");',
      'return Array.from(X, (x) => x).join("");',
      'return ((a, b) => "" + a + b).apply(null, X);',
      'return Reflect.apply((a, b) => "" + a + b, null, X);',
      'return Reflect.construct(Array, X).join("");',
      'return new Int8Array(X).join("");',
      'return Int8Array.from(X).join("");',
      'const view = new Int8Array(2); view.set(X); return view.join("");',
      'return String.raw({ raw: X });',
      'return Array.prototype.map.call(X, (x) => x).join("");',
      'return Array.prototype.reduce.call(X, (s, x) => s + x, "");',
    ],
    atOnce: ['return Array.prototype.join.call(X, "");', 'return Array.prototype.slice.call(X).join("");'],
  },
  {
    name: 'objects that are converted',
    made: '[[0], [0]]',
    put: 'X[1][0] = 1; X[0][0] = 1;',
    oneByOne: [
      '[0, 1].at(v)',
      '2 - [0, 1].slice(v).length',
      '["", ""].join(v)',
      '[1, 1].with(v, 0).indexOf(0)',
      '[7, 7].indexOf(7, v)',
      '[0, 1].splice(v, 1)[0]',
      'new Int8Array(1).fill(v)[0]',
      'new Date(5).setTime(v)',
      'Atomics.load(new Int32Array([0, 1]), v)',
      'Reflect.get([0, 1], v)',
      'Number(Object.hasOwn({ 1: 1 }, v))',
      'Object.getOwnPropertyDescriptor([0, 1], v).value',
      'Object.keys(Object.defineProperty({}, v, { enumerable: true }))[0]',
      'Object.keys({ [v]: 0 })[0]',
      'Object.keys({ [v]() {} })[0]',
      'Object.keys({ get [v]() { return 0; } })[0]',
      'Object.keys(new (class { [v] = 0; })())[0]',
      'Object.getOwnPropertyNames((class { [v]() {} }).prototype).find((name) => name.length === 1)',
      'new Error(v).message',
      'new TypeError([v]).message',
      'new RegExp([v]).source',
      '"a".replace("a", v)',
      '"01".replaceAll(v, "").replace(/1/, "x").replace(/0/, "1").replace("x", "0")',
      '((y) => { y++; return y - 1; })(v)',
      '((y) => 1 + --y)(v)',
      'escape(v)',
    ].map((form) => `const f = (v) => ${form}; return "" + f(X[0]) + f(X[1]);`),
    atOnce: [],
  },
  {
    name: 'Map',
    made: 'new Map([["a", 0], ["b", 0]])',
    put: 'X.set("b", 1); X.set("a", 1);',
    oneByOne: [
      'let s = ""; for (const [, v] of X) s += v; return s;',
      'let s = ""; for (const v of X.values()) s += v; return s;',
      'let s = ""; for (const k of X.keys()) s += X.get(k); return s;',
      'let s = ""; X.forEach((v) => { s += v; }); return s;',
      'return "" + X.get("a") + X.get("b");',
    ],
    atOnce: [
      'return [...X.values()].join("");',
      'return Array.from(X, ([, v]) => v).join("");'.replace(
        'Array.from(X, ([, v]) => v)',
        '[...X].map(([, v]) => v)',
      ),
      'return [...new Map(X).values()].join("");',
      'return Object.values(Object.fromEntries(X)).join("");',
      'return [...structuredClone(X).values()].join("");',
    ],
  },
  {
    name: 'typed array',
    made: 'new Int32Array(2)',
    put: 'X[1] = 1; X[0] = 1;',
    oneByOne: [
      'let s = ""; for (const x of X) s += x; return s;',
      'return X.join("");',
      'return [...X].join("");',
      'return Array.from(X).join("");',
      'return X.slice().join("");',
      'let s = ""; X.forEach((x) => { s += x; }); return s;',
      'return "" + Atomics.load(X, 0) + Atomics.load(X, 1);',
    ],
    atOnce: [],
  },
];

/** Rows that read a container. */
export function containerRows(): Row[] {
  const put = modelOf('W(1, 1); W(0, 1);');
  const models = {
    oneByOne: modelOf('return "" + R(0) + R(1);'),
    atOnce: modelOf('yield; return "" + m[0] + m[1];'),
  };
  let number = 20_000;
  return CONTAINERS.flatMap((container) =>
    (['oneByOne', 'atOnce'] as const).flatMap((way) =>
      container[way].map((go) => {
        const name = `x_${++number}`;
        const held = (text: string): string =>
          text.replaceAll('X', `this.${name}`).replaceAll(`Math.this.${name}`, 'Math');
        return {
          name: `${container.name}: ${go}`,
          code: `class C_${number} { ${name} = ${container.made}; go() { ${held(go)} } put() { ${held(container.put)} } }
exports.make = () => new C_${number}()`,
          threads: [[['go'], ['go']], [['put']]] as [string][][],
          model: [[models[way], models[way]], [put]],
        };
      }),
    ),
  );
}

const FIELD_LISTS = [
  'Object.keys(this.f).length',
  'Object.values(this.f).length',
  'Object.entries(this.f).length',
  'Object.assign({}, this.f).k ?? 0',
  '({ ...this.f }).k ?? 0',
];

/** What a class holds, ways to read it that give 0, and 1 after the write, and the write. */
const READS_OF_BUILTINS: readonly (readonly [held: string, write: string, reads: readonly string[]])[] = [
  [
    'd = new Date(0)',
    'this.d.setTime(1)',
    [
      'new Date(this.d).getTime()',
      '((T) => new T(this.d).getTime())(Date)',
      'new Date(...[this.d]).getTime()',
      'new Date(2000, 0, 1, 0, 0, 0, this.d).getMilliseconds()',
      'new Int32Array([this.d])[0]',
      'new Float64Array({ length: 1, 0: this.d })[0]',
      'new Int8Array(new Set([this.d]))[0]',
      '((t) => (t.set([this.d]), t[0]))(new Int32Array(1))',
      'Number("01".at(this.d))',
      'Number("01".charAt(this.d))',
      '2 - "01".slice(this.d).length',
      '"x".repeat(this.d).length',
      '"".padStart(this.d, "x").length',
      '"xx".indexOf("x", this.d)',
      '"x,x".split(",", this.d).length',
      'String.fromCharCode(this.d).charCodeAt(0)',
      'Math.max(this.d, 0)',
      'Number(BigInt(this.d))',
      '(0).toFixed(this.d).length && (5).toFixed(this.d).length >> 1',
    ],
  ],
  [
    'o = { n: 0 }',
    'this.o.n = 1',
    [
      'Number("01".charAt({ valueOf: () => this.o.n }))',
      'Number("01".at({ [Symbol.toPrimitive]: () => this.o.n }))',
      '"ab".split({ [Symbol.split]: () => [this.o.n] })[0]',
      '"ab".match({ [Symbol.match]: () => this.o.n })',
      '"ab".replace({ [Symbol.replace]: () => this.o.n }, "")',
      '"ab".search({ [Symbol.search]: () => this.o.n })',
      '(5).toFixed({ valueOf: () => this.o.n }).length >> 1',
      'Number(BigInt({ valueOf: () => this.o.n }))',
      'new Int32Array([{ valueOf: () => this.o.n }])[0]',
      'String.prototype.slice.call({ toString: () => "x".repeat(this.o.n) }, 0).length',
    ],
  ],
  [
    't = new Int32Array(1)',
    'this.t[0] = 1',
    [
      'JSON.parse(JSON.stringify(this.t))[0]',
      '({ ...this.t })[0]',
      'Object.values(this.t)[0]',
      'Object.entries(this.t)[0][1]',
      'Object.assign({}, this.t)[0]',
      'Object.keys(this.t).length - 1 + this.t[0]',
    ],
  ],
  [
    'o = { cause: 0 }',
    'this.o.cause = 1',
    [
      'new Error("e", this.o).cause',
      'new TypeError("e", this.o).cause',
      'new AggregateError([], "e", this.o).cause',
    ],
  ],
  [
    'e = []',
    'this.e.push(this)',
    ['new AggregateError(this.e).errors.length', 'new AggregateError([...this.e], "").errors.length'],
  ],
  [
    'o = [0]',
    'this.o[0] = 1',
    ['new ArrayBuffer(this.o).byteLength', 'new SharedArrayBuffer(this.o).byteLength'],
  ],
  [
    'o = [0]',
    'this.o[0] = 1',
    [
      '[[0.5], this.o].sort()[0] === this.o ? 0 : 1',
      '[this.o, [0.5]].toSorted()[0] === this.o ? 0 : 1',
      '[0, 1].sort(() => ({ valueOf: () => 1 - 2 * this.o[0] })).at(0)',
      'new Int8Array(1).map(() => this.o)[0]',
    ],
  ],
  [
    'o = [0, undefined]',
    'delete this.o[1]',
    [
      '2 - this.o.flatMap((x) => [x]).length',
      '2 - this.o.filter(() => true).length',
      '2 - this.o.reduce((n) => n + 1, 0)',
      '((n) => (this.o.forEach(() => n++), 2 - n))(0)',
    ],
  ],
  ['o = {}', 'this.o.cause = 0', ['("cause" in new Error("e", this.o)) ? 1 : 0']],
  [
    'o = { maxByteLength: 8 }',
    'this.o.maxByteLength = 9',
    [
      'new ArrayBuffer(8, this.o).maxByteLength - 8',
      'new ArrayBuffer(8, { maxByteLength: [this.o.maxByteLength] }).maxByteLength - 8',
    ],
  ],
  [
    'k = { n: 0, toString() { return "k" + this.n; } }',
    'this.k.n = 1',
    ['Number(Object.keys(Object.fromEntries([[this.k, 0]]))[0][1])'],
  ],
  ...['f = () => 0', 'f = class {}', 'f = new Map()', 'f = [0].slice(1)', 'f = {}'].map(
    (held) => [held, 'this.f.k = 1', FIELD_LISTS] as const,
  ),
  ['static k = 0', 'this.constructor.k = 1', ['Object.values(this.constructor)[0]']],
  [
    'B = class {}; D = class extends this.B {}',
    'this.B.k = 1',
    ['this.D.k ?? 0', 'this.B.k ?? 0', '("k" in this.D) ? 1 : 0'],
  ],
];

/** Changes of what objects inherit, and accesses that a Proxy or a size hides: what is read then is not observed. */
const NOT_OBSERVED: typeof READS_OF_BUILTINS = [
  ['o = { n: 0 }', 'new Proxy(this.o, {}).n = 1', ['this.o.n']],
  ['o = { n: 0 }', 'this.o.n = 1', ['new Proxy(this.o, {}).n', 'Proxy.revocable(this.o, {}).proxy.n']],
  ['d = new Date(0)', 'this.d.setTime(1)', ['new (class extends Date {})(this.d).getTime()']],
  [
    'e = [["k", 0]]',
    'this.e[0][1] = 1',
    [
      'new (class extends Map {})(this.e).get("k")',
      'new (class extends Map {})([...this.e]).get("k")',
      'new (class extends Map { constructor(list) { super(list); } })([...this.e]).get("k")',
    ],
  ],
  [
    'o = { cause: 0 }',
    'this.o.cause = 1',
    ['Error("e", this.o).cause', 'new (class extends Error {})("e", this.o).cause'],
  ],
  ['b = Buffer.alloc(1)', 'this.b[0] = 1', ['this.b.readUInt8(0)', 'Number(this.b.toString("hex"))']],
  ['o = {}', 'Object.setPrototypeOf(this.o, { z: 1 })', ['this.o.z ?? 0']],
  ['o = {}', 'Reflect.setPrototypeOf(this.o, { z: 1 })', ['this.o.z ?? 0']],
  ['o = {}', 'this.o.__proto__ = { z: 1 }', ['this.o.z ?? 0']],
  ['P = class {}', 'this.P.prototype.q = 1', ['new this.P().q ?? 0']],
  ['P = class {}', 'Reflect.set(this.P.prototype, "q", 1)', ['new this.P().q ?? 0']],
  ['P = class {}', 'Object.assign(this.P.prototype, { q: 1 })', ['new this.P().q ?? 0']],
  [
    'P = class { get m() { return 0; } }',
    'Object.defineProperty(this.P.prototype, "m", { get: () => 1 })',
    ['new this.P().m'],
  ],
  [
    'P = class { get m() { return 0; } }',
    'Object.defineProperty(this.P.prototype, "m", { value: 1 })',
    ['new this.P().m'],
  ],
  ['P = class {}', 'this.P.prototype.__defineGetter__("m", () => 1)', ['new this.P().m ?? 0']],
  ['f = function () {}', 'this.f.prototype = { q: 1 }', ['new this.f().q ?? 0']],
  ['b = new ArrayBuffer(0, { maxByteLength: 1 })', 'this.b.resize(1)', ['this.b.byteLength']],
];

/** Rows of built-in functions that read or convert what they are given. */
export function builtinRows(): Row[] {
  return [...rowsOfReads(READS_OF_BUILTINS, 30_000), ...listingRows()];
}

/** The fields of `this.o`, which are listed first; each that is still there is read then. */
const LISTINGS = [
  'Object.values({ ...this.o })',
  'Object.values(Object.assign({}, this.o))',
  'Object.values(this.o)',
  'Object.entries(this.o).map(([, x]) => x)',
  'Object.values(structuredClone(this.o))',
  '(({ z, ...rest }) => Object.values(rest))(this.o)',
];

/** Fields that are deleted while they are listed, and fields that are written before the next one is read. */
function listingRows(): Row[] {
  const row = (number: number, name: string, members: string, go: string, put: string): Row => ({
    name,
    code: `class C_${number} { ${members} } exports.make = () => new C_${number}()`,
    threads: [[['go']], [['put']]],
    model: [[modelOf(go)], [modelOf(put)]],
  });
  const listed =
    'yield; const p = !m[0], q = !m[1]; const l = []; if (p && !R(0)) l.push(7); if (q && !R(1)) l.push(7); return l.join();';
  return [
    ...LISTINGS.map((form, i) =>
      row(
        38_000 + i,
        `${form} and delete`,
        `o = { a: 7, b: 7 }; go() { return ${form}.join() } put() { delete this.o.b; delete this.o.a; }`,
        listed,
        'W(1, 1); W(0, 1);',
      ),
    ),
    row(
      39_000,
      'Object.assign between two shared objects',
      's = { a: 1, b: 0 }; t = { a: 0 }; go() { return Object.assign(this.t, this.s).b; } put() { const x = this.t.a; this.s.b = 1; return x; }',
      'W(0, 1); const y = R(1); W(2, y); return R(2);',
      'const x = R(0); W(1, 1); return x;',
    ),
  ];
}

/** Rows of which a run says that they are not observed. */
export function unobservedRows(): Row[] {
  return rowsOfReads(NOT_OBSERVED, 40_000);
}

function rowsOfReads(
  groups: readonly (readonly [held: string, write: string, reads: readonly string[]])[],
  first: number,
): Row[] {
  const [go, put] = [modelOf('return R(0);'), modelOf('W(0, 1);')];
  return groups.flatMap(([held, write, reads], group) =>
    reads.map((read, i) => {
      const name = `C_${first + group * 100 + i}`;
      return {
        name: `${read} and ${write}`,
        code: `class ${name} { ${held}; go() { return ${read} } put() { ${write} } } exports.make = () => new ${name}()`,
        threads: [[['go'], ['go']], [['put']]] as [string][][],
        model: [[go, go], [put]],
      };
    }),
  );
}

/** Constructs that are combined with every placement; all others are combined with some. */
const CORE = new Set([
  'list',
  'template',
  'arrow',
  'while',
  'read, then write',
  'check, then act',
  'increment',
]);

/** Rows of cells: the core in every placement, every construct in the placements of its turn. */
export function cellRows(share: number): Row[] {
  const rows: Row[] = [];
  for (const [i, construct] of CONSTRUCTS.entries())
    for (const [j, placement] of PLACEMENTS.entries()) {
      if (construct.isTarget && placement.target === undefined) continue;
      if (construct.isNumeric && placement.isBoolean) continue;
      if (CORE.has(construct.name) || (i + j) % share === 0)
        rows.push(cellRow(construct, placement, rows.length));
    }
  return rows;
}

const MACRO = /([RWT])\((\d)(?:, ((?:[^()]|\((?:[^()]|\([^()]*\))*\))*))?\)/g;

function cellRow(construct: Construct, placement: Placement, number: number): Row {
  const { go, put = PUT, model = go } = construct;
  const { members = '', before = '', read, write, target = read } = placement;
  const numbered = (text: string): string => text.replaceAll('$', `_${number}`);
  const expand = (text: string): string =>
    text.replace(MACRO, (_, kind: string, cell: string, value: string) => {
      const k = Number(cell);
      if (kind === 'R') return read[k];
      return kind === 'T' ? target[k] : write[k].replace('V', expand(value));
    });
  const template = (text: string): string => text.replaceAll('${', '\u0001');
  const body = (text: string): string => numbered(expand(template(text))).replaceAll('\u0001', '${');
  const isLate = before.includes('late$');
  const code = `${numbered(before)}
class C_${number} { ${numbered(members)}
  go() { ${body(go)} }
  put() { ${body(put)} } }
${isLate ? `late_${number}(C_${number});` : ''}
exports.make = () => new C_${number}()`;
  const isChange = put === go;
  return {
    name: `${construct.name}: ${placement.name}`,
    code,
    threads: isChange ? [[['go']], [['put']]] : [[['go'], ['go']], [['put']]],
    model: isChange
      ? [[modelOf(model)], [modelOf(model)]]
      : [[modelOf(model), modelOf(model)], [modelOf(put)]],
  };
}

type GeneratorConstructor = new (parameter: string, body: string) => ModelCall;
const GeneratorFunction = Object.getPrototypeOf(function* () {}).constructor as GeneratorConstructor;

/** A text with macros as a generator over the cells. */
function modelOf(text: string): ModelCall {
  const expand = (macros: string): string =>
    macros.replace(MACRO, (_, kind: string, cell: string, value: string) =>
      kind === 'R' ? `(yield, m[${cell}])` : `((t) => t)((yield* w(m, ${cell}, ${expand(value)})))`,
    );
  return modelFrom(expand(text));
}

/** The body of a generator over the cells `m`; `w` writes one. */
export function modelFrom(body: string): ModelCall {
  const writes = 'function* w(m, k, v) { yield; return (m[k] = v); }';
  return new GeneratorFunction('m', `${writes} ${body}`);
}
