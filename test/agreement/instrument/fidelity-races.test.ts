/**
 * Constructs with a race, against known results.
 *
 * Every access to shared data is a step, however it is written. So the possible results of threads are known, and both
 * engines find those that are not linearizable.
 */
import { describe, expect, test } from 'vitest';
import { untilValid } from '../../../src/execution/memory/program-error.js';
import type { PlainCall } from '../../../src/instrument/instrumented-program.js';
import { instrumentedProgram } from '../../support/fixtures/instrumented.js';
import { allResults } from '../../support/oracles/brute-force.js';
import { resultsByDpor, violationsBy } from '../../support/oracles/engines.js';

interface Race {
  readonly name: string;
  /** The body of `class C`. */
  readonly code: string;
  /** Calls of each thread. */
  readonly threads: readonly (readonly PlainCall[])[];
  readonly after?: readonly PlainCall[];
  /** All possible results, thread by thread. */
  readonly answers: readonly string[];
  readonly isWrong: boolean;
}

const TWICE = [[['go']], [['go']]] as const;

const RACES: readonly Race[] = [
  {
    name: 'a private field with a call on its right',
    code: `#n = 0; by = 1; step() { return this.by } grow() { this.by = 2 } go() { this.#n += this.step(); return this.#n }`,
    threads: TWICE,
    answers: ['1 1', '1 2', '2 1', '2 2'],
    isWrong: true,
  },
  {
    name: 'an id counter in an initializer',
    code: `static K = class { static next = 0; id = C.K.next++ }; go() { return new C.K().id }`,
    threads: TWICE,
    answers: ['0 0', '0 1', '1 0'],
    isWrong: true,
  },
  {
    name: 'an id counter in a constructor, with bind and valueOf',
    code: `static K = class { static last = { n: 0, valueOf() { return this.n } }; constructor() { this.id = +C.K.last; C.K.last.n = this.id + 1; this.get = this.get.bind(this) } get() { return this.id } }; go() { const { get } = new C.K(); return get() }`,
    threads: TWICE,
    answers: ['0 0', '0 1', '1 0'],
    isWrong: true,
  },
  {
    name: 'an object that its constructor shares before it is complete',
    code: `last = null; go() { const out = this; new (class { constructor() { out.last = this; this.v = 1 } })(); return 0 } get() { return this.last ? this.last.v ?? 'torn' : 'none' }`,
    threads: [[['go']], [['get']]],
    answers: ['0 none', '0 torn', '0 1'],
    isWrong: true,
  },
  {
    name: 'an accessor with a computed name',
    code: `n = 0; m = 0; get ['v' + 1]() { return this.n * 10 + this.m } put() { this.n = 1; this.m = 1 } go() { return this.v1 }`,
    threads: [[['put']], [['go']]],
    answers: ['undefined 0', 'undefined 10', 'undefined 1', 'undefined 11'],
    isWrong: true,
  },
  {
    name: 'a swap of elements',
    code: `a = ['p', 'q']; swap() { [this.a[0], this.a[1]] = [this.a[1], this.a[0]] } go() { return this.a[0] + this.a[1] }`,
    threads: [[['swap']], [['go']]],
    answers: ['undefined pq', 'undefined pp', 'undefined qp', 'undefined qq'],
    isWrong: true,
  },
  {
    name: 'an object that is created on demand',
    code: `x = null; made = 0; make() { return { id: ++this.made } } go() { this.x ??= this.make(); return this.x.id }`,
    threads: TWICE,
    answers: ['1 1', '1 2', '2 1', '2 2'],
    isWrong: true,
  },
  {
    name: 'a getter that reads two fields',
    code: `lo = 0; hi = 0; get size() { return this.hi - this.lo } go() { return this.size } move() { this.lo++; this.hi++ }`,
    threads: [[['go']], [['move']]],
    answers: ['0 undefined', '-1 undefined'],
    isWrong: true,
  },
  {
    name: 'a getter that calls the getter of its base class',
    code: `lo = 0; hi = 0; go() { return new Two(this).size } move() { this.lo++; this.hi++ } } class One { constructor(c) { this.c = c } get size() { return this.c.hi - this.c.lo } } class Two extends One { get size() { return super.size }`,
    threads: [[['go']], [['move']]],
    answers: ['0 undefined', '-1 undefined'],
    isWrong: true,
  },
  {
    name: 'an inherited accessor that is incremented',
    code: `n = 0; other = new Two(this); go() { return this.other.inc() } } class One { constructor(c) { this.c = c } get v() { return this.c.n } set v(x) { this.c.n = x } } class Two extends One { inc() { super.v += 1; return super.v }`,
    threads: TWICE,
    answers: ['1 1', '1 2', '2 1', '2 2'],
    isWrong: true,
  },
  {
    name: 'a field that is assigned through super',
    code: `part = new Two(); go() { return this.part.inc() } } class One {} class Two extends One { n = 0; inc() { const n = this.n; super.n = n + 1; return this.n }`,
    threads: TWICE,
    answers: ['1 1', '1 2', '2 1', '2 2'],
    isWrong: true,
  },
  {
    name: 'a Map that is read, then written',
    code: `m = new Map(); n = 0; go() { return this.m.get('k') ?? (this.m.set('k', ++this.n), this.n) }`,
    threads: TWICE,
    answers: ['1 1', '1 2', '2 1', '2 2'],
    isWrong: true,
  },
  {
    name: 'a Map that is iterated while another thread deletes',
    code: `m = new Map([[1, 'a'], [2, 'b'], [3, 'c']]); go() { let s = ''; for (const [, v] of this.m) s += v; return s } drop() { this.m.delete(1); this.m.delete(3) }`,
    threads: [[['go']], [['drop']]],
    answers: ['abc undefined', 'ab undefined', 'bc undefined', 'b undefined'],
    isWrong: true,
  },
  {
    name: 'a typed array that is filled while it is read',
    code: `t = new Int32Array(2); fill() { this.t.fill(1) } go() { return this.t[1] + '' + this.t[0] }`,
    threads: [[['go']], [['fill']]],
    answers: ['00 undefined', '01 undefined', '11 undefined'],
    isWrong: true,
  },
  {
    name: 'a typed array that is summed while it is written',
    code: `t = new Int32Array(3); put() { this.t[2] = 1; this.t[1] = 1 } go() { return this.t.join('') }`,
    threads: [[['go']], [['put']]],
    answers: ['000 undefined', '001 undefined', '011 undefined'],
    isWrong: true,
  },
  {
    name: 'a regular expression with a lastIndex',
    code: `re = /a/g; go() { return this.re.test('aa') + '' + this.re.lastIndex }`,
    threads: TWICE,
    answers: ['true1 true2', 'true2 true1', 'true2 true2'],
    isWrong: true,
  },
  {
    name: 'a date that is changed',
    code: `d = new Date(0); go() { this.d.setTime(this.d.getTime() + 1); return this.d.getTime() }`,
    threads: TWICE,
    answers: ['1 1', '1 2', '2 1', '2 2'],
    isWrong: true,
  },
  {
    name: 'a template with a tag that counts',
    code: 'n = 0; tag(s) { const n = this.n; this.n = n + 1; return s[0] + this.n } go() { return this.tag`x` }',
    threads: TWICE,
    answers: ['x1 x1', 'x1 x2', 'x2 x1', 'x2 x2'],
    isWrong: true,
  },
  {
    name: 'a replacement that counts',
    code: `n = 0; go() { return 'a'.replace(/a/g, () => ++this.n) }`,
    threads: TWICE,
    answers: ['1 1', '1 2', '2 1'],
    isWrong: true,
  },
  {
    name: 'keys of an object that are deleted while they are listed',
    code: `o = { a: 1, b: 2 }; go() { let s = ''; for (const k in this.o) s += k + this.o[k]; return s } drop() { delete this.o.b }`,
    threads: [[['go']], [['drop']]],
    answers: ['a1b2 undefined', 'a1 undefined', 'a1bundefined undefined'],
    isWrong: true,
  },
  {
    name: 'one key as a number and as a string',
    code: `o = { 1: 0 }; inc(k) { this.o[k] = this.o[k] + 1; return this.o[k] }`,
    threads: [[['inc', 1]], [['inc', '1']]],
    answers: ['1 1', '1 2', '2 1', '2 2'],
    isWrong: true,
  },
  {
    name: 'a callback of Array.from',
    code: `n = 0; go() { return Array.from([0], (x) => x + ++this.n)[0] }`,
    threads: TWICE,
    answers: ['1 1', '1 2', '2 1'],
    isWrong: true,
  },
  {
    name: 'a comparator that reads what changes',
    code: `up = 1; go() { return [1, 2, 3].sort((a, b) => (a - b) * this.up).join('') } turn() { this.up = -1 }`,
    threads: [[['go']], [['turn']]],
    answers: ['123 undefined', '321 undefined', '312 undefined'],
    isWrong: true,
  },
  {
    name: 'a function that is removed before it is called',
    code: `f = () => 1; go() { return this.f?.() ?? 0 } stop() { this.f = null }`,
    threads: [[['go']], [['stop']]],
    answers: ['1 undefined', '0 undefined'],
    isWrong: false,
  },
  {
    name: 'a list that is filled by counting',
    code: `xs = []; i = 0; go(v) { this.xs[this.i++] = v } all() { return this.xs.join('') }`,
    threads: [[['go', 1]], [['go', 2]]],
    after: [['all']],
    answers: [
      'undefined undefined 12',
      'undefined undefined 21',
      'undefined undefined 1',
      'undefined undefined 2',
    ],
    isWrong: true,
  },
  {
    name: 'a private accessor that is incremented',
    code: `#v = 0; get #n() { return this.#v } set #n(x) { this.#v = x } go() { this.#n++; return this.#n }`,
    threads: TWICE,
    answers: ['1 1', '1 2', '2 1', '2 2'],
    isWrong: true,
  },
  {
    name: 'a closure variable that is initialized on demand',
    code: `} const make_ = () => { let n = 0; return () => { n ??= 0; n += 1; return n } }; class D { f = make_(); go() { return this.f() }`,
    threads: TWICE,
    answers: ['1 1', '1 2', '2 1', '2 2'],
    isWrong: true,
  },
  {
    name: 'the oldest key of a Map, by its iterator',
    code: `m = new Map([['a', 1]]); n = 0; go() { this.n = 1; return this.m.keys().next().value ?? 'none' } put() { this.m.delete('a'); return this.n }`,
    threads: [[['go']], [['put']]],
    answers: ['a 1', 'none 0', 'none 1'],
    isWrong: true,
  },
  {
    name: 'a typed array that is iterated while it is written',
    code: `t = new Int32Array(2); put() { this.t[1] = 1; this.t[0] = 1 } go() { let s = ''; for (const x of this.t) s += x; return s }`,
    threads: [[['go']], [['put']]],
    answers: ['00 undefined', '01 undefined', '11 undefined'],
    isWrong: true,
  },
  {
    name: 'nested lists that are flattened while one is changed',
    code: `g = [[0], [0]]; n = 0; go() { this.n = 1; return this.g.flat().join('') } put() { this.g[1][0] = 1; this.g[0][0] = 1; return this.n }`,
    threads: [[['go']], [['put']]],
    answers: ['00 1', '01 1', '11 0', '11 1'],
    isWrong: true,
  },
  {
    name: 'a list that becomes a string while it is changed',
    code: `xs = [0]; n = 0; go() { this.n = 1; return String(this.xs) } put() { this.xs[0] = 1; return this.n }`,
    threads: [[['go']], [['put']]],
    answers: ['0 1', '1 0', '1 1'],
    isWrong: true,
  },
  {
    name: 'an object as JSON while it is written',
    code: `o = { a: 0, b: 0 }; go() { return JSON.stringify(this.o) } put() { this.o.b = 1; this.o.a = 1 }`,
    threads: [[['go']], [['put']]],
    answers: ['{"a":0,"b":0} undefined', '{"a":0,"b":1} undefined', '{"a":1,"b":1} undefined'],
    isWrong: true,
  },
  {
    name: 'a subclass of Map that counts',
    code: `m = new Counts(); go() { return this.m.inc('k') } } class Counts extends Map { get(k) { return super.get(k) ?? 0 } inc(k) { this.set(k, this.get(k) + 1); return this.get(k) }`,
    threads: TWICE,
    answers: ['1 1', '1 2', '2 1', '2 2'],
    isWrong: true,
  },
  {
    name: 'a subclass of Array that is copied and put back',
    code: `l = new L(); go(v) { this.l = this.l.with_(v) } all() { return this.l.join('') } } class L extends Array { with_(v) { const l = this.map((x) => x); l.push(v); return l }`,
    threads: [[['go', 1]], [['go', 2]]],
    after: [['all']],
    answers: [
      'undefined undefined 12',
      'undefined undefined 21',
      'undefined undefined 1',
      'undefined undefined 2',
    ],
    isWrong: true,
  },
  {
    name: 'a rest of fields that change one by one',
    code: `o = { a: 0, b: 0, c: 0 }; go() { const { a, ...rest } = this.o; return '' + a + rest.b } put() { this.o.b = 1; this.o.a = 1 }`,
    threads: [[['go']], [['put']]],
    answers: ['00 undefined', '01 undefined', '11 undefined'],
    isWrong: true,
  },
];

describe.each(RACES)('$name', ({ code, threads, after = [], answers, isWrong }) => {
  const name = code.includes('class D') ? 'D' : 'C';
  const source = `class C { ${code} }\nexport const make = () => new ${name}()`;
  const program = () => instrumentedProgram(source, { threads, after });

  test('brute force and partial-order reduction give exactly the expected results', () => {
    const seen = untilValid(() => allResults(program(), 20_000))!.map(({ outcomes }) =>
      outcomes.map((text) => String((JSON.parse(text) as { value?: unknown }).value)).join(' '),
    );
    const byClass = untilValid(() => resultsByDpor(program())).map(({ outcomes }) =>
      outcomes.map((text) => String((JSON.parse(text) as { value?: unknown }).value)).join(' '),
    );
    expect([...new Set(seen)].sort()).toEqual([...answers].sort());
    expect([...new Set(byClass)].sort()).toEqual([...answers].sort());
  });

  test.each(['dpor', 'stateful'] as const)('%s gives the expected verdict', (engine) => {
    expect(untilValid(() => violationsBy(program(), engine)).length > 0).toBe(isWrong);
  });
});
