/** Functions: parameters, `arguments`, `this`, hoisting, closures, and variables before their initialization. */
import type { Snippet } from '../../../support/oracles/fidelity.js';

export const FUNCTIONS: readonly Snippet[] = [
  [
    'parameters that see others',
    `const f = (a, b = a + 1, c = () => a + b, d = c()) => [a, b, c(), d]; return [f(1), f(1, 5), f(1, undefined, () => 9)]`,
  ],
  [
    'parameters that see what is outside, not the body',
    `const x = 'outer'; const f = (a = x) => { const x = 'inner'; return [a, x] }; return f()`,
    /refused: sample.js:3:\d+: a default that names [ax], which the body declares too/,
  ],
  [
    'parameters that see what is outside, not a var of the body',
    `var x = 'outer'; function f(a = x) { var x = 'inner'; return [a, x] } return f()`,
    /refused: sample.js:3:\d+: a default that names [ax], which the body declares too/,
  ],
  [
    'a parameter function does not see the body',
    `var x = 'outer'; function f(g = () => x) { var x = 'inner'; return [g(), x] } return f()`,
    /refused: sample.js:3:\d+: a default that names [ax], which the body declares too/,
  ],
  [
    'a var that is called like a parameter',
    `function f(a, g = () => a) { var a = 5; return [a, g()] } return f(1)`,
    /refused: sample.js:3:\d+: a default that names [ax], which the body declares too/,
  ],
  ['a parameter before its initialization', `const f = (a = b, b = 1) => a; return f()`],
  ['a parameter that needs itself', `const f = (a = a) => a; return f()`],
  [
    'parameters are evaluated in order, this too',
    `const f = function (a = this.t('a'), b = this.t('b')) { return [a, b] }; return [f.call(this), f.call(this, 1)]`,
  ],
  ['defaults that throw', `const f = (a = this.nil.x) => 1; return f()`],
  ['rest parameters', `const f = (a, ...r) => [a, r, r.length]; return [f(), f(1), f(1, 2, 3), f.length]`],
  [
    'arguments',
    `function f(a, b = 2) { arguments[0] = 9; return [a, b, arguments.length, [...arguments], Array.from(arguments), arguments[1], typeof arguments] } return [f(1), f(1, 3, 4)]`,
  ],
  [
    'arguments are passed on',
    `const max = function () { return Math.max.apply(null, arguments) }; const g = function () { return Array.prototype.slice.call(arguments, 1) }; return [max(1, 5, 2), g(1, 2, 3)]`,
  ],
  [
    'this in nested functions',
    `const self = this; const o = { n: 1, f() { return [this.n, (() => this.n)(), (function () { return this === undefined })(), [1].map(function () { return this.n }, { n: 5 })] } }; return o.f()`,
  ],
  [
    'this of accessors and callbacks',
    `const o = { n: 2, get v() { return [1, 2].map((x) => x * this.n) } }; return o.v`,
  ],
  [
    'call, apply and bind',
    `const f = function (...a) { return [this?.n, ...a] }; const b = f.bind({ n: 1 }, 2); return [f.call({ n: 3 }, 4), f.apply({ n: 5 }, [6, 7]), b(8), b.call({ n: 9 }, 10), f.apply(null), f.call(), b.name, b.length, new (class { constructor(x) { this.x = x } }).constructor(3)]`,
  ],
  [
    'bound methods',
    `const t = this.t.bind(this, 'said'); const again = t.bind(null, 5); return [t(), t(1), again(), [1, 2].map(this.t.bind(this))]`,
  ],
  [
    'Reflect.apply and construct',
    `class A { constructor(n) { this.n = n; this.k = new.target.name } } class B {} return [Reflect.apply(this.t, this, ['r', 1]), Reflect.construct(A, [1]), Reflect.construct(A, [2], B) instanceof B]`,
  ],
  [
    'hoisting',
    `const r = [early(), typeof late, typeof v]; var v = 1; function early() { return late2() } var late = () => 1; function late2() { return 'late2' } { function inBlock() { return 'block' } r.push(inBlock()) } r.push(typeof inBlock); return r`,
  ],
  [
    'a function that is declared twice',
    `function f() { return 1 } const a = f(); function f() { return 2 } return [a, f()]`,
  ],
  ['a function that is assigned', `function f() { return 1 } const a = f(); f = () => 2; return [a, f()]`],
  [
    'a function that is called like a var',
    `var f; function f() { return 1 } const a = typeof f; var f = 5; return [a, typeof f]`,
  ],
  [
    'functions in blocks shadow',
    `const f = () => 'outer'; const r = [f()]; { r.push(f()); function f() { return 'inner' } } r.push(f()); return r`,
  ],
  ['a let before its initialization', `return x; let x = 1`],
  ['a let before its initialization, in a closure', `const f = () => x; f(); let x = 1; return x`],
  ['a tracked let before its initialization', `const f = () => { x++; return x }; f(); let x = 1; return x`],
  [
    'a tracked let before its initialization, read',
    `const f = () => x; const g = () => { x = 2 }; try { f() } catch (e) { this.log.push(e.message) } let x = 1; g(); return f()`,
  ],
  [
    'a const before its initialization, in a block',
    `{ const f = () => y; try { f() } catch (e) { this.log.push(e.message) } const y = 1; return f() }`,
  ],
  ['a class before its initialization', `return new A(); class A {}`],
  [
    'a class before its initialization, in a function',
    `const f = () => new A(); try { f() } catch (e) { this.log.push(e.message) } class A { x = 1 } return f()`,
  ],
  ['a class that extends itself', `class A extends A {}`],
  ['typeof before initialization', `return typeof x; let x`],
  ['a const is assigned', `const x = 1; x = 2`],
  ['a const is assigned in a closure', `const x = 1; const f = () => { x = this.t(2) }; f()`],
  ['a const is incremented', `const x = 1; x++`],
  ['a const is assigned by a pattern', `const x = 1; [x] = [2]`],
  ['a const is assigned, but only if', `const x = 1; x ??= 2; x &&= 3`],
  [
    'the name of a function expression is assigned',
    `const f = function g() { g = 1; return typeof g }; return f()`,
  ],
  ['the name of a class is assigned inside', `class A { f() { A = 1 } } new A().f()`],
  [
    'the name of a function expression is shadowed',
    `const f = function g(g) { return g }; const h = function k() { var k = 5; return k }; return [f(1), h()]`,
  ],
  [
    'closures in loops',
    `const fs = []; for (let i = 0; i < 3; i++) fs.push(() => i); for (const x of [7, 8]) fs.push(() => x); for (var v = 0; v < 2; v++) fs.push(() => v); for (const k in { p: 1, q: 2 }) fs.push(() => k); let j = 0; while (j < 2) { const c = j++; fs.push(() => c) } return fs.map((f) => f())`,
  ],
  [
    'closures that change variables of a body',
    `const fs = []; for (const x of [1, 2]) { let n = x * 10; fs.push(() => n++) } return fs.flatMap((f) => [f(), f()])`,
  ],
  [
    'closures that change a loop variable of for … of',
    `const fs = []; for (let x of [1, 2]) { fs.push(() => x++); x += 10 } return fs.flatMap((f) => [f(), f()])`,
  ],
  [
    'closures that change a loop variable of for … in',
    `const fs = []; for (let k in { a: 1, b: 2 }) { fs.push(() => (k += '!')); k += '?' } return fs.flatMap((f) => [f(), f()])`,
  ],
  [
    'closures over a counter that only the head changes',
    `const fs = []; for (let i = 0, n = 3; i < n; i += 1) fs.push(() => i + n); return fs.map((f) => f())`,
  ],
  [
    'closures in a loop head',
    `const fs = []; for (let i = 0, f = () => i; i < 2; i++) fs.push(f); return fs.map((f) => f())`,
  ],
  [
    'closures share',
    `let n = 0; const inc = () => ++n, get = () => n; inc(); inc(); { let n = 100; const inc2 = () => ++n; inc2(); this.log.push(n) } return [get(), n]`,
  ],
  [
    'closures that are kept',
    `this.f ??= (() => { let n = 0; return { inc: () => ++n, get n() { return n } } })(); this.f.inc(); return [this.f.inc(), this.f.n]`,
  ],
  [
    'closures over parameters',
    `const f = (a) => { const set = (v) => { a = v }; set(a + 1); return a }; const g = function (a) { const r = () => a++; r(); return [a, arguments[0]] }; return [f(1), g(1)]`,
  ],
  [
    'closures over catch variables',
    `let f; try { throw 1 } catch (e) { f = () => e++; e += 10 } return [f(), f()]`,
  ],
  [
    'recursion',
    `const fib = (n) => (n < 2 ? n : fib(n - 1) + fib(n - 2)); function even(n) { return n === 0 || odd(n - 1) } function odd(n) { return n !== 0 && even(n - 1) } const deep = (n) => (n === 0 ? 0 : 1 + deep(n - 1)); return [fib(12), even(10), deep(500)]`,
  ],
  ['too deep a recursion', `const f = (n) => f(n + 1) + 1; try { f(0) } catch (e) { return e.name }`],
  [
    'functions called at once',
    `return [(() => this.a)(), (function (x) { return x })(1), (() => ({ x: 1 }))(), ((a, b = a) => b)(3), (function f(n) { return n ? n * f(n - 1) : 1 })(5), !function () { return 0 }()]`,
  ],
  [
    'functions with fields',
    `const f = () => f.n++; f.n = 1; function g() { return (g.calls = (g.calls ?? 0) + 1) } g(); this.o.f = f; this.o.f(); return [f(), f.n, g(), g.calls]`,
  ],
  [
    'labels and variables with the names of generated ones',
    `const rt = 1, $_t = 2, $_ = 3; const k = (i) => i, v = 4; return [rt, $_t, $_, k(5), v]`,
  ],
  [
    'constructor functions',
    `function P(n) { this.n = n } P.prototype.get = function () { return this.n }; P.of = function (n) { return new P(n) }; const p = P.of(3); return [p.get(), p instanceof P, p.constructor === P, Object.keys(p), new P(4), P.prototype.constructor === P]`,
  ],
  [
    'constructor functions as expressions',
    `const P = function (n) { this.n = n }; P.prototype = { get() { return this.n }, constructor: P }; const p = new P(5); return [p.get(), p instanceof P, p]`,
  ],
  [
    'constructor functions that return',
    `function P() { return { other: 1 } } function Q() { this.x = 1; return 5 } return [new P(), new Q()]`,
  ],
  [
    'inheritance of constructor functions',
    `function A(n) { this.n = n } A.prototype.f = function () { return this.n }; function B(n) { A.call(this, n * 2) } B.prototype = Object.create(A.prototype, { constructor: { value: B } }); B.prototype.f = function () { return A.prototype.f.call(this) + 1 }; const b = new B(3); return [b.f(), b instanceof A, b]`,
  ],
  [
    'tagged templates',
    `const tag = (s, ...v) => [s.length, s[0], s.raw.join("|"), ...v]; return [tag\`a\${this.a}b\\n\${this.b}c\`, this.t\`x\${1}\`, String.raw\`\\t\${this.a}\`, tag\`\`, (() => tag)()\`q\`, this.o?.x]`,
  ],
  [
    'a tag sees one list each time',
    'const seen = []; const tag = (s) => { seen.push(s); return s }; const f = () => tag`a`; return [f() === f(), tag`a` === tag`a`, Object.isFrozen(seen[0])]',
  ],
  [
    'a tag that is a member, with shared state',
    `this.o.tag = function (s, v) { this.x += v; return s[0] + this.x }; return [this.o.tag\`p\${this.a}\`, this.o["tag"]\`q\${1}\`]`,
  ],
  [
    'templates',
    `return \`\${this.t(1)}-\${this.t(2)}\` + \`a\${\`b\${this.a}\`}c\` + \`\${{ toString: () => "ts", valueOf: () => "vo" }}\` + \`\${[1, [2, 3]]}\``,
  ],
  ['a template of a symbol', `return \`\${Symbol("x")}\``],
];
