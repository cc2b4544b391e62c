/**
 * Who calls: 0, 1, 2 …, for objects that keep something for each thread. Outside of any exploration it is always the same.
 *
 * Whoever asks can tell threads apart, so that threads with equal calls are not taken for one another.
 */
import { activeMemory } from './memory/memory.js';

export function currentThread(): number {
  const memory = activeMemory();
  memory.isThreadSeen = true;
  return memory.current;
}
