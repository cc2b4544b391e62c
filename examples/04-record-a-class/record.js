// Runs three clients against one queue, and records each call with its times in history.jsonl.
import { writeFileSync } from 'node:fs';
import { MemoryLog, record } from 'straightedge';
import { writeJsonLines } from 'straightedge/formats';
import { Jobs } from './jobs.js';

const log = new MemoryLog();
const jobs = new Jobs();

/** Each client calls the queue through a recorded view of its own. */
async function client(process, job) {
  const recorded = record(jobs, { log, process });
  await recorded.enqueue(job);
  await recorded.dequeue();
}

await Promise.all([client('A', 1), client('B', 2), client('C', 3)]);
writeFileSync('history.jsonl', [...writeJsonLines(log.history())].join(''));
