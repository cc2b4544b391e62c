/**
 * Measures the cost of recording. Calls of a queue, synchronous and with promises: CPU time of a plain call, of a call
 * recorded in memory, and of one appended to a file; best of five, alternating.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FileLog, MemoryLog, record } from 'straightedge';
import { cpuTime } from './measure.js';

const CALLS = 100_000;
const ROUNDS = 5;

class Queue {
  readonly items: number[] = [];
  put(item: number): void {
    this.items.push(item);
    if (this.items.length > 10) this.items.shift();
  }
  async putLater(item: number): Promise<void> {
    await Promise.resolve();
    this.put(item);
  }
}

const folder = mkdtempSync(join(tmpdir(), 'straightedge-bench-'));
const file = new FileLog(join(folder, 'events.jsonl'));
const SUBJECTS: Readonly<Record<string, () => Queue>> = {
  'as it is': () => new Queue(),
  'in memory': () => record(new Queue(), { log: new MemoryLog() }),
  'to a file': () => record(new Queue(), { log: file }),
};

console.log('call         recorded    ns a call');
for (const method of ['put', 'putLater'] as const) {
  const best = new Map(Object.keys(SUBJECTS).map((name) => [name, Number.POSITIVE_INFINITY]));
  for (let round = 0; round < ROUNDS; round++)
    for (const [name, make] of Object.entries(SUBJECTS)) {
      const queue = make();
      const begin = cpuTime();
      for (let i = 0; i < CALLS; i++) {
        const waiting = queue[method](i);
        if (waiting) await waiting;
      }
      best.set(name, Math.min(best.get(name) ?? 0, ((cpuTime() - begin) * 1e6) / CALLS));
    }
  for (const [name, nanoseconds] of best)
    console.log(`${method.padEnd(12)} ${name.padEnd(12)}${nanoseconds.toFixed(0).padStart(9)}`);
}
file.close();
rmSync(folder, { recursive: true });
