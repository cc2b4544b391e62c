/** Destructuring into variables, members and parameters; spread. */
import type { Snippet } from '../../../support/oracles/fidelity.js';

export const PATTERNS: readonly Snippet[] = [
  [
    'into fields',
    `;({ x: this.a, y: { z: this.b } } = this.o); [this.o.x, this.o.w] = this.xs; return [this.a, this.b, this.o]`,
  ],
  [
    'into elements',
    `const a = [1, 2, 3]; [a[0], a[2]] = [a[2], a[0]]; [this.xs[0], this.xs[1]] = [this.xs[1], this.xs[0]]; return [a, this.xs]`,
  ],
  [
    'the order of targets and values',
    `const o = {}; [this.t('t1', o).a, this.t('t2', o).b] = [this.t('v1'), this.t('v2')]; return o`,
  ],
  [
    'the order of targets, keys and defaults',
    `const o = {}; [this.t('t1', o)[this.t('k1')], this.t('t2', o).b = this.t('d2')] = [undefined]; return o`,
  ],
  [
    'a target that depends on what was assigned before',
    `let i = 0; const a = []; [i, a[i]] = [2, 'x']; return [i, a]`,
  ],
  [
    'a target object that was assigned before',
    `let o = { n: 0 }; const p = o; ({ o, n: o.n } = { o: { n: 5 }, n: 7 }); return [o, p]`,
  ],
  [
    'a shared target that depends on what was assigned before',
    `[this.a, this.xs[this.a]] = [2, 'x']; return [this.a, this.xs]`,
  ],
  [
    'a list that links itself',
    `const l = { v: 1, next: { v: 2, next: null } }; let at = l, prev = null; while (at) [at.next, prev, at] = [prev, at, at.next]; return prev`,
  ],
  [
    'defaults that see earlier ones',
    `const { x, q = x + 1, r = q * this.b } = this.o; const [a, b = a + 1, c = b + q] = [10]; return [x, q, r, a, b, c]`,
  ],
  [
    'defaults only for undefined',
    `const { a = 1, b = 2, c = 3 } = { a: null, b: undefined, c: 0 }; const [d = 4, e = 5] = [null]; return [a, b, c, d, e]`,
  ],
  [
    'defaults are left out where not needed',
    `const { x = this.t('no'), nope = this.t('yes') } = this.o; const [p = this.t('no')] = this.xs; return [x, nope, p]`,
  ],
  [
    'defaults see what was read before them',
    `const { x = 1, z = this.t('z') } = { get x() { return undefined }, get z() { return undefined } }; return [x, z]`,
  ],
  [
    'the order of reading and defaults, of getters',
    `const self = this; const o = { get a() { self.log.push('a') }, get b() { self.log.push('b'); return 1 } }; const { a = this.t('da'), b } = o; return [a, b]`,
    /refused: sample.js:3:\d+: shared by threads, and used where a thread cannot be suspended/,
  ],
  [
    'rest',
    `const { x, ...rest } = this.o; const [first, ...others] = this.xs; const { length, ...ofList } = this.xs; return [x, rest, first, others, length, ofList]`,
  ],
  [
    'rest of an object with inherited and hidden fields',
    `const p = Object.create({ up: 1 }); p.own = 2; Object.defineProperty(p, 'hid', { value: 3, enumerable: false }); this.o.p = p; const { own, ...rest } = this.o.p; const { ...all } = p; return [own, rest, all]`,
  ],
  ['rest with symbols', `const s = Symbol('s'); this.o[s] = 1; const { x, ...rest } = this.o; return rest`],
  ['nested, with holes', `const [, [a, , b] = [1, 2, 3], { c: [d = 4] = [] } = {}] = [0]; return [a, b, d]`],
  [
    'nested, shared',
    `this.o = { l: [{ v: 1 }, { v: 2, w: [3] }] }; const { l: [{ v }, { v: u, w: [w] }] } = this.o; return [v, u, w]`,
  ],
  [
    'strings and numbers',
    `const [a, b] = 'hé'; const { length } = 'four'; const { toFixed } = 5; return [a, b, length, typeof toFixed]`,
  ],
  ['null', `const { x } = this.nil`],
  ['null into members', `try { ({ x: this.a } = this.nil) } catch (e) { return e.name }`],
  ['undefined, nested', `const { q: { z } } = this.o`],
  ['a value that is not iterable', `const [x] = this.o`],
  ['an own value that is not iterable', `const [x] = { a: 1 }`],
  ['null as a list', `const [x] = this.nil`],
  ['an empty pattern', `const {} = this.o; const [] = this.xs; const {} = this.nil`],
  ['an empty list pattern of a value that is not iterable', `const [] = this.o`],
  [
    'in parameters',
    `const f = ({ x, y: { z } = { z: 9 } }, [p, ...q] = [], ...more) => [x, z, p, q, more]; return [f(this.o, this.xs, 1, 2), f({ x: 1 }), f.length]`,
  ],
  [
    'in a catch clause',
    `try { throw { code: 5, info: [1, 2] } } catch ({ code, info: [, second], other = 'o' }) { return [code, second, other] }`,
  ],
  [
    'in loops',
    `const out = []; for (const [k, v] of this.m) out.push(k, v); for (const { x = 'd' } of [this.o, {}]) out.push(x); for (const [i, v] of this.xs.entries()) out.push(i * v); for (let [a, b = a] of [[1], [2, 3]]) { a += b; out.push(a) } return out`,
  ],
  [
    'into variables that closures share',
    `let a = 0, b = 0; const sum = () => a + b; [a, b] = [1, 2]; const s = sum(); ({ x: a, y: { z: b } } = this.o); return [s, sum(), a, b]`,
  ],
  [
    'the value of an assignment',
    `let a, b; const v = ([a, b] = this.xs); return [v === this.xs, ({ x: a } = this.o) === this.o, a, b]`,
  ],
  [
    'swapping',
    `let a = 1, b = 2; [a, b] = [b, a]; [this.a, this.b] = [this.b, this.a]; const { o } = this; [o.x, o.w] = [o.w, o.x]; return [a, b, this.a, this.b, o]`,
  ],
  [
    'iterators are closed by patterns',
    `const self = this; const it = { [Symbol.iterator]() { let n = 0; return { next: () => { self.log.push('next'); return { value: n++, done: n > 9 } }, return() { self.log.push('return'); return {} } } } }; const [a, b] = it; const [] = it; const [x, ...r] = it; return [a, b, x, r]`,
  ],
  [
    'iterators that end early',
    `const self = this; const it = { [Symbol.iterator]() { let n = 0; return { next: () => { self.log.push('next'); return { value: n++, done: n > 1 } }, return() { self.log.push('return'); return {} } } } }; const [a, b, c = 'd'] = it; return [a, b, c]`,
  ],
  [
    'spread into lists and calls',
    `const f = (...a) => a; return [[...this.xs, ...this.s, ...this.m, ...'hé'], f(...this.xs, 1, ...[]), Math.max(...this.xs), new Array(...this.xs), [...this.xs.keys()]]`,
  ],
  ['spread into objects', `return { ...this.o, x: 5, ...null, ...undefined, ...'ab', ...[7], ...1, z: 1 }`],
  [
    'spread of getters',
    `const self = this; const o = { get g() { self.log.push('g'); return 1 }, n: 2 }; const c = { ...o }; return [c, Object.getOwnPropertyDescriptor(c, 'g')]`,
    /refused: sample.js:3:\d+: shared by threads, and used where a thread cannot be suspended/,
  ],
  [
    'spread of a class instance',
    `class P { a = 1; #b = 2; get c() { return 3 } d() {} } this.o = new P(); return [{ ...this.o }, { ...new P() }]`,
  ],
  [
    'spread of own iterables',
    `class R { constructor(n) { this.n = n } [Symbol.iterator]() { let i = 0; const n = this.n; return { next: () => i < n ? { value: i++, done: false } : { value: undefined, done: true } } } } this.o.r = new R(3); return [[...this.o.r], [...new R(2)], Math.max(...new R(4)), new Set(this.o.r), Array.from(new R(3), (x) => x * 2), new Map([...new R(2)].map((x) => [x, x]))]`,
  ],
  ['spread of a value that is not iterable', `return [...this.o]`],
  ['spread of an own value that is not iterable', `return [...{ a: 1 }]`],
  ['spread of null', `return [...this.nil]`],
  ['spread of null in a call', `return Math.max(...this.nil)`],
  ['spread of a number in a call', `return this.t(...5)`],
  [
    'holes',
    `const a = [1, , 3]; this.xs = [, 1, ,]; return [a, [...a], [...this.xs], this.xs.length, 0 in this.xs, { ...this.xs }, this.xs]`,
  ],
  [
    'a trailing comma, and a rest with a pattern',
    `const [a, ...[b, ...{ length }]] = [1, 2, 3, 4]; const [c, ...[d]] = this.xs; return [a, b, length, c, d]`,
  ],
  ['var, twice', `var { x } = this.o; var { x, y: { z: x } } = this.o; return x`],
  [
    'default functions are called each time',
    `const f = (l = []) => { l.push(1); return l }; f(); return [f(), f()]`,
  ],
  [
    'assignment patterns in conditions',
    `let m; if (([m] = this.xs)) return [m, ({ a: m = 'd' } = this.o), m]`,
  ],
  [
    'shorthand defaults that are shared',
    `let x = 0; const f = () => x; ({ x = 5 } = this.o); const g = f(); ({ x = 6 } = {}); return [g, f()]`,
  ],
];
