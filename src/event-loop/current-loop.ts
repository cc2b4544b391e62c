/** The event loop that user code runs on just now, if it does. */
import type { EventLoop } from './event-loop.js';

let current: EventLoop | undefined;

export const currentLoop = (): EventLoop | undefined => current;

export function withLoop<T>(loop: EventLoop, run: () => T): T {
  const before = current;
  current = loop;
  try {
    return run();
  } finally {
    current = before;
  }
}
