/** Failures of Redis workers, one at a time: no result is lost or reported twice, and no password is printed or stored. */
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Random } from '../../../src/base/random.js';
import { runIn } from '../../support/processes/command-line.js';
import { begin, beginWorker, killAll, plain, until } from '../../support/processes/processes.js';
import { TcpProxy } from '../../support/processes/proxy.js';
import { RedisServer } from '../../support/processes/redis-server.js';
import { isMissing } from '../../support/processes/requirements.js';
import { share } from '../../support/share.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'straightedge-failures-'));
const write = (name: string, text: string, at = folder): string => {
  writeFileSync(join(at, name), text);
  return name;
};
const folderIn = (name: string): string => {
  mkdirSync(join(folder, name));
  return join(folder, name);
};
const scenarioOf = (methods: string, rest: string) =>
  `import { scenario } from 'straightedge';
class Pair { n = 0; m = 0; ${methods} }
export default scenario({ name: 'pair', backend: 'instrumented', create: () => new Pair(), ${rest} });
`;
// 30 tasks of one test
const many = write(
  'many.scenario.ts',
  scenarioOf('read() { return this.n } both() { return [this.n, this.m] }', `calls: [['read'], ['both']]`),
);
const SIZE = ['--random-tests', '30', '--threads', '3', '--calls-per-thread', '3'];
const TASKS = 30;
const exploring = ['explore', many, ...SIZE, '--json', '--timeout', '5m'];

afterAll(async () => {
  await killAll();
  rmSync(folder, { recursive: true });
});

/** The keys of the queue, and the types that they may have. */
const KEYS: Readonly<Record<string, string>> = {
  workers: 'set',
  'tasks:wait': 'list',
  'tasks:active': 'list',
  'tasks:paused': 'list',
  'tasks:delayed': 'sorted set',
  'tasks:prioritized': 'sorted set',
  'tasks:completed': 'sorted set',
  'tasks:failed': 'sorted set',
  'tasks:marker': 'sorted set',
  'tasks:id': 'string',
  'tasks:meta': 'hash',
  'tasks:stalled': 'set',
  'tasks:events': 'stream',
};
const OTHER_TYPES: Readonly<Record<string, (redis: Redis, key: string) => Promise<unknown>>> = {
  string: (redis, key) => redis.set(key, 'x'),
  list: (redis, key) => redis.rpush(key, 'x'),
  hash: (redis, key) => redis.hset(key, 'a', 'x'),
  set: (redis, key) => redis.sadd(key, 'x'),
  'sorted set': (redis, key) => redis.zadd(key, 1, 'x'),
  stream: (redis, key) => redis.xadd(key, '*', 'a', 'x'),
};

describe.skipIf(isMissing('redis-server'))('a key of Redis that holds something else', () => {
  let server: RedisServer;
  const at = (database: number) => `${server.url}/${database}`;
  const broken = async (key: string, type: string, database: number) => {
    const redis = new Redis(server.port, { db: database });
    await redis.flushdb();
    await OTHER_TYPES[type](redis, `{straightedge}:${key}`);
    const isRight = (await redis.type(`{straightedge}:${key}`)) !== 'none';
    redis.disconnect();
    expect(isRight).toBe(true);
  };
  const history = write(
    'one.jsonl',
    '{"process":"A","method":"read","args":[],"result":0,"call":1,"return":2}\n',
  );
  const checking = (database: number) =>
    begin(['check', history, '--spec', 'counter', '--redis', at(database), '--timeout', '1s'], {
      at: folder,
    });

  beforeAll(async () => {
    server = await RedisServer.start(folderIn('types'));
  });
  afterAll(() => server.kill());

  test('is an error that names what to do', async () => {
    const rows = Object.keys(KEYS).flatMap((key) =>
      Object.keys(OTHER_TYPES).map((type) => [key, type] as const),
    );
    const some = rows.filter(([key, type]) => type !== KEYS[key]).filter((_, i) => i % share(1, 9) === 0);
    for (let from = 0; from < some.length; from += 8)
      await Promise.all(
        some.slice(from, from + 8).map(async ([key, type], i) => {
          await broken(key, type, i);
          const { ended, said } = i === 0 ? begin(['worker', at(i)], { at: folder }) : checking(i);
          expect(await ended, `${key}, ${type}: ${said()}`).toBe(2);
          expect(said(), `${key}, ${type}`).toMatch(/^error: .*straightedge worker clean redis:/m);
        }),
      );
    expect(some.length).toBeGreaterThan(6);
  });

  test('leaves a check undecided if it is written later, and a worker ends', async () => {
    const redis = new Redis(server.port, { db: 9 });
    await redis.flushdb();
    const worker = await beginWorker(at(9), { at: folder });
    await redis.set('{straightedge}:tasks:completed', 'x');
    const coordinator = checking(9);
    expect([2, 3], coordinator.said()).toContain(await coordinator.ended);
    worker.child.kill('SIGTERM');
    expect(await worker.ended).toBe(0);
    redis.disconnect();
  });
});

describe.skipIf(isMissing('redis-server'))('a Redis that is lost while a command connects', () => {
  let server: RedisServer;
  const good = write(
    'good.jsonl',
    '{"process":"A","method":"read","args":[],"result":0,"call":1,"return":2}\n',
  );
  const checking = (url: string) =>
    begin(['check', good, '--spec', 'counter', '--redis', url, '--timeout', '1s'], { at: folder });

  beforeAll(async () => {
    server = await RedisServer.start(folderIn('lost'));
  });
  afterAll(() => server.kill());

  /** Bytes of answers after which Redis is lost: none, and evenly spread up to those of a run. */
  const momentsOf = (bytes: number) => {
    const count = share(24, 3);
    return Array.from({ length: count }, (_, i) => Math.floor((bytes * i) / count));
  };
  const both = (bytes: number) =>
    momentsOf(bytes).flatMap((own) => (['cut', 'silent'] as const).map((then) => [own, then] as const));

  /** Calls `run` with a proxy for each row, eight at a time. */
  async function each(
    rows: readonly (readonly [bytes: number, then: 'cut' | 'silent'])[],
    run: (way: TcpProxy, row: string) => Promise<void>,
  ): Promise<void> {
    for (let from = 0; from < rows.length; from += 8)
      await Promise.all(
        rows.slice(from, from + 8).map(async ([bytes, then]) => {
          const way = await TcpProxy.to(server.port);
          way.failAfter(bytes, then);
          await run(way, `${then} after ${bytes} bytes`);
          await way.close();
        }),
      );
  }

  test('is no violation, and no unexpected error', async () => {
    const worker = await beginWorker(server.url, { at: folder });
    const way = await TcpProxy.to(server.port);
    const usual = checking(way.url);
    expect(await usual.ended, usual.said()).toBe(0);
    await each(both(way.answered), async ({ url }, row) => {
      const { ended, said } = checking(url);
      const code = await ended;
      expect([0, 2, 3], `${row}: ${said()}`).toContain(code);
      expect(said(), row).not.toMatch(/^\s+at |unexpected/m);
    });
    await way.close();
    worker.child.kill('SIGTERM');
    expect(await worker.ended).toBe(0);
  });

  test('ends each command for a queue', async () => {
    const worker = await beginWorker(server.url, { at: folder });
    const limits = ['--timeout', '1s'];
    const commands = [
      ['worker', 'status'],
      ['worker', 'status', '--json'],
      ['worker', 'clean'],
      ['explore', many, ...SIZE, ...limits, '--redis'],
      ['stress', many, ...limits, '--redis'],
    ];
    const endsEach = async (args: readonly string[], k: number) => {
      const way = await TcpProxy.to(server.port);
      const usual = begin([...args, way.url], { at: folder });
      expect([0, 3], usual.said()).toContain(await usual.ended);
      const rows = both(way.answered).filter((_, i) => (i + k) % share(1, 2) === 0);
      await each(rows, async ({ url }, row) => {
        const { ended, said } = begin([...args, url], { at: folder });
        const code = await ended;
        const codes = args[0] === 'worker' ? [0, 2] : [0, 2, 3];
        expect(codes, `${args.join(' ')}, ${row}: ${said()}`).toContain(code);
        expect(said(), `${args.join(' ')}, ${row}`).not.toMatch(/^\s+at |unexpected/m);
      });
      await way.close();
    };
    await Promise.all(commands.map(endsEach));
    worker.child.kill('SIGTERM');
    expect(await worker.ended).toBe(0);
  }, 300_000);

  test('ends a worker after SIGTERM', async () => {
    const way = await TcpProxy.to(server.port);
    const usual = await beginWorker(way.url, { at: folder });
    const bytes = way.answered;
    usual.child.kill('SIGTERM');
    expect(await usual.ended).toBe(0);
    await way.close();
    await each(both(bytes), async (way, row) => {
      const { child, ended, said } = begin(['worker', way.url], { at: folder });
      await Promise.race([ended, until('it to connect', () => way.connections > 0)]);
      child.kill('SIGTERM');
      const code = await ended;
      expect([0, 2], `${row}: ${said()}`).toContain(code);
      expect(said(), row).not.toMatch(/^\s+at |unexpected/m);
    });
  });
});

test('without bullmq and ioredis, local commands work, and commands for Redis name the missing packages', () => {
  const modules = join(folderIn('bare'), 'node_modules');
  const own = join(modules, 'straightedge');
  mkdirSync(own, { recursive: true });
  for (const name of ['dist', 'package.json']) cpSync(join(ROOT, name), join(own, name), { recursive: true });
  const { dependencies } = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8')) as {
    dependencies: Record<string, string>;
  };
  for (const name of Object.keys(dependencies)) {
    mkdirSync(join(modules, name, '..'), { recursive: true });
    symlinkSync(join(ROOT, 'node_modules', name), join(modules, name));
  }
  const bare = (...args: readonly string[]) => runIn(folder, args, { main: join(own, 'dist/cli/main.js') });
  write('good.jsonl', '{"process":"A","method":"read","args":[],"result":0,"call":1,"return":2}\n');
  expect(bare('check', 'good.jsonl', '--spec', 'counter').status).toBe(0);
  const engine = 'redis://me:hunter2@127.0.0.1:1';
  for (const args of [
    ['worker', 'status', engine],
    ['worker', engine],
    ['explore', many, '--redis', engine],
    ['check', 'good.jsonl', '--spec', 'counter', '--redis', engine],
  ]) {
    const { status, stdout, stderr } = bare(...args);
    expect([status, stdout]).toEqual([2, '']);
    expect(stderr).toContain('npm install bullmq@6 ioredis@6');
    expect(stderr).not.toContain('hunter2');
  }
});

describe.skipIf(isMissing('redis-server'))('workers', () => {
  let server: RedisServer;
  let expected: unknown;
  beforeAll(async () => {
    server = await RedisServer.start(folderIn('redis'));
    const alone = runIn(folder, exploring);
    expect(alone.status).toBe(0);
    expected = plain(alone.stdout);
  }, 120_000);
  afterAll(() => server.kill());
  const database = (number: number) => `${server.url}/${number}`;

  test.concurrent('wait while the connection to Redis is lost, and continue afterwards', async () => {
    const proxy = await TcpProxy.to(server.port);
    const url = `${proxy.url}/1`;
    const worker = await beginWorker(url, { at: folder });
    const coordinator = begin([...exploring, '--redis', url], { at: folder });
    const redis = new Redis(server.port, { db: 1 });
    for (const moment of [4, 10]) {
      await until(
        `${moment} tasks`,
        async () => (await redis.zcard('{straightedge}:tasks:completed')) >= moment,
      );
      proxy.cut();
      await until('reconnections of both', () => proxy.refused > 6);
      proxy.refused = 0;
      proxy.restore();
    }
    expect(await coordinator.ended, coordinator.said()).toBe(0);
    expect(plain(coordinator.said())).toEqual(expected);
    expect(coordinator.said()).toContain('the connection to Redis is cut; waiting for it');
    expect(worker.said()).toContain(`the connection to ${url} is cut; waiting for it`);
    redis.disconnect();
    worker.child.kill('SIGTERM');
    expect(await worker.ended).toBe(0);
    await proxy.close();
  });

  test.concurrent('resume an interrupted run after a restart of Redis, and repeat no task', async () => {
    const own = await RedisServer.start(folderIn('again'));
    const worker = await beginWorker(own.url, { at: folder });
    const redis = new Redis(own.port, { maxRetriesPerRequest: null, retryStrategy: () => 50 });
    redis.on('error', () => {});
    const completed = () => redis.zcard('{straightedge}:tasks:completed');
    const first = begin([...exploring, '--redis', own.url], { at: folder });
    await until('10 tasks', async () => (await completed()) >= 10);
    first.child.kill('SIGINT');
    expect(await first.ended).toBe(130);
    await own.kill();
    await own.begin();
    expect(await completed()).toBeGreaterThanOrEqual(10);
    const second = begin([...exploring, '--redis', own.url, '--resume'], { at: folder });
    expect(await second.ended, second.said()).toBe(0);
    expect(plain(second.said())).toEqual(expected);
    const doneIn = () => {
      const { stdout } = runIn(folder, ['worker', 'status', own.url, '--json']);
      return (JSON.parse(stdout) as { workers: { done: number }[] }).workers[0]?.done ?? 0;
    };
    await until('the count of the worker', () => doneIn() >= TASKS);
    // a task that was active when Redis was killed may be repeated
    expect(doneIn()).toBeLessThanOrEqual(TASKS + 1);
    redis.disconnect();
    worker.child.kill('SIGKILL');
    await own.kill();
  });

  test.concurrent('abandon a task that kills its worker, after three attempts', async () => {
    const poison = write(
      'poison.scenario.ts',
      scenarioOf(
        `die() { process.kill(process.pid, 'SIGKILL') }`,
        `backend: 'instrumented', test: [[['die']]]`,
      ),
    );
    // `backend` is given, so the coordinator runs no code to choose one: only workers die, and they are restarted
    let [lost, hasFinished] = [0, false];
    const supervised = (async () => {
      while (!hasFinished) {
        const worker = begin(['worker', database(2), '--jobs', '1'], { at: folder });
        const code = await Promise.race([
          worker.ended,
          until('the end', () => hasFinished).then(() => 'finished'),
        ]);
        if (code === null) lost++;
        else worker.child.kill('SIGKILL');
      }
    })();
    const engine = ['--redis', database(2), '--json', '--timeout', '2m'];
    const coordinator = begin(['explore', poison, ...engine], { at: folder });
    expect(await coordinator.ended, coordinator.said()).toBe(3);
    hasFinished = true;
    await supervised;
    expect(lost).toBe(3);
    expect(plain(coordinator.said())).toMatchObject({
      reason: 'abandoned',
      abandoned: [{ choice: 'given', reason: 'its worker was lost each time' }],
    });
    const { stdout } = runIn(folder, ['worker', 'status', database(2)]);
    expect(stdout).not.toContain('abandoned');
  }, 120_000);

  test.concurrent('abandon a task that ends its thread, and keep running', async () => {
    const leaving = write(
      'leaving.scenario.ts',
      scenarioOf(`leave() { process.exit(7) }`, `backend: 'instrumented', test: [[['leave']]]`),
    );
    const worker = await beginWorker(database(3), { at: folder });
    const coordinator = begin(['explore', leaving, '--redis', database(3), '--json'], { at: folder });
    expect(await coordinator.ended, coordinator.said()).toBe(3);
    expect(plain(coordinator.said())).toMatchObject({
      abandoned: [{ reason: 'the scenario ended its thread with code 7' }],
    });
    expect(worker.child.exitCode).toBe(null);
    worker.child.kill('SIGKILL');
  });

  test.concurrent('read a large history from its path, if its content is the same', async () => {
    const random = new Random(1);
    const value = () => Array.from({ length: 12 }, () => random.below(1e9).toString(36)).join('');
    const lines = Array.from({ length: 20_000 }, (_, i) =>
      JSON.stringify({
        process: 'A',
        method: 'write',
        args: [value()],
        result: null,
        call: 2 * i,
        return: 2 * i + 1,
      }),
    );
    const large = write('large.jsonl', `${lines.join('\n')}\n`);
    const args = ['check', large, '--spec', 'register', '--json', '--redis', database(4)];
    const worker = await beginWorker(database(4), { at: folder });
    const whole = begin(args, { at: folder });
    expect(await whole.ended, whole.said()).toBe(0);
    expect(plain(whole.said())).toMatchObject({ file: large, verdict: 'linearizable', operations: 20_000 });
    worker.child.kill('SIGTERM');
    await worker.ended;
    const elsewhere = folderIn('elsewhere');
    for (const [why, prepare] of [
      ['is not here', () => {}],
      ['has other content here', () => write(large, lines[0], elsewhere)],
    ] as const) {
      prepare();
      const stranger = await beginWorker(database(4), { at: elsewhere });
      const refused = begin(args, { at: folder });
      expect(await refused.ended).toBe(2);
      expect(refused.said()).toContain(`${large} ${why}`);
      stranger.child.kill('SIGTERM');
      await stranger.ended;
    }
  }, 60_000);

  test.concurrent('keep passwords out of output, reports and Redis', async () => {
    const secret = 'hunter2';
    const at = folderIn('secret');
    const own = await RedisServer.start(at, ['--requirepass', secret]);
    const url = own.url.replace('//', `//default:${secret}@`);
    const wrong = write(
      'wrong.scenario.ts',
      scenarioOf(
        'add() { const old = this.n; this.n = old + 1; return old }',
        `calls: [['add']], threads: 2`,
      ),
    );
    const worker = await beginWorker(url, { at: folder });
    const reports = ['--reporter', 'junit=out.xml', '--reporter', 'sarif=out.sarif', '--html', 'out.html'];
    const coordinator = begin(['explore', wrong, ...reports, '--redis', url], { at: folder });
    expect(await coordinator.ended, coordinator.said()).toBe(1);
    const texts = [
      worker.said(),
      coordinator.said(),
      ...['out.xml', 'out.sarif', 'out.html'].map((name) => readFileSync(join(folder, name), 'utf8')),
      ...[
        ['worker', 'status', url],
        ['worker', 'status', url, '--json'],
        ['worker', 'clean', url],
      ].map((args) => runIn(folder, args).stdout),
      // an invalid address is not repeated
      runIn(folder, ['worker', 'status', url.replace('redis:', 'http:')]).stderr,
      runIn(folder, ['explore', wrong, '--redis', `${url}/x`]).stderr,
      ...readdirSync(join(at, 'appendonlydir')).map((name) =>
        readFileSync(join(at, 'appendonlydir', name), 'latin1'),
      ),
    ];
    for (const text of texts) {
      expect(text).not.toBe('');
      expect(text).not.toContain(secret);
    }
    worker.child.kill('SIGKILL');
    await own.kill();
  });
});
