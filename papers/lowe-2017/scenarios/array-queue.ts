/**
 * A queue in an array, with counters of its front and its rear.
 *
 *   C.-H. Shann, T.-L. Huang, C. Chen. A practical nonblocking queue algorithm using compare-and-swap. ICPADS 2000.
 *
 * An item is put into the cell at the rear and then the rear advances; a thread that finds the first step done
 * and not the second helps. Each cell always holds a new object, also when it is empty: that is its
 * version. After the test for `full` or `empty` the cell is read again, because the first read may be old.
 */
import { AtomicRef } from 'straightedge/explore';

class Content {
  readonly value: number | null;

  constructor(value: number | null) {
    this.value = value;
  }
}

type Cell = AtomicRef<Content>;

export class ArrayQueue {
  private readonly cells: Cell[];
  private readonly front = new AtomicRef(0);
  private readonly rear = new AtomicRef(0);

  constructor(capacity: number) {
    this.cells = Array.from({ length: capacity }, () => new AtomicRef(new Content(null)));
  }

  /** False if it is full. */
  enqueue(value: number): boolean {
    for (;;) {
      const rear = this.rear.get();
      const cell = this.cells[rear % this.cells.length];
      const content = cell.get();
      if (rear !== this.rear.get()) continue;
      if (rear === this.front.get() + this.cells.length) return false;
      if (this.isStale(cell, content)) continue;
      const isDone = content.value === null && cell.compareAndSet(content, new Content(value));
      if (isDone || content.value !== null) this.rear.compareAndSet(rear, rear + 1);
      if (isDone) return true;
    }
  }

  dequeue(): number | null {
    for (;;) {
      const front = this.front.get();
      const cell = this.cells[front % this.cells.length];
      const content = cell.get();
      if (front !== this.front.get()) continue;
      if (front === this.rear.get()) return null;
      if (this.isStale(cell, content)) continue;
      const isDone = content.value !== null && cell.compareAndSet(content, new Content(null));
      if (isDone || content.value === null) this.front.compareAndSet(front, front + 1);
      if (isDone) return content.value;
    }
  }

  /** Has the cell changed since it was seen? */
  protected isStale(cell: Cell, content: Content): boolean {
    return cell.get() !== content;
  }
}
