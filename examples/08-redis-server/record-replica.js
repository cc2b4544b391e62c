/**
 * Records clients of a register in Redis that write at the primary and read at a replica. A write waits until the replica
 * has it, but at most 40 ms. Meanwhile the link to the replica is paused, so the replica falls behind.
 *
 * Writes history.jsonl; times are milliseconds. Each value is written once.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { Redis } from 'ioredis';

const CLIENTS = ['A', 'B', 'C'];
const ROUNDS = 40;
const PAUSE_AFTER = 15;
const PAUSE = 300;
const MOST_WAIT = 40;

async function listen(server) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server.address().port;
}

/** Passes on what the primary sends to the replica, and can be paused. */
async function startLink(primary) {
  let link;
  const server = createServer((replica) => {
    link = connect(primary, '127.0.0.1');
    replica.pipe(link);
    link.on('data', (data) => replica.write(data));
    for (const socket of [replica, link]) socket.on('error', () => {});
  });
  const port = await listen(server);
  return { port, pause: () => link.pause(), resume: () => link.resume(), stop: () => server.close() };
}

async function startServer(flags) {
  const socket = createServer();
  const port = await listen(socket);
  socket.close();
  await once(socket, 'close');
  const folder = mkdtempSync(join(tmpdir(), 'straightedge-server-'));
  const place = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', folder, '--save', ''];
  const server = spawn('redis-server', [...place, '--repl-diskless-sync-delay', '0', ...flags], {
    stdio: 'ignore',
  });
  // one for each client, and one to wait with
  const clients = [...CLIENTS, 'control'].map(() =>
    new Redis({ port, retryStrategy: () => 50 }).on('error', () => {}),
  );
  await clients[0].ping();
  const stop = async () => {
    for (const client of clients) client.disconnect();
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
  };
  return { port, server, clients, stop };
}

const now = () => Number(performance.now().toFixed(3));
const lines = [];
let value = 0;

/** Calls and writes down one operation. */
async function call(process, method, args, run) {
  const start = now();
  const result = await run();
  lines.push({ process, method, args, result, call: start, return: now() });
}

// WAIT ends at the next of these ticks
const primary = await startServer(['--hz', '100']);
const link = await startLink(primary.port);
const replica = await startServer(['--replicaof', '127.0.0.1', `${link.port}`]);

async function pause() {
  const at = now();
  link.pause();
  await setTimeout(PAUSE);
  link.resume();
  await caughtUp();
  lines.push({ annotation: 'the link is paused', at, until: now() });
}

/** Waits until the replica has all writes. */
async function caughtUp() {
  const control = primary.clients.at(-1);
  await control.set('control', 1);
  await control.wait(1, 0);
}

try {
  await caughtUp();
  /** @type {Promise<void>[]} */
  const pauses = [];
  const work = CLIENTS.map(async (name, i) => {
    for (let round = 0; round < ROUNDS; round++) {
      if (i === 0 && round === PAUSE_AFTER) pauses.push(pause());
      const own = ++value;
      await call(name, 'write', [own], async () => {
        await primary.clients[i].set('x', own);
        await primary.clients[i].wait(1, MOST_WAIT);
        return null;
      });
      await call(name, 'read', [], async () => {
        const found = await replica.clients[i].get('x');
        return found === null ? null : Number(found);
      });
      await setTimeout(1);
    }
  });
  await Promise.all(work);
  await Promise.all(pauses);
} finally {
  await replica.stop();
  await primary.stop();
  link.stop();
}
writeFileSync('history.jsonl', lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
