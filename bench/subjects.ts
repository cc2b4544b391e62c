/**
 * The objects that benchmarks simulate, as plain sequential code, and the spec of each.
 *
 * Results come from this code and not from the spec, so an incorrect spec shows.
 */
import type { Spec } from 'straightedge';
import { casRegister, map, priorityQueue, queue, set, stack } from 'straightedge/objects';
import type { Dice, Subject } from './workload.js';

export interface BenchSubject extends Subject {
  readonly spec: Spec;
}

/** read, write and cas in equal shares. */
export const casRegisterSubject = (values: number): BenchSubject => ({
  spec: casRegister() as unknown as Spec,
  create: () => {
    const { get, put, cas } = cells();
    return {
      read: () => get(0),
      write: (value: unknown) => put(0, value),
      cas: (old: unknown, next: unknown) => cas(0, old, next),
    };
  },
  draw: (below) => drawUpdate(below, values, ['read', 'write', 'cas'], []),
  answering: ['read'],
  wrong: values,
});

/** Each write has a distinct value; a third of the calls are reads. */
export const freshRegisterSubject = (): BenchSubject => {
  let written = 0;
  const { create } = casRegisterSubject(1);
  return {
    spec: casRegister() as unknown as Spec,
    create,
    draw: (below) => (below(3) === 0 ? { method: 'read', args: [] } : { method: 'write', args: [written++] }),
    answering: ['read'],
    wrong: -1,
  };
};

/** get, put and cas in equal shares. */
export const casMapSubject = (keys: number, values: number): BenchSubject => ({
  spec: map() as unknown as Spec,
  create: cells,
  draw: (below) => {
    const key = `k${below(keys)}`;
    return drawUpdate(below, values, ['get', 'put', 'cas'], [key]);
  },
  answering: ['get'],
  wrong: values,
});

/** The map of Lowe's figures: get, put, remove and getOrElseUpdate in equal shares. */
export const lowesMapSubject = (keys: number, values: number): BenchSubject => ({
  spec: map() as unknown as Spec,
  create: cells,
  draw: (below) => {
    const method = ['get', 'put', 'remove', 'getOrElseUpdate'][below(4)];
    const key = below(keys);
    const hasValue = method === 'put' || method === 'getOrElseUpdate';
    return { method, args: hasValue ? [key, below(values)] : [key] };
  },
  answering: ['get'],
  wrong: values,
});

/** `additions`: their percentage of the calls. */
export const queueSubject = (values: number, additions: number): BenchSubject => ({
  spec: queue() as unknown as Spec,
  create: () => {
    const items: unknown[] = [];
    let first = 0;
    return {
      enqueue: (value: unknown) => void items.push(value),
      dequeue: () => (first < items.length ? items[first++] : null),
    };
  },
  draw: drawAddOrRemove(values, additions, 'enqueue', 'dequeue'),
  answering: ['dequeue'],
  wrong: values,
});

export const stackSubject = (values: number, additions: number): BenchSubject => ({
  spec: stack() as unknown as Spec,
  create: () => {
    const items: unknown[] = [];
    return { push: (value: unknown) => void items.push(value), pop: () => items.pop() ?? null };
  },
  draw: drawAddOrRemove(values, additions, 'push', 'pop'),
  answering: ['pop'],
  wrong: values,
});

/** Each value is inserted once; `additions`: their percentage of the calls. */
export function fresh(subject: BenchSubject, add: string, remove: string, additions: number): BenchSubject {
  let added = 0;
  return {
    ...subject,
    draw: (below) =>
      below(100) < additions ? { method: add, args: [added++] } : { method: remove, args: [] },
    wrong: -1,
  };
}

/** Values are their own priorities and distinct; the smallest is removed first. */
export const priorityQueueSubject = (additions: number): BenchSubject => {
  let added = 0;
  return {
    spec: priorityQueue() as unknown as Spec,
    create: () => {
      const heap = new Heap();
      return { insert: (value: number) => heap.push(value), deleteMin: () => heap.pop() ?? null };
    },
    draw: (below) =>
      below(100) < additions
        ? { method: 'insert', args: [below(1_000) * 10_000_000 + added++] }
        : { method: 'deleteMin', args: [] },
    answering: ['deleteMin'],
    wrong: -1,
  };
};

/** add, remove and contains in equal shares. */
export const setSubject = (keys: number): BenchSubject => ({
  spec: set() as unknown as Spec,
  create: () => {
    const members = new Set<unknown>();
    return {
      add: (key: unknown) => !members.has(key) && members.add(key) !== undefined,
      remove: (key: unknown) => members.delete(key),
      contains: (key: unknown) => members.has(key),
    };
  },
  draw: (below) => ({ method: ['add', 'remove', 'contains'][below(3)], args: [below(keys)] }),
  answering: ['contains'],
  wrong: true,
});

/** The same object, to be checked without splitting it into parts. */
export function whole(subject: BenchSubject): BenchSubject {
  const { part: _, ...spec } = subject.spec;
  return { ...subject, spec };
}

/** Cells by key; an absent cell is null. */
function cells() {
  const values = new Map<unknown, unknown>();
  const get = (key: unknown) => values.get(key) ?? null;
  const put = (key: unknown, value: unknown) => void values.set(key, value);
  return {
    get,
    put,
    remove: (key: unknown) => values.delete(key),
    cas: (key: unknown, old: unknown, next: unknown) => {
      const fits = get(key) === old;
      if (fits) put(key, next);
      return fits;
    },
    getOrElseUpdate: (key: unknown, value: unknown) => {
      if (!values.has(key)) put(key, value);
      return get(key);
    },
  };
}

/** A read, a write or a compare-and-swap. Every draw takes the same number of random numbers. */
function drawUpdate(below: Dice, values: number, methods: readonly string[], before: readonly unknown[]) {
  const args = [[], [below(values)], [below(values), below(values)]];
  const which = below(3);
  return { method: methods[which], args: [...before, ...args[which]] };
}

function drawAddOrRemove(values: number, additions: number, add: string, remove: string): Subject['draw'] {
  return (below) =>
    below(100) < additions ? { method: add, args: [below(values)] } : { method: remove, args: [] };
}

/** A binary heap: `pop` removes the smallest number. */
class Heap {
  readonly #items: number[] = [];

  push(item: number): void {
    const items = this.#items;
    let at = items.push(item) - 1;
    for (let up = (at - 1) >> 1; at > 0 && items[up] > item; at = up, up = (at - 1) >> 1)
      items[at] = items[up];
    items[at] = item;
  }

  pop(): number | undefined {
    const items = this.#items;
    const [least, last] = [items[0], items.pop()];
    if (last === undefined || items.length === 0) return last;
    let at = 0;
    for (let down = 1; down < items.length; down = 2 * at + 1) {
      if (down + 1 < items.length && items[down + 1] < items[down]) down++;
      if (items[down] >= last) break;
      items[at] = items[down];
      at = down;
    }
    items[at] = last;
    return least;
  }
}
