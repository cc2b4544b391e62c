/**
 * A slot is marked as moved by a plain store.
 *
 * What somebody has put there after it was copied is lost.
 */
import { MOVED, ResizingMap, type Slot, type Table } from './resizing-map.js';

export class ResizingMapFaulty extends ResizingMap {
  protected override move(slot: Slot, next: Table): void {
    const entry = slot.get();
    if (entry !== null) next.slotOf(entry.key).set(entry);
    slot.set(MOVED);
  }
}
