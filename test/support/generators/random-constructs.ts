/**
 * Random programs over the constructs and places of the matrix (constructs.ts): two threads, with random methods over four cells in
 * two places. All values are 0 or 1, so that every place can hold them. Each program has its model (oracles/interleaver.ts): the same
 * code with `m[0]` for a cell, a `yield` before each access, and no functions around accesses.
 */
import type { Random } from '../../../src/base/random.js';
import { modelFrom, PLACEMENTS, type Placement, type Row } from './constructs.js';

/** The same code for an object and for the model. */
interface Text {
  readonly code: string;
  readonly model: string;
}

/** A cell cannot return to 0, counts on, or is not observed. */
const UNSUITABLE = /frozen or not|length after push|proxy/;
const SUITABLE: readonly Placement[] = PLACEMENTS.filter(({ name }) => !UNSUITABLE.test(name));

/** Ways to compute a value: `E`, `F` and `G` are values. Where accesses would be in a function, the model has other text. */
const VALUES: readonly (readonly [code: string, model?: string])[] = [
  ['(1 - E)'],
  ['(E & F)'],
  ['(E ^ F)'],
  ['(E && F)'],
  ['(E || F)'],
  ['(E ? F : G)'],
  ['(E === F ? 1 : 0)'],
  ['(E < F ? 1 : 0)'],
  ['[E, F][0]'],
  ['[...[E, F]][1]'],
  ['({ v: E }).v'],
  ['({ ...{ v: E } }).v'],
  ['Math.max(E, F)'],
  ['Number(String(E))'],
  ['((a, b) => a ^ b)(E, F)'],
  ['(([a, b]) => a & b)([E, F])', '((a, b) => a & b)(E, F)'],
  ['(({ a, ...b }) => b.c)({ a: E, c: F })', '((a, b) => b)(E, F)'],
  ['JSON.parse(JSON.stringify({ v: E })).v', 'E'],
  ['structuredClone([E])[0]', 'E'],
  ['new Map([[0, E]]).get(0)', 'E'],
  ['[...new Set([E])][0]', 'E'],
  ['(() => E)()', 'E'],
  ['((x = E) => x)()', 'E'],
  ['(+{ valueOf: () => E })', 'E'],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: source of a template string
  ['Number(`${{ toString: () => String(E) }}`)', 'E'],
  ['[0].map(() => E)[0]', 'E'],
  ['[1, 2].reduce((s) => s ^ E, 0)', '((a, b) => a ^ b)(E, E)'],
  ['Array.from({ length: 1 }, () => E)[0]', 'E'],
  ['Reflect.apply(() => E, null, [])', 'E'],
  ['(() => E).call(null)', 'E'],
  ['(() => E).bind(null)()', 'E'],
  ['((f) => ({ get v() { return f(); } }).v)(() => E)', 'E'],
  ['((f) => new (class { #v = f(); get v() { return this.#v; } })().v)(() => E)', 'E'],
  ['((f) => { class A { v = f(); } class B extends A {} return new B().v; })(() => E)', 'E'],
  [
    '((f, g) => { class A { constructor(x) { this.x = x; } } class B extends A { constructor() { super(f()); this.x ^= g(); } } return new B().x; })(() => E, () => F)',
    '(E ^ F)',
  ],
  ['((f) => { const { a = f() } = {}; return a; })(() => E)', 'E'],
  ['((f) => { const [, a = f()] = [1]; return a; })(() => E)', 'E'],
  ['(({ a: { b } = { b: E } }) => b)({})', 'E'],
  ['((...a) => a[1])(E, F)', '((a, b) => b)(E, F)'],
  ['({ a: E })?.a', 'E'],
  ['((o) => o?.f())({ f: () => E })', 'E'],
  ['((o) => o?.[E] ?? F)(null)', 'F'],
  ['((o) => { o.a ??= E; return o.a; })({})', 'E'],
  ['((o) => { o.a ||= E; return o.a; })({ a: F })', '(F || E)'],
  ['((o) => { o.a &&= E; return o.a; })({ a: F })', '(F && E)'],
  ['(E ?? F)', 'E'],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: source of a template string
  ['((s, ...v) => v[0] ^ v[1])`a${E}b${F}`', '(E ^ F)'],
  ['(+{ [Symbol.toPrimitive]: () => E })', 'E'],
  ['JSON.parse(JSON.stringify({ toJSON: () => E }))', 'E'],
  ['Number(BigInt(E) ^ BigInt(F))', '(E ^ F)'],
  ['new Date(E).getTime()', 'E'],
  ['(/1/.test(E) ? 1 : 0)', 'E'],
  ['Object.entries({ a: E })[0][1]', 'E'],
  ['Object.defineProperty({}, "v", { get: () => E }).v', 'E'],
  ['Object.freeze([E])[0]', 'E'],
  ['[E].sort(() => 0)[0]', 'E'],
  ['[1, 0].sort((a, b) => (E, a - b))[0]', '((a) => 0)(E)'],
  ['Int8Array.of(E)[0]', 'E'],
  ['new Int8Array([E, F])[1]', '((a, b) => b)(E, F)'],
  ['[[E]].flatMap((x) => x)[0]', 'E'],
  ['[[0]].flatMap(() => [E])[0]', 'E'],
  ['Object.fromEntries([["a", E]]).a', 'E'],
  ['[E, F].toSorted((a, b) => a - b)[0]', '((a, b) => a & b)(E, F)'],
  ['[0, 0].some(() => E) ? 1 : 0', '(E || E)'],
  ['[0, 1].findLast((x) => (x ? E : 1))', '((a) => a)(E)'],
  ['"a".replace(/a/, () => String(E)) * 1', 'E'],
  ['((f) => new (class { #p() { return f(); } q() { return this.#p(); } })().q())(() => E)', 'E'],
  [
    '((f) => { class A { get v() { return f(); } } class B extends A { get v() { return super.v; } } return new B().v; })(() => E)',
    'E',
  ],
  [
    '((f) => { class A { m() { return f(); } } class B extends A { m() { return super.m(); } } return new B().m(); })(() => E)',
    'E',
  ],
  ['((f) => new (class { h = () => f(); })().h())(() => E)', 'E'],
  ['((f) => Object.assign({}, { get v() { return f(); } }).v)(() => E)', 'E'],
  ['((f) => JSON.parse(JSON.stringify({ get v() { return f(); } })).v)(() => E)', 'E'],
  ['((f) => ({ __proto__: { get v() { return f(); } } }).v)(() => E)', 'E'],
  ['((f) => Reflect.get({ get v() { return f(); } }, "v"))(() => E)', 'E'],
  ['((f) => { const o = { set v(x) { this.w = x ^ f(); } }; o.v = 1; return o.w; })(() => E)', '(1 ^ E)'],
  ['(() => { try { throw E; } catch (e) { return e; } })()', 'E'],
  ['(() => { try { try { throw E; } finally { F; } } catch (e) { return e; } })()', '((a) => a)(E, F)'],
  ['(() => { try { throw 0; } catch { return E; } finally { F; } })()', '((a) => a)(E, F)'],
  ['(() => { try { return 0; } finally { return E; } })()', 'E'],
  ['((f) => f(f, 1))((f, n) => (n > 0 ? f(f, n - 1) : E))', 'E'],
  ['((x) => { const g = () => x; x = E; return g(); })(0)', 'E'],
  ['((f) => (function () { arguments[0] = f(); return arguments[0]; })(0))(() => E)', 'E'],
  ['((a, b = a ^ E) => b)(F)', '((a, b) => a ^ b)(F, E)'],
  ['(E, F)', '((a, b) => b)(E, F)'],
  ['(void E ?? F)', '((a, b) => b)(E, F)'],
  ['((typeof E).length - 6 + F)', '((a, b) => b)(E, F)'],
  ['(E in [0] ? 1 : 0)', '(1 - E)'],
  ['(({ a: E }) instanceof Object ? F : 0)', '((a, b) => b)(E, F)'],
  ['(() => { let x = 0; x += E; x **= 1; return x; })()', 'E'],
  [
    '(() => { const m = new Map([[1, E], [2, F]]); for (const [k] of m) m.delete(2); return m.size; })()',
    '((a, b) => 1)(E, F)',
  ],
  ['new WeakRef({ v: E }).deref().v', 'E'],
  ['(() => { try { return E; } finally { F; } })()', '((a) => a)(E, F)'],
  ['(() => { switch (E) { case 1: return F; default: return 0; } })()', '(E ? F : 0)'],
];

/** Statements: `S` and `T` are statements, `W` writes the value that follows to a random cell. */
const STATEMENTS: readonly (readonly [code: string, model?: string])[] = [
  ['W{E}'],
  ['W{E} W{F}'],
  ['if (E) { S } else { T }'],
  ['for (let i = 0; i < 2; i++) { S }'],
  ['for (const x of [E, F]) W{x}'],
  ['for (const [, x] of new Map([[0, E]])) W{x}'],
  ['for (const k in { a: 1 }) { S }'],
  ['{ let n = 0; while (n++ < 2 && E) { S } }'],
  ['{ let n = 0; do { S } while (n++ < 1 && E); }'],
  ['try { if (E) throw 1; S } catch { T }'],
  ['try { S } finally { T }'],
  ['for (;;) { if (E) break; S break; }'],
  ['a: { W{E} if (F) break a; W{E} }'],
  ['a: for (const x of [1, 2]) { for (;;) { if (E) break a; W{F} continue a; } }'],
  ['[0].map(() => { S });', '{ S }'],
  ['Array.from([0], () => { S });', '{ S }'],
  ['new Map([[0, 0]]).forEach(() => { S });', '{ S }'],
  ['new Set([0]).forEach(() => { S });', '{ S }'],
  ['((f) => JSON.stringify({ toJSON() { f(); return 0; } }))(() => { S });', '{ S }'],
  ['[2, 1].sort((a, b) => { S return a - b; });', '{ S }'],
  ['"a".replace(/a/, () => { S return ""; });', '{ S }'],
  ['((f) => ({ get v() { f(); return 0; } }).v)(() => { S });', '{ S }'],
  ['((f) => { ({ set v(x) { f(); } }).v = 0; })(() => { S });', '{ S }'],
  ['switch (E) { case 0: S default: T }', 'if (!E) { S } T'],
  ['try { try { S } finally { T } } catch {}', '{ S T }'],
  ['((f) => new (class { x = f(); })())(() => { S });', '{ S }'],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: source of a template string
  ['((f) => `${{ toString() { f(); return ""; } }}`)(() => { S });', '{ S }'],
  ['((f) => { for (const k of [1]) f(); })(() => { S });', '{ S }'],
  [
    '((f) => { const i = { [Symbol.iterator]: () => ({ next: () => ({ done: true }), return: () => (f(), {}) }) }; const [] = i; })(() => { S });',
    '{ S }',
  ],
  [
    '((f) => { for (const x of { [Symbol.iterator]: () => ({ next: () => ({ done: false, value: 1 }), return: () => (f(), {}) }) }) break; })(() => { S });',
    '{ S }',
  ],
  ['do { S } while (false);'],
  ['[1, 2].forEach(() => { S });', 'for (const _ of [1, 2]) { S }'],
  ['(() => { S })();', '{ S }'],
  ['((f) => f())(() => { S });', '{ S }'],
  ['new (class { constructor(f) { f(); } })(() => { S });', '{ S }'],
  ['{ class A { constructor(f) { f(); } } class B extends A {} new B(() => { S }); }', '{ S }'],
];

/** Forms whose accesses cannot be suspended. They are refused, with a message that names the place: none is explored without them. */
export const REFUSED: readonly string[] = [
  '((f) => [...(function* () { yield f(); })()][0])(() => this.c0)',
  '((f, g) => { const [x] = (function* () { yield f(); yield g(); })(); return x; })(() => this.c0, () => this.c1)',
  '((f, g) => { for (const x of (function* () { yield f(); yield g(); })()) return x; })(() => this.c0, () => this.c1)',
  '((f, g) => { let s = 0; for (const x of (function* () { yield f(); yield g(); })()) s ^= x; return s; })(() => this.c0, () => this.c1)',
  '((f, g) => { const i = (function* () { const a = yield f(); return a ^ g(); })(); const { value } = i.next(); return i.next(value).value; })(() => this.c0, () => this.c1)',
  '((f, g) => [...{ *[Symbol.iterator]() { yield* [f(), g()]; } }][1])(() => this.c0, () => this.c1)',
  '((f, g) => { const { [f()]: a = g() } = { 1: 1 }; return a; })(() => this.c0, () => this.c1)',
  '((f) => ({ ...{ get v() { return f(); } } }).v)(() => this.c0)',
  'Int8Array.from([0], () => this.c0)[0]',
  '((f) => (class { static v = f(); }).v)(() => this.c0)',
  '((f) => (class { static { this.v = f(); } }).v)(() => this.c0)',
  '((f) => { function A() { this.x = f(); } return new A().x; })(() => this.c0)',
  '((f) => Reflect.construct(class { constructor() { this.v = f(); } }, []).v)(() => this.c0)',
  '((f) => { for (const x of (function* () { f(); yield 0; })()) {} })(() => { this.c1 = this.c0; })',
  '((f) => class { static { f(); } })(() => { this.c1 = this.c0; })',
];

/** Accesses of a thread: the number of schedules is exponential in it. */
const MOST_ACCESSES = 5;

class Writer {
  readonly #random: Random;
  readonly #places: readonly Place[];
  readonly #locals: string[] = [];
  accesses = 0;

  constructor(random: Random, places: readonly Place[]) {
    this.#random = random;
    this.#places = places;
  }

  method(): Text {
    const parts: Text[] = [];
    const statements = 1 + this.#random.below(2);
    for (let i = 0; i < statements; i++) {
      parts.push(this.#statement(2));
      const value = this.#value(2);
      const local = `t${i}`;
      parts.push({ code: `const ${local} = ${value.code};`, model: `const ${local} = ${value.model};` });
      this.#locals.push(local);
    }
    const end = `return [${this.#locals.join()}].join("");`;
    return {
      code: `${parts.map(({ code }) => code).join(' ')} ${end}`,
      model: `${parts.map(({ model }) => model).join(' ')} ${end}`,
    };
  }

  #pick<T>(list: readonly T[]): T {
    return list[this.#random.below(list.length)];
  }

  #statement(depth: number): Text {
    return this.#filled(this.#pick(depth > 0 ? STATEMENTS : STATEMENTS.slice(0, 2)), depth);
  }

  #value(depth: number): Text {
    const choice = this.#random.below(8);
    if (depth > 0 && choice < 4) {
      const { code, model } = this.#filled(this.#pick(VALUES), depth);
      return { code: `(${code})`, model: `(${model})` };
    }
    if (choice === 4) return this.#same(String(this.#random.below(2)));
    if (choice === 5 && this.#locals.length > 0) return this.#same(this.#pick(this.#locals));
    this.accesses++;
    const cell = this.#random.below(4);
    return { code: this.#placed(cell, 'read'), model: `(yield, m[${cell}])` };
  }

  #same(text: string): Text {
    return { code: text, model: text };
  }

  #write(value: Text): Text {
    this.accesses++;
    const cell = this.#random.below(4);
    return {
      code: `${this.#placed(cell, 'write').replace('V', () => value.code)};`,
      model: `(yield* w(m, ${cell}, ${value.model}));`,
    };
  }

  /** The access of a cell: two of them are in each place. */
  #placed(cell: number, access: 'read' | 'write'): string {
    const { placement, suffix } = this.#places[cell >> 1];
    return placement[access][cell & 1].replaceAll('$', suffix);
  }

  /** Fills the letters of a form. Each of them is one text, wherever the form names it. */
  #filled([form, other = form]: readonly [string, string?], depth: number): Text {
    const before = this.accesses;
    const parts = new Map<string, Text>();
    for (const letter of ['E', 'F', 'G'])
      if (hasLetter(form, letter)) parts.set(letter, this.#value(depth - 1));
    for (const letter of ['S', 'T'])
      if (hasLetter(form, letter)) parts.set(letter, this.#statement(depth - 1));
    const letters = (text: string, of: keyof Text): string =>
      text.replace(/(?<![\w.$"])[EFGST](?![\w$"])/g, (letter) => parts.get(letter)![of]);
    const writes: Text[] = [];
    for (const [, value] of form.matchAll(/W\{(\w)\}/g))
      writes.push(this.#write(parts.get(value) ?? this.#same(value)));
    if (/for \(let|forEach|while|reduce/.test(form)) this.accesses += this.accesses - before;
    const whole = (text: string, of: keyof Text): string => {
      let i = 0;
      const pieces = text.split(/W\{\w\}/);
      return pieces.map((piece) => letters(piece, of) + (i < writes.length ? writes[i++][of] : '')).join('');
    };
    return { code: whole(form, 'code'), model: whole(other, 'model') };
  }
}

const LETTERS = new Map(
  Array.from('EFGST', (letter) => [letter, new RegExp(`(?<![\\w.$"])${letter}(?![\\w$"])`)]),
);
const hasLetter = (form: string, letter: string): boolean => LETTERS.get(letter)!.test(form);

/** A placement, and what its names end with. */
interface Place {
  readonly placement: Placement;
  readonly suffix: string;
}

let files = 0;

/**
 * Rows of one file, which has two methods for each of them: to instrument a file takes as long as to explore a row. No two files share
 * a name, so that what the instrumenter knows of the names of one does not hold for the next.
 */
export function randomRows(random: Random, count: number): readonly Row[] {
  const places = randomPlaces(random);
  const methods = Array.from({ length: count }, () => randomMethods(random, places));
  const text = (of: 'members' | 'before', separator: string): string =>
    places.map(({ placement, suffix }) => (placement[of] ?? '').replaceAll('$', suffix)).join(separator);
  const before = text('before', '\n');
  const late = places.filter(({ suffix }) => before.includes(`late${suffix}`));
  // one class has the members of both places
  const code = `${before}
class C { ${text('members', '; ')}
${methods.map(([go, put], i) => `  go${i}() { ${go.code} }\n  put${i}() { ${put.code} }`).join('\n')} }
${late.map(({ suffix }) => `late${suffix}(C);`).join(' ')}
exports.make = () => new C()`.replaceAll(/\bC_[ab]\d+\b/g, 'C');
  return methods.map(([go, put], i) => ({
    name: places.map(({ placement }) => placement.name).join(' and '),
    code,
    threads: [[[`go${i}`]], [[`put${i}`]]],
    model: [[modelFrom(go.model)], [modelFrom(put.model)]],
  }));
}

function randomPlaces(random: Random): readonly Place[] {
  const file = files++;
  for (;;) {
    const places = ['a', 'b'].map((letter) => ({
      placement: random.pick(SUITABLE),
      suffix: `_${letter}${file}`,
    }));
    // a class has one constructor
    if (!places.every(({ placement: { members = '' } }) => members.includes('constructor'))) return places;
  }
}

function randomMethods(random: Random, places: readonly Place[]): readonly Text[] {
  for (;;) {
    const writers = [0, 1].map(() => new Writer(random, places));
    const methods = writers.map((writer) => writer.method());
    const [first, second] = writers.map(({ accesses }) => accesses);
    if (first <= MOST_ACCESSES && second <= MOST_ACCESSES && first + second >= 3) return methods;
  }
}
