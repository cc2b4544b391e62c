/** A thread that makes calls: it gets what is shared, builds its own object over it, and begins when all others are there. */
import type { MessagePort } from 'node:worker_threads';
import type { Scenario } from '../explore/scenario/scenario.js';
import type { PlainCall } from '../instrument/instrumented-program.js';
import { Client } from './client.js';
import { Gate } from './gate.js';
import { interruptibly, makeInterruptible } from './interruption.js';
import { beginNoise, makeNoise } from './noise.js';
import { SharedLog } from './shared-log.js';

export interface ThreadRound {
  readonly shared: unknown;
  readonly calls: readonly PlainCall[];
  readonly process: string;
  readonly log: SharedArrayBuffer;
  readonly thread: number;
  /** The words of the gate. */
  readonly gate: Int32Array;
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
  makeInterruptible();
  makeNoise();
  // a package may listen to the port by itself, and what comes in before we do would be lost
  const loaded = load();
}

async function run(scenario: Scenario, round: ThreadRound): Promise<string[]> {
  const { shared, calls, process, log, thread } = round;
  const gate = new Gate(round.gate);
  const over = new AbortController();
  const object = (scenario.attach as (shared: unknown) => object)(shared);
  const unknown: string[] = [];
  const client = new Client(scenario, object, new SharedLog(log, calls), process, {
    signal: over.signal,
    onUnknown: (error) => unknown.push(error instanceof Error ? error.name : String(error)),
  });
  beginNoise();
  gate.pass();
  await interruptibly({ gate, thread, onInterrupt: () => over.abort() }, () => client.run(calls));
  return unknown;
}
