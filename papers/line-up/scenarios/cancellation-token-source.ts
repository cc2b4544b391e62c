/**
 * Can be cancelled once: the first call to cancel runs the callbacks.
 *
 * Whether it is cancelled is decided by comparing the state, which only grows.
 */
import { AtomicRef } from 'straightedge/explore';

const [ACTIVE, CANCELLING, CANCELLED] = [0, 1, 2];

export class CancellationTokenSource {
  private readonly state = new AtomicRef(ACTIVE);
  private readonly count = new AtomicRef(0);
  private readonly onCancel: () => void;

  constructor(onCancel: () => void = () => {}) {
    this.onCancel = onCancel;
  }

  /** Who is not the first returns at once, whether or not the first has done what is to be done. */
  cancel(): void {
    if (!this.state.compareAndSet(ACTIVE, CANCELLING)) return;
    this.onCancel();
    this.state.set(CANCELLED);
  }

  /** Counts, until it is cancelled. */
  increment(): number | null {
    if (this.state.get() >= CANCELLING) return null;
    for (;;) {
      const old = this.count.get();
      if (this.count.compareAndSet(old, old + 1)) return old + 1;
    }
  }
}
