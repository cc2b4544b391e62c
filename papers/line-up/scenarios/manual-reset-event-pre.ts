/**
 * Root cause A: the new word with the waiter is computed from a second read of the word.
 *
 * The paper's figure 9: if the event is set between the two reads, and reset before the compare-and-set,
 * then the new word has `set` together with a sleeping waiter. The next `set` finds it set, and
 * wakes no thread.
 */
import { ManualResetEvent } from './manual-reset-event.js';

export class ManualResetEventPre extends ManualResetEvent {
  protected override withWaiter(): number {
    return super.withWaiter(this.state.get());
  }
}
