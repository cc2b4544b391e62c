/** Rings, a seqlock, stacks and queues: correct ones, and versions with one fault each. Values are new objects. */
import { type Scenario, scenario } from 'straightedge';
import { AtomicRef, currentThread } from 'straightedge/explore';

const EMPTY = 'empty';
const FULL = 'full';

/** One producer, one consumer: thread 0 puts, and thread 1 takes. Positions are taken modulo twice the capacity. */
class SpscRing {
  readonly slots: unknown[] = [null, null];
  head = 0;
  tail = 0;
  use(value: unknown): unknown {
    return currentThread() === 0 ? this.put(value) : this.take();
  }
  put(value: unknown): string {
    const tail = this.tail;
    if ((tail - this.head + 4) % 4 === 2) return FULL;
    this.slots[tail % 2] = value;
    this.tail = (tail + 1) % 4;
    return 'ok';
  }
  take(): unknown {
    const head = this.head;
    if (head === this.tail) return EMPTY;
    const value = this.slots[head % 2];
    this.head = (head + 1) % 4;
    return value;
  }
}

class IndexFirstRing extends SpscRing {
  override put(value: unknown): string {
    const tail = this.tail;
    if ((tail - this.head + 4) % 4 === 2) return FULL;
    this.tail = (tail + 1) % 4;
    this.slots[tail % 2] = value;
    return 'ok';
  }
}

/** Sequence numbers are taken modulo twice the capacity. */
const ROUND = 4;

/** Many producers and consumers; each takes a ticket and waits for its slot. Sequence numbers wrap around. */
class TicketRing {
  readonly slots: unknown[] = [null, null];
  readonly sequence: Int32Array = new Int32Array(new SharedArrayBuffer(8));
  readonly next: Int32Array = new Int32Array(new SharedArrayBuffer(8));
  constructor() {
    this.sequence[1] = 1;
  }
  put(value: unknown): void {
    const ticket = this.#ticket(0);
    while (Atomics.load(this.sequence, ticket % 2) !== ticket);
    this.fill(ticket, value);
  }
  protected fill(ticket: number, value: unknown): void {
    this.slots[ticket % 2] = value;
    Atomics.store(this.sequence, ticket % 2, (ticket + 1) % ROUND);
  }
  take(): unknown {
    const ticket = this.#ticket(1);
    while (Atomics.load(this.sequence, ticket % 2) !== (ticket + 1) % ROUND);
    const value = this.slots[ticket % 2];
    this.slots[ticket % 2] = null;
    Atomics.store(this.sequence, ticket % 2, (ticket + 2) % ROUND);
    return value;
  }
  #ticket(counter: number): number {
    for (;;) {
      const ticket = Atomics.load(this.next, counter);
      if (Atomics.compareExchange(this.next, counter, ticket, (ticket + 1) % ROUND) === ticket) return ticket;
    }
  }
}

class SequenceFirstRing extends TicketRing {
  protected override fill(ticket: number, value: unknown): void {
    Atomics.store(this.sequence, ticket % 2, (ticket + 1) % ROUND);
    this.slots[ticket % 2] = value;
  }
}

/** Stale positions are compared, so there are more sequence numbers. */
const LAPS = 8;

/** D. Vyukov's bounded queue with `try` operations: a producer that stopped hides values that were put after its own. */
class TryRing {
  readonly slots: unknown[] = [null, null];
  readonly sequence: Int32Array = new Int32Array(new SharedArrayBuffer(8));
  readonly next: Int32Array = new Int32Array(new SharedArrayBuffer(8));
  constructor() {
    this.sequence[1] = 1;
  }
  put(value: unknown): string {
    for (;;) {
      const at = Atomics.load(this.next, 0);
      const ahead = (Atomics.load(this.sequence, at % 2) - at + LAPS) % LAPS;
      if (ahead >= LAPS / 2) return FULL;
      if (ahead > 0 || Atomics.compareExchange(this.next, 0, at, (at + 1) % LAPS) !== at) continue;
      this.slots[at % 2] = value;
      Atomics.store(this.sequence, at % 2, (at + 1) % LAPS);
      return 'ok';
    }
  }
  take(): unknown {
    for (;;) {
      const at = Atomics.load(this.next, 1);
      const ahead = (Atomics.load(this.sequence, at % 2) - at - 1 + LAPS) % LAPS;
      if (ahead >= LAPS / 2) return EMPTY;
      if (ahead > 0 || Atomics.compareExchange(this.next, 1, at, (at + 1) % LAPS) !== at) continue;
      const value = this.slots[at % 2];
      Atomics.store(this.sequence, at % 2, (at + 2) % LAPS);
      return value;
    }
  }
}

/** A version is an object of its own, so it is never used again: versions are compared, not counted. */
class Version {
  readonly isStable: boolean;
  constructor(isStable: boolean) {
    this.isStable = isStable;
  }
}

/** One writer stores two words; readers repeat until no write came in between. */
class Seqlock {
  readonly version = new AtomicRef(new Version(true));
  low: unknown = null;
  high: unknown = null;
  write(value: unknown): void {
    for (;;) {
      const before = this.version.get();
      const busy = new Version(false);
      if (!before.isStable || !this.version.compareAndSet(before, busy)) continue;
      this.low = value;
      this.high = value;
      this.version.set(new Version(true));
      return;
    }
  }
  read(): unknown[] {
    for (;;) {
      const before = this.version.get();
      if (!before.isStable) continue;
      const low = this.low;
      const high = this.high;
      if (this.version.get() === before) return [low, high];
    }
  }
}

class UncheckedSeqlock extends Seqlock {
  override read(): unknown[] {
    while (!this.version.get().isStable);
    return [this.low, this.high];
  }
}

class Node {
  readonly value: unknown;
  readonly next: Node | null;
  constructor(value: unknown, next: Node | null) {
    this.value = value;
    this.next = next;
  }
}

/** R. K. Treiber. Systems programming: coping with parallelism. 1986. Nodes are collected as garbage. */
class TreiberStack {
  readonly head = new AtomicRef<Node | null>(null);
  push(value: unknown): void {
    for (;;) {
      const head = this.head.get();
      if (this.head.compareAndSet(head, new Node(value, head))) return;
    }
  }
  pop(): unknown {
    for (;;) {
      const head = this.head.get();
      if (head === null) return EMPTY;
      const next = head.next;
      if (this.head.compareAndSet(head, next)) return head.value;
    }
  }
}

/** Compares with a head that it reads again, after it has read the next node. */
class DoubleReadStack extends TreiberStack {
  override pop(): unknown {
    for (;;) {
      const head = this.head.get();
      if (head === null) return EMPTY;
      if (this.head.compareAndSet(this.head.get(), head.next)) return head.value;
    }
  }
}

/** A pointer that is an object of its own plays the role of a pointer with a tag. */
class Tagged {
  readonly node: PoolNode | null;
  constructor(node: PoolNode | null) {
    this.node = node;
  }
}

class PoolNode {
  value: unknown = null;
  next: PoolNode | null = null;
}

/** Stacks of nodes that are used again: the free nodes are a stack too. */
class PoolStack {
  readonly head = new AtomicRef(new Tagged(null));
  readonly free: AtomicRef<Tagged>;
  constructor(nodes: number) {
    let first: PoolNode | null = null;
    for (let i = 0; i < nodes; i++) {
      const node = new PoolNode();
      node.next = first;
      first = node;
    }
    this.free = new AtomicRef(new Tagged(first));
  }
  push(value: unknown): string {
    const node = this.#take(this.free);
    if (node === null) return FULL;
    node.value = value;
    this.#put(this.head, node);
    return 'ok';
  }
  pop(): unknown {
    const node = this.#take(this.head);
    if (node === null) return EMPTY;
    const value = node.value;
    node.value = null;
    this.#put(this.free, node);
    return value;
  }
  #take(list: AtomicRef<Tagged>): PoolNode | null {
    for (;;) {
      const first = list.get();
      if (first.node === null) return null;
      const next = first.node.next;
      if (list.compareAndSet(first, new Tagged(next))) return first.node;
    }
  }
  #put(list: AtomicRef<Tagged>, node: PoolNode): void {
    for (;;) {
      const first = list.get();
      node.next = first.node;
      if (list.compareAndSet(first, new Tagged(node))) return;
    }
  }
}

/** The same with plain pointers: a node that went and came back is taken for one that stayed (ABA). */
class UntaggedPoolStack {
  readonly head = new AtomicRef<PoolNode | null>(null);
  readonly free: AtomicRef<PoolNode | null>;
  constructor(nodes: number) {
    let first: PoolNode | null = null;
    for (let i = 0; i < nodes; i++) {
      const node = new PoolNode();
      node.next = first;
      first = node;
    }
    this.free = new AtomicRef(first);
  }
  push(value: unknown): string {
    const node = this.#take(this.free);
    if (node === null) return FULL;
    node.value = value;
    this.#put(this.head, node);
    return 'ok';
  }
  pop(): unknown {
    const node = this.#take(this.head);
    if (node === null) return EMPTY;
    const value = node.value;
    node.value = null;
    this.#put(this.free, node);
    return value;
  }
  #take(list: AtomicRef<PoolNode | null>): PoolNode | null {
    for (;;) {
      const first = list.get();
      if (first === null) return null;
      const next = first.next;
      if (list.compareAndSet(first, next)) return first;
    }
  }
  #put(list: AtomicRef<PoolNode | null>, node: PoolNode): void {
    for (;;) {
      const first = list.get();
      node.next = first;
      if (list.compareAndSet(first, node)) return;
    }
  }
}

class QueueNode {
  value: unknown = null;
  readonly next = new AtomicRef<QueueNode | null>(null);
}

/** M. Michael, M. Scott. Simple, fast, and practical non-blocking and blocking concurrent queue algorithms. PODC 1996. */
class GarbageQueue {
  readonly head: AtomicRef<QueueNode>;
  readonly tail: AtomicRef<QueueNode>;
  constructor() {
    const dummy = new QueueNode();
    this.head = new AtomicRef(dummy);
    this.tail = new AtomicRef(dummy);
  }
  enqueue(value: unknown): void {
    const node = new QueueNode();
    node.value = value;
    for (;;) {
      const tail = this.tail.get();
      const next = tail.next.get();
      if (next !== null) this.tail.compareAndSet(tail, next);
      else if (tail.next.compareAndSet(null, node)) {
        this.tail.compareAndSet(tail, node);
        return;
      }
    }
  }
  dequeue(): unknown {
    for (;;) {
      const head = this.head.get();
      const tail = this.tail.get();
      const next = head.next.get();
      if (next === null) return EMPTY;
      if (head === tail) this.tail.compareAndSet(tail, next);
      else if (this.head.compareAndSet(head, next)) return next.value;
    }
  }
}

class QueueLink {
  readonly node: PoolQueueNode | null;
  constructor(node: PoolQueueNode | null) {
    this.node = node;
  }
}

class PoolQueueNode {
  value: unknown = null;
  readonly next = new AtomicRef(new QueueLink(null));
}

/** The queue with a free list, as in the paper. A link that is an object of its own plays the role of a pointer with a count. */
class PoolQueue {
  readonly head: AtomicRef<QueueLink>;
  readonly tail: AtomicRef<QueueLink>;
  readonly free: AtomicRef<QueueLink>;
  constructor(nodes: number) {
    const dummy = new PoolQueueNode();
    this.head = new AtomicRef(new QueueLink(dummy));
    this.tail = new AtomicRef(new QueueLink(dummy));
    let first: PoolQueueNode | null = null;
    for (let i = 0; i < nodes; i++) {
      const node = new PoolQueueNode();
      node.next.set(new QueueLink(first));
      first = node;
    }
    this.free = new AtomicRef(new QueueLink(first));
  }
  enqueue(value: unknown): string {
    const node = this.#allocate();
    if (node === null) return FULL;
    node.value = value;
    node.next.set(new QueueLink(null));
    for (;;) {
      const tail = this.tail.get();
      const next = tail.node!.next.get();
      if (this.tail.get() !== tail) continue;
      if (next.node !== null) this.tail.compareAndSet(tail, new QueueLink(next.node));
      else if (tail.node!.next.compareAndSet(next, new QueueLink(node))) {
        this.tail.compareAndSet(tail, new QueueLink(node));
        return 'ok';
      }
    }
  }
  dequeue(): unknown {
    for (;;) {
      const head = this.head.get();
      const tail = this.tail.get();
      const next = head.node!.next.get();
      if (this.head.get() !== head) continue;
      if (head.node === tail.node) {
        if (next.node === null) return EMPTY;
        this.tail.compareAndSet(tail, new QueueLink(next.node));
        continue;
      }
      const value = next.node!.value;
      if (!this.head.compareAndSet(head, new QueueLink(next.node))) continue;
      this.#release(head.node!);
      return value;
    }
  }
  #allocate(): PoolQueueNode | null {
    for (;;) {
      const first = this.free.get();
      if (first.node === null) return null;
      const next = first.node.next.get();
      if (this.free.compareAndSet(first, new QueueLink(next.node))) return first.node;
    }
  }
  #release(node: PoolQueueNode): void {
    for (;;) {
      const first = this.free.get();
      node.next.set(new QueueLink(first.node));
      if (this.free.compareAndSet(first, new QueueLink(node))) return;
    }
  }
}

/** Swings the tail without a comparison, after another thread may have moved it further. */
class SwingingQueue extends GarbageQueue {
  override enqueue(value: unknown): void {
    const node = new QueueNode();
    node.value = value;
    for (;;) {
      const tail = this.tail.get();
      const next = tail.next.get();
      if (next !== null) this.tail.compareAndSet(tail, next);
      else if (tail.next.compareAndSet(null, node)) {
        this.tail.set(node);
        return;
      }
    }
  }
  override dequeue(): unknown {
    for (;;) {
      const head = this.head.get();
      const next = head.next.get();
      if (next === null) return EMPTY;
      this.head.set(next);
      return next.value;
    }
  }
}

const common = { backend: 'instrumented', threads: 2 } as const;
const ring = (create: () => TicketRing | TryRing) =>
  scenario({ ...common, create, calls: [['put', 1], ['take']], prove: { fresh: ['put'] } });
const single = (create: () => SpscRing) =>
  scenario({ ...common, create, calls: [['use', 1]], prove: { fresh: ['use'] } });
const seqlock = (create: () => Seqlock) =>
  scenario({ ...common, create, calls: [['write', 1], ['read']], prove: { fresh: ['write'] } });
/** A stack or queue with a pool has as many nodes as values may be inside, so it is never full. */
const stack = (create: () => TreiberStack | PoolStack | UntaggedPoolStack, maxElements: number) =>
  scenario({
    ...common,
    create,
    calls: [['push', 1], ['pop']],
    prove: { fresh: ['push'], maxElements, lockFree: true },
  });
const queue = (create: () => GarbageQueue | PoolQueue, maxElements: number) =>
  scenario({
    ...common,
    create,
    calls: [['enqueue', 1], ['dequeue']],
    prove: { fresh: ['enqueue'], maxElements, lockFree: true },
  });

export const spscRing: Scenario = single(() => new SpscRing());
export const indexFirstRing: Scenario = single(() => new IndexFirstRing());
export const ticketRing: Scenario = ring(() => new TicketRing());
export const sequenceFirstRing: Scenario = ring(() => new SequenceFirstRing());
export const tryRing: Scenario = ring(() => new TryRing());
export const versionSeqlock: Scenario = seqlock(() => new Seqlock());
export const uncheckedSeqlock: Scenario = seqlock(() => new UncheckedSeqlock());
export const treiberStack: Scenario = stack(() => new TreiberStack(), 2);
export const doubleReadStack: Scenario = stack(() => new DoubleReadStack(), 2);
export const poolStack: Scenario = stack(() => new PoolStack(2), 2);
export const untaggedPoolStack: Scenario = stack(() => new UntaggedPoolStack(2), 2);
export const poolQueue: Scenario = queue(() => new PoolQueue(2), 2);
export const garbageQueue: Scenario = queue(() => new GarbageQueue(), 1);
export const swingingQueue: Scenario = queue(() => new SwingingQueue(), 2);
