/**
 * Root causes D and K.
 *
 * D: `add` checks whether adding is completed, and adds later. In between, adding may be completed and the
 * collection found to be at its end; then there is an item again. The paper only says that
 * there was a bug.
 *
 * K, intended by the authors: a call that cancels while another call is cancelling returns at once.
 */
import { BlockingCollection } from './blocking-collection.js';
import { CancellationTokenSource } from './cancellation-token-source.js';
import { Cancelled, InvalidOperation } from './errors.js';

export class BlockingCollectionPre extends BlockingCollection {
  private readonly source = new CancellationTokenSource(() => this.cancelNow());

  override cancel(): void {
    this.source.cancel();
  }

  private cancelNow(): void {
    super.cancel();
  }

  protected override put(value: number): void {
    if (this.isCancelled) throw new Cancelled();
    if (this.isClosed) throw new InvalidOperation('adding is completed');
    this.monitor.enter();
    this.items.push(value);
    this.monitor.notify();
    this.monitor.exit();
  }
}
