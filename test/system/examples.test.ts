/**
 * The examples as the package ships them: each is copied beside the unpacked package, and its README runs there.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { pack, unpack } from '../support/processes/package.js';
import { describePage, ROOT } from '../support/processes/pages.js';

const archives = mkdtempSync(join(tmpdir(), 'straightedge-examples-'));
const archive = pack(archives);
afterAll(() => rmSync(archives, { recursive: true }));

function fillWith(name: string): (folder: string) => void {
  return (folder) => {
    unpack(archive, folder);
    cpSync(join(folder, 'node_modules/straightedge/examples', name), folder, { recursive: true });
  };
}

const names = readdirSync(join(ROOT, 'examples')).filter((name) => /^\d\d-/.test(name));

test('there are eight examples', () => {
  expect(names).toHaveLength(8);
});

for (const name of names)
  describePage(`examples/${name}/README.md`, {
    fill: fillWith(name),
    main: 'node_modules/straightedge/dist/cli/main.js',
  });

test('vitest reports the fault of the pool, and passes the fixed one', () => {
  mkdirSync(join(ROOT, '.docs'), { recursive: true });
  const folder = mkdtempSync(join(ROOT, '.docs/example-'));
  try {
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
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});
