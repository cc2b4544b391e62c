/** Chains with `?.`, and deleting. */
import type { Snippet } from '../../../support/oracles/fidelity.js';

export const CHAINS: readonly Snippet[] = [
  [
    'a chain that ends early skips the rest',
    `return [this.nil?.[this.t('k')], this.nil?.f(this.t('a')), this.nil?.a.b.c(this.t('x'))[this.t('y')]]`,
  ],
  [
    'optional calls',
    `return [this.nope?.(this.t('a')), this.t?.('b'), this.o.f?.(this.t('c')), this.o?.['f']?.(1), (this.nil)?.(), this['t']?.(4)]`,
  ],
  [
    'optional calls keep this',
    `const o = { n: 1, f() { return this.n }, g: { n: 2, h() { return this.n } } }; return [o.f?.(), o?.f(), o?.['f'](), o.g?.h(), o?.g?.h?.(), (o?.f)(), (o.g?.h)()]`,
  ],
  ['optional call of a value that is no function', `return this.a?.()`],
  ['a method of nothing at the end of a chain', `return this.o?.nope()`],
  ['parentheses end a chain', `return (this.nil?.a).b`],
  ['a chain in a chain', `return this.o?.[this.nil?.x ?? 'x'] + this.m?.get(this.nil?.k ?? 'k')`],
  [
    'chains as arguments and operands',
    `return Math.max(this.nil?.x ?? 1, this.o?.x) + (this.o?.y?.z ?? 0) - -this.o?.x`,
  ],
  [
    'chains through getters',
    `const self = this; const o = { get n() { self.log.push('n'); return null }, get v() { self.log.push('v'); return { w: 1 } } }; return [o.n?.x.y, o.v?.w, o?.v.w]`,
  ],
  [
    'chains through private members',
    `class P { #a = { b: 1 }; #n = null; #f() { return this.#a } go(p) { return [p?.#a.b, p?.#a?.b, this.#n?.x, p?.#f().b, this?.#f()] } } return [new P().go(new P()), new P().go(null)]`,
  ],
  ['reading a missing private member', `class P { #a = 1; go(p) { return p.#a } } return new P().go({})`],
  ['calling a missing private method', `class P { #a() {} go(p) { return p.#a() } } return new P().go({})`],
  ['writing a missing private member', `class P { #a = 1; go(p) { p.#a = 1 } } return new P().go({})`],
  [
    'chains on a super member',
    `class A { f() { return { x: 1 } } } class B extends A { f() { return super.f?.()?.x } g() { return super.nope?.(1) } } const b = new B(); return [b.f(), b.g()]`,
  ],
  [
    'chains and tests',
    `if (this.nil?.x) return 1; if (!this.o?.x) return 2; while (this.nil?.x) return 3; return this.nil?.x === undefined`,
  ],
  [
    'chains in assignments',
    `let v; v = this.nil?.x; this.a = this.o?.y.z; this.b += this.nil?.x ?? 5; return [v, this.a, this.b]`,
  ],
  [
    'an element of a chain',
    `return [this.xs?.[0], this.xs?.at(-1), this.nope?.[0][1][2], this.xs?.map?.((x) => x + this.a)?.[1]]`,
  ],
  [
    'a chain that calls a shared function',
    `this.o.f = (x) => x?.y; return [this.o?.f?.({ y: 1 }), this.o.f?.(null)]`,
  ],
  [
    'deleting',
    `this.o.q = 1; const own = { a: 1, b: 2 }; return [delete this.o.q, delete this.o['y'], delete own.a, delete own[this.t('b')], delete this.o.nope, delete this.xs[1], own, this.xs]`,
  ],
  ['deleting on nothing', `delete this.nil.x`],
  ['deleting a result', `return delete this.t(1)`],
  ['new in a chain', `const ns = { C: class { v = 1 } }; return [new ns.C()?.v, ns?.C.name]`],
  ['a chain as a template', `return \`\${this.nil?.x}-\${this.o?.x}\``],
  [
    'a chain that awaits nothing of the mark',
    `const v = [this.nil?.x]; const { q = 'dflt' } = { q: this.nil?.x }; const f = (p = 'dflt') => p; return [v, q, f(this.nil?.x), this.nil?.x ?? 'x', { ...this.nil?.x }, String(this.nil?.x)]`,
  ],
  [
    'spread in an optional call',
    `return [this.t?.(...[1, 2]), this.nope?.(...this.t([1])), Math.max?.(...this.xs)]`,
  ],
];
