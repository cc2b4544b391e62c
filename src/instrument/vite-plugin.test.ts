import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping';
import { createServer } from 'vite';
import { expect, test } from 'vitest';
import { allResults } from '../../test/support/oracles/brute-force.js';
import type { Program } from '../execution/program.js';
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
