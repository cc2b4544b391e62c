/** A thread that makes calls: it gets what is shared, builds its own object over it, and begins when all others are there. */
import type { MessagePort } from 'node:worker_threads';
import type { Scenario } from '../scenario.js';
import type { PlainCall } from '../transform/index.js';
import { Client } from './client.js';
import { makeNoise } from './noise.js';
import { SharedLog } from './shared-log.js';

export interface ThreadRound {
  readonly shared: unknown;
  readonly calls: readonly PlainCall[];
  readonly process: string;
  readonly log: SharedArrayBuffer;
  /** How many threads are there; whether all are. */
  readonly gate: Int32Array;
  readonly threads: number;
}

export type ThreadMessage =
  | { readonly kind: 'done'; readonly unknown: readonly string[] }
  | { readonly kind: 'failed'; readonly message: string };

/** Takes rounds from a port until it is closed; also those that come in while the scenario is loaded. */
export function serveRounds(load: () => Promise<Scenario>, port: MessagePort): void {
  port.on('message', (round: ThreadRound) => {
    loaded
      .then((scenario) => run(scenario, round))
      .then(
        (unknown) => port.postMessage({ kind: 'done', unknown }),
        (error: unknown) => port.postMessage({ kind: 'failed', message: String(error) }),
      );
  });
  makeNoise();
  // a package may listen to the port by itself, and what comes in before we do would be lost
  const loaded = load();
}

async function run(scenario: Scenario, round: ThreadRound): Promise<string[]> {
  const { shared, calls, process, log, gate, threads } = round;
  const object = (scenario.attach as (shared: unknown) => object)(shared);
  const unknown: string[] = [];
  const client = new Client(scenario, object, new SharedLog(log, calls), process, {
    onUnknown: (error) => unknown.push(error instanceof Error ? error.name : String(error)),
  });
  // the last one opens the gate
  if (Atomics.add(gate, 0, 1) + 1 === threads) {
    Atomics.store(gate, 1, 1);
    Atomics.notify(gate, 1);
  } else Atomics.wait(gate, 1, 0);
  await client.run(calls);
  return unknown;
}
