/** What is recorded of an object. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { check } from '../check/check.js';
import { parseHistory } from '../formats/read-history.js';
import { queue } from '../objects/collections/container.js';
import { FileLog, MemoryLog, mergeLogs } from './log.js';
import { record } from './record.js';

class AsyncQueue {
  readonly #items: number[] = [];
  size = 0;
  async enqueue(value: number): Promise<void> {
    await Promise.resolve();
    this.#items.push(value);
    this.size++;
  }
  async dequeue(): Promise<number | null> {
    return this.#items.shift() ?? null;
  }
  peekNow(): number {
    if (this.#items.length === 0) throw new RangeError('empty');
    return this.#items[0];
  }
}

const rows = (log: MemoryLog): string[] =>
  Array.from(log.history(), ({ process, method, args, outcome }) =>
    [process, method, ...args, outcome.kind === 'returned' ? outcome.value : outcome.kind].join(' '),
  );

test('calls are recorded across awaits, and overlapping ones in lanes', async () => {
  const log = new MemoryLog();
  const jobs = record(new AsyncQueue(), { log, process: 'me' });
  await Promise.all([jobs.enqueue(1), jobs.enqueue(2)]);
  expect(await jobs.dequeue()).toBe(1);
  expect(jobs.size).toBe(2);
  expect(() => record(new AsyncQueue(), { log }).peekNow()).toThrow(RangeError);
  expect(rows(log)).toEqual(['me enqueue 1 ', 'me.2 enqueue 2 ', 'me dequeue 1', 'A peekNow threw']);
});

test('calls that never ended are pending', () => {
  const log = new MemoryLog();
  void record({ wait: () => new Promise(() => {}) }, { log }).wait();
  expect(rows(log)).toEqual(['A wait pending']);
});

test('differentiate makes equal values distinct, invisibly to the caller', async () => {
  const log = new MemoryLog();
  const jobs = record(new AsyncQueue(), { log, differentiate: ['enqueue'], methods: ['enqueue', 'dequeue'] });
  await jobs.enqueue(7);
  await jobs.enqueue(7);
  expect([await jobs.dequeue(), await jobs.dequeue(), await jobs.dequeue()]).toEqual([7, 7, null]);
  const tags = Array.from(log.history(), ({ args }) => args[0]).slice(0, 2);
  expect(new Set(tags).size).toBe(2);
  expect(rows(log)).toEqual([
    `A enqueue ${tags[0]} `,
    `A enqueue ${tags[1]} `,
    `A dequeue ${tags[0]}`,
    `A dequeue ${tags[1]}`,
    'A dequeue ',
  ]);
  const verdict = check(log.history(), queue({ empty: null }) as never);
  expect(verdict.kind).toBe('linearizable');
});

test.each([1, 2, 3])('differentiate makes values distinct across %i recorders', (recorders) => {
  const log = new MemoryLog();
  const bag = { add: (_: unknown) => undefined };
  const own = Array.from({ length: recorders }, (_, i) =>
    record(i % 2 === 0 ? bag : { ...bag }, { log, process: `p${i}`, differentiate: ['add'] }),
  );
  for (let i = 0; i < 6; i++) own[i % recorders].add('x');
  expect(new Set(Array.from(log.history(), ({ args }) => args[0])).size).toBe(6);
});

test('an option says what an error means', async () => {
  const log = new MemoryLog();
  const calls = { fail: async () => Promise.reject(new RangeError('no')) };
  for (const outcome of ['threw', 'failed', 'unknown'] as const)
    await record(calls, { log, outcome: () => outcome })
      .fail()
      .catch(() => {});
  expect(Array.from(log.history(), ({ outcome }) => outcome)).toEqual([
    { kind: 'threw', error: 'RangeError' },
    { kind: 'failed', reason: 'RangeError' },
    { kind: 'pending', reason: 'RangeError' },
  ]);
});

test('logs of several threads become one history by their clock', () => {
  const [one, other] = [new MemoryLog(), new MemoryLog()];
  const first = one.call({ process: 'A', method: 'enqueue', args: [1] });
  const second = other.call({ process: 'B', method: 'dequeue', args: [] });
  one.end(first, { kind: 'returned', value: undefined });
  other.end(second, { kind: 'returned', value: 1 });
  const third = one.call({ process: 'A', method: 'dequeue', args: [] });
  one.end(third, { kind: 'returned', value: null });
  const history = mergeLogs([structuredClone(one.operations), structuredClone(other.operations)]);
  expect(Array.from(history, ({ process, method }) => `${process} ${method}`)).toEqual([
    'A enqueue',
    'B dequeue',
    'A dequeue',
  ]);
  expect(check(history, queue({ empty: null }) as never).kind).toBe('linearizable');
});

describe('a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'straightedge-'));
  const file = join(folder, 'events.jsonl');

  test('takes the events of several processes, and keeps the open calls of one that is killed', async () => {
    // as `FileLog` writes them, from a process of its own
    const other = `
      const fs = require('node:fs');
      const file = fs.openSync(process.argv[1], 'a');
      const line = (event) => fs.writeSync(file, JSON.stringify({ ...event, process: 'B@' + process.pid }) + '\\n');
      for (let i = 0; i < 100; i++) {
        line({ type: 'call', method: 'dequeue', args: [] });
        line({ type: 'return', result: null });
      }
      line({ type: 'call', method: 'enqueue', args: [100] });
      process.kill(process.pid, 'SIGKILL');`;
    const log = new FileLog(file);
    const jobs = record(new AsyncQueue(), { log, methods: ['enqueue', 'dequeue'] });
    const killed = new Promise((resolve) => spawn(process.execPath, ['-e', other, file]).on('exit', resolve));
    for (let i = 0; i < 100; i++) await jobs.enqueue(i);
    await killed;
    log.close();
    const history = parseHistory(readFileSync(file, 'utf8'));
    expect(history.length).toBe(201);
    expect(Array.from(history).filter(({ outcome }) => outcome.kind === 'pending')).toHaveLength(1);
    rmSync(folder, { recursive: true });
  });
});
