/**
 * Generates random classes: methods of random statements over private and public fields, a module variable, an array, a
 * Map and linked objects. Every loop terminates.
 */
import type { Random } from '../../../src/base/random.js';

export interface RandomClass {
  readonly code: string;
  readonly threads: readonly (readonly (readonly [string, number])[])[];
}

export function randomClass(random: Random): RandomClass {
  const methods = ['a', 'b', 'c'];
  const bodies = methods.map(
    (name) => `  ${name}(k: number): unknown {\n${new Writer(random).body(1 + random.below(2))}  }\n`,
  );
  const code = `let total = 0;
class Item { next: Item | null = null; constructor(public v: number) {} bump(by = 1) { this.v += by; return this.v } get twice() { return this.v * 2 } }
class Subject {
  n = 0; #p = 1; xs: number[] = [1, 2]; m = new Map<number, number>([[0, 5]]); head: Item | null = new Item(3); o: any = { a: 1, b: { c: 2 } };
  get p() { return this.#p }
  set p(v: number) { this.#p = v % 7 }
  add(by: number) { this.n += by; return this.n }
${bodies.join('')}}
export const make = () => new Subject();
`;
  const calls = (): [string, number][] =>
    Array.from({ length: random.withProbability(20) ? 2 : 1 }, () => [
      methods[random.below(3)],
      random.below(3),
    ]);
  return { code, threads: [calls(), calls()] };
}

class Writer {
  readonly #random: Random;
  readonly #locals: string[] = ['k'];
  #names = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  body(statements: number): string {
    const lines = Array.from({ length: statements }, () => `    ${this.#statement(1)}\n`);
    return `${lines.join('')}    return ${this.#value()};\n`;
  }

  #pick<T>(...choices: T[]): T {
    return choices[this.#random.below(choices.length)];
  }

  #local(): string {
    return this.#pick(...this.#locals);
  }

  /** An expression without effects on shared objects, of a number or nothing. */
  #value(): string {
    return this.#pick(
      () => 'this.n',
      () => 'this.p',
      () => 'this.#p',
      () => 'total',
      () => `this.xs[${this.#random.below(2)}] ?? 0`,
      () => 'this.xs.length',
      () => `(this.m.get(${this.#local()}) ?? -1)`,
      () => '(this.head?.v ?? 9)',
      () => '(this.head?.next?.twice ?? 8)',
      () => 'this.o.b.c',
      () => this.#local(),
      () => String(this.#random.below(4)),
      () => `(${this.#local()} + ${this.#random.below(3)})`,
      () => `this.xs.reduce((s, x) => s + x + ${this.#local()}, 0)`,
    )();
  }

  #statement(depth: number): string {
    return this.#pick(
      () => `this.n = ${this.#value()};`,
      () => `this.n += ${this.#value()};`,
      () => `this.#p++;`,
      () => `this.p = ${this.#value()};`,
      () => `total = ${this.#value()};`,
      () => `this.xs.push(${this.#value()});`,
      () => `this.xs.shift();`,
      () => `this.m.set(${this.#local()} % 2, ${this.#value()});`,
      () => `this.o.b = { c: ${this.#value()} };`,
      () => `[this.n, this.o.a] = [this.o.a, ${this.#value()}];`,
      () =>
        `{ const item = new Item(${this.#value()}); item.next = this.head; item.bump(); this.head = item; }`,
      () => `this.head?.bump(${this.#value()});`,
      () => `this.add(${this.#value()});`,
      () => this.#declaration(),
      () => (depth > 0 ? this.#nested(depth - 1) : 'this.add(1);'),
    )();
  }

  #declaration(): string {
    const value = this.#value();
    const name = `x${++this.#names}`;
    this.#locals.push(name);
    return `let ${name} = ${value};`;
  }

  #nested(depth: number): string {
    const local = this.#locals.length;
    const inner = this.#statement(depth);
    this.#locals.length = local;
    const value = this.#value();
    return this.#pick(
      `if (${value} > 1) { ${inner} } else this.n--;`,
      `for (let i = 0; i < 2; i++) { ${inner} if (this.n > 3) break; }`,
      `for (const x of this.xs.slice(0, 2)) { this.n += x; ${inner} }`,
      `try { ${inner} if (${value} === 2) throw new Error('two'); } catch { this.n = 0 } finally { this.o.a++ }`,
      `{ let seen = 0; const f = () => { seen += ${value}; ${inner} return seen }; k = f(); }`,
      `this.xs.forEach((x) => { k += x; ${inner} });`,
    );
  }
}
