import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { allResults } from '../../test/support/oracles/brute-force.js';
import { callerAt, inSource } from '../execution/callers.js';
import { AtomicRef } from '../execution/primitives/atomic-ref.js';
import type { Program } from '../execution/program.js';
import { programOf } from './instrumented-program.js';
import { globPattern, loadInstrumented, packagesIn } from './load.js';
import { runtime } from './runtime/runtime.js';
import { InstrumentError } from './syntax/source.js';
import './tracing/tracer.js';
import { rewriteForTracing } from './tracing-rewrite/rewrite.js';

const root = mkdtempSync(join(tmpdir(), 'straightedge-load-'));
afterAll(() => rmSync(root, { recursive: true }));

function write(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
}

write({
  'scenario.ts': `import { Counter } from './src/counter';
import { Tally } from './src/tally.js';
import { Esm } from 'an-esm-package';
import { Cjs } from '@scope/a-cjs-package';
import { Foreign } from 'left-alone';
import { Plain } from './src/plain.cjs';
import { AtomicRef } from 'straightedge';
export default { Counter, Tally, Esm, Cjs, Foreign, Plain, AtomicRef, makesRef: (o: unknown) => new AtomicRef(o) };`,
  'src/counter.ts': `import { step } from './deep/step';
enum Kind { Up = 1 }
export class Counter { private n: number = 0; inc(): number { this.n = step(this.n, Kind.Up); return this.n } }`,
  'src/deep/step.ts': 'export const step = (n: number, by: number): number => n + by;',
  'src/plain.cjs': `const { plus } = require('./plus.cjs'); exports.Plain = class Plain { n = 0; inc() { this.n = plus(this.n); return this.n } }`,
  'src/plus.cjs': 'exports.plus = (n) => n + 1',
  'src/tally.ts': `export class Tally { n = 0; inc() { this.n++; return this.n } }`,
  'node_modules/an-esm-package/package.json':
    '{"name":"an-esm-package","type":"module","exports":"./index.js"}',
  'node_modules/an-esm-package/index.js': `import { plus } from './plus.js'; export class Esm { #n = 0; inc() { this.#n = plus(this.#n); return this.#n } }`,
  'node_modules/an-esm-package/plus.js': 'let calls = 0; export function plus(n) { calls++; return n + 1 }',
  'node_modules/@scope/a-cjs-package/package.json': '{"name":"@scope/a-cjs-package","main":"./lib/main.js"}',
  'node_modules/@scope/a-cjs-package/lib/main.js': `'use strict'; var parts = require('./parts');
function Cjs() { this.n = 0 } Cjs.prototype.inc = function () { this.n = parts.plus(this.n); return this.n }; exports.Cjs = Cjs;`,
  'node_modules/@scope/a-cjs-package/lib/parts.js': 'exports.plus = function (n) { return n + 1 };',
  'node_modules/left-alone/package.json': '{"name":"left-alone","main":"./index.js"}',
  'node_modules/left-alone/index.js':
    'exports.Foreign = class Foreign { constructor() { this.n = 0 } inc() { return ++this.n } };',
  'aliases/tsconfig.json': `{ /* aliases */ "compilerOptions": { "paths": { "@/*": ["./parts/*"] } } }`,
  'aliases/main.tsx': `import { step } from '@/step';
const React = { createElement: (tag: string) => tag };
export default class Counter { n = 0; tag = <b>counter</b>; inc() { this.n = step(this.n); return this.n } }`,
  'aliases/parts/step.ts': 'export const step = (n: number): number => n + 1;',
  'awaits.ts': 'const one = 1;\nexport default await Promise.resolve(one);',
  'broken.ts': 'export default () => eval("1");',
});

const GLOBS = ['src/**/*.{ts,cjs}', 'node_modules/an-esm-package/**', 'node_modules/@scope/a-cjs-package/**'];

type Loaded = Record<string, new () => object>;
const load = () =>
  loadInstrumented('scenario.ts', { globs: GLOBS, from: root, modules: { straightedge: { AtomicRef } } }) as {
    default: Loaded;
  };

const show = (outcome: { value?: unknown; error?: string }): unknown => outcome.value ?? outcome.error;

/** The distinct results of two threads that increment. */
function answers(Made: new () => object): string[] {
  const program = programOf({ create: () => new Made(), threads: [[['inc']], [['inc']]] });
  const results = allResults(program as Program, 1_000)!;
  runtime.leave();
  return [
    ...new Set(results.map(({ outcomes }) => outcomes.map((text) => show(JSON.parse(text))).join())),
  ].sort();
}

test.each(['Counter', 'Tally', 'Esm', 'Cjs', 'Plain'])(
  '%s is instrumented, wherever it comes from',
  (name) => {
    const { default: loaded } = load();
    expect(answers(loaded[name])).toEqual(['1,1', '1,2', '2,1', '2,2']);
  },
);

test('a file that no glob matches is not instrumented', () => {
  const { default: loaded } = load();
  expect(answers(loaded.Foreign)).toEqual(['1,2', '2,1']);
});

test('modules that are already loaded are reused', () => {
  const { default: loaded } = load();
  expect(loaded.AtomicRef).toBe(AtomicRef);
});

test('the error of a file that cannot be instrumented names the place', () => {
  const failed = () => loadInstrumented('broken.ts', { globs: ['*.ts'], from: root });
  expect(failed).toThrow(InstrumentError);
  expect(failed).toThrow(`${join(root, 'broken.ts')}:1:22: eval`);
});

test('errors name the line of the source', () => {
  write({
    'src/thrower.ts':
      'interface A {\n  a: number\n}\nexport class Thrower {\n  inc(): A {\n    throw new Error("here")\n  }\n}\n',
  });
  write({ 'thrower.ts': `export { Thrower } from './src/thrower'` });
  const { Thrower } = loadInstrumented('thrower.ts', { globs: GLOBS, from: root }) as {
    Thrower: new () => { inc(): void };
  };
  try {
    new Thrower().inc();
    expect.unreachable();
  } catch (error) {
    expect((error as Error).stack).toMatch(/thrower\.ts:6:/);
  }
});

describe('glob', () => {
  test.each([
    ['src/*.ts', '/project/src/a.ts', true],
    ['src/*.ts', '/project/src/deep/a.ts', false],
    ['src/**', '/project/src/deep/a.ts', true],
    ['src/**/*.ts', '/project/src/a.ts', true],
    ['src/**/*.ts', '/project/src/x/y/a.ts', true],
    ['src/**/*.ts', '/project/src/x/y/axts', false],
    ['**/{queue,stack}.{ts,js}', '/project/lib/stack.js', true],
    ['**/{queue,stack}.{ts,js}', '/project/lib/stacks.js', false],
    ['a?c.js', '/project/abc.js', true],
    ['a?c.js', '/project/a/c.js', false],
    ['./here.js', '/project/here.js', true],
    ['../other/*.js', '/other/x.js', true],
    ['/elsewhere/(x)/a+b.js', '/elsewhere/(x)/a+b.js', true],
    ['a,b.js', '/project/a,b.js', true],
  ])('%s, %s: %s', (glob, file, matches) => {
    expect(globPattern(glob, '/project').test(file)).toBe(matches);
  });

  test('packages that globs go into', () => {
    expect(
      packagesIn([
        'src/**',
        'node_modules/queue/**',
        '../x/node_modules/@scope/stack/lib/*.js',
        'node_modules/**',
      ]),
    ).toEqual(['queue', '@scope/stack']);
  });
});

test('aliases of the nearest tsconfig.json and JSX are understood', () => {
  const { default: Counter } = loadInstrumented('aliases/main.tsx', { from: root }) as {
    default: new () => { tag: string; inc(): number };
  };
  expect(new Counter()).toMatchObject({ tag: 'b' });
  expect(new Counter().inc()).toBe(1);
});

test('a top-level await is refused with its line', () => {
  expect(() => loadInstrumented('awaits.ts', { from: root })).toThrow(
    `${join(root, 'awaits.ts')}:2: a top-level await, for which a synchronous load cannot wait; move it into a function`,
  );
});

test.each([
  ['set(p) { this.f = () => p; var p = 7; }', '5'],
  ['set() { this.f = () => p; var p = 7; }', 'undefined'],
  ['set() { this.f = f; var p = 7; function f() { return p; } }', 'undefined'],
])('a function sees what var assigns to a variable that it reads: %s', (set, before) => {
  write({
    'again.js': `export class Made { f = null;
  ${set}
  get() { const f = this.f; return f === null ? 'none' : f() + ' ' + f(); } }`,
  });
  const { Made } = loadInstrumented('again.js', { from: root }) as { Made: new () => object };
  const program = programOf({ create: () => new Made(), threads: [[['set', 5]], [['get']]] });
  const results = allResults(program as Program, 1_000)!;
  runtime.leave();
  const seen = new Set(results.map(({ outcomes }) => show(JSON.parse(outcomes[1]))));
  expect([...seen].sort()).toEqual([`${before} ${before}`, `${before} 7`, '7 7', 'none'].sort());
});

test('a pattern or a head that declares such a parameter again is refused', () => {
  for (const again of ['var [p] = [7];', 'for (var p of [7]);', 'var { p } = this;']) {
    write({ 'refused.js': `export class Made { f = null; set(p) { this.f = () => p; ${again} } }` });
    expect(() => loadInstrumented('refused.js', { from: root })).toThrow('a name of its own');
  }
});

/** Lines whose calls of `here` are compiled to other columns than they have. */
const COLUMNS = [
  'const a = (this.field as { n?: number }).n ?? places.here(1); return a;',
  'const { field = places.here(1) as never, other }: { field?: string; other?: number } = {}; return [field, other];',
  'return (async (text: string): Promise<number> => { void text; return await places.here(1); })(String(this.field));',
  'return [this.field!, ...(this.list satisfies unknown[])].map((one): number => places.here(one as number));',
  'this.field = places.here(1); this.list.push(this.field, places.here(2), 3);',
  'enum Kind { Up = 1 } return places.here(Kind.Up) + Number(places.here<number>(2));',
];

test.each(
  COLUMNS.flatMap((line) =>
    ([rewriteForTracing, (_: string, text: string) => text] as const).map((rewrite, i) => ({
      line,
      code: i === 0 ? 'traced' : 'plain',
      rewrite,
    })),
  ),
)('positions in $code code are found in the source: $line', ({ line, code, rewrite }) => {
  const text = `import { places } from 'places';
export class Made { private field: unknown = 1; list: unknown[] = [];
  run(): unknown { ${line} } }`;
  const name = `${code}-${COLUMNS.indexOf(line)}.ts`;
  write({ [name]: text });
  const found: string[] = [];
  const here = (value: unknown) => {
    const { file, line: number, column } = inSource(callerAt());
    if (file === join(root, name))
      found.push(
        text
          .split('\n')
          [number - 1].slice(column - 1)
          .slice(0, 4),
      );
    return value;
  };
  const { Made } = loadInstrumented(name, {
    from: root,
    modules: { places: { places: { here } } },
    rewrite,
  }) as {
    Made: new () => { run(): unknown };
  };
  new Made().run();
  expect(found).toHaveLength(line.match(/here\b/g)!.length);
  expect(new Set(found)).toEqual(new Set(['here']));
});
