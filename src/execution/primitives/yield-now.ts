/**
 * A place where others may run, in code that touches nothing of theirs there: between two calls that are not transformed, say, which
 * would be one step otherwise. Outside of any exploration it does nothing. In a model: `yield access(NOTHING, 0)`.
 */
import { access, NOTHING } from '../memory/access.js';
import type { Coroutine } from '../program.js';

export function yieldNow(): void {}

export function* $yieldNow(): Coroutine<void> {
  yield access(NOTHING, 0);
}
