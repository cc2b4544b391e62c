/**
 * A hash map that grows when two keys have the same slot.
 *
 * The growing thread copies each slot to a table of twice the size, and marks it as moved. A thread that finds a
 * moved slot continues in the next table. The mark is a compare-and-set with the copied value: if another thread has
 * changed it since, it is copied again.
 */
import { AtomicRef, Mutex } from 'straightedge/explore';

class Entry {
  readonly key: number;
  readonly value: number;

  constructor(key: number, value: number) {
    this.key = key;
    this.value = value;
  }
}

export const MOVED: Entry = new Entry(-1, 0);
export type Slot = AtomicRef<Entry | null>;

export class Table {
  readonly slots: Slot[];
  next: Table | null = null;

  constructor(size: number) {
    this.slots = Array.from({ length: size }, () => new AtomicRef<Entry | null>(null));
  }

  slotOf(key: number): Slot {
    return this.slots[key % this.slots.length];
  }
}

export class ResizingMap {
  private readonly growing = new Mutex();
  private table = new Table(2);

  update(key: number, value: number): void {
    let table = this.table;
    for (;;) {
      const slot = table.slotOf(key);
      const old = slot.get();
      if (old === MOVED) table = table.next!;
      else if (old !== null && old.key !== key) this.grow(table);
      else if (slot.compareAndSet(old, new Entry(key, value))) return;
    }
  }

  get(key: number): number | null {
    let table = this.table;
    for (;;) {
      const entry = table.slotOf(key).get();
      if (entry !== MOVED) return entry?.key === key ? entry.value : null;
      table = table.next!;
    }
  }

  protected move(slot: Slot, next: Table): void {
    for (;;) {
      const entry = slot.get();
      if (entry !== null) next.slotOf(entry.key).set(entry);
      if (slot.compareAndSet(entry, MOVED)) return;
    }
  }

  private grow(table: Table): void {
    this.growing.lock();
    if (table.next === null) {
      const next = new Table(2 * table.slots.length);
      table.next = next;
      for (const slot of table.slots) this.move(slot, next);
      this.table = next;
    }
    this.growing.unlock();
  }
}
