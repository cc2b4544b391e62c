/**
 * The examples as the package ships them. The package is unpacked once; each example is copied to a folder beside it, and its
 * README runs there.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { pack, unpack } from '../support/processes/package.js';
import { describePage, ROOT } from '../support/processes/pages.js';

mkdirSync(join(ROOT, '.docs'), { recursive: true });
const parent = mkdtempSync(join(ROOT, '.docs/examples-'));
afterAll(() => rmSync(parent, { recursive: true }));
unpack(pack(parent), parent);
const own = join(parent, 'node_modules/straightedge');

const fillWith =
  (name: string) =>
  (folder: string): void =>
    cpSync(join(own, 'examples', name), folder, { recursive: true });

const names = readdirSync(join(ROOT, 'examples')).filter((name) => /^\d\d-/.test(name));

test('there are eight examples', () => {
  expect(names).toHaveLength(8);
});

for (const name of names)
  describePage(`examples/${name}/README.md`, {
    fill: fillWith(name),
    main: join(own, 'dist/cli/main.js'),
    parent,
  });

test('vitest reports the fault of the pool, and passes the fixed one', () => {
  const folder = mkdtempSync(join(parent, 'vitest-'));
  fillWith('01-vitest-async-class')(folder);
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(ROOT, 'node_modules/vitest/vitest.mjs'), 'run', '--root', folder],
    {
      cwd: folder,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: process.env.HOME, NO_COLOR: '1' },
    },
  );
  expect(stdout).toContain('1 failed | 1 passed');
  expect(stdout).toContain('✓ with the fixed pool, too');
  expect(stderr).toContain('take() → 3');
  expect(status).toBe(1);
});
