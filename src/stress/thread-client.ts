/** A thread that makes calls: it gets what is shared, builds its own object over it, and begins when all others are there. */

import type { MessagePort } from 'node:worker_threads';
import { thrownText } from '../base/errors.js';
import type { Scenario } from '../explore/scenario/scenario.js';
import type { PlainCall } from '../instrument/instrumented-program.js';
import { Client } from './round.js';
import { Gate, SharedLog } from './shared-log.js';

/*
 * Threads that are stuck are interrupted: a thread that sleeps in `Atomics.wait` when its round ends wakes up, and its call throws.
 *
 *   J. Lawrence, G. Lowe. Synchronisation: specification and testing. 2025, section 6.
 *
 * So a thread survives a call that never returns. Ending it and starting another one takes as long as many rounds.
 */

/** The round of this thread, and a function that is called on an interruption, before the call throws. */
interface Current {
  readonly gate: Gate;
  readonly thread: number;
  readonly onInterrupt: () => void;
}

class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

let current: Current | undefined;

/** For all that this thread does from now on. */
function makeInterruptible(): void {
  Reflect.set(Atomics, 'wait', (array: Int32Array, index: number, value: number, timeout?: number) => {
    if (!current) return wait(array, index, value, timeout);
    const { gate, thread, onInterrupt } = current;
    gate.sleep(thread, array.byteOffset + index * array.BYTES_PER_ELEMENT);
    try {
      const answer = gate.isOver ? 'ok' : wait(array, index, value, timeout);
      if (!gate.isOver) return answer;
    } finally {
      gate.wakeUp(thread);
    }
    onInterrupt();
    throw new Interrupted('the round is over');
  });
}

/** Runs what may be interrupted. */
async function interruptibly(round: Current, run: () => Promise<void>): Promise<void> {
  current = round;
  try {
    await run();
  } finally {
    current = undefined;
  }
}

/**
 * Noise: a thread that stress runs now and then sleeps for a moment at a call of `Atomics`, as if it had been descheduled there.
 *
 *   O. Edelstein, E. Farchi, E. Goldin, Y. Nir, G. Ratsaby, S. Ur. Framework for testing multi-threaded Java programs.
 *   Concurrency and Computation: Practice and Experience 15, 2003.
 *
 * Most bugs need a thread to be suspended in a short section, which a scheduler rarely does by itself. Every result could also occur
 * without noise. A short round needs more of it than a long one: about one call of each round is delayed.
 */
const { wait } = Atomics;

/** The most and the fewest calls per delay, and milliseconds. */
const SELDOM = 250;
const OFTEN = 4;
const MOMENT = 0.1;

const CALLS = [
  'load',
  'store',
  'add',
  'sub',
  'and',
  'or',
  'xor',
  'exchange',
  'compareExchange',
  'notify',
] as const;

/** Calls in this round, and one of how many is hit. */
let calls = 0;
let oneOf = SELDOM;

/** For all that is loaded from now on in this thread. */
function makeNoise(): void {
  const bed = new Int32Array(new SharedArrayBuffer(4));
  for (const name of CALLS) {
    const real = Atomics[name] as (...args: unknown[]) => unknown;
    Reflect.set(Atomics, name, (...args: unknown[]) => {
      calls++;
      if (Math.random() * oneOf < 1) wait(bed, 0, 0, MOMENT);
      return real(...args);
    });
  }
}

/** A round begins, which is taken to be as long as the last one. */
function beginNoise(): void {
  if (calls > 0) oneOf = Math.max(OFTEN, Math.min(calls, SELDOM));
  calls = 0;
}

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
        (error: unknown) => port.postMessage({ kind: 'failed', message: thrownText(error) }),
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
    onUnknown: (error) => unknown.push(thrownText(error, 'name')),
  });
  beginNoise();
  gate.pass();
  await interruptibly({ gate, thread, onInterrupt: () => over.abort() }, () => client.run(calls));
  return unknown;
}
