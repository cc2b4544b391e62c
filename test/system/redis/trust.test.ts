/**
 * A Redis that others can write to: forged and replayed tasks do not run, forged results do not count, and nothing there
 * helps to forge one.
 */
import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { type Job, Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { codeOf } from '../../../src/jobs/model/code-mismatch.js';
import { idOf, type Task } from '../../../src/jobs/model/task.js';
import { newSession, type Sealed, Sealer, sealOutcome, sealTask } from '../../../src/jobs/redis/messages.js';
import { escapingPaths } from '../../support/fixtures/escaping-paths.js';
import { runHere, runIn } from '../../support/processes/command-line.js';
import { begin, beginWorker, killAll, plain, until } from '../../support/processes/processes.js';
import { TcpProxy } from '../../support/processes/proxy.js';
import { RedisServer } from '../../support/processes/redis-server.js';
import { isMissing } from '../../support/processes/requirements.js';

const PREFIX = '{straightedge}';
const QUEUE = 'tasks';
const SECRET = 'hunter2-hunter2-hunter2-hunter2-hunter2';
const env = { STRAIGHTEDGE_REDIS_SECRET: SECRET };
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'straightedge-forged-')));
const MARK = join(folder, 'loaded');
const EVIL = `import { writeFileSync } from 'node:fs';
writeFileSync(${JSON.stringify(MARK)}, '');
export default { name: 'evil', initial: 0, methods: { read: (n) => [n, n] }, create: () => ({ read: () => 0 }), calls: [['read']] };
`;
const { own, paths } = escapingPaths(folder, EVIL);
const write = (name: string, content: string | Uint8Array): string => {
  writeFileSync(join(own, name), content);
  return name;
};
const line = (value: number, from: number) =>
  `{"process":"A","method":"read","args":[],"result":${value},"call":${from},"return":${from + 1}}\n`;
const bad = write('bad.jsonl', line(0, 1) + line(7, 3));

const sealer = new Sealer(SECRET, `${PREFIX}:${QUEUE}`);
const stranger = new Sealer(`${SECRET}.`, `${PREFIX}:${QUEUE}`);

afterAll(async () => {
  await killAll();
  rmSync(folder, { recursive: true });
});
afterEach(() => rmSync(MARK, { force: true }));

test.each(['worker', 'worker status', 'check', 'explore', 'stress'])(
  'without a secret, %s refuses a Redis on another machine before it connects',
  async (command) => {
    const url = 'redis://192.0.2.1:6379';
    const args = command.startsWith('worker')
      ? [...command.split(' '), url]
      : [command, bad, '--redis', url, ...(command === 'check' ? ['--spec', 'counter'] : [])];
    const { status, stderr } = await runHere(args, own);
    expect(status).toBe(2);
    expect(stderr).toContain('need a shared secret');
  },
);

test.each([
  ['URL'],
  ['check', bad, '--spec', 'URL'],
  ['check', bad, '--spec', 'counter', '--URL'],
  ['check', bad, '--spec', 'counter', '--jobs', 'URL'],
  ['check', bad, '--spec', 'counter', '--redis', 'URL', '--debug'],
  ['worker', 'URL', 'URL'],
  ['worker', 'secret', 'URL'],
  ['replay', 'URL'],
])('the password in an address is never printed: %j', (...args) => {
  // nothing listens there
  const url = 'redis://me:pass/w@rd@127.0.0.1:1';
  const { status, stdout, stderr } = runIn(
    own,
    args.map((argument) => argument.replace('URL', url)),
  );
  expect([status, stderr !== '']).toEqual([2, true]);
  expect(stdout + stderr).not.toContain('rd@');
  expect(stdout + stderr).not.toContain('pass');
});

describe.skipIf(isMissing('redis-server'))('a Redis that others write to', () => {
  let server: RedisServer;
  beforeAll(async () => {
    mkdirSync(join(folder, 'redis'));
    server = await RedisServer.start(join(folder, 'redis'), ['--databases', '64']);
  });
  afterAll(() => server.kill());
  let databases = 0;
  /** A database of its own, and a queue in it. */
  const place = () => {
    const db = databases++;
    const connection = { host: '127.0.0.1', port: server.port, db };
    const queue = new Queue<unknown>(QUEUE, { connection, prefix: PREFIX });
    return { url: `${server.url}/${db}`, db, connection, queue, redis: new Redis(server.port, { db }) };
  };
  const check = (url: string, ...more: readonly string[]) =>
    begin(['check', bad, '--spec', 'counter', '--json', '--redis', url, ...more], { at: own, env });

  test('`worker status` shows abandoned tasks that nothing can read', async () => {
    const { url, redis } = place();
    const forged: Readonly<Record<string, Readonly<Record<string, string>>>> = {
      data: { data: 'x', opts: '{}' },
      options: { data: '{}', opts: 'x' },
      stacks: { data: '{}', opts: '{}', stacktrace: '[[' },
      results: { data: 'null', opts: 'null', returnvalue: '{' },
      reasons: { failedReason: 'a\u001b[2J\u202e\nb' },
    };
    for (const [name, fields] of Object.entries(forged)) {
      await redis.zadd(`${PREFIX}:${QUEUE}:failed`, 1, name);
      await redis.hset(`${PREFIX}:${QUEUE}:${name}`, fields);
    }
    await redis.zadd(`${PREFIX}:${QUEUE}:failed`, 1, 'absent');
    const { ended: end, said } = begin(['worker', 'status', url], { at: own, env });
    expect(await end, said()).toBe(0);
    for (const name of [...Object.keys(forged), 'absent'])
      expect(said()).toContain(`\n  abandoned: ${name} of `);
    expect(said()).toContain('a\\u{1b}[2J\\u{202e}');
    redis.disconnect();
  });

  describe('results', () => {
    /** Completes every task with what `forge` returns. */
    const forger = (connection: object, forge: (job: Job<Sealed>) => unknown) =>
      new Worker<Sealed>(QUEUE, async (job) => forge(job), { connection, prefix: PREFIX } as never);
    const green = {
      kind: 'done',
      result: {
        code: 0,
        document: { verdict: 'linearizable' },
        text: '\u001b[2Jall is well',
        finding: { file: bad, outcome: 'linearizable', summary: '', text: '', seconds: 0, related: [] },
      },
    } as never;
    const forged: Readonly<Record<string, (job: Job<Sealed>) => unknown>> = {
      unsigned: () => green,
      'only a code': () => ({ code: 0 }),
      'a code of an interruption': () => ({ code: 130 }),
      null: () => null,
      'a text': () => '\u001b[2J',
      'a number': () => 0,
      'a list': () => [],
      'of another secret': ({ id, data }) => sealOutcome(stranger, id ?? '', data, green),
      'its own task': ({ data }) => data,
      'of another task': async ({ data }) => sealOutcome(sealer, 'other', data, green),
      'of an earlier session': async ({ id = '' }) =>
        sealOutcome(sealer, id, await sealer.seal('task', id, 0), green),
      'a task as a result': ({ id = '' }) => sealer.seal('task', id, green),
      'signed, and malformed': ({ id = '', data }) =>
        sealOutcome(sealer, id, data, { kind: 'done', result: { code: 0 } } as never),
      'signed, with the code of another verdict': ({ id = '', data }) =>
        sealOutcome(sealer, id, data, {
          kind: 'done',
          result: { ...(green as { result: object }).result, code: 130 },
        } as never),
      huge: () => 'x'.repeat(40 << 20),
    };

    /** One run, in which each history gets another forged result; a task that runs again gets the same. */
    async function expectNotCounted(kinds: readonly string[]): Promise<string> {
      const { url, connection, queue, redis } = place();
      const forgeries = new Map<string | undefined, string>();
      const worker = forger(connection, (job) => {
        if (!forgeries.has(job.id)) forgeries.set(job.id, kinds[forgeries.size]);
        return forged[forgeries.get(job.id) ?? ''](job);
      });
      const files = kinds.map((_, i) => write(`bad-${i}.jsonl`, line(0, 1) + line(7 + i, 3)));
      const coordinator = begin(['check', ...files, '--spec', 'counter', '--json', '--redis', url], {
        at: own,
        env,
      });
      expect(await coordinator.ended, coordinator.said()).toBe(3);
      expect([...forgeries.values()]).toEqual(kinds);
      expect(coordinator.said()).not.toMatch(/\n {4}at |all is well|\u001b/);
      const documents = coordinator
        .said()
        .split('\n')
        .filter((text) => text.startsWith('{'));
      const verdicts = documents.map((text, i) => ({ kind: kinds[i], ...plain(text) }));
      expect(verdicts).toMatchObject(
        kinds.map((kind) => ({ kind, verdict: 'undecided', reason: 'abandoned' })),
      );
      await worker.close();
      await queue.close();
      redis.disconnect();
      return coordinator.said();
    }

    test('none of these is counted', async () => {
      const said = await expectNotCounted(Object.keys(forged).filter((name) => name !== 'huge'));
      expect(said).toContain('ignored a result in Redis');
    });

    test('a huge one is not even read', async () => {
      expect(await expectNotCounted(['huge'])).toContain('ignored a result in Redis: it is too large');
    });

    test('after forged ones, a signed one counts', async () => {
      const { url, connection, queue, redis } = place();
      const worker = forger(connection, forged.unsigned);
      const coordinator = check(url);
      await until('the first', () => coordinator.said().includes('ignored a result'));
      await worker.close();
      const real = await beginWorker(url, { at: own, env });
      expect([1, 3]).toContain(await coordinator.ended);
      const again = check(url);
      expect(await again.ended, again.said()).toBe(1);
      real.child.kill('SIGKILL');
      await queue.close();
      redis.disconnect();
    });

    test('an earlier result counts for --resume of the same task, and not for a new run', async () => {
      const { url, queue, redis } = place();
      const lost = check(url);
      await until('the task', async () => (await queue.getWaitingCount()) === 1);
      lost.child.kill('SIGKILL');
      await lost.ended;
      const worker = await beginWorker(url, { at: own, env });
      await until('its result', async () => (await queue.getCompletedCount()) === 1);
      worker.child.kill('SIGTERM');
      await worker.ended;
      const [key] = await redis.keys(`${PREFIX}:${QUEUE}:*-whole`);
      const stored = await redis.hgetall(key);

      const other = check(url, '--resume', '--stuck');
      await until('no worker', () => other.said().includes('no worker yet'));
      other.child.kill('SIGKILL');
      const resumed = check(url, '--resume');
      expect(await resumed.ended, resumed.said()).toBe(1);
      expect(resumed.said()).not.toContain('ignored');

      for (const [replayed, why] of [
        [stored, 'it belongs to another run'],
        // with the message of the new task
        [
          { returnvalue: stored.returnvalue, finishedOn: stored.finishedOn },
          'it was signed for another purpose',
        ],
      ] as const) {
        const fresh = check(url);
        await until('the new task', async () => {
          const data = await redis.hget(key, 'data');
          return data !== null && data !== stored.data;
        });
        await redis.hset(key, replayed);
        await until('it to be ignored', () => fresh.said().includes(`ignored a result in Redis: ${why}`));
        fresh.child.kill('SIGINT');
        expect(await fresh.ended, fresh.said()).toBe(130);
        await redis.del(key);
      }
      await queue.close();
      redis.disconnect();
    });
  });

  describe('tasks', () => {
    const scenarioTask = (file: string, kind: 'explore' | 'stress', code = codeIn(file)): Task => {
      const common = { run: 'r', name: 'n', file, code, hasConfig: true, silence: 5_000 };
      if (kind === 'stress') return { ...common, kind, options: { seed: 1 }, first: 0, rounds: 1 };
      return {
        ...common,
        kind,
        setup: { options: { seed: 1 }, spuriousWakeups: false },
        batch: { choice: 'all', threads: 1, callsPerThread: 1 },
        tests: [{ test: 0, options: { seed: 1, isExhaustive: true } }],
      };
    };
    const checkTask = (spec: string, map?: string): Task => ({
      kind: 'check',
      run: 'r',
      name: 'whole',
      file: bad,
      code: codeIn(spec),
      history: { hash: '', packed: gzipSync(line(0, 1)).toString('base64') },
      job: {
        spec,
        options: {},
        rename: [],
        independent: false,
        extraFields: false,
        partial: false,
        clockError: undefined,
        map,
        limits: { maxMemory: 1e9 },
        quiet: true,
        stuck: false,
        allowEmpty: false,
        witness: false,
        consistency: false,
        all: false,
        faults: [],
        wants: { document: true, text: true, finding: true },
        algorithm: 'auto',
        jobs: 1,
        style: { colour: false, ascii: false, width: 100 },
        html: undefined,
      },
    });
    /** The hash that a worker in our folder computes. */
    function codeIn(...files: readonly string[]): string {
      const before = process.cwd();
      process.chdir(own);
      try {
        return codeOf(files);
      } catch {
        return 'unknown';
      } finally {
        process.chdir(before);
      }
    }
    /** Adds tasks and waits until the worker has refused all, by their reasons. */
    const add = async (queue: Queue<unknown>, id: string, data: unknown) =>
      queue.add('check', data, { jobId: id, attempts: 3 });

    test('a signed one runs, so that the tests below can fail', async () => {
      const { url, queue, redis } = place();
      write('mine.scenario.ts', EVIL);
      const worker = await beginWorker(url, { at: own, env });
      const task = scenarioTask('mine.scenario.ts', 'explore');
      await add(queue, idOf(task), await sealTask(sealer, newSession(), task));
      await until('it to be loaded', () => existsSync(MARK));
      worker.child.kill('SIGKILL');
      await queue.close();
      redis.disconnect();
    });

    test('unsigned, of another secret, tampered with, moved or old: none runs', async () => {
      const { url, queue, redis } = place();
      write('mine.scenario.ts', EVIL);
      const worker = await beginWorker(url, { at: own, env });
      const all = [
        scenarioTask('mine.scenario.ts', 'explore'),
        scenarioTask('mine.scenario.ts', 'stress'),
        checkTask('./mine.scenario.ts'),
        checkTask('counter', './mine.scenario.ts'),
      ];
      let count = 0;
      const put = async (data: unknown, id = `id-${count}`) => {
        count++;
        await add(queue, id, data);
      };
      const session = newSession();
      for (const task of all) {
        const sealed = await sealTask(sealer, session, task);
        await put(task);
        await put({ ...task, kind: 'program' });
        await put(sealed);
        await put({ packed: sealed.packed }, `${idOf(task)}-${count}`);
        for (const [i, one] of [stranger, new Sealer(undefined, `${PREFIX}:${QUEUE}`)].entries()) {
          const named = { ...task, run: `other-${i}-${count}` };
          await put(await sealTask(one, session, named), idOf(named));
        }
        const old = { ...task, run: `old-${count}` };
        await put(await sealTask(sealer, { ...session, begin: 1 }, old), idOf(old));
      }
      const refused = async () => (await queue.getDelayed()).length + (await queue.getFailed()).length;
      await until('all to be refused', async () => (await refused()) === count);
      expect(existsSync(MARK)).toBe(false);
      expect(worker.said()).toContain('refused: a task in Redis is not signed with the secret');
      expect(worker.said()).toContain('refused: a task in Redis is too old');
      expect(worker.child.exitCode).toBe(null);
      expect(await queue.getCompletedCount()).toBe(0);
      worker.child.kill('SIGTERM');
      expect(await worker.ended).toBe(0);
      await queue.close();
      redis.disconnect();
    });

    test('signed, with a path out of the folder in any field: none runs', async () => {
      const { url, queue, redis } = place();
      const worker = await beginWorker(url, { at: own, env });
      let count = 0;
      for (const { path } of paths)
        for (const task of [
          scenarioTask(path, 'explore', codeIn(path)),
          scenarioTask(path, 'stress', codeIn(path)),
          { ...checkTask(path), code: codeIn(path) },
          { ...checkTask(`orders=${path}`), code: codeIn(path) },
          { ...checkTask('counter', path), code: codeIn(path) },
          {
            ...(checkTask('counter') as Extract<Task, { kind: 'check' }>),
            file: path,
            code: codeIn(),
            history: { hash: 'any' },
          },
        ]) {
          const named = { ...task, run: `way-${count++}` };
          await add(queue, idOf(named), await sealTask(sealer, newSession(), named));
        }
      await until('all to be refused', async () => (await queue.getDelayedCount()) === count);
      expect(existsSync(MARK)).toBe(false);
      expect(await queue.getCompletedCount()).toBe(0);
      expect(worker.said()).not.toMatch(/differs|not here/);
      worker.child.kill('SIGKILL');
      await queue.close();
      redis.disconnect();
    }, 120_000);

    test('a worker with another secret takes none, and the coordinator says so', async () => {
      const { url, queue, redis } = place();
      const other = { STRAIGHTEDGE_REDIS_SECRET: `${SECRET}.` };
      const worker = await beginWorker(url, { at: own, env: other });
      const coordinator = check(url);
      expect(await coordinator.ended).toBe(2);
      expect(coordinator.said()).toContain(
        'no worker has the secret of this command: one worker has another secret, or none',
      );
      for (const { said } of [worker, coordinator]) expect(said()).not.toContain('hunter2');
      worker.child.kill('SIGKILL');
      await queue.close();
      redis.disconnect();
    });
  });

  test('Redis holds neither the secret nor a hash of code, also after a refusal', async () => {
    const { url, queue, redis } = place();
    const elsewhere = join(folder, 'elsewhere');
    mkdirSync(elsewhere);
    const spec = `export default { name: 'c', initial: 0, methods: { read: (n) => [n, n] } };`;
    write('c.spec.ts', spec);
    writeFileSync(join(elsewhere, 'c.spec.ts'), `${spec} // other`);
    const worker = await beginWorker(url, { at: elsewhere, env });
    const coordinator = begin(['check', bad, '--spec', './c.spec.ts', '--redis', url], { at: own, env });
    const seen = new Set<string>();
    const look = async () => {
      for (const key of await redis.keys('*')) {
        const type = await redis.type(key);
        const values =
          type === 'hash'
            ? Object.values(await redis.hgetall(key))
            : type === 'string'
              ? [await redis.get(key)]
              : [];
        for (const value of values) if (value) seen.add(`${key} ${value}`);
      }
    };
    let isOver = false;
    const ended = coordinator.ended.finally(() => {
      isOver = true;
    });
    await until('the end', async () => {
      await look();
      return isOver;
    });
    expect(await ended, coordinator.said()).toBe(2);
    expect(coordinator.said()).toContain("c.spec.ts differs from the coordinator's");
    const texts = [...seen].flatMap((text) => [
      text,
      ...Array.from(text.matchAll(/"packed":"([^"]+)"/g), ([, packed]) =>
        gunzipSync(Buffer.from(packed, 'base64')).toString(),
      ),
    ]);
    expect(texts.join('\n')).toContain('"kind":"refusal"');
    expect(texts.join('\n')).toContain('"kind":"task"');
    const before = process.cwd();
    const hashes = [own, elsewhere].map((at) => {
      process.chdir(at);
      return codeOf(['./c.spec.ts']);
    });
    process.chdir(before);
    for (const text of [...texts, worker.said(), coordinator.said()])
      for (const secret of [SECRET, ...hashes]) expect(text).not.toContain(secret);
    worker.child.kill('SIGKILL');
    await queue.close();
    redis.disconnect();
  });

  test('files with equal content keep their names, in their order', async () => {
    const { url, queue, redis } = place();
    const names = ['a', 'b', 'c'].map((name) => write(`${name}.jsonl`, readFileSync(join(own, bad))));
    const good = ['d', 'e'].map((name) => write(`${name}.jsonl`, line(0, 1)));
    const files = [names[0], good[0], names[1], bad, good[1], names[2], names[0]];
    const worker = await beginWorker(url, { at: own, env });
    const coordinator = begin(['check', ...files, '--spec', 'counter', '--json', '--redis', url], {
      at: own,
      env,
    });
    expect(await coordinator.ended, coordinator.said()).toBe(1);
    const documents = coordinator.said().trim().split('\n').map(plain);
    expect(documents.map(({ file }) => file)).toEqual(files);
    expect(documents.map(({ verdict }) => verdict)).toEqual(
      files.map((file) => (good.includes(file) ? 'linearizable' : 'violation')),
    );
    worker.child.kill('SIGKILL');
    await queue.close();
    redis.disconnect();
  });

  test('a small message that becomes a large history stays within --max-memory', async () => {
    const { url, queue, redis } = place();
    const record = (i: number) =>
      `{"process":"A","method":"write","args":["${i}${' '.repeat(1 << 20)}"],"call":${2 * i},"return":${2 * i + 1}}\n`;
    const packed = gzipSync(Array.from({ length: 480 }, (_, i) => record(i)).join(''));
    expect(packed.length).toBeLessThan(1_000_000);
    const bomb = write('bomb.jsonl', packed);
    const worker = await beginWorker(url, { at: own, env });
    const args = ['check', bomb, '--spec', 'register', '--json', '--redis', url];
    const coordinator = begin(args, { at: own, env });
    expect(await coordinator.ended, coordinator.said()).toBe(3);
    expect(plain(coordinator.said())).toMatchObject({ file: bomb, reason: 'memory' });
    expect(worker.child.exitCode).toBe(null);
    const [, peak] = /VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${worker.child.pid}/status`, 'utf8')) ?? [];
    // the limit and the size of an idle worker
    expect(Number(peak)).toBeLessThan(500 * 1_024);
    worker.child.kill('SIGKILL');
    await queue.close();
    redis.disconnect();
  });
});

describe.skipIf(isMissing('redis-server'))('an idle worker ends after SIGTERM', () => {
  let server: RedisServer;
  let mute: Server;
  beforeAll(async () => {
    mkdirSync(join(folder, 'ending'));
    server = await RedisServer.start(join(folder, 'ending'));
    // accepts connections and never answers
    mute = createServer().listen(0, '127.0.0.1');
  });
  afterAll(async () => {
    mute.close();
    await server.kill();
  });
  const ended = async (worker: Awaited<ReturnType<typeof beginWorker>>) => {
    worker.child.kill('SIGTERM');
    return worker.ended;
  };

  test('while Redis is there', async () => {
    expect(await ended(await beginWorker(server.url, { at: own }))).toBe(0);
  });

  test('while Redis refuses connections', async () => {
    const way = await TcpProxy.to(server.port);
    const worker = await beginWorker(way.url, { at: own });
    way.cut();
    await until('it to notice', () => way.refused > 1);
    expect(await ended(worker)).toBe(0);
    await way.close();
  });

  test.each(['nothing to do', 'tasks that it refuses'])(
    'while Redis does not answer, with %s',
    async (load) => {
      const own_ = await RedisServer.start(mkdtempSync(join(folder, 'stopped-')));
      const worker = await beginWorker(own_.url, { at: own });
      const redis = new Redis(own_.port);
      const pid = /process_id:(\d+)/.exec(await redis.info('server'))?.[1];
      if (load !== 'nothing to do') {
        // a task of which BullMQ cannot read the data, and some that are not signed: one of them is always on its way back
        const key = (id: string) => `${PREFIX}:${QUEUE}:${id}`;
        await redis.hset(key('malformed'), { name: 'check', data: '{', opts: '{}' });
        await redis.lpush(
          key('wait'),
          'malformed',
          ...Array.from({ length: 400 }, (_, i) => `unsigned-${i}`),
        );
        await until('it to refuse', () => worker.said().includes('refused: a task in Redis is not signed'));
        expect(worker.said()).toContain(`${own_.url}: `);
        expect(worker.said()).toContain('JSON');
        expect(worker.said()).not.toContain('is cut');
      }
      redis.disconnect();
      process.kill(Number(pid), 'SIGSTOP');
      try {
        expect(await ended(worker)).toBe(0);
      } finally {
        process.kill(Number(pid), 'SIGCONT');
        await own_.kill();
      }
    },
  );

  test('while it still connects', async () => {
    const { port } = mute.address() as { port: number };
    const worker = begin(['worker', `redis://127.0.0.1:${port}`], { at: own });
    await until(
      'it to connect',
      () => new Promise<boolean>((resolve) => mute.getConnections((_, count) => resolve(count > 0))),
    );
    expect(await ended(worker)).toBe(0);
  });
});

test('a new secret is written to a file, and not printed', () => {
  const { status, stdout, stderr } = runIn(own, ['worker', 'secret', 'new-secret']);
  expect([status, stdout]).toEqual([0, '']);
  expect(stderr).not.toContain(readFileSync(join(own, 'new-secret'), 'utf8').trim());
  expect(runIn(own, ['worker', 'secret', 'new-secret']).status).toBe(2);
  expect(spawnSync('ls', ['-l', join(own, 'new-secret')], { encoding: 'utf8' }).stdout).toMatch(
    /^-rw-------/,
  );
});
