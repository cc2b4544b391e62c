/**
 * A task that is completed by hand, once: with a result, an exception, or by cancelling.
 *
 * The first call reserves the task and then publishes its result. Later calls wait until that is
 * done, so a call that fails to complete the task always sees it completed.
 */
import { AtomicRef, Monitor } from 'straightedge/explore';
import { Cancelled, InvalidOperation } from './errors.js';

export interface Completion {
  readonly kind: 'result' | 'exception' | 'cancelled';
  readonly value: number;
}

export class TaskCompletionSource {
  private readonly isReserved = new AtomicRef(false);
  private readonly monitor = new Monitor();
  protected completion: Completion | null = null;

  trySetResult(value: number): boolean {
    return this.tryComplete({ kind: 'result', value });
  }

  trySetException(value: number): boolean {
    return this.tryComplete({ kind: 'exception', value });
  }

  trySetCanceled(): boolean {
    return this.tryComplete({ kind: 'cancelled', value: 0 });
  }

  setResult(value: number): void {
    if (!this.trySetResult(value)) throw new InvalidOperation('it is completed already');
  }

  setException(value: number): void {
    if (!this.trySetException(value)) throw new InvalidOperation('it is completed already');
  }

  setCanceled(): void {
    if (!this.trySetCanceled()) throw new InvalidOperation('it is completed already');
  }

  exception(): number | null {
    const { completion } = this;
    return completion?.kind === 'exception' ? completion.value : null;
  }

  tryResult(): number | null {
    const { completion } = this;
    return completion?.kind === 'result' ? completion.value : null;
  }

  wait(): void {
    this.monitor.enter();
    while (this.completion === null) this.monitor.wait();
    const { kind } = this.completion;
    this.monitor.exit();
    if (kind === 'cancelled') throw new Cancelled();
    if (kind === 'exception') throw new InvalidOperation('it ended with an exception');
  }

  protected tryComplete(completion: Completion): boolean {
    if (!this.isReserved.compareAndSet(false, true)) {
      this.late();
      return false;
    }
    this.publish(completion);
    return true;
  }

  /** Another call has reserved it. */
  protected late(): void {
    for (;;) if (this.completion !== null) return;
  }

  protected publish(completion: Completion): void {
    this.monitor.enter();
    this.completion = completion;
    this.monitor.notifyAll();
    this.monitor.exit();
  }
}
