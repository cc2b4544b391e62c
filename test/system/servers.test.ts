/**
 * Stress tests of real servers: Redis (examples/08-redis-server), etcd and PostgreSQL.
 *
 * Guaranteed properties hold while servers are paused and killed. Violations of properties that are not guaranteed are
 * found within a minute. No process or file of a server remains.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
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

interface Recorded {
  readonly process: string;
  readonly method: string;
  readonly args: readonly number[];
  readonly result: number | null;
  readonly call: number;
  readonly return: number;
}

/**
 * How many reads are stale depends on time. What must hold: the script ends, its history is valid, and each read that is
 * called stale is older than a value that was certainly there, and was called during the pause exactly if it is counted.
 */
test.skipIf(isMissing('redis-server'))('a recording with a paused replica is measured', () => {
  const script = fileURLToPath(new URL('../../examples/08-redis-server/record-replica.js', import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [script], { cwd: folder, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(readdirSync(folder).filter((own) => own.startsWith('straightedge-server-'))).toEqual([]);
  const lines = readFileSync(join(folder, 'history.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Recorded & { annotation?: string; at: number; until: number });
  const operations = lines.filter((own) => own.annotation === undefined).sort((a, b) => a.call - b.call);
  const pause = lines.find((own) => own.annotation !== undefined);
  expect(operations).toHaveLength(240);
  const { stdout } = runIn(folder, ['check', 'history.jsonl', '--spec', 'register', '--all', '--json']);
  const { verdict, consistency } = JSON.parse(stdout) as {
    verdict: string;
    consistency?: {
      stale: { reads: { operation: number; by: number; versions: number }[] };
      contradictions: { faults: { fault: string; counts: { kind: string; within: number }[] }[] };
    };
  };
  expect(['linearizable', 'violation']).toContain(verdict);
  const writes = operations.filter((own) => own.method === 'write');
  const stale = consistency?.stale.reads ?? [];
  for (const { operation, by, versions } of stale) {
    const read = operations[operation];
    const write = writes.find((own) => own.args[0] === read.result);
    // writes that began after the write of its value returned, and returned before the read was called
    const newer = writes.filter((own) => own.call > (write?.return ?? -1) && own.return < read.call);
    expect(read.method).toBe('read');
    expect(versions).toBeGreaterThanOrEqual(newer.length);
    expect(by).toBeGreaterThanOrEqual(Math.max(0, ...newer.map((own) => read.call - own.return)) - 1e-6);
  }
  /** Stale reads that were called during the pause, with or without those at its ends. */
  const during = (isInside: (call: number) => boolean): number =>
    stale.filter(({ operation }) => isInside(operations[operation].call)).length;
  const { at, until } = pause ?? { at: 0, until: 0 };
  for (const { fault, counts } of consistency?.contradictions.faults ?? []) {
    expect(fault).toBe('the link is paused');
    const within = counts.find(({ kind }) => kind === 'stale read')?.within ?? 0;
    expect(within).toBeGreaterThanOrEqual(during((call) => call > at && call < until));
    expect(within).toBeLessThanOrEqual(during((call) => call >= at && call <= until));
  }
});

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
