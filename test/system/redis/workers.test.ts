/**
 * Explorations, checks and stress runs on Redis workers, against one thread: the results are equal.
 *
 * The tests use a real Redis, workers in separate processes, and kills at random moments.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { Random } from '../../../src/base/random.js';
import { LOSSY } from '../../support/fixtures/lossy.js';
import { runIn } from '../../support/processes/command-line.js';
import {
  begin,
  beginWorker,
  killAll,
  type Process,
  plain,
  until,
} from '../../support/processes/processes.js';
import { RedisServer } from '../../support/processes/redis-server.js';
import { isMissing } from '../../support/processes/requirements.js';
import { share } from '../../support/share.js';

const folder = mkdtempSync(join(tmpdir(), 'straightedge-workers-'));
const write = (name: string, text: string, at = folder): string => {
  writeFileSync(join(at, name), text);
  return name;
};

const COUNTER = `export class Counter {
  n = 0;
  m = 0;
  increment() { const old = this.n; this.n = old + 1; return old + 1 }
  read() { return this.n }
  both() { return [this.n, this.m] }
  other() { return this.m }
  hang() { for (;;); }
  eat() { const all = []; for (;;) all.push(new Array(1_000_000).fill(0.5)) }
}
`;
const scenarioOf = (rest: string) =>
  `import { scenario } from 'straightedge';\nimport { Counter } from './counter';\nexport default scenario({ name: 'counter', backend: 'instrumented', create: () => new Counter(), ${rest} });\n`;
write('counter.ts', COUNTER);
const wrong = write('wrong.scenario.ts', scenarioOf(`calls: [['read'], ['increment']], threads: 2`));
const many = write('many.scenario.ts', scenarioOf(`calls: [['read'], ['both']]`));
const hanging = write(
  'hanging.scenario.ts',
  scenarioOf(`calls: [['hang'], ['read']], threads: 2, callsPerThread: 1`),
);

const here = (...args: readonly string[]) => runIn(folder, args);
const CERTIFICATE =
  'req -x509 -newkey rsa:2048 -nodes -keyout own.key -out own.pem -days 2 -subj /CN=localhost -addext subjectAltName=DNS:localhost'.split(
    ' ',
  );
const ROUNDS = share(20, 1);

describe.skipIf(isMissing('redis-server'))('workers', () => {
  let server: RedisServer;
  let redis: Redis;
  const workers: Process[] = [];
  const fill = async () => {
    while (workers.length < 3) workers.push(await beginWorker(server.url, { at: folder }));
  };

  beforeAll(async () => {
    server = await RedisServer.start(folder);
    redis = new Redis(server.port, { maxRetriesPerRequest: null, retryStrategy: () => 50 });
    redis.on('error', () => {});
    await Promise.all([0, 1, 2].map(async () => workers.push(await beginWorker(server.url, { at: folder }))));
  }, 120_000);
  afterEach(() => redis.flushall());
  afterAll(async () => {
    redis.disconnect();
    await killAll();
    await server.kill();
    rmSync(folder, { recursive: true });
  });

  const onWorkers = (...args: readonly string[]) => here(...args, '--redis', server.url);

  test('find the same violation: the first in the order of the tests', () => {
    const { status, stdout, stderr } = onWorkers('explore', wrong, '--json');
    expect([status, stderr]).toEqual([1, '']);
    expect(plain(stdout)).toEqual(plain(here('explore', wrong, '--json').stdout));
  });

  test('continue after a violation with --keep-going', () => {
    const { status, stdout } = onWorkers('explore', wrong, '--random-tests', '6', '--keep-going', '--json');
    expect(status).toBe(1);
    const { tests } = plain(stdout).coverage as { tests: { started: number; exhaustive: number }[] };
    expect(tests).toHaveLength(1);
    expect(tests[0].started).toBe(6);
    expect(tests[0].exhaustive).toBeLessThan(5);
  });

  describe('and kills at random moments', () => {
    // about 40 tasks, more than the latest moment; a worker completes some tens per second
    const size = ['--random-tests', '160', '--threads', '3', '--calls-per-thread', '3'];
    const args = ['explore', many, ...size, '--json', '--timeout', '5m'];
    let expected: unknown;
    beforeAll(() => {
      const { status, stdout } = here(...args);
      expect(status).toBe(0);
      expected = plain(stdout);
    }, 120_000);
    const done = async () => {
      try {
        return await redis.zcard('{straightedge}:tasks:completed');
      } catch {
        return 0;
      }
    };

    test.each(Array.from({ length: ROUNDS }, (_, round) => round + 1))(
      'round %i: a worker, Redis and the coordinator are killed; the result is the same',
      async (round) => {
        await fill();
        const random = new Random(round);
        const victims = ['worker', 'redis', 'coordinator'].sort(() => random.below(3) - 1);
        let coordinator = begin([...args, '--redis', server.url], { at: folder });
        let from = 0;
        for (const victim of victims) {
          const moment = from + 1 + random.below(10);
          await until(
            `${moment} tasks`,
            async () => (await done()) >= moment || coordinator.child.exitCode !== null,
          );
          from = moment;
          if (victim === 'worker') {
            workers.splice(random.below(3), 1)[0].child.kill('SIGKILL');
            void fill();
          } else if (victim === 'redis') {
            await server.kill();
            await server.begin();
          } else {
            coordinator.child.kill('SIGKILL');
            expect(await coordinator.ended).toBe(null);
            coordinator = begin([...args, '--redis', server.url, '--resume'], { at: folder });
          }
        }
        expect(await coordinator.ended, coordinator.said()).toBe(0);
        expect(plain(coordinator.said())).toEqual(expected);
        await fill();
      },
    );
  });

  test('abandon a test that never ends, after three attempts, and report it', () => {
    const { status, stdout } = onWorkers(
      'explore',
      hanging,
      '--json',
      '--timeout',
      '40s',
      '--random-tests',
      '3',
      '--threads',
      '1',
    );
    expect(status).toBe(3);
    expect(plain(stdout)).toMatchObject({
      verdict: 'undecided',
      reason: 'abandoned',
      coverage: { tests: [{ count: 2, started: 1, exhaustive: 1 }] },
      abandoned: [
        {
          choice: 'random',
          threads: 1,
          callsPerThread: 1,
          reason: expect.stringContaining('no progress for 4 s'),
        },
      ],
    });
  });

  test('abandon a test that exhausts the memory, and keep running', () => {
    const eating = write('eating.scenario.ts', scenarioOf(`test: [[['eat']]]`));
    const { status, stdout } = onWorkers('explore', eating, '--json', '--timeout', '2m');
    expect(status).toBe(3);
    const reason: unknown = expect.stringMatching(/^memory ran out/);
    expect(plain(stdout)).toMatchObject({ abandoned: [{ choice: 'given', reason }] });
    expect(workers.map(({ child }) => child.exitCode)).toEqual([null, null, null]);
  });

  test('with other code refuse the tasks, and report the difference', async () => {
    const other = join(folder, 'other');
    mkdirSync(other);
    write('counter.ts', `${COUNTER}// changed`, other);
    write(wrong, scenarioOf(`calls: [['read'], ['increment']], threads: 2`), other);
    const own = await RedisServer.start(other);
    const worker = await beginWorker(own.url, { at: other });
    const { status, stderr } = here('explore', wrong, '--redis', own.url);
    expect(status).toBe(2);
    expect(stderr).toMatch(
      /no worker takes the tasks\. \S+: wrong\.scenario\.ts differs from the coordinator's/,
    );
    await setTimeout(100);
    expect(worker.said()).toContain(
      "refused: wrong.scenario.ts differs from the coordinator's; update the checkout",
    );
    worker.child.kill('SIGTERM');
    expect(await worker.ended).toBe(0);
    await own.kill();
  });

  test('check several histories, and report them in their order', () => {
    const line = (value: number, from: number) =>
      `{"process":"A","method":"read","args":[],"result":${value},"call":${from},"return":${from + 1}}\n`;
    const good = write('good.jsonl', line(0, 1));
    const bad = write('bad.jsonl', line(0, 1) + line(7, 3));
    const broken = write('broken.jsonl', '{"process":');
    const args = ['check', bad, 'absent.jsonl', good, broken, '--spec', 'counter', '--json'];
    const { status, stdout } = onWorkers(...args);
    const alone = here(...args);
    expect(status).toBe(alone.status);
    const documents = (text: string) => text.trim().split('\n').map(plain);
    expect(documents(stdout)).toEqual(documents(alone.stdout));
  });

  test('run the rounds of a stress run, with the same failing rounds', () => {
    const lossy = write('lossy.scenario.ts', `${LOSSY}\nexport default of(13);`);
    const args = ['stress', lossy, '--rounds', '90', '--json'];
    const { status, stdout, stderr } = onWorkers(...args);
    expect([status, stderr]).toEqual([1, '']);
    expect(plain(stdout)).toEqual(plain(here(...args).stdout));
    const right = write('right.scenario.ts', `${LOSSY}\nexport default of(7);`);
    const whole = onWorkers('stress', right, '--rounds', '90', '--json');
    expect(plain(whole.stdout)).toMatchObject({ verdict: 'holds', rounds: 90, operations: 360 });
  });

  test('are listed by status with their tasks; clean removes only keys of straightedge', async () => {
    await redis.set('straightedge', 'theirs');
    await redis.set('{straightedge}', 'theirs');
    onWorkers('explore', wrong, '--quiet');
    await until('three registered workers', async () => (await redis.scard('{straightedge}:workers')) === 3);
    const { stdout } = here('worker', 'status', server.url);
    expect(stdout).toContain(`${server.url}: 3 workers`);
    expect(stdout).toContain('tasks: 0 waiting, 0 active, 0 delayed');
    expect(JSON.parse(here('worker', 'status', server.url, '--json').stdout)).toMatchObject({
      abandoned: [],
      tasks: { failed: 0 },
    });
    expect(here('worker', 'clean', server.url).stdout).toMatch(/^\d+ keys removed from redis:/);
    const left = (await redis.keys('*')).filter((key) => !/:(worker|tasks)/.test(key));
    expect(left.sort()).toEqual(['straightedge', '{straightedge}']);
  });

  test('explore asynchronous code', () => {
    const later = write(
      'later.scenario.ts',
      `import { scenario } from 'straightedge';
class Later { n = 0; async add() { const old = this.n; await null; this.n = old + 1; return old } }
export default scenario({ name: 'later', create: () => new Later(), calls: [['add']], threads: 2, callsPerThread: 1 });`,
    );
    const { status, stdout } = onWorkers('explore', later, '--json');
    expect(status).toBe(1);
    expect(plain(stdout)).toEqual(plain(here('explore', later, '--json').stdout));
  });

  test.skipIf(isMissing('openssl'))(
    'take credentials from the environment, connect over TLS, and never print passwords',
    async () => {
      const safe = join(folder, 'safe');
      mkdirSync(safe);
      const made = spawnSync('openssl', CERTIFICATE, { cwd: safe, encoding: 'utf8' });
      expect(made.status, made.stderr).toBe(0);
      write('password', 'hunter2', safe);
      const flags = [
        '--port',
        '0',
        '--tls-port',
        '{port}',
        '--tls-auth-clients',
        'no',
        '--requirepass',
        'hunter2',
      ];
      const files = [
        '--tls-cert-file',
        'own.pem',
        '--tls-key-file',
        'own.key',
        '--tls-ca-cert-file',
        'own.pem',
      ];
      const own = await RedisServer.start(safe, [...flags, ...files]);
      const url = `rediss://localhost:${own.port}`;
      const trust = { NODE_EXTRA_CA_CERTS: join(safe, 'own.pem') };
      const env = { ...trust, STRAIGHTEDGE_REDIS_PASSWORD_FILE: join(safe, 'password') };
      const worker = await beginWorker(url, { at: folder, env });
      const coordinator = begin(['explore', wrong, '--redis', url], { at: folder, env });
      expect(await coordinator.ended).toBe(1);
      const stranger = begin(['worker', 'status', url], {
        at: folder,
        env: { ...trust, STRAIGHTEDGE_REDIS_PASSWORD: 'hunter3' },
      });
      expect(await stranger.ended).toBe(2);
      expect(stranger.said()).toContain(`no answer from Redis at ${url}: `);
      const distrust = begin(['worker', 'status', url], {
        at: folder,
        env: { ...env, NODE_EXTRA_CA_CERTS: '' },
      });
      expect(await distrust.ended).toBe(2);
      for (const { said } of [worker, coordinator, stranger, distrust])
        expect(said()).not.toMatch(/hunter\d/);
      worker.child.kill('SIGKILL');
      await own.kill();
    },
  );

  test('report invalid flags, paths and addresses', () => {
    expect(here('explore', wrong, '--resume').stderr).toContain('--resume needs Redis workers');
    expect(onWorkers('explore', '../elsewhere.ts').status).toBe(2);
    const { status, stderr } = here('worker', 'status', 'redis://me:hunter2@127.0.0.1:1');
    expect(status).toBe(2);
    expect(stderr).toContain('no answer from Redis at redis://127.0.0.1:1: ECONNREFUSED');
    expect(stderr).not.toContain('hunter2');
  });
});
