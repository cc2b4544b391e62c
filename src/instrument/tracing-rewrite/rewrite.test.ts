/** What traced code reports, construct by construct: every node type of the table, and what the built-in functions do. */
import { afterEach, expect, test } from 'vitest';
import { evaluate } from '../../../test/support/fixtures/instrumented.js';
import { WHOLE } from '../tracing/locations.js';
import { tracer } from '../tracing/tracer.js';
import { rewriteForTracing } from './rewrite.js';

afterEach(() => {
  tracer.listener = undefined;
});

/** Accesses to `o` (an object with a field `f`), `a` (an array) and `v` (a captured variable), as `read o.f`. */
function reports(body: string): string[] {
  const file = '/traced.js';
  const code = `
    export const o = { f: 1, g: { h: 2 }, m() { return 1; }, toString() { return 'o'; } };
    export const a = [2, 1];
    let v = 0;
    export const setV = (x) => { v = x; };
    export function run() { ${body} }
    export function* generated() { yield* a; }
  `;
  const module = evaluate(rewriteForTracing(file, code).code, file) as Record<string, unknown>;
  const found = new Set<string>();
  const nameOf = (object: object): string =>
    object === module.o
      ? 'o'
      : object === module.a
        ? 'a'
        : object === (module.o as { g: object }).g
          ? 'g'
          : '?';
  const note = (kind: string) => (object: object, key: PropertyKey) =>
    found.add(`${kind} ${nameOf(object)}${key === WHOLE ? '' : `.${String(key)}`}`);
  tracer.listener = {
    read: note('read'),
    written: note('write'),
    unknown: (what) => found.add(`unknown ${what}`),
  };
  (module.run as () => void)();
  tracer.listener = undefined;
  return [...found];
}

test.each<[body: string, expected: readonly string[]]>([
  ['o.f;', ['read o.f']],
  ['o.f = 2;', ['write o.f']],
  ['o.f++;', ['write o.f']],
  ['delete o.f;', ['write o.f']],
  ['v;', ['read ?']],
  ['v = 1;', ['write ?']],
  ['[v] = a;', ['read a', 'write ?']],
  ['const { g: { h } } = o;', ['read o', 'read g', 'read ?']],
  // biome-ignore lint/suspicious/noTemplateCurlyInString: code to be traced
  ['`${o}`;', ['read o']],
  ["o + '';", ['read o']],
  ["'f' in o;", ['read o']],
  ['[...a];', ['read a']],
  ['for (const x of a) x;', ['read a']],
  ['for (const k in o) k;', ['read o']],
  ['outer: for (;;) { o.f; break outer; }', ['read o.f']],
  ['switch (o.f) { case 1: o.m; }', ['read o.f', 'read o.m']],
  ['try { throw a; } catch ([x]) { x; }', ['unknown code that cannot be traced']],
  ['class A { static { o.f; } }', ['read o.f']],
  ['class A { [o.f] = 1; }', ['read o.f']],
  ['o?.g.h;', ['read o.g', 'read g.h']],
  ['o?.n?.h?.k;', ['read o.n']],
  ['o?.n?.()?.();', ['read o.n']],
  ['({ v });', ['read ?']],
  ['a.at(0);', ['read a']],
  ['Math.max(1, 2);', ['read ?.max']],
])('%s', (body, expected) => {
  const found = reports(body).filter((report) => !report.startsWith('read o.toString'));
  expect(found.sort()).toEqual([...expected].sort());
});

test.each<[body: string, expected: 'read a' | 'write a' | 'unknown']>([
  ['a.sort();', 'write a'],
  ['a.push(1);', 'write a'],
  ['a.map((x) => x);', 'read a'],
  ['a.toSorted?.();', 'read a'],
  ['a.concat([]);', 'read a'],
  ['a.entries();', 'read a'],
  ['JSON.stringify(a);', 'read a'],
  ['Object.freeze(a);', 'write a'],
  ['Promise.all(a);', 'read a'],
  ['Array.prototype.push.call(a, 1);', 'unknown'],
])('built-in effect of %s', (body, expected) => {
  const found = reports(body).map((report) => (report.startsWith('unknown') ? 'unknown' : report));
  expect(found).toContain(expected);
  if (expected === 'read a') expect(found).not.toContain('write a');
});
