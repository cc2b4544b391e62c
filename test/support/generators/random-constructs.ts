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
  ['[1, 2].forEach(() => { S });', 'for (const _ of [1, 2]) { S }'],
  ['(() => { S })();', '{ S }'],
  ['((f) => f())(() => { S });', '{ S }'],
  ['new (class { constructor(f) { f(); } })(() => { S });', '{ S }'],
  ['{ class A { constructor(f) { f(); } } class B extends A {} new B(() => { S }); }', '{ S }'],
];

/** Accesses of a thread: the number of schedules is exponential in it. */
const MOST_ACCESSES = 5;

class Writer {
  readonly #random: Random;
  readonly #places: readonly [Placement, Placement];
  readonly #locals: string[] = [];
  accesses = 0;

  constructor(random: Random, places: readonly [Placement, Placement]) {
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
    if (depth > 0 && choice < 4) return this.#filled(this.#pick(VALUES), depth);
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
    return this.#places[cell >> 1][access][cell & 1].replaceAll('$', cell < 2 ? '_a' : '_b');
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

const hasLetter = (form: string, letter: string): boolean =>
  new RegExp(`(?<![\\w.$"])${letter}(?![\\w$"])`).test(form);

export function randomRow(random: Random): Row {
  for (;;) {
    const places = [0, 1].map(() => SUITABLE[random.below(SUITABLE.length)]) as [Placement, Placement];
    // a file has one constructor, and one name for what it adds to a prototype
    if (places.every(({ members = '' }) => members.includes('constructor'))) continue;
    const [go, put] = [0, 1].map(() => {
      const writer = new Writer(random, places);
      return { ...writer.method(), accesses: writer.accesses };
    });
    if (go.accesses > MOST_ACCESSES || put.accesses > MOST_ACCESSES || go.accesses + put.accesses < 3)
      continue;
    const text = (of: 'members' | 'before', separator: string): string =>
      places.map((place, i) => (place[of] ?? '').replaceAll('$', i === 0 ? '_a' : '_b')).join(separator);
    const before = text('before', '\n').replaceAll(/\bC_[ab]\b/g, 'C');
    const late = ['_a', '_b'].filter((suffix) => before.includes(`late${suffix}`));
    const code = `${before}
class C { ${text('members', '; ')}
  go() { ${go.code} }
  put() { ${put.code} } }
${late.map((suffix) => `late${suffix}(C);`).join(' ')}
exports.make = () => new C()`.replaceAll(/\bC_[ab]\b/g, 'C');
    return {
      name: places.map(({ name }) => name).join(' and '),
      code,
      threads: [[['go']], [['put']]],
      model: [[modelFrom(go.model)], [modelFrom(put.model)]],
    };
  }
}
