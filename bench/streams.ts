/** Endless streams of events of objects that stay small; the results come from plain sequential code. */
import type { HistoryEvent, Spec } from 'straightedge';
import { queue, register, set, stack } from 'straightedge/objects';
import { type BenchSubject, priorityQueueSubject } from './subjects.js';
import { moments } from './workload.js';

const PROCESSES = 8;
const KEYS = 1_000;

export type StreamName = 'queue' | 'set' | 'register' | 'stack' | 'priority-queue';

export const STREAMS: Readonly<Record<StreamName, () => BenchSubject>> = {
  queue: () => fresh(queue() as unknown as Spec, 'enqueue', 'dequeue', (items) => items.shift()),
  set: () => ({
    spec: set() as unknown as Spec,
    create: () => {
      const keys = new Set<number>();
      return {
        add: (key: number) => !keys.has(key) && keys.add(key) === keys,
        remove: (key: number) => keys.delete(key),
        contains: (key: number) => keys.has(key),
      };
    },
    draw: (below) => ({ method: ['add', 'remove', 'contains'][below(3)], args: [below(KEYS)] }),
    answering: ['contains'],
    wrong: null,
  }),
  register: () => {
    let written = 0;
    return {
      spec: register() as unknown as Spec,
      create: () => {
        let value: unknown = null;
        return {
          read: () => value,
          write: (next: unknown) => {
            value = next;
          },
        };
      },
      draw: (below) =>
        below(2) === 0 ? { method: 'read', args: [] } : { method: 'write', args: [written++] },
      answering: ['read'],
      wrong: -1,
    };
  },
  stack: () => fresh(stack() as unknown as Spec, 'push', 'pop', (items) => items.pop()),
  'priority-queue': () => priorityQueueSubject(45),
};

/** Values that are inserted once; more calls remove than insert, so the object stays small. */
function fresh(spec: Spec, add: string, remove: string, take: (items: unknown[]) => unknown): BenchSubject {
  let put = 0;
  return {
    spec,
    create: () => {
      const items: unknown[] = [];
      return { [add]: (value: unknown) => void items.push(value), [remove]: () => take(items) ?? null };
    },
    draw: (below) => (below(100) < 45 ? { method: add, args: [put++] } : { method: remove, args: [] }),
    answering: [remove],
    wrong: -1,
  };
}

export function* streamOf(name: StreamName, events: number): Generator<HistoryEvent> {
  const simulation = { operations: Math.ceil(events / 2), processes: PROCESSES, seed: 1 };
  for (const { isCall, operation } of moments(STREAMS[name](), simulation)) {
    const { process, method, args, result } = operation;
    yield isCall ? { type: 'call', process, method, args } : { type: 'return', process, result };
  }
}
