/**
 * A slot is marked as moved by a plain store.
 *
 * A value that another thread stored after the copy is lost.
 */
import { MOVED, ResizingMap, type Slot, type Table } from './resizing-map.js';

export class ResizingMapFaulty extends ResizingMap {
  protected override move(slot: Slot, next: Table): void {
    const entry = slot.get();
    if (entry !== null) next.slotOf(entry.key).set(entry);
    slot.set(MOVED);
  }
}
