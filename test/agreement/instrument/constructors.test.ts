/**
 * Built-in constructors × kinds of arguments × classes: the class itself, a subclass, a subclass with a constructor, and one of a subclass.
 *
 * `go` reads a flag and then makes an object of what threads share; `put` changes what is shared. If the object depends on it, a
 * schedule gives the old flag and the new object. The engines find it, or the run says that it did not observe all.
 */
import { expect, test } from 'vitest';
import { ProgramError, untilValid } from '../../../src/execution/memory/program-error.js';
import { runtime } from '../../../src/instrument/runtime/runtime.js';
import { loadScript, programOn } from '../../support/fixtures/instrumented.js';
import { resultsByDpor } from '../../support/oracles/engines.js';
import { share } from '../../support/share.js';

const CONSTRUCTORS: readonly string[] = [
  ...['Array', 'Map', 'Set', 'WeakMap', 'WeakSet', 'Date', 'RegExp', 'Object', 'String', 'Number', 'Boolean'],
  ...['Error', 'TypeError', 'RangeError', 'AggregateError', 'ArrayBuffer', 'SharedArrayBuffer', 'DataView'],
  ...['Int8Array', 'Uint8ClampedArray', 'Float64Array', 'BigInt64Array', 'URL', 'URLSearchParams'],
];

const INDEPENDENT = ['Array', 'WeakSet', 'Boolean', 'DataView', 'Object'];

/** A shared object, and how `put` changes it. */
const ARGUMENTS: readonly (readonly [held: string, put: string])[] = [
  ['[1, 2]', 'this.o[0] = 5'],
  ['[1]', 'this.o[0] = 5'],
  ['[["a", 1]]', 'this.o[0][1] = 5'],
  ['[["a", "b"]]', 'this.o[0] = ["c", "d"]'],
  ['[{}]', 'this.o.length = 0'],
  ['new Map([[1, 2]])', 'this.o.set(1, 5)'],
  ['new Set([1])', 'this.o.add(5)'],
  ['new Date(3)', 'this.o.setTime(5)'],
  ['{ n: 1, valueOf() { return this.n } }', 'this.o.n = 5'],
  ['{ n: 1, toString() { return "http://a/" + this.n } }', 'this.o.n = 5'],
  ['{ n: 1, [Symbol.toPrimitive]() { return this.n } }', 'this.o.n = 5'],
  ['{ length: 1, 0: 1 }', 'this.o[0] = 5'],
  ['{ length: 1, 0: 1 }', 'this.o.length = 0'],
  ['{ a: 1 }', 'this.o.a = 5'],
  ['new Int8Array([1, 2])', 'this.o[0] = 5'],
  ['new BigInt64Array([1n, 2n])', 'this.o[0] = 5n'],
  ['new Int8Array([1, 2]).buffer', 'new Int8Array(this.o)[0] = 5'],
  ['Object.assign(/a/g, { x: 1 })', 'this.o.lastIndex = 5'],
  ['new Error("a")', 'this.o.message = "b"'],
];

/** What is passed for the shared object. */
const PLACES = ['this.o', '"a", { cause: this.o }', '2, this.o', 'new Proxy(this.o, {})'];

const CLASSES: readonly (readonly [before: string, made: string])[] = [
  ['', 'B'],
  ['class D extends B {}', 'D'],
  ['class D extends B { constructor(...a) { super(...a); this.extra = 1 } }', 'D'],
  ['class E extends B {} class D extends E {}', 'D'],
  ['const D = (() => class extends B {})();', 'D'],
];

/** What can be seen of an object that was just made; it is the thread's own. */
const SEEN = `const seen = (x) => {
  if (x instanceof Error) return x.message + ' ' + typeof x.cause + ' ' + (x.errors ?? []).length;
  if (x instanceof Date) return String(x.getTime());
  if (x instanceof DataView) return String(x.byteLength) + (x.byteLength > 0 ? '' : 'x');
  if (x instanceof ArrayBuffer || x instanceof SharedArrayBuffer) return String(x.byteLength);
  if (x instanceof RegExp) return x.source + x.flags;
  if (x instanceof Map || x instanceof Set) { let s = ''; for (const e of x) s += Array.isArray(e) ? e[0] + ':' + typeof e[1] : typeof e === 'object' ? 'o' : e; return s; }
  if (x instanceof String || x instanceof Number || x instanceof Boolean) return String(x.valueOf());
  if (ArrayBuffer.isView(x)) { let s = ''; for (let i = 0; i < x.length; i++) s += x[i] + ','; return s; }
  if (x instanceof URL || x instanceof URLSearchParams) return String(x);
  if (Array.isArray(x)) return String(x.length);
  return typeof x;
};`;

const codeOf = (
  base: string,
  [before, made]: readonly [string, string],
  place: string,
  held: string,
  put: string,
): string =>
  `${SEEN} const B = ${base}; ${before}
class C { f = 0; o = ${held};
  go() { const f = this.f; let s; try { s = seen(new ${made}(${place})) } catch (e) { s = e.name } return f + ' ' + s }
  put() { this.f = 1; ${put} }
} exports.make = () => new C()`;

type Shared = { go(): string; put(): void };

/** What \`go\` returns before and after \`put\`, without the flag. */
function plainResults(code: string): [string, string] {
  const module = { exports: {} as { make?: () => Shared } };
  new Function('module', 'exports', code)(module, module.exports);
  const [one, other] = [module.exports.make!(), module.exports.make!()];
  other.put();
  return [one.go().slice(2), other.go().slice(2)];
}

test.each(CONSTRUCTORS)('%s', (base) => {
  const missed: string[] = [];
  let dependent = 0;
  for (const owner of CLASSES)
    for (const place of PLACES.slice(0, share(PLACES.length, 1)))
      for (const [held, put] of ARGUMENTS) {
        const code = codeOf(base, owner, place, held, put);
        const [before, after] = plainResults(code);
        // the text of a function differs when it is instrumented, and shared objects stay shared
        if (before === after || /toString|valueOf/.test(before) || base === 'Object') continue;
        dependent++;
        runtime.atomic.clear();
        try {
          const program = programOn(loadScript(code), { threads: [[['go']], [['put']]] });
          const results = untilValid(() => resultsByDpor(program));
          const found = new Set(
            results.map(({ outcomes }) => (JSON.parse(outcomes[0]) as { value: string }).value),
          );
          const isObserved = [...runtime.atomic.values()].every((called) => called.isObserved);
          if (isObserved && !found.has(`0 ${after}`))
            missed.push(`${owner[0]} new ${owner[1]}(${place}), ${held}, ${put}: ${[...found].join(' ')}`);
        } catch (error) {
          if (!(error instanceof ProgramError)) throw error;
        } finally {
          runtime.leave();
          runtime.failure = undefined;
        }
      }
  expect(missed).toEqual([]);
  // the others make nothing of what they are given, or keep it as it is
  if (!INDEPENDENT.includes(base)) expect(dependent).toBeGreaterThan(2);
});
