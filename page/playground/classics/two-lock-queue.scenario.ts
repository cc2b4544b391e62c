import { scenario } from 'straightedge';
import { Mutex } from 'straightedge/explore';

interface Node {
  readonly value: number | null;
  next: Node | undefined;
}

class TwoLockQueue {
  private head: Node = { value: null, next: undefined };
  private tail = this.head;
  private readonly atHead = new Mutex();
  private readonly atTail = new Mutex();

  enqueue(value: number): void {
    const node: Node = { value, next: undefined };
    this.atTail.lock();
    this.tail.next = node;
    this.tail = node;
    this.atTail.unlock();
  }

  dequeue(): number | null {
    this.atHead.lock();
    const first = this.head.next;
    if (first !== undefined) this.head = first;
    this.atHead.unlock();
    return first?.value ?? null;
  }
}

export default scenario({
  name: 'queue with two locks',
  backend: 'instrumented',
  create: () => new TwoLockQueue(),
  calls: [['enqueue', 1], ['enqueue', 2], ['dequeue']],
  threads: 2,
  callsPerThread: 2,
});
