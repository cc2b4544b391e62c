/** The order and number of evaluations of operands, arguments, keys and sides of an assignment. */
import type { Snippet } from '../../../support/oracles/fidelity.js';

export const ORDER: readonly Snippet[] = [
  ['operands', `return this.t('l', 1) + this.t('r', 2) * this.t('q', 3)`],
  [
    'a local that its right operand changes',
    `let i = 1; const f = () => (i = 10); return [i + f(), i + (i = 5), i + i++, i++ + i]`,
  ],
  [
    'a local that an argument changes',
    `let i = 1; const g = (...a) => a; return [g(i, i++, i, (i = 9), i), [i, i = 2, i]]`,
  ],
  [
    'an object that its key changes',
    `let o = { n: 1 }; const p = o; return [o[(o = { n: 2 }, 'n')], o.n, p.n]`,
  ],
  [
    'an object that its right side changes',
    `let o = { n: 1 }; const p = o; o.n = (o = { n: 5 }, 7); return [o, p]`,
  ],
  [
    'a captured object that its right side changes',
    `let o = { n: 1 }; const p = o; const f = () => { o = { n: 5 }; return 7 }; o.n = f(); return [o, p]`,
  ],
  [
    'a key that the right side changes',
    `let k = 'a'; const o = {}; o[k] = (k = 'b', 1); o[k] += (k = 'c', 2); return [o, k]`,
  ],
  ['a key that is counted in the target', `let i = 0; const a = []; a[i++] = i++; a[i++] = i; return [a, i]`],
  [
    'a method that its argument replaces',
    `const o = { f: (x) => 'old' + x }; return [o.f((o.f = (x) => 'new' + x, 1)), o.f(2)]`,
  ],
  [
    'a function that its argument replaces',
    `let f = (x) => 'old' + x; return [f((f = (x) => 'new' + x, 1)), f(2)]`,
  ],
  [
    'a field that its right side changes',
    `this.a = 1; this.a += (this.a = 10, 5); this.b = this.b++ + ++this.b; return [this.a, this.b]`,
  ],
  [
    'a field that is read before its right side changes it',
    `const f = () => { this.a = 100; return 1 }; return [this.a + f(), (this.a = 1, this.a - f()), this.a]`,
  ],
  [
    'computed keys of an object',
    `return { [this.t('k1')]: this.t('v1'), [this.t('k2')]: this.t('v2'), [this.t('k3')]() { return 1 }, get [this.t('k4')]() { return 2 } }`,
  ],
  [
    'a key is made a string once',
    `let n = 0; const k = { toString() { n++; return 'x' } }; this.o[k] += 1; this.o[k]++; this.o[k] ??= 2; delete this.o[k]; return [n, this.o]`,
    /refused: sample.js:3:68: a key that is an object: make it a string or a symbol first/,
  ],
  [
    'a key that is an object, of an own object',
    `const k = { toString: () => 'x' }; const o = { x: 1 }; o[k] += 1; o[k]++; o[k] ??= 2; return [o, k in o, delete o[k], o]`,
  ],
  [
    'a key that is an object, with an order',
    `const k = { toString: () => { this.log.push('key'); return 'x' } }; this.o[k] = this.t('value'); this.t(0, this.o)[k] += this.t('more'); return this.o.x`,
    /a key that is an object/,
  ],
  [
    'a key that is a symbol',
    `const s = Symbol('s'); this.o[s] = 1; this.o[s]++; return [this.o[s], s in this.o, delete this.o[s], this.o[s]]`,
  ],
  [
    'keys that are numbers, and near numbers',
    `this.xs['1'] = 9; this.xs[-1] = 5; this.xs['01'] = 6; this.xs[1.5] = 7; return [this.xs, this.xs.length]`,
  ],
  [
    'null as the target, with a right side',
    `try { this.nil.x = this.t('right') } catch (e) { this.log.push(e.message) } try { this.nil[this.t('key')] = this.t('right') } catch (e) { this.log.push(e.message) }`,
  ],
  [
    'null is read',
    `try { this.nil.x } catch (e) { this.log.push(e.message) } try { this.nil[this.k] } catch (e) { this.log.push(e.message) } try { this.nil.x.y } catch (e) { this.log.push(e.message) }`,
  ],
  [
    'null is called, with arguments',
    `try { this.nil(this.t('arg')) } catch (e) { this.log.push(e.name) } try { this.o.nope(this.t('arg')) } catch (e) { this.log.push(e.name) } try { this.nil.f(this.t('arg')) } catch (e) { this.log.push(e.name) }`,
  ],
  ['calling a value that is not a function', `this.nil()`],
  ['calling a missing method', `this.o.nope(1)`],
  ['an element that is no function', `this.xs[0]()`],
  ['a local that is no function', `const f = undefined; f()`],
  ['a local that is an object, called', `const f = {}; f()`],
  ['a result that is no function', `this.t(1)()`],
  ['new of a value that is no constructor', `new this.nil()`],
  ['new of a local that is no constructor', `const f = 5; new f()`],
  ['an arrow function as a constructor', `const f = () => 1; new f()`],
  ['a method as a constructor', `new this.run()`],
  ['a class without new', `class A {} A()`],
  [
    'logical assignment assigns only if needed',
    `const self = this; const o = { get v() { self.log.push('get'); return 1 }, set v(x) { self.log.push('set') } }; o.v ||= this.t('no'); o.v ??= this.t('no'); o.v &&= this.t('yes'); return this.log.length`,
  ],
  [
    'logical assignment to a frozen field',
    `const o = Object.freeze({ v: 1 }); o.v ||= 2; o.v ??= 3; return o`,
  ],
  ['assignment to a frozen field', `const o = Object.freeze({ v: 1 }); o.v = 2`],
  ['assignment to a frozen shared field', `this.o = Object.freeze({ v: 1 }); this.o.v = 2`],
  ['assignment to a getter', `const o = { get v() { return 1 } }; o.v = 2`],
  ['assignment to a shared getter', `this.o = { get v() { return 1 } }; this.o.v = 2`],
  ['deleting a frozen field', `const o = Object.freeze({ v: 1 }); delete o.v`],
  [
    'the value of an assignment to a setter',
    `const o = { set v(x) { this.w = x * 2 } }; return [(o.v = 3), o.w, (o.v += 1), o.w]`,
  ],
  [
    'exponents',
    `this.a **= 2; this.b **= this.a + 1; const x = (-2) ** 2; return [this.a, this.b, 2 ** 3 ** 2, x, (this.b) ** -1]`,
  ],
  [
    'all compound operators',
    `this.a += 5; this.a -= 2; this.a *= 7; this.a /= 2; this.a %= 9; this.a <<= 3; this.a >>= 1; this.a >>>= 0; this.a |= 5; this.a &= 13; this.a ^= 3; return this.a`,
  ],
  [
    'operators with a lower one on the right',
    `this.a += this.nil ? 1 : 2; this.b *= 1 + 1; this.a -= (1, 2); let x = 2; x *= this.b, x++; return [this.a, this.b, x]`,
  ],
  [
    'arrow and assignment on the right',
    `this.a = this.b = 7; this.o.f = () => this.a; this.a = this.nil ?? 3; return [this.a, this.b, this.o.f()]`,
  ],
  [
    'increments of values that are no numbers',
    `this.o.s = '5'; this.o.u = undefined; this.o.d = null; this.o.b = true; return [this.o.s++, ++this.o.u, this.o.d--, -(-this.o.b), this.o.b++, this.o]`,
  ],
  [
    'increments of bigints',
    `this.o.n = 5n; const l = 7n; let m = l; return [this.o.n++, --this.o.n, m++, m, this.o.n ** 70n, -this.o.n, BigInt.asIntN(4, this.o.n)]`,
  ],
  ['mixing bigints', `this.o.n = 1n; this.o.n += 1`],
  ['unary plus of a bigint', `return +5n`],
  [
    'increments of private members',
    `class P { #n = 1; static #s = 1; get #g() { return this.#n * 10 } set #g(v) { this.#n = v } go() { return [this.#n++, ++this.#n, this.#n--, P.#s++, (this.#n **= 2), this.#g++, this.#g, (this.#g += 5), this.#n, (P.#s ??= 4), (this.#n &&= 6)] } } return new P().go()`,
  ],
  [
    'nullish and or, with the operands that they skip',
    `return [this.nil ?? this.t('n'), this.a ?? this.t('no'), this.nil || this.t('o'), this.a && this.t('and'), this.nil && this.t('no'), (this.nil ?? 0) || 'zero']`,
  ],
  ['commas and conditions', `return (this.t(1), this.t(0)) ? this.t('y') : this.t('n'), this.log.length`],
  [
    'void and typeof',
    `return [void this.t(1), typeof this.t(2), typeof nowhere, typeof this.nope, typeof this.nil?.x]`,
  ],
  ['an undeclared name', `return nowhere`],
  ['an undeclared name, called', `return nowhere(this.t(1))`],
  [
    'in, with an order',
    `return [this.t('x') in this.t('o', this.o), 'q' in this.o, 0 in this.xs, 9 in this.xs, 'toString' in this.o]`,
  ],
  ['in on a value that is no object', `return 'x' in 5`],
  [
    'instanceof, with Symbol.hasInstance',
    `class E { static [Symbol.hasInstance](v) { return v === 4 } } return [4 instanceof E, 5 instanceof E, this.xs instanceof Array, this instanceof S, this.o instanceof Object]`,
  ],
  ['instanceof a value that is no class', `return this instanceof this.o`],
  [
    'minus zero and NaN',
    `this.o.z = -0; this.o.n = NaN; return [this.o.z, Object.is(this.o.z, 0), this.o.n !== this.o.n, [NaN].includes(this.o.n), [NaN].indexOf(this.o.n), -this.o.z]`,
  ],
  ['comma in an index and a call', `return [this.xs[(0, 1)], (0, this.t)?.name, [1, 2, 3][1, 2]]`],
  ['this of a function without an object', `const f = this.t; f(1)`],
  ['this in a sequence callee', `return (0, this.t)(1)`],
  ['this in a parenthesized callee', `return (this.t)(1) + (((this).t))(2)`],
];
