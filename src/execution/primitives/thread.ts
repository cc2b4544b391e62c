/**
 * A place where others may run, in code that touches nothing of theirs there: between two calls that are not transformed, say, which
 * would be one step otherwise. Outside of any exploration it does nothing. In a model: `yield access(NOTHING, 0)`.
 */

import { access, NOTHING } from '../memory/access.js';
import { activeMemory } from '../memory/memory.js';
import type { Coroutine } from '../program.js';

/*
 * Who calls: 0, 1, 2 …, for objects that keep something for each thread. Outside of any exploration it is always the same.
 *
 * Whoever asks can tell threads apart, so that threads with equal calls are not taken for one another.
 */

export function currentThread(): number {
  const memory = activeMemory();
  memory.isThreadObserved = true;
  return memory.current;
}

export function yieldNow(): void {}

export function* $yieldNow(): Coroutine<void> {
  yield access(NOTHING, 0);
}
