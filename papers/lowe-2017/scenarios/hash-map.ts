/**
 * A hash map with open addresses, whose slots are locked by their status.
 *
 *   A. Laarman, J. van de Pol, M. Weber. Boosting multi-core reachability performance with shared hash tables.
 *   FMCAD 2010; with deletes, as in G. Lowe, Testing for linearizability, 2016.
 *
 * Who updates takes a slot by a compare-and-set of its status to `updating`; all others wait until it is stored.
 */
import { AtomicRef } from 'straightedge/explore';

export type Status = 'empty' | 'updating' | 'stored' | 'deleted';

export class Slot {
  readonly key: AtomicRef<number | null> = new AtomicRef<number | null>(null);
  readonly status: AtomicRef<Status> = new AtomicRef<Status>('empty');
  value = 0;
  readonly next: Slot | null;

  constructor(next: Slot | null) {
    this.next = next;
  }
}

export class HashMap {
  private readonly first: Slot;

  constructor(capacity: number) {
    let slots: Slot | null = null;
    for (let i = 0; i < capacity; i++) slots = new Slot(slots);
    this.first = slots!;
  }

  update(key: number, value: number): void {
    const slot = this.slotOf(key);
    for (;;) {
      const old = slot.status.get();
      if (old !== 'updating' && slot.status.compareAndSet(old, 'updating')) break;
    }
    slot.value = value;
    slot.status.set('stored');
  }

  get(key: number): number | null {
    const slot = this.slotOf(key);
    for (;;) {
      const status = slot.status.get();
      if (status !== 'updating') return status === 'stored' ? slot.value : null;
    }
  }

  delete(key: number): void {
    const { status } = this.slotOf(key);
    for (;;) {
      const old = status.get();
      if (old === 'empty' || old === 'deleted') return;
      if (old === 'stored' && status.compareAndSet(old, 'deleted')) return;
    }
  }

  /** The slot of a key: the first that has it, or the first free one, which it then takes. */
  protected slotOf(key: number): Slot {
    for (let slot: Slot | null = this.first; slot !== null; slot = slot.next)
      if (slot.key.get() === key || slot.key.compareAndSet(null, key) || slot.key.get() === key) return slot;
    throw new Error('the map is full');
  }
}
