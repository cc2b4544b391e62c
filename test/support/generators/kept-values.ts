/**
 * Code that keeps a value that it has read early while other reads come, and uses it in the end: rows of the matrix of races.
 *
 * A state of a thread must hold the value as long as code can use it, wherever the engine or a variable keeps it. In the meantime the
 * thread runs loops, calls and statements, after which the explorer may drop what it has observed.
 */
import type { Row } from './constructs.js';

/** `X` reads the value, and `M` stands for statements that append to `s` what was read meanwhile. `s` is empty before. */
const BY_STATEMENTS: Readonly<Record<string, string>> = {
  const: 'const x = X; M return x + s;',
  'let that is assigned': 'let x; x = X; M return x + s;',
  var: 'var x = X; M return x + s;',
  'var in a block': '{ var x = X; } M return x + s;',
  'hoisted var': 'x = X; M return x + s; var x;',
  'constants by branch': 'let x = 5; if (X === 1) x = 1; else x = 0; M return x + s;',
  'the branch': 'if (X === 1) { M return 1 + s; } M return 0 + s;',
  comparison: 'const isOne = X === 1; M return (isOne ? 1 : 0) + s;',
  'const in a head': 'for (const x = X; ; ) { M return x + s; }',
  'let in a head': 'let r = ""; for (let i = 0, x = X; i < 1; i++) { M r = x + s; } return r;',
  'pattern in a head': 'for (const [x] = [X]; ; ) { M return x + s; }',
  'pattern with a default in a head': 'for (const { x = X } = {}; ; ) { M return x + s; }',
  'var in a head': 'for (var x = X; ; ) { M return x + s; }',
  'assignment in a head': 'let x; for (x = X; ; ) { M return x + s; }',
  'condition of while': 'let x; while ((x = X) !== 5) { M return x + s; }',
  'condition of do':
    'let x = 5; let i = 0; do { if (i++ === 1) { M return x + s; } } while ((x = X) !== 5); return 9;',
  'body of for': 'for (;;) { const x = X; M return x + s; }',
  'body of do': 'do { const x = X; M return x + s; } while (true);',
  'iteration before': 'let x; for (let i = 0; i < 2; i++) { if (i === 0) x = X; else { M } } return x + s;',
  'iteration before, by a swap':
    'let [x, y] = [5, 5]; for (let i = 0; i < 2; i++) { if (i === 0) y = X; else { M } [x, y] = [y, x]; } return y + s;',
  'nested loops':
    'const x = X; for (let i = 0; i < 1; i++) { for (let j = 0; j < 1; j++) { M } } return x + s;',
  'for of': 'for (const x of [X]) { M return x + s; }',
  'for of, later': 'let r = ""; for (const x of ["", X]) { if (x === "") { M } else r = x; } return r + s;',
  'for of entries': 'for (const [i, x] of [X].entries()) { M return x + i + s; }',
  'for in': 'for (const x in { [X]: 1 }) { M return x + s; }',
  'break of a for of': 'let x = 5; for (const y of [X, 7]) { x = y; break; } M return x + s;',
  switch: 'switch (X) { case 0: { M return 0 + s; } default: { M return 1 + s; } }',
  'switch, declared in a case': 'switch (1) { case 1: { const x = X; M return x + s; } }',
  'case by case': 'switch (X) { case 1: { M } case 2: return 1 + s; default: { M } return 0 + s; }',
  catch: 'try { throw X; } catch (x) { M return x + s; }',
  'pattern of catch': 'try { throw { x: X }; } catch ({ x }) { M return x + s; }',
  try: 'let x; try { x = X; M } finally { x = x + s; } return x;',
  'result of a finally': 'const f = () => { try { return X; } finally { M } }; return f() + s;',
  'error of a finally': 'try { try { throw X; } finally { M } } catch (x) { return x + s; }',
  'way into a finally':
    'out: try { if (X === 1) break out; M return 0 + s; } finally { void 0; } M return 1 + s;',
  'break of a label': 'out: { if (X === 1) break out; M return 0 + s; } M return 1 + s;',
  shadow: 'const x = X; { const x = 7; void x; M } return x + s;',
  'shadow in a loop': 'const x = X; for (let i = 0; i < 1; i++) { const x = 7; void x; M } return x + s;',
  'shadow of an outer variable':
    'let x; for (let i = 0; i < 1; i++) { x = X; { const x = 7; void x; M } } return x + s;',
  closure: 'const x = X; const f = () => x; M return f() + s;',
  'closure of a variable': 'let x = X; const f = () => x; x = x + 0; M return f() + s;',
  'closure that assigns': 'let x = 5; const f = (y) => { x = y; }; f(X); M return x + s;',
  'closure of a parameter': 'const f = ((x) => () => x)(X); M return f() + s;',
  'function declared later': 'const x = X; M return f() + s; function f() { return x; }',
  'function declared before': 'function f() { return x; } const x = X; M return f() + s;',
  'function of a function': 'const x = X; const f = () => x; const g = () => f(); M return g() + s;',
  'bound function': 'const f = ((x) => x).bind(null, X); M return f() + s;',
  'static field': 'const x = X; const K = class { static x = x; }; M return K.x + s;',
  'method of a local class': 'const x = X; class K { get() { return x; } } M return new K().get() + s;',
  'private field':
    'const x = X; const o = new (class { #x = x; get() { return this.#x; } })(); M return o.get() + s;',
  'object of a constructor':
    'class A { constructor(x) { this.x = x; } } class B extends A { constructor(x, f) { super(x()); f(); this.y = this.x; } } return new B(() => X, () => { M }).y + s;',
  'object of a constructor, by its statements':
    'const read = () => this.c1; class A { constructor(x) { this.x = x; } } class B extends A { constructor(x) { super(x()); const a = read(); const b = read(); this.s = this.x + "" + a + b; } } return new B(() => X).s;',
  'object of a constructor without super':
    'const read = () => this.c1; class A { constructor(x) { this.x = x(); const a = read(); const b = read(); this.s = this.x + "" + a + b; } } return new A(() => X).s;',
  'field of an object that is made':
    'const x = () => X; const read = () => this.c1; class A { x = x(); constructor() { const a = read(); const b = read(); this.s = this.x + "" + a + b; } } return new A().s;',
  'parameter that var declares again': 'return ((x) => { var x = X; M return x + s; })(5);',
  'parameter that a head declares again':
    'return ((x) => { for (var x of [X]) s += ""; M return x + s; })(5);',
  'parameter that a pattern declares again': 'return ((x) => { var [x] = [X]; M return x + s; })(5);',
  'parameter that a closure reads': 'return ((x) => { const f = () => x; var x = X; M return f() + s; })(5);',
  ...Object.fromEntries(
    [
      'const [q] = it; void q;',
      'for (const q of it) { void q; break; }',
      'Array.from(it);',
      'void [...it];',
      'new Set(it);',
      'Math.max(...it);',
      'it.next();',
    ].flatMap((move) => [
      [
        `iterator: ${move}`,
        `const it = [5, 6, 7].values(); if (X === 1) { ${move} } M return (it.next().value === 5 ? 0 : 1) + s;`,
      ],
      [
        `iterator in a loop: ${move}`,
        `const it = [5, 6, 7].values(); for (let i = 0; i < 1; i++) { if (X === 1) { ${move} } M } return (it.next().value === 5 ? 0 : 1) + s;`,
      ],
    ]),
  ),
  ...Object.fromEntries(
    ['"aaa".replace(r, "b")', '"aaa".replace(r, () => "b")', 'r.test("aaa")', '"aaa".match(r)'].map(
      (move) => [
        `lastIndex: ${move}`,
        `const r = /a/y; for (let i = 0; i < 1; i++) { if (X === 1) ${move}; M } return (r.lastIndex > 0 ? 1 : 0) + s;`,
      ],
    ),
  ),
  'field of an object that a superclass returns':
    'class S { constructor(o) { return o; } } class P extends S { #p = 1; static has(o) { return #p in o; } } const o = {}; for (let i = 0; i < 1; i++) { if (X === 1) new P(o); M } return (P.has(o) ? 1 : 0) + s;',
  field: 'const o = { x: X }; M return o.x + s;',
  'field that is assigned': 'const o = { x: 5 }; o.x = X; M return o.x + s;',
  element: 'const a = [X]; M return a[0] + s;',
  'one of two elements': 'const a = [5, 6]; a[X] = 7; M return (a[1] === 7 ? 1 : 0) + s;',
  Map: 'const m = new Map([["x", X]]); M return m.get("x") + s;',
  'typed array': 'const t = Int8Array.of(X); M return t[0] + s;',
  'shared object that is held': 'const o = X === 1 ? this.o : this.p; M return (o === this.o ? 1 : 0) + s;',
  'field of a shared object that is held': 'const o = X === 1 ? this.o : this.p; M return o.is + s;',
  'stored object': 'this.q = { x: X }; M return this.q.x + s;',
  'stored closure': 'const x = X; this.q = () => x; M return this.q() + s;',
  'stored closure of a variable': 'let x = 5; this.q = () => x; x = X; M return x + s;',
  increment: 'let x = X; x++; M return x - 1 + s;',
  'pattern with a default': 'const { x = 5 } = { x: X }; M return x + s;',
  'rest of a pattern': 'const [, ...x] = [5, X]; M return x[0] + s;',
  'nested pattern': 'const { o: [x] } = { o: [X] }; M return x + s;',
  'pattern that assigns': 'let x; [x] = [X]; M return x + s;',
  'pattern that assigns a default': 'let x; ({ x = X } = {}); M return x + s;',
  'logical assignment': 'let x = null; x ??= X; M return x + s;',
  'two names': 'const x = X; const y = x; M return y + s;',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: source of a template string
  'name in a template': 'const x = X; M return `${x}${s}`;',
  'shorthand of an object': 'const x = X; M return Object.values({ x })[0] + s;',
  symbol: 'const k = Symbol(X); M return k.description + s;',
  'regular expression': 'const r = /0/g; r.lastIndex = X; M return r.lastIndex + s;',
  'arrow of this': 'const f = function () { return () => this.x; }.call({ x: X }); M return f() + s;',
  arguments: 'return (function () { M return arguments[0] + s; }).call(this, X);',
};

/** Where the value is in an expression while a call reads more: `E` is a call that returns what it read. */
const BY_CALL: Readonly<Record<string, string>> = {
  'left operand': 'return X + E;',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: source of a template string
  template: 'return `${X}${E}`;',
  element: 'return [X, E].join("");',
  field: 'const o = { x: X, s: E }; return o.x + o.s;',
  spread: 'return [...[X], E].join("");',
  'object of a method': 'return String(X).concat(E);',
  'computed key': 'const o = {}; o["k" + X] = E; return Object.keys(o)[0].slice(1) + Object.values(o)[0];',
  'defaults of a pattern': 'const { a = X, b = E } = {}; return a + b;',
  condition: 'return X === 1 ? 1 + E : 0 + E;',
  'logical operator': 'return (X && 1 + E) || 0 + E;',
  argument: 'return this.join(X, E);',
  'argument of a callback': 'return [X].map((x) => x + E)[0];',
  'accumulator of reduce': 'return [1].reduce((x) => x + E, X);',
  'argument of new': 'return new Joined(X, E).text;',
  'variable around a callback': 'const x = X; return [1].map(() => x + E)[0];',
  parameter: 'return this.keep(X);',
  'default of a parameter': 'return this.keepDefault();',
  'pattern of a parameter': 'return this.keepPart({ x: X });',
  'rest of parameters': 'return this.keepRest(X);',
  'parameter that is assigned': 'return this.keepAssigned(X);',
  recursion: 'return this.keepDeep(2, X);',
  getter: 'this.kept = X; return this.getter;',
  comma: 'let x; return (x = X, x + E);',
  'compound assignment': 'let x = X; x += E; return x;',
};

/** Statements, and a call, that read `c1` twice. */
const MEANWHILE: Readonly<Record<string, readonly [statements: string, call: string]>> = {
  while: ['{ let k = 0; while (k < 2) { s += this.c1; k++; } }', 'this.byWhile()'],
  'for of': ['for (const k of [1, 2]) s += this.c1;', 'this.byForOf()'],
  statements: ['const p = this.c1; const q = this.c1; s += p; s += q;', 'this.byStatements()'],
  call: ['s += this.byWhile();', 'this.byCall()'],
  callback: ['[1, 2].forEach(() => { s += this.c1; });', 'this.byCallback()'],
};

const METHODS = `
  byWhile() { let s = ""; let k = 0; while (k < 2) { s += this.c1; k++; } return s; }
  byForOf() { let s = ""; for (const k of [1, 2]) s += this.c1; return s; }
  byStatements() { const p = this.c1; const q = this.c1; return p + "" + q; }
  byCall() { const s = this.byStatements(); return s; }
  byCallback() { let s = ""; [1, 2].forEach(() => { const t = this.c1; s += t; }); return s; }
  join(x, s) { const a = x; const b = s; return a + b; }
  keep(x) { const s = E; return x + s; }
  keepDefault(x = X) { const s = E; return x + s; }
  keepPart({ x }) { const s = E; return x + s; }
  keepRest(...list) { const s = E; return list[0] + s; }
  keepAssigned(x) { x = x + ""; const s = E; return x + s; }
  keepDeep(n, x) { if (n > 0) { const r = this.keepDeep(n - 1, x); return r; } const s = E; return x + s; }
  get getter() { const x = this.kept; const s = E; return x + s; }`;

function* early(m: unknown[]): Generator<void, unknown> {
  yield;
  const x = m[0];
  yield;
  const p = m[1];
  yield;
  return `${x}${p}${m[1]}`;
}

/** The values of `c0` and `c1` change in turn, so that one heap comes after different early values. */
const CHANGES = [
  [1, 1],
  [0, 1],
  [0, 0],
] as const;

function* changes(m: unknown[]): Generator<void, unknown> {
  for (const [cell, value] of CHANGES) {
    yield;
    m[cell] = value;
  }
  return undefined;
}

/** Rows whose results are an early value and two later ones. */
export function keptRows(): Row[] {
  const rows: Row[] = [];
  const add = (name: string, go: string, call: string): void => {
    const read = (text: string): string =>
      text.replace(/\bX\b/g, () => 'this.c0').replace(/\bE\b/g, () => call);
    const put = CHANGES.map(([cell, value]) => `this.c${cell} = ${value};`).join(' ');
    rows.push({
      name,
      code: `class Joined { constructor(x, s) { this.text = x + s; } }
class C { c0 = 0; c1 = 0; q = null; kept = 5; o = { is: 1 }; p = { is: 0 };
  go() { ${read(go)} }
  put() { ${put} } ${read(METHODS)} }
exports.make = () => new C()`,
      threads: [[['go']], [['put']]],
      model: [[early], [changes]],
    });
  };
  for (const [meanwhile, [statements, call]] of Object.entries(MEANWHILE)) {
    for (const [name, go] of Object.entries(BY_STATEMENTS))
      add(`${name}, ${meanwhile}`, `let s = ""; ${go.replace(/\bM\b/g, () => statements)}`, call);
    for (const [name, go] of Object.entries(BY_CALL)) add(`${name}, call: ${meanwhile}`, go, call);
  }
  return rows;
}
