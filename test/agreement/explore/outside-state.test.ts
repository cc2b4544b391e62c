/**
 * State outside of the object lasts from one execution to the next. Where it changes results, a correct class is never reported:
 * the exploration ends with an error that says so. A faulty class is still reported.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { explore } from '../../../src/explore/explore.js';
import { loadScenario } from '../../../src/jobs/load/scenario.js';
import { share } from '../../support/share.js';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'outside-'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Calls and what a class does, with `s` as its state. `first` is the state of a fresh object. */
interface Kind {
  readonly first: string;
  readonly methods: string;
  readonly calls: readonly (readonly unknown[])[];
  /** Does it change what calls return: always, or only in the first execution? */
  readonly shows: boolean | 'first';
}

const KINDS: Readonly<Record<string, Kind>> = {
  'a counter': {
    first: '{ n: 0 }',
    methods: 'async next() { const own = ++s.n; await null; return own; }',
    calls: [['next']],
    shows: true,
  },
  'a generator of ids in objects': {
    first: '{ n: 0 }',
    methods: 'async make(name) { await null; return { name, id: ++s.n }; }',
    calls: [
      ['make', 'a'],
      ['make', 'b'],
    ],
    shows: true,
  },
  'a limit that is reached': {
    first: '{ open: 0 }',
    methods: `async take() { if (s.open >= 3) throw new Error('full'); s.open++; await null; return 'taken'; }
      async give() { s.open--; return 'given'; }`,
    calls: [['take'], ['give']],
    shows: true,
  },
  'a last value': {
    first: '{ value: null }',
    methods: 'async write(v) { await null; s.value = v; } async read() { return s.value; }',
    calls: [['write', 1], ['write', 2], ['read']],
    shows: true,
  },
  'a flag that is set once': {
    first: '{ isReady: false }',
    methods: `async start() { if (s.isReady) return 'again'; s.isReady = true; return 'started'; }`,
    calls: [['start']],
    shows: 'first',
  },
  'a cache and what fills it': {
    first: '{ cache: new Map(), loads: 0 }',
    methods: `async load(k) {
        if (!s.cache.has(k)) s.cache.set(k, (async () => { await null; return ++s.loads; })());
        return s.cache.get(k);
      }
      async loads() { return s.loads; }`,
    calls: [['load', 'a'], ['loads']],
    shows: 'first',
  },
  'a count that nothing returns': {
    first: '{ n: 0 }',
    methods: 'async add(k) { s.n++; await null; return k; }',
    calls: [
      ['add', 1],
      ['add', 2],
    ],
    shows: false,
  },
};

/** The places of the state: `outside` an object, as a prelude; and how methods refer to it. */
const PLACES: Readonly<Record<string, (first: string, methods: string) => string>> = {
  'of a module': (first, methods) => `let s = ${first}; class C { ${methods} }`,
  'in a static field': (first, methods) =>
    `class C { static s = ${first}; ${methods.replaceAll(/\bs\./g, 'C.s.')} }`,
  'in a private static field': (first, methods) =>
    `class C { static #s = ${first}; ${methods.replaceAll(/\bs\./g, 'C.#s.')} }`,
  'in a closure': (first, methods) =>
    `const C = (() => { const s = ${first}; return class { ${methods} }; })();`,
  'of the global object': (first, methods) =>
    `globalThis.outside = ${first}; class C { ${methods.replaceAll(/\bs\./g, 'globalThis.outside.')} }`,
};

const INSIDE = (first: string, methods: string): string =>
  `class C { s = ${first}; ${methods.replaceAll(/\bs\./g, 'this.s.')} }`;

const ROWS = Object.entries(KINDS)
  .flatMap(([kind, own]) => Object.entries(PLACES).map(([place, code]) => [kind, place, own, code] as const))
  .filter((_, i) => i % share(1, 2) === 0);

let files = 0;
async function explored(code: string, { calls }: Kind, isFile: boolean) {
  const file = join(folder, `${files++}.scenario.mjs`);
  writeFileSync(
    file,
    `import { scenario } from 'straightedge';\n${code}\nexport default scenario({ create: () => new C(), calls: ${JSON.stringify(calls)}, threads: 2, callsPerThread: 2 });\n`,
  );
  const { plain, ...given } = await loadScenario(file, false);
  return explore(isFile ? { ...given, plain } : given);
}

describe.each([true, false])('explored from a file: %s', (isFile) => {
  test.each(ROWS)('%s %s causes no alarm', async (_kind, _place, own, code) => {
    const found = explored(code(own.first, own.methods), own, isFile);
    // only modules that are loaded again have a first execution
    if (!own.shows || (own.shows === 'first' && !isFile)) expect((await found).verdict).toBe('holds');
    else await expect(found).rejects.toThrow(/other results .* keeps state from one execution to the next/s);
  });

  test.each(Object.entries(KINDS))('%s in the object holds', async (_, own) => {
    expect((await explored(INSIDE(own.first, own.methods), own, isFile)).verdict).toBe('holds');
  });

  test.each(Object.entries(PLACES))('a lost update is found beside a count %s', async (_, code) => {
    const methods =
      'n = 0; async add(v) { s.calls++; const old = this.n; await null; this.n = old + v.by; return this.n; }';
    const own = { first: '{ calls: 0 }', methods, calls: [['add', { by: 1 }]], shows: false };
    expect((await explored(code(own.first, methods), own, isFile)).verdict).toBe('violation');
  });
});

/** An object that is made when it is first asked for; making it waits. */
const GAPS: Readonly<Record<string, string>> = {
  'a microtask': 'null',
  'a timer': 'new Promise((resolve) => setTimeout(resolve, 1))',
  'an immediate': 'new Promise((resolve) => setImmediate(resolve))',
};
const made = (methods: string): Kind => ({
  first: '{ made: undefined }',
  methods,
  calls: [['open']],
  shows: 'first',
});

describe.each(Object.entries(GAPS))('an object that is made once, after %s', (_, gap) => {
  const twice = made(
    `async open() { if (!s.made) { await ${gap}; s.made = new (class Made {})(); } return s.made; }`,
  );
  const once = made(
    `async open() { s.made ??= (async () => { await ${gap}; return new (class Made {})(); })(); return s.made; }`,
  );

  test.each(Object.entries(PLACES))(
    'is never called correct if two callers make two: %s',
    async (_place, code) => {
      const found = explored(code(twice.first, twice.methods), twice, true);
      await expect(found).rejects.toThrow(/modules that were loaded again: open by B gave .* keeps state/s);
    },
  );

  test.each(Object.entries(PLACES))('holds if they share one: %s', async (_place, code) => {
    expect((await explored(code(once.first, once.methods), once, true)).verdict).toBe('holds');
  });

  test('is a violation in the object', async () => {
    expect((await explored(INSIDE(twice.first, twice.methods), twice, true)).verdict).toBe('violation');
  });
});
