/**
 * Stress tests of real servers: Redis (examples/08-redis-server), etcd and PostgreSQL.
 *
 * Guaranteed properties hold while servers are paused and killed. Violations of properties that are not guaranteed are
 * found within a minute. No process or file of a server remains.
 */
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, test } from 'vitest';
import { runIn } from '../support/processes/command-line.js';
import { isMissing } from '../support/processes/requirements.js';

const SERVERS = [
  {
    command: 'redis-server',
    holds: 'redis',
    rounds: 10,
    fails: 'redis-replica',
    spec: 'register',
  },
  {
    command: 'etcd',
    holds: 'etcd',
    rounds: 6,
    fails: 'etcd-serializable',
    spec: 'register',
  },
  {
    command: 'postgres',
    holds: 'postgres-serializable',
    rounds: 6,
    fails: 'postgres',
    spec: 'fetch-and-add',
  },
] as const;

const folder = mkdtempSync(join(tmpdir(), 'straightedge-servers-'));
// servers write into the folder for such things, some of them as another user
chmodSync(folder, 0o755);
process.env.TMPDIR = folder;
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function stress(name: string, ...flags: string[]): { status: number | null; document: Document } {
  const file = fileURLToPath(
    new URL(
      `../../${name.startsWith('redis') ? 'examples/08-redis-server' : 'test/support/servers'}/${name}.scenario.ts`,
      import.meta.url,
    ),
  );
  const { status, stdout, stderr } = runIn(folder, ['stress', file, '--json', ...flags]);
  expect(stderr).toBe('');
  expect(readdirSync(folder).filter((own) => own.startsWith('straightedge-server-'))).toEqual([]);
  return { status, document: JSON.parse(stdout) as Document };
}

interface Document {
  readonly verdict: string;
  readonly rounds: number;
  readonly saved: string;
}

for (const { command, holds, rounds, fails, spec } of SERVERS)
  describe.skipIf(isMissing(command))(command, () => {
    test(`${holds} holds`, () => {
      const { status, document } = stress(holds, '--rounds', `${rounds}`);
      expect(document).toMatchObject({ verdict: 'holds', rounds });
      expect(status).toBe(0);
    });

    test(`${fails} is found to fail within a minute`, () => {
      const { status, document } = stress(fails, '--timeout', '60s');
      expect(document.verdict).toBe('violation');
      expect(status).toBe(1);
      expect(runIn(folder, ['check', document.saved, '--spec', spec, '--quiet']).status).toBe(1);
    });
  });
