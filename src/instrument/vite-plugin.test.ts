import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping';
import { createServer } from 'vite';
import { expect, test } from 'vitest';
import { allResults } from '../../test/support/oracles/brute-force.js';
import type { Program } from '../execution/program.js';
import { scenario } from '../explore/scenario/scenario.js';
import { assertHolds } from '../integrations/run-scenario.js';
import { programOf } from './instrumented-program.js';
import { instrument } from './load.js';
import { runtime } from './runtime/runtime.js';

const COUNTER = `interface Counts { inc(): number }
export class Counter implements Counts {
  private n = 0;
  inc(): number { return ++this.n }
}
`;

test('files that are named are instrumented, others are not', async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'straightedge-vite-')));
  writeFileSync(join(root, 'counter.ts'), COUNTER);
  writeFileSync(join(root, 'plain.ts'), COUNTER);
  const server = await createServer({
    root,
    configFile: false,
    logLevel: 'silent',
    server: { middlewareMode: true, ws: false, fs: { strict: false } },
    plugins: [instrument({ globs: ['counter.ts'] })],
  });
  try {
    const outcomes = async (file: string) => {
      const { Counter } = (await server.ssrLoadModule(`/${file}`)) as { Counter: new () => object };
      const program = programOf({ create: () => new Counter(), threads: [[['inc']], [['inc']]] });
      const endings = allResults(program as Program, 100)!;
      runtime.leave();
      return new Set(endings.map((ending) => ending.outcomes.join())).size;
    };
    expect(await outcomes('counter.ts')).toBe(3);
    expect(await outcomes('plain.ts')).toBe(2);
  } finally {
    await server.close();
    rmSync(root, { recursive: true });
  }
});

test('the map leads back to the source, and packages are inlined', () => {
  const plugin = instrument({ globs: ['src/**', 'node_modules/queue/**'] });
  plugin.configResolved({ root: '/project' });
  expect(plugin.config()).toEqual({ test: { server: { deps: { inline: ['queue'] } } } });
  const { code, map } = plugin.transform(COUNTER, '/project/src/counter.ts?v=1')!;
  const lines = code.split('\n');
  const line = lines.findIndex((text) => text.includes('inc('));
  const column = lines[line].indexOf('++');
  expect(line).toBe(3);
  expect(originalPositionFor(new TraceMap(map), { line: line + 1, column })).toMatchObject({ line: 4 });
  expect(plugin.transform(COUNTER, '/project/test/counter.ts')).toBeUndefined();
  expect(plugin.transform('', '/project/src/style.css')).toBeUndefined();
});

const CELL = `export class Cell {
  private n = 0;
  set(): number { this.n = 5; return this.n }
}
`;
const NOT_EXPORTED = CELL.replace('export ', '');
const MAKES = 'export const make = () => new Cell();';

/** Files of a project, those in `src` instrumented; `test.ts` makes the object under test. */
const PROJECTS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'a class': { 'src/a.ts': CELL, 'test.ts': `import { Cell } from './src/a.ts'; ${MAKES}` },
  'a subclass in another file': {
    'src/a.ts': CELL,
    'src/b.ts': `import { Cell } from './a.ts'; export class Twice extends Cell { set(): number { super.set(); return super.set(); } }`,
    'test.ts': `import { Twice } from './src/b.ts'; export const make = () => new Twice();`,
  },
  'a default': {
    'src/a.ts': CELL.replace('export class', 'export default class'),
    'test.ts': `import Cell from './src/a.ts'; ${MAKES}`,
  },
  'a default by name': {
    'src/a.ts': `${NOT_EXPORTED} export default Cell;`,
    'test.ts': `import Cell from './src/a.ts'; ${MAKES}`,
  },
  'another name, through a file that is not instrumented': {
    'src/a.ts': `${NOT_EXPORTED} export { Cell as Other };`,
    'all.ts': `export * from './src/a.ts';`,
    'test.ts': `import { Other } from './all.ts'; export const make = () => new Other();`,
  },
  'functions and constants': {
    'src/a.ts': `${CELL} export const v = () => new Cell(); export function made() { return v(); } export const { wrap } = { wrap: (cell: Cell) => ({ set: () => cell.set() }) };`,
    'test.ts': `import { made, wrap } from './src/a.ts'; export const make = () => wrap(made());`,
  },
  'state of a file': {
    'src/a.ts': `let made = 0; export class Cell { readonly number = made++; set(): number { return this.number; } }`,
    'test.ts': `import { Cell } from './src/a.ts'; ${MAKES}`,
  },
};

/** Explores the object of a test, and returns the report if not every schedule was explored. */
async function explored(files: Readonly<Record<string, string>>): Promise<string> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'straightedge-vite-')));
  mkdirSync(join(root, 'src'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text);
  const server = await createServer({
    root,
    configFile: false,
    logLevel: 'silent',
    server: { middlewareMode: true, ws: false, fs: { strict: false } },
    plugins: [instrument({ globs: ['src/**'] })],
  });
  runtime.exported.clear();
  try {
    const { make } = (await server.ssrLoadModule('/test.ts')) as { make: () => { set(): number } };
    const given = scenario({ backend: 'instrumented', create: make, test: [[['set']], [['set']]] });
    await assertHolds(given, { coverage: 'exhaustive', timeout: '20s' });
    return '';
  } catch (error) {
    return (error as Error).message;
  } finally {
    await server.close();
    rmSync(root, { recursive: true });
    runtime.exported.clear();
  }
}

test.each(Object.keys(PROJECTS))('%s is compared with the code itself', async (name) => {
  expect(await explored(PROJECTS[name])).toBe('');
});

test('code that cannot be compared, or differs, makes the result undecided', async () => {
  const kept = `import { Cell } from './src/a.ts'; const Kept = Cell; export const make = () => new Kept();`;
  expect(await explored({ 'src/a.ts': CELL, 'test.ts': kept })).toMatch(
    /^The coverage is not exhaustive, which `coverage: 'exhaustive'` requires\.\n.*not compared with the code itself.*that\s+they did not import/s,
  );
  const seesItself = CELL.replace('this.n = 5', 'this.n = this.set.toString().length');
  const test = PROJECTS['a class']['test.ts'];
  expect(await explored({ 'src/a.ts': seesItself, 'test.ts': test })).toMatch(
    /^The coverage is not exhaustive, which `coverage: 'exhaustive'` requires\.\n.*differs from the code itself.*set\(\)\s+\([^)]*a\.ts:\d+\) returns/s,
  );
});
