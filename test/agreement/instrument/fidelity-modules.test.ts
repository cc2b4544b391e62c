/** Modules that import each other, against Node: two calls of `run` give the same results as in the original modules. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test } from 'vitest';
import { Execution } from '../../../src/execution/execution.js';
import { programOf } from '../../../src/instrument/instrumented-program.js';
import { loadInstrumented } from '../../../src/instrument/load.js';
import { runtime } from '../../../src/instrument/runtime/runtime.js';

const root = mkdtempSync(join(tmpdir(), 'straightedge-modules-'));
afterAll(() => rmSync(root, { recursive: true }));

// a CommonJS file outside of the project imports as Node does, and not as vitest does
writeFileSync(join(root, 'import.cjs'), 'module.exports = (url) => import(url)');
const importAsIs = createRequire(import.meta.url)(join(root, 'import.cjs')) as (
  url: string,
) => Promise<unknown>;

type Files = Readonly<Record<string, string>>;

const CASES: readonly (readonly [name: string, files: Files])[] = [
  [
    'a circle of modules',
    {
      'main.mjs': `import { isEven } from './even.mjs'; export const run = () => [isEven(4), isEven(7)]`,
      'even.mjs': `import { isOdd } from './odd.mjs'; export function isEven(n) { return n === 0 || isOdd(n - 1) } export const zero = 0`,
      'odd.mjs': `import { isEven, zero } from './even.mjs'; export const isOdd = (n) => n !== zero && isEven(n - 1)`,
    },
  ],
  [
    'a circle of classes',
    {
      'main.mjs': `import { Tree } from './tree.mjs'; export const run = () => new Tree(2).sum()`,
      'tree.mjs': `import { Leaf } from './leaf.mjs'; export class Tree { constructor(n) { this.kids = n ? [new Tree(n - 1), new Leaf(n)] : [] } sum() { return this.kids.reduce((s, k) => s + k.sum(), 0) } }`,
      'leaf.mjs': `import { Tree } from './tree.mjs'; export class Leaf { constructor(n) { this.n = n } sum() { return this.n } grow() { return new Tree(this.n) } }`,
    },
  ],
  [
    'names that are passed on',
    {
      'main.mjs': `import * as all from './all.mjs'; import main, { b as bee } from './all.mjs'; export const run = () => [Object.keys(all).sort(), all.a, bee, all.inner.deep, main(1), all.default === main, all.K.name]`,
      'all.mjs': `export * from './a.mjs'; export { b, b as b2, default } from './b.mjs'; export * as inner from './c.mjs'`,
      'a.mjs': `export const a = 'a'; export class K {} export default 'not passed on'`,
      'b.mjs': `export const b = 'b'; export default (n) => n + 1`,
      'c.mjs': `const deep = 'deep'; export { deep }`,
    },
  ],
  [
    'default exports',
    {
      'main.mjs': `import f from './f.mjs'; import K from './k.mjs'; import v, { other } from './v.mjs'; import g from './g.mjs'; export const run = () => [f(1), f.name, new K().m(), K.name, v, other, g(2), g.name]`,
      'f.mjs': `export default function (n) { return n + 1 }`,
      'k.mjs': `export default class { m() { return 'm' } }`,
      'v.mjs': `const v = { n: 1 }; export { v as default, v as other }`,
      'g.mjs': `export default (n) => n * 2`,
    },
  ],
  [
    'state of several modules',
    {
      'main.mjs': `import { next, list } from './ids.mjs'; import { Registry } from './registry.mjs'; const registry = new Registry(); export const run = () => { registry.add(next()); return [registry.size, [...list], Registry.made] }`,
      'ids.mjs': `let id = 0; export const list = []; export function next() { id += 1; list.push(id); return id }`,
      'registry.mjs': `import { list } from './ids.mjs'; export class Registry { static made = 0; #all = new Set(); constructor() { Registry.made++ } add(x) { this.#all.add(x + list.length) } get size() { return this.#all.size } }`,
    },
  ],
  [
    'the order in which files are run',
    {
      'main.mjs': `import './one.mjs'; import { log } from './log.mjs'; import './two.mjs'; log.push('main'); export const run = () => log.join()`,
      'log.mjs': `export const log = ['log']`,
      'one.mjs': `import { log } from './log.mjs'; log.push('one')`,
      'two.mjs': `import { log } from './log.mjs'; log.push('two')`,
    },
  ],
  [
    'import.meta and JSON',
    {
      'main.mjs': `import { createRequire } from 'node:module'; const data = createRequire(import.meta.url)('./data.json'); export const run = () => [typeof import.meta.url, import.meta.url.endsWith('main.mjs'), data.list.length, data.deep.on]`,
      'data.json': '{ "list": [1, 2], "deep": { "on": true } }',
    },
  ],
  [
    'CommonJS from a module',
    {
      'main.mjs': `import all from './lib.cjs'; import { twice } from './lib.cjs'; export const run = () => [twice(2), all.twice(3), Object.keys(all).sort()]`,
      'lib.cjs': `exports.twice = function (n) { return n * 2 }; exports.name = 'lib'`,
    },
  ],
  [
    'a class as module.exports',
    {
      'main.cjs': `const Queue = require('./queue.cjs'); const q = new Queue(); exports.run = () => { q.push(1); return [q.size, Queue.name, Queue.make().size, require('./queue.cjs') === Queue] }`,
      'queue.cjs': `module.exports = class Queue { items = []; push(x) { this.items.push(x) } get size() { return this.items.length } static make() { return new module.exports() } }`,
    },
  ],
  [
    'a circle of CommonJS files',
    {
      'main.cjs': `exports.base = 1; const b = require('./b.cjs'); exports.run = () => [b.sum(), b.early]; exports.late = 10`,
      'b.cjs': `const main = require('./main.cjs'); exports.early = Object.keys(main).join(); exports.sum = () => main.base + main.late`,
    },
  ],
  [
    'CommonJS with all that it has',
    {
      'main.cjs': `'use strict'; const { basename } = require('node:path'); const data = require('./data.json'); let calls = 0; const self = this === exports; exports.run = function () { calls++; const { helper } = require('./helper.cjs'); return [basename(__filename), basename(__dirname) !== '', data.n, self, helper(calls), typeof require.resolve, module.exports === exports] }`,
      'data.json': '{ "n": 5 }',
      'helper.cjs': `var hits = 0; function helper(n) { hits += n; return hits } module.exports = { helper: helper }; if (!module.parent) return; exports.unused = true`,
    },
  ],
  [
    'what compilers make of modules',
    {
      'main.cjs': `"use strict"; Object.defineProperty(exports, "__esModule", { value: true }); exports.run = void 0; var __importDefault = (this && this.__importDefault) || function (mod) { return (mod && mod.__esModule) ? mod : { "default": mod }; }; const c_1 = __importDefault(require("./counter.cjs")); const counter = new c_1.default(); const run = () => [(0, c_1.bump)(counter), counter.n]; exports.run = run;`,
      'counter.cjs': `"use strict"; Object.defineProperty(exports, "__esModule", { value: true }); exports.bump = bump; class Counter { constructor() { this.n = 0; } get twice() { return this.n * 2; } } exports.default = Counter; function bump(c) { c.n += 1; return c.twice; }`,
    },
  ],
  [
    'old classes with accessors by defineProperty',
    {
      'main.cjs': `var Q = require('./q.cjs'); var q = new Q(); exports.run = function () { q.push('x'); q.cap = 5; return [q.size, q.cap, q.full, Object.keys(q)] }`,
      'q.cjs': `function Q() { this.items = []; this._cap = 1 } Q.prototype.push = function (x) { this.items.push(x) }; Object.defineProperty(Q.prototype, 'size', { get: function () { return this.items.length } }); Object.defineProperties(Q.prototype, { cap: { get: function () { return this._cap }, set: function (v) { this._cap = v } }, full: { get() { return this.size >= this.cap } } }); module.exports = Q`,
    },
  ],
  [
    'classes as compilers make them',
    {
      'main.cjs': `var __extends = (function () { var d = function (a, b) { Object.setPrototypeOf(a, b) }; return function (a, b) { d(a, b); function __() { this.constructor = a } a.prototype = (__.prototype = b.prototype, new __()) } })(); var Base = /** @class */ (function () { function Base(n) { this.n = n } Base.prototype.inc = function () { return ++this.n }; Object.defineProperty(Base.prototype, "twice", { get: function () { return this.n * 2 }, enumerable: false, configurable: true }); Base.of = function (n) { return new this(n) }; return Base }()); var Sub = (function (_super) { __extends(Sub, _super); function Sub(n) { var _this = _super.call(this, n) || this; _this.log = []; return _this } Sub.prototype.inc = function () { var v = _super.prototype.inc.call(this); this.log.push(v); return v }; return Sub }(Base)); var s = new Sub(1); exports.run = function () { return [s.inc(), s.twice, s.log.slice(), Sub.of(5).n, s instanceof Base, Object.keys(s)] }`,
    },
  ],
];

/** The results of two calls of `run` in an explored thread. */
function explored(run: () => unknown): unknown[] {
  const answers: unknown[] = [];
  const execution = new Execution(
    programOf({ create: () => ({}), methods: { run }, threads: [[['run'], ['run']]] }) as never,
  );
  try {
    execution.reset();
    while (execution.enabled() !== 0) {
      execution.step(0);
      if (!execution.isLast) continue;
      const outcome = execution.outcomes.at(execution.outcome[execution.stepped]);
      answers.push(outcome.kind === 'returned' ? outcome.value : outcome);
    }
  } finally {
    runtime.leave();
    runtime.failure = undefined;
  }
  return answers;
}

test.each(CASES)('%s', async (name, files) => {
  const folder = join(root, name.replaceAll(' ', '-'));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  const [main] = Object.keys(files);
  const url = pathToFileURL(join(folder, main)).href;
  const loaded: unknown = main.endsWith('.cjs') ? createRequire(url)(url.slice(7)) : await importAsIs(url);
  const plain = loaded as { run: () => unknown };
  const expected = structuredClone([plain.run(), plain.run()]);
  const idle = loadInstrumented(main, { from: folder }) as { run: () => unknown };
  expect(structuredClone([idle.run(), idle.run()])).toEqual(expected);
  const { run } = loadInstrumented(main, { from: folder }) as { run: () => unknown };
  expect(explored(run)).toEqual(expected);
});
