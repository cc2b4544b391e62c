import { scenario } from 'straightedge';
import { AtomicRef } from 'straightedge/explore';

interface Node {
  value: string;
  next: Node | undefined;
}

class Stack {
  private readonly top = new AtomicRef<Node | undefined>(undefined);
  private free: Node | undefined;

  push(value: string): void {
    // a node that was popped is used again
    const node = this.free ?? { value, next: undefined };
    this.free = undefined;
    node.value = value;
    do {
      node.next = this.top.get();
    } while (!this.top.compareAndSet(node.next, node));
  }

  pop(): string | null {
    for (;;) {
      const node = this.top.get();
      if (node === undefined) return null;
      const { value, next } = node; // old, if the top is the same node again
      if (!this.top.compareAndSet(node, next)) continue;
      this.free = node;
      return value;
    }
  }
}

export default scenario({
  name: 'stack',
  backend: 'instrumented',
  create: () => new Stack(),
  before: [
    ['push', 'a'],
    ['push', 'b'],
  ],
  test: [[['pop']], [['pop'], ['pop'], ['push', 'c']]],
  after: [['pop'], ['pop']],
});
