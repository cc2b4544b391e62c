/**
 * Several testers at once, each checking its own share of the runs.
 *
 *   G. Lowe. Testing for linearizability. CCPE 29(4), 2017, section 6: queue-oriented testers on
 *   runs of four workers with 2^11 operations each, half of them enqueues.
 *
 * Worker threads start before the measurement. A run includes the simulation of its histories, as a test would.
 */
import { once } from 'node:events';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { check } from 'straightedge';
import { short } from './measure.js';
import { queueSubject } from './subjects.js';
import { simulatedHistory } from './workload.js';

const OPERATIONS = 4 * 2 ** 11;
const TESTERS = [1, 2, 3, 4];

/** Seeds from `first` on, in steps, so that each tester has different ones. */
interface Share {
  readonly first: number;
  readonly step: number;
  readonly runs: number;
}

if (!isMainThread && parentPort) {
  parentPort.postMessage('ready');
  await once(parentPort, 'message');
  testShare(workerData as Share);
  parentPort.postMessage('done');
}

export async function printTesters(operations: number): Promise<void> {
  // a number of runs that 1 to 4 testers can share equally
  const runs = 12 * Math.ceil(operations / OPERATIONS / 12);
  console.log(`\nTesters at once, ${runs} runs of a queue by the queue-oriented search`);
  console.log('testers    total s  throughput');
  let alone = 0;
  for (const testers of TESTERS) {
    const seconds = await timeOf(testers, runs);
    alone ||= seconds;
    console.log(
      String(testers).padEnd(8) +
        short(seconds).padStart(10) +
        `${(alone / seconds).toFixed(2)} ×`.padStart(12),
    );
  }
}

async function timeOf(testers: number, runs: number): Promise<number> {
  const workers = Array.from({ length: testers }, (_, first) => {
    const share: Share = { first, step: testers, runs: runs / testers };
    return new Worker(new URL(import.meta.url), { workerData: share });
  });
  await Promise.all(workers.map((worker) => once(worker, 'message')));
  const start = performance.now();
  await Promise.all(
    workers.map((worker) => {
      worker.postMessage('go');
      return once(worker, 'message');
    }),
  );
  return (performance.now() - start) / 1_000;
}

function testShare({ first, step, runs }: Share): void {
  const subject = queueSubject(20, 50);
  for (let run = 0; run < runs; run++) {
    const seed = 1 + first + run * step;
    const history = simulatedHistory(subject, { operations: OPERATIONS, processes: 4, seed });
    check(history, subject.spec, { algorithm: 'queue' });
  }
}
