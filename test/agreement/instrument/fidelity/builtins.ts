/** Built-in functions that call user code; containers, regular expressions, memory, reflection. */
import type { Snippet } from '../../../support/oracles/fidelity.js';

export const BUILTINS: readonly Snippet[] = [
  [
    'valueOf and toString by operators',
    `class V { n = 3; valueOf() { return this.n } toString() { return 'V' } } const v = new V(); return [v + 1, v * 2, v > 2, \`\${v}\`, v + '', String(v), v == 3, [v] + '', +v, -v, { V: 1 }[v]]`,
  ],
  [
    'toPrimitive with its hint',
    `const v = { [Symbol.toPrimitive](hint) { return hint === 'number' ? 7 : hint } }; return [+v, \`\${v}\`, v + '', v * 2, v == 'default', new Date(v).getTime(), Math.max(v), { number: 1 }[v]]`,
  ],
  [
    'toJSON',
    `class D { n = 1; toJSON(k) { return { k, n: this.n } } } return JSON.stringify({ d: new D(), l: [new D()], u: undefined, f() {}, s: Symbol('x'), date: new Date(0), nan: NaN, m: this.m, big: [null, undefined] })`,
  ],
  [
    'JSON.stringify of shared objects',
    `return [JSON.stringify(this.o), JSON.stringify(this.xs), JSON.stringify([this.m, this.s]), JSON.stringify(this.o, null, 2), JSON.stringify(this.o, ['x']), JSON.stringify(this.nil), JSON.stringify(undefined), JSON.stringify({ a: [this.o, { b: this.xs }] })]`,
  ],
  [
    'JSON.stringify of holes, boxed values and containers with fields',
    `const values = [[, 1, , ], { b: Object(1), s: new String('x'), t: Object(false), e: new Error('q') }, Object.create({ inherited: 1 }), Object.assign(new Map([[1, 2]]), { k: 1 }), Object.assign([1], { k: 2 }), Object.assign(Object(5), { valueOf: () => 6 }), new Int8Array(2), { toJSON: 5 }, { toJSON() { return { toJSON() { return 1 }, v: 2 } } }, Object.defineProperty({}, '__proto__', { value: 1, enumerable: true }), Object.assign(() => 0, { toJSON: () => 4 })]; const texts = values.map((value) => JSON.stringify(value)); this.values = values; return [texts, JSON.stringify(this.values), this.values.map((value) => JSON.stringify(value)), JSON.stringify({ v: 1 }, undefined, Object(2))]`,
  ],
  [
    'JSON.stringify names the class in a circle',
    `class N { v = 1 } const n = new N(); n.list = [{ n }]; const text = () => { try { return JSON.stringify(n) } catch (e) { return e.message } }; const own = text(); this.n = n; return [own, text()]`,
  ],
  [
    'Object.assign of strings, lists, setters and getters',
    `const target = { set v(x) { this.w = x } }; const all = Object.assign(target, 'ab', null, [1], new Map(), { c: 1, get v() { return 3 } }, 5, true); this.all = Object.assign({}, this.o, this.xs, this.m, all); return [all.w, Object.keys(all), Object.keys(this.all), Object.assign([], { length: 3 }).length]`,
  ],
  [
    'new Object of a shared object is that object',
    `return [new Object(this.xs) === this.xs, new Object(this.o) === this.o, new Object(this.m) === this.m, new Object(this.s) === this.s, Object(this.xs) === this.xs]`,
  ],
  [
    'concat of shared arrays and objects',
    `const all = [].concat(this.o, this.m, this.s, this.xs, this.nil); return [all[0] === this.o, all[1] === this.m, all[2] === this.s, all.length - this.xs.length, this.xs.concat([1], 2).length - this.xs.length]`,
  ],
  [
    'JSON.stringify with a replacer',
    `return [JSON.stringify(this.o, (k, v) => (typeof v === 'number' ? v + 1 : v)), JSON.stringify({ a: 1, b: [2] }, function (k, v) { return Array.isArray(this) ? 'el' : v })]`,
  ],
  [
    'JSON.stringify of a cyclic object',
    `this.o.self = this.o; try { JSON.stringify(this.o) } catch (e) { this.log.push(e.name) } delete this.o.self; const twice = { v: 1 }; this.o.p = twice; this.o.q = twice; return JSON.stringify(this.o)`,
  ],
  [
    'JSON.stringify with toJSON on a shared one',
    `this.o = { when: new Date(0), deep: { toJSON() { return ['x'] } }, big: [new Map([[1, 2]])] }; return JSON.stringify(this.o)`,
  ],
  [
    'JSON.stringify of getters and order of keys',
    `this.o = { b: 1, get a() { return this.b + 1 }, 2: 'two', 1: 'one' }; return JSON.stringify(this.o)`,
  ],
  [
    'JSON.parse with a reviver',
    `return JSON.parse('{"a":1,"b":[2,3]}', (k, v) => (typeof v === 'number' ? v * 2 : v))`,
  ],
  ['a bigint as JSON', `return JSON.stringify({ n: 1n })`],
  [
    'sorting',
    `const a = [3, 1, 2]; const r = a.sort((x, y) => y - x); this.xs.sort(); const s = [5, 1, 10].sort(); const u = [3, undefined, 1, , 2].sort((x, y) => x - y); const w = [3, undefined, , 1].sort(); return [r === a, a, this.xs, s, u, w, u.length, [2, 1].toSorted(), ['b', undefined, 'a'].sort((p, q) => (p < q ? -1 : 1))]`,
  ],
  [
    'sorting a shared list, with a comparator that reads shared data',
    `this.o.order = { 1: 3, 2: 1, 3: 2 }; this.xs.sort((a, b) => this.o.order[a] - this.o.order[b]); const t = this.xs.toSorted((a, b) => a - b); return [this.xs, t, this.xs.sort() === this.xs]`,
  ],
  [
    'sorting is stable',
    `const a = [[1, 'a'], [0, 'b'], [1, 'c'], [0, 'd']]; return [a.sort((x, y) => x[0] - y[0]).map((x) => x[1]).join(''), [3, 2, 1].sort(() => 0), [3, 2, 1].sort((a, b) => a > b), [2, 1].sort(() => NaN)]`,
  ],
  [
    'sorting shared lists with holes',
    `this.xs = [3, , undefined, 1]; this.xs.sort((a, b) => a - b); return [this.xs, 3 in this.xs, this.xs.length]`,
  ],
  ['a comparator that is no function', `return [2, 1].sort(null)`],
  [
    'a comparator that throws',
    `const a = [2, 1, 3]; try { a.sort(() => { throw new Error('cmp') }) } catch (e) { return [e.message, a] }`,
  ],
  [
    'replacing',
    `let n = 0; return ['a-b-c'.replace(/-/g, () => String(n++)), 'abc'.replace('b', (m, at, all) => m + at + all), 'x1y2'.replaceAll(/\\d/g, (d) => d * 2), 'John Smith'.replace(/(?<f>\\w+) (?<l>\\w+)/, '$<l> $1'), 'aaa'.replace(/a/y, 'b')]`,
  ],
  [
    'replacing with a function that counts in the object',
    `return 'a-b'.replace(/[ab]/g, (c) => c + ++this.a)`,
  ],
  [
    'regular expressions with lastIndex',
    `const re = /a(\\d)/g; const out = [re.test('a1a2'), re.lastIndex, re.exec('a1a2')[1], re.lastIndex, re.test('a1a2'), re.lastIndex]; this.o.re = /b/y; return [out, this.o.re.test('bb'), this.o.re.lastIndex, this.o.re.test('bb'), this.o.re.test('bb'), [...'a1a2'.matchAll(/a(\\d)/g)].map((m) => m[1]), 'a,b'.split(/(,)/), 'x'.search(/x/), 'aXbX'.match(/X/g)]`,
  ],
  [
    'Array.from',
    `return [Array.from({ length: 3 }, (_, i) => i * this.a), Array.from(this.xs, (x) => x + this.b), Array.from(this.m), Array.from('ab'), Array.from(this.s, function (x) { return this.k + x }, { k: 10 }), Array.from({ length: 2, 0: 'a' }), Array.of(1, 2), Array.from(this.m.keys()), Array.from([1, , 3])]`,
  ],
  [
    'Array.from, in step with its callback',
    `const self = this; const it = { *x() {}, [Symbol.iterator]() { let i = 0; return { next: () => { self.log.push('n' + i); return { value: i, done: i++ >= 2 } } } } }; return Array.from(it, (x) => { this.log.push('m' + x); return x })`,
  ],
  [
    'reduce, flatMap, find and others',
    `return [this.xs.reduce((a, x, i) => a + x * i, this.a), this.xs.reduceRight((a, x) => a + '' + x), this.xs.flatMap((x) => [x, [this.b]]), this.xs.findLast((x) => x < 3), this.xs.findLastIndex((x) => x > 9), this.xs.find((x) => x === this.b), this.xs.some((x) => x > this.b), this.xs.every((x) => x), this.xs.filter((x) => x !== this.a), this.xs.map((x) => x * this.b)]`,
  ],
  ['reduce of nothing', `return [].reduce((a, b) => a + b)`],
  [
    'reduce with undefined',
    `return [[].reduce((a) => a, undefined), [1, 2].reduce((a, b) => a, undefined), [5].reduce(() => 'no')]`,
  ],
  ['callbacks that are no functions', `return this.xs.map(5)`],
  [
    'callbacks that are not instrumented',
    `return [this.xs.map(String), ['1', '2', '3'].map(parseInt), this.xs.filter(Boolean), [[1, 2], [3]].map(Math.max), ['a'].map(Symbol.for).length, this.xs.map(Number.isInteger), [1, 2].forEach(console.table && (() => {}))]`,
  ],
  [
    'array methods on objects that are no arrays',
    `const o = { length: 2, 0: 'a', 1: 'b' }; return [Array.prototype.map.call(o, (x) => x + x), Array.prototype.filter.call('abc', (c) => c > 'a'), Array.prototype.join.call(o, '+'), [].slice.call(o, 1), Array.prototype.push.call(o, 'c'), o, Array.prototype.some.call(o, (x) => x === 'c')]`,
  ],
  [
    'callbacks that change the list',
    `const out = []; const a = [1, 2, 3, 4]; a.forEach((x, i) => { out.push(x); if (i === 0) a.splice(1, 1) }); const m = [1, 2, 3].map((x, i, all) => { all.pop(); return x }); const f = [1, 2, 3, 4].filter((x, i, all) => { if (i === 0) all[2] = 9; return true }); return [out, m, m.length, f]`,
  ],
  [
    'map keeps holes and lengths',
    `const m = [1, , 3].map((x) => x * 2); return [m, 1 in m, m.length, [, 1].filter(() => true), [, 1].flatMap((x) => [x]), [, 1].find((x) => x === undefined), [, , 1].reduce((a, b) => a + b), [, 1].some((x) => x === undefined), [, 1].findIndex((x) => x === undefined)]`,
  ],
  [
    'lists in lists, and as strings',
    `this.xs = [1, [2, , [3, [4]]], []]; return [this.xs.flat(), this.xs.flat(2), this.xs.flat(Infinity), this.xs.flat(0), [[1], 2].flat(), [1, , 2].flat(), String(this.xs), String([1, [2]]), String(this.o)]`,
  ],
  [
    'changing arrays',
    `const a = this.xs; return [a.push(4, 5), a.unshift(0), a.splice(1, 2, 'x', 'y'), a.reverse() === a, a.fill(7, 0, 1), a.copyWithin(0, 3), a.shift(), a.pop(), a.indexOf('x'), a.includes(undefined), a.concat(1, [2, [3]]), a.join(), a.at(-1), a.slice(-2), a.with(0, 1), a.toSpliced(0, 1), a.toReversed(), a.flat(), a.lastIndexOf(1), (a.length = 1), a]`,
  ],
  [
    'concat and spreadable',
    `return [this.xs.concat(this.xs, 5, [[6]]), [].concat(this.o).length, [1].concat({ length: 1, 0: 'a', [Symbol.isConcatSpreadable]: true })]`,
  ],
  [
    'Map and Set',
    `const k = { id: 1 }; this.m.set(k, 'obj').set(NaN, 'nan').set(-0, 'zero'); return [this.m.get(k), this.m.get({ id: 1 }), this.m.get(NaN), this.m.get(0), this.m.has('k'), this.m.delete('k'), this.m.delete('k'), this.m.size, [...this.m.keys()].length, this.s.add(5) === this.s, this.s.has(5), new Map(this.m).size, new Set(this.xs).size, new Set('aab').size, Object.fromEntries(new Map([['a', 1]])), [...new Map([[1, 2]]).entries()], this.m.clear(), this.m.size]`,
  ],
  [
    'WeakMap, WeakSet, WeakRef',
    `const w = new WeakMap([[this.o, 1]]); w.set(this, 2); const s = new WeakSet([this.xs]); const r = new WeakRef(this.o); this.o.r = r; return [w.get(this.o), w.has(this.xs), w.delete(this.o), w.get(this.o), s.has(this.xs), r.deref() === this.o, this.o.r.deref().x]`,
  ],
  ['a key that cannot be held weakly', `new WeakMap().set(1, 2)`],
  [
    'groupBy and structuredClone',
    `const c = structuredClone(this.o); c.y.z = 9; return [c, this.o.y.z, structuredClone(new Map([[1, new Date(0)]]))]`,
  ],
  [
    'Object functions',
    `const o = Object.assign({}, this.o, null, { w: 1 }); Object.defineProperty(o, 'hid', { value: 1 }); return [o, Object.keys(this.o), Object.entries(this.o), Object.values(this.xs), Object.entries(this.xs), Object.keys('ab'), Object.fromEntries(this.m), Object.freeze(this.xs) === this.xs, Object.isFrozen(this.xs), Object.getOwnPropertyNames(this.o), Object.getPrototypeOf(this.o) === Object.prototype, Object.is(this.o, this.o), Object.create(this.o).x, Object.setPrototypeOf({}, { up: 1 }).up, Object.hasOwn(this.o, 'x'), Object.getOwnPropertyDescriptor(this.o, 'x'), Object.isExtensible(this.o)].map((v) => (v === this.xs ? 'xs' : v)) && Object.keys(o)`,
  ],
  ['Object.keys of null', `return Object.keys(this.nil)`],
  [
    'Object.assign to accessors and shared ones',
    `const self = this; const target = { set v(x) { self.log.push('set' + x) } }; Object.assign(target, { v: 1 }); Object.assign(this.o, { x: 5, n: [1] }, { get g() { return 7 } }); return [this.o, Object.assign(this.xs, [9]), Object.assign(this.o, 'ab')]`,
  ],
  [
    'Object.defineProperty on shared objects',
    `Object.defineProperty(this.o, 'd', { value: 5, writable: true, enumerable: true, configurable: true }); this.o.d++; Object.defineProperties(this.o, { e: { get() { return this.d }, enumerable: true, configurable: true } }); return [this.o.d, this.o.e, Object.keys(this.o)]`,
  ],
  [
    'Object.entries in a loop, Object.groupBy by hand',
    `const out = {}; for (const [k, v] of Object.entries({ a: 1, b: 2 })) (out[v % 2 ? 'odd' : 'even'] ??= []).push(k); for (const x of this.xs) (this.o[x > 1] ||= []).push(x); return [out, this.o]`,
  ],
  [
    'Reflect',
    `return [Reflect.get(this.o, 'x'), Reflect.set(this.o, 'x', 4), this.o.x, Reflect.has(this.o, 'q'), Reflect.ownKeys(this.o), Reflect.deleteProperty(this.o, 'y'), Reflect.getPrototypeOf(this) === S.prototype, Reflect.defineProperty(this.o, 'y', { value: 1, writable: true, enumerable: true, configurable: true }), this.o.y]`,
  ],
  [
    'Reflect with a receiver',
    `const o = { get v() { return this.n } }; return [Reflect.get(o, 'v', { n: 5 }), Reflect.apply(Math.max, null, [1, 2])]`,
  ],
  [
    'Proxy',
    `const log = []; const p = new Proxy({ a: 1 }, { get(t, k, r) { log.push('get ' + String(k)); return Reflect.get(t, k, r) }, set(t, k, v) { log.push('set ' + k); t[k] = v; return true }, has(t, k) { log.push('has ' + k); return k in t }, deleteProperty(t, k) { log.push('del ' + k); return delete t[k] } }); p.a++; const r = [p.a, 'b' in p, (p.c = 3), delete p.a, p.a]; return [r, log]`,
  ],
  [
    'Proxy, shared',
    `this.o = new Proxy({ a: 1 }, { get: (t, k) => (k in t ? t[k] : 'none') }); return [this.o.a, this.o.zzz]`,
  ],
  [
    'a proxy of a function',
    `const f = new Proxy((x) => x + 1, { apply: (t, self, args) => t(...args) * 10 }); return f(1)`,
  ],
  [
    'symbols',
    `const s = Symbol('d'); const o = { [s]: 1, [Symbol.for('g')]: 2 }; this.o[s] = 5; return [o[s], o[Symbol.for('g')], s.toString(), s.description, Object.getOwnPropertySymbols(o).length, this.o[s], { ...o }[s], Object.keys(o)]`,
  ],
  [
    'numbers and strings',
    `return [(255).toString(16), parseInt('7f', 16), 'abc'.at(-1), 'a'.padStart(3, '-'), 'x'.localeCompare('y'), [...'añ'].length, 'ab'.codePointAt(1), Number('12'), Number.parseFloat('1.5x'), 'A-B'.toLowerCase().split('-'), ' x '.trim(), 'abc'.substring(1), isNaN('x'), 0.1 + 0.2, 5 / 0, -7 % 3, 1 << 31, ~~3.7, '5' * '2', '5' + 2, null + 1, [] + {}, 'b' > 'a']`,
  ],
  [
    'dates',
    `const d = new Date(2020, 1, 3); d.setDate(d.getDate() + 30); this.o.d = new Date(0); this.o.d.setUTCFullYear(2001); return [d.getMonth(), this.o.d.toISOString(), this.o.d > d, d - d, JSON.stringify({ d: this.o.d }), new Date('2020-01-01').getTime(), Date.UTC(2020, 0)]`,
  ],
  [
    'typed arrays',
    `const f = new Float32Array([1.5, 2.5]); const i = Int16Array.from([1, 2, 3]); const u = new Uint8ClampedArray(2); u[0] = 300; u[1] = -5; i[5] = 1; i['1'] = 40000; this.o.t = new Uint8Array(4); this.o.t[0] = 257; this.o.t[1]++; this.o.t[2] += 5; this.o.t.set([9], 3); const sub = this.o.t.subarray(1, 3); sub[0] = 7; return [f, i, u, i.length, this.o.t, [...this.o.t], this.o.t.map((x) => x * 2), i.reduce((a, b) => a + b), this.o.t.indexOf(7), f.slice(1), this.o.t.at(-1), Array.from(i), i instanceof Int16Array, this.o.t.join(), 9 in this.o.t, this.o.t[99], this.o.t.filter((x) => x > 2), this.o.t.fill(1, 0, 2), new Uint8Array(this.o.t), i.sort((a, b) => b - a)]`,
  ],
  [
    'Atomics',
    `this.o.i = new Int32Array(new SharedArrayBuffer(16)); const { i } = this.o; return [Atomics.store(i, 0, 5), Atomics.add(i, 0, 2), Atomics.exchange(i, 0, 1), Atomics.compareExchange(i, 0, 1, 8), Atomics.load(i, 0), Atomics.isLockFree(4), Atomics.notify(i, 0), i, Atomics.store(i, 1, 3.7), Atomics.sub(i, 1, 1)]`,
  ],
  ['Atomics out of range', `Atomics.add(new Int32Array(2), 5, 1)`],
  [
    'Atomics with bigints',
    `const b = new BigInt64Array(2); return [Atomics.add(b, 0, 5n), Atomics.load(b, 0), b]`,
  ],
  [
    'a DataView',
    `const v = new DataView(new ArrayBuffer(8)); v.setInt16(0, -5); v.setFloat32(4, 1.5, true); return [v.getInt16(0), v.getUint8(1), v.getFloat32(4, true), v.byteLength]`,
  ],
  [
    'buffers',
    `const b = new ArrayBuffer(8); new Uint8Array(b).set([1, 2, 3]); const c = b.slice(1, 3); return [b.byteLength, new Uint8Array(c), ArrayBuffer.isView(new Uint8Array(1))]`,
  ],
  [
    'Intl, URL, TextEncoder',
    `return [new Intl.NumberFormat('en').format(1234.5), new URL('a?b=1', 'http://h').href, [...new URLSearchParams('a=1&b=2').keys()], new TextEncoder().encode('é'), encodeURIComponent('a b'), btoa('x')]`,
  ],
  [
    'globalThis',
    `globalThis.shared$ = 5; const v = globalThis.shared$; delete globalThis.shared$; return [v, typeof shared$, globalThis === global]`,
  ],
  [
    'methods of Function.prototype',
    `return [this.t.call(this, 1), this.t.apply(this, [2]), Function.prototype.call.call(this.t, this, 3), [].concat.apply([], [[1], [2]]), Math.max.apply(Math, this.xs), ((f) => f.call(this, 4))(this.t), Array.prototype.slice.call(this.xs, 1), Object.prototype.hasOwnProperty.call(this.o, 'x')]`,
  ],
];
