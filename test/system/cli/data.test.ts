/**
 * Real histories of etcd and of a key-value store under Jepsen: each gets the verdict of its folder.
 *
 * The histories are not part of the project. If their folder is missing, this test is skipped.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const DATA = join(ROOT, '../shared/data');
const MAIN = join(ROOT, 'dist/cli/main.js');

test.skipIf(!existsSync(DATA)).each([
  ['etcd', 50, ['--spec', 'cas-register']],
  ['kv', 4, ['--spec', 'map', '--initial', '""']],
] as const)(
  '%s: all %i histories get the verdict of their folder',
  (folder, count, flags) => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [MAIN, 'check', join(DATA, folder), '--json', ...flags],
      { encoding: 'utf8', timeout: 120_000, maxBuffer: 2 ** 28 },
    );
    expect([status, stderr]).toEqual([1, '']);
    const documents = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { file: string; verdict: string });
    expect(documents.length).toBe(count);
    const wrong = documents.filter(({ file, verdict }) => verdict !== basename(dirname(file)));
    expect(wrong).toEqual([]);
  },
  120_000,
);
