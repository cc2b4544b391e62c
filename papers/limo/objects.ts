/**
 * The objects of LiMo's experiments, as threads that take one step at a time: each `yield` is a
 * point at which another thread may run.
 *
 *   coarse queue, coarse stack   one lock around all
 *   Michael-Scott queue          PODC 1996
 *   Treiber stack                1986
 *   time-stamped stack           M. Dodds, A. Haas, C. Kirsch. POPL 2015: each thread pushes into its own pool, and pops
 *                                the youngest value of all pools. Time stamps here are drawn in sequence
 *   faulty time-stamped stack    pops the youngest value of the first pool that has one
 */
type Steps<R> = Generator<void, R>;

interface Threads {
  add(thread: number, value: number): Steps<undefined>;
  remove(thread: number): Steps<number | null>;
}

export interface LimoObject {
  readonly kind: 'queue' | 'stack';
  readonly isRight: boolean;
  readonly create: (threads: number) => Threads;
}

function coarse(kind: 'queue' | 'stack'): Threads {
  const items: number[] = [];
  let [isLocked, first] = [false, 0];
  function* locked<R>(work: () => R): Steps<R> {
    while (isLocked) yield;
    isLocked = true;
    yield;
    const result = work();
    yield;
    isLocked = false;
    return result;
  }
  const take = () => (kind === 'queue' ? items[first++] : items.pop()) ?? null;
  return {
    add: (_, value) => locked(() => void items.push(value)),
    remove: () => locked(() => (kind === 'queue' && first === items.length ? null : take())),
  };
}

interface Node {
  readonly value: number;
  next: Node | null;
}

function michaelScott(): Threads {
  let head: Node = { value: -1, next: null };
  let tail = head;
  return {
    *add(_, value) {
      const node: Node = { value, next: null };
      for (;;) {
        const last = tail;
        yield;
        const { next } = last;
        yield;
        if (next) {
          if (tail === last) tail = next;
        } else if (last.next === null) {
          last.next = node;
          yield;
          if (tail === last) tail = node;
          return undefined;
        }
        yield;
      }
    },
    *remove() {
      for (;;) {
        const [first, last] = [head, tail];
        yield;
        const { next } = first;
        yield;
        if (first !== head) continue;
        if (first === last) {
          if (!next) return null;
          if (tail === last) tail = next;
        } else if (next && head === first) {
          head = next;
          return next.value;
        }
        yield;
      }
    },
  };
}

function treiber(): Threads {
  let top: Node | null = null;
  return {
    *add(_, value) {
      for (;;) {
        const next: Node | null = top;
        yield;
        if (top === next) {
          top = { value, next };
          return undefined;
        }
      }
    },
    *remove() {
      for (;;) {
        const first: Node | null = top;
        if (!first) return null;
        yield;
        if (top === first) {
          top = first.next;
          return first.value;
        }
      }
    },
  };
}

interface Stamped {
  readonly value: number;
  stamp: number;
  isTaken: boolean;
}

/** `isRight`: it looks into all pools before it chooses. */
function timeStamped(threads: number, isRight: boolean): Threads {
  const pools: Stamped[][] = Array.from({ length: threads }, () => []);
  let clock = 0;
  const youngest = (pool: readonly Stamped[]) => pool.findLast(({ isTaken }) => !isTaken);
  return {
    *add(thread, value) {
      const item = { value, stamp: Number.POSITIVE_INFINITY, isTaken: false };
      pools[thread].push(item);
      yield;
      item.stamp = ++clock;
      return undefined;
    },
    *remove(thread) {
      const begin = ++clock;
      for (;;) {
        const seen: (Stamped | undefined)[] = [];
        let best: Stamped | undefined;
        for (let i = 0; i < threads; i++) {
          yield;
          const item = youngest(pools[(thread + i) % threads]);
          seen.push(item);
          if (item && (!best || item.stamp > best.stamp)) best = item;
          if (best && (!isRight || best.stamp > begin)) break;
        }
        yield;
        if (best && !best.isTaken) {
          best.isTaken = true;
          const pool = pools.find((own) => own.includes(best)) as Stamped[];
          pool.splice(pool.indexOf(best), 1);
          return best.value;
        }
        const isUnchanged = seen.every((item, i) => youngest(pools[(thread + i) % threads]) === item);
        if (!best && isUnchanged) return null;
      }
    },
  };
}

export const LIMO_OBJECTS: Readonly<Record<string, LimoObject>> = {
  'coarse-lock queue': { kind: 'queue', isRight: true, create: () => coarse('queue') },
  'coarse-lock stack': { kind: 'stack', isRight: true, create: () => coarse('stack') },
  'Michael-Scott queue': { kind: 'queue', isRight: true, create: michaelScott },
  'Treiber stack': { kind: 'stack', isRight: true, create: treiber },
  'time-stamped stack': { kind: 'stack', isRight: true, create: (threads) => timeStamped(threads, true) },
  'faulty time-stamped stack': {
    kind: 'stack',
    isRight: false,
    create: (threads) => timeStamped(threads, false),
  },
};
