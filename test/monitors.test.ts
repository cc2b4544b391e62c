/**
 * Monitors agree with the oracle on random histories, and show it: orders replay, causes are confirmed,
 * cores have no order by themselves. `npm run agree` tries 200,000 of each; a plain test run a share.
 */
import { describe, expect, test } from 'vitest';
import type { Spec } from '../src/index.js';
import { priorityQueue, queue, stack } from '../src/objects/index.js';
import { agreed } from './support/monitored.js';
import { Random, randomHistory, type Subject } from './support/random-history.js';

const HISTORIES = Number(process.env.MONITORS ?? (process.env.AGREE === 'all' ? 200_000 : 3_000));

const QUEUE = [['enqueue', 0], ['dequeue']] as const;
const STACK = [['push', 0], ['pop']] as const;
const PRIORITY_QUEUE = [['insert', 0], ['deleteMin']] as const;
const TIED = [1, 2, 3].map((priority) => ['insert', 0, priority] as const);
const SUBJECTS: Readonly<Record<string, Omit<Subject, 'plain'>>> = {
  queue: { spec: queue() as Spec, calls: QUEUE, fresh: ['enqueue'] },
  'queue with peeks': { spec: queue() as Spec, calls: [...QUEUE, ['peek']], fresh: ['enqueue'] },
  'queue that begins with values': {
    spec: queue({ initial: [-1, -2, -3] }) as Spec,
    calls: [...QUEUE, ['dequeue'], ['peek']],
    fresh: ['enqueue'],
  },
  stack: { spec: stack() as Spec, calls: STACK, fresh: ['push'] },
  'stack with peeks': { spec: stack() as Spec, calls: [...STACK, ['peek']], fresh: ['push'] },
  'stack that begins with values': {
    spec: stack({ initial: [-1, -2, -3] }) as Spec,
    calls: [...STACK, ['pop'], ['peek']],
    fresh: ['push'],
  },
  'priority queue': { spec: priorityQueue() as Spec, calls: PRIORITY_QUEUE, fresh: ['insert'] },
  'priority queue with ties': {
    spec: priorityQueue() as Spec,
    calls: [...TIED, ['deleteMin'], ['deleteMin'], ['deleteMin'], ['min']],
    freshFirst: ['insert'],
  },
  'priority queue that begins with values': {
    spec: priorityQueue({ initial: [3.5, -2, 6.5] }) as Spec,
    calls: [...PRIORITY_QUEUE, ['deleteMin'], ['min']],
    fresh: ['insert'],
  },
  'priority queue with peeks': {
    spec: priorityQueue() as Spec,
    calls: [...PRIORITY_QUEUE, ['min']],
    fresh: ['insert'],
  },
};

describe.each(Object.entries(SUBJECTS))('random histories of a %s', (_, subject) => {
  test('are judged as the oracle does', () => {
    const random = new Random(4);
    const counts = { yes: 0, no: 0, aside: 0 };
    for (let i = 0; i < HISTORIES; i++) {
      const said = agreed(randomHistory({ ...subject, plain: true }, random, 10), subject.spec);
      counts[said === 'aside' ? 'aside' : said ? 'yes' : 'no']++;
    }
    expect(counts.yes / HISTORIES).toBeGreaterThan(0.1);
    expect(counts.no / HISTORIES).toBeGreaterThan(0.05);
    expect(counts.aside / HISTORIES).toBeLessThan(0.2);
  });
});
