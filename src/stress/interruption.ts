/**
 * Threads that are stuck are interrupted: who sleeps in `Atomics.wait` when its round is over wakes up, and its call throws.
 *
 *   J. Lawrence, G. Lowe. Synchronisation: specification and testing. 2025, section 6.
 *
 * So a thread lives on after a call that never returns. To end it and to begin another takes as long as many rounds.
 */
import type { Gate } from './gate.js';

const { wait } = Atomics;

/** The round that this thread is in, and what is told of an interruption before a call throws. */
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
export function makeInterruptible(): void {
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
export async function interruptibly(round: Current, run: () => Promise<void>): Promise<void> {
  current = round;
  try {
    await run();
  } finally {
    current = undefined;
  }
}
