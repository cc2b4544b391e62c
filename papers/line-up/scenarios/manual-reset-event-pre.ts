/**
 * Root cause A: the word with the waiter is made from a second look at the word.
 *
 * The paper's figure 9: if the event is set between the two looks, and reset before the compare-and-set,
 * then this puts `set` back together with a waiter that sleeps. The next `set` finds it set, and
 * wakes nobody.
 */
import { ManualResetEvent } from './manual-reset-event.js';

export class ManualResetEventPre extends ManualResetEvent {
  protected override withWaiter(): number {
    return super.withWaiter(this.state.get());
  }
}
