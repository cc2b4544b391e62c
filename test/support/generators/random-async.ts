/**
 * Generates the source of small random asynchronous objects: methods that read and write shared fields, lists, maps,
 * variables and promises, with pauses in between.
 */
import type { Random } from '../../../src/base/random.js';

/** Lines that a method may contain. `own` is a local number; `n` is a number that differs for each line. */
const LINES: readonly ((n: number) => string)[] = [
  () => 'own += this.a;',
  (n) => `this.a = own + ${n};`,
  () => 'own += this.#b;',
  (n) => `this.#b += ${n};`,
  (n) => `this.#b = await later(own + ${n});`,
  () => 'this.a += await later(own);',
  (n) => `this.list.push(${n});`,
  () => 'own += this.list.shift() ?? 100;',
  (n) => `this.list.push(await later(${n}));`,
  () => 'for (const x of this.list) { own += x; await turn(); }',
  () => 'own += [...this.list].length;',
  (n) => `this.map.set('k', ${n});`,
  () => "own += this.map.get('k') ?? 1;",
  (n) => `for (const [, v] of this.map) own += v * ${n};`,
  (n) => `total += ${n};`,
  () => 'total += await later(1);',
  () => 'own += total;',
  (n) => `({ a: this.a, ...this.rest } = { a: ${n}, own });`,
  () => 'const { rest: { own: o } = { own: 7 } } = this; own += o ?? 0;',
  () => 'own += this.none?.deep.deeper ?? this.rest?.own ?? 3;',
  () => 'await turn();',
  () => 'await turn();',
  () => 'await Promise.resolve();',
  () => 'await after(2);',
  () => 'await after(3);',
  () => 'own += await this.gate;',
  (n) => `this.open(${n});`,
  () => 'if (!this.isOpen) await new Promise((resolve) => this.waiting.push(resolve));',
  () => 'this.isOpen = true; for (const wake of this.waiting.splice(0)) wake();',
  () => 'this.waiting.shift()?.();',
  (n) => `clearTimeout(this.timer); this.timer = setTimeout(() => { this.a = ${n}; }, 2);`,
  () => 'own += Date.now() % 10;',
  () => 'own += Math.floor(Math.random() * 10);',
  (n) => `own += await this.io.ask(${n});`,
  () => 'await this.tail; this.tail = turn();',
  () => 'delete this.a; own += "a" in this ? 1 : 0; this.a = 0;',
  () => 'own += Object.keys(this.rest).length; own += JSON.stringify(this).length;',
];

/** A module that exports `make`, and the names of its methods. */
export function randomAsync(random: Random): { code: string; methods: readonly string[]; hasStub: boolean } {
  const names = ['one', 'two', 'three'];
  const methods = names.map((name) => {
    const lines = Array.from({ length: 2 + random.below(4) }, (_, i) => `{ ${random.pick(LINES)(i + 1)} }`);
    return `async ${name}() { let own = 0; ${lines.join(' ')} return own; }`;
  });
  const code = `
const turn = () => new Promise((resolve) => setImmediate(resolve));
const after = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
const later = async (x) => { await turn(); return x; };
export const ask = (n) => n;
export const make = (io) => {
  let total = 0;
  return new (class {
    a = 1; #b = 2; list = [5]; map = new Map(); rest = {}; waiting = []; isOpen = false;
    io = io; tail = undefined; timer = undefined;
    constructor() { this.gate = new Promise((resolve) => { this.open = resolve; }); }
    toJSON() { return this.a; }
    ${methods.join('\n    ')}
  })();
};`;
  return { code, methods: names, hasStub: code.includes('.io.ask') };
}
