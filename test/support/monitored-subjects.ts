/** Objects that have a monitor, with calls for random histories. */

import { counter, fetchAndAdd } from '../../src/objects/cells/counter.js';
import { casRegister, register } from '../../src/objects/cells/register.js';
import { queue, stack } from '../../src/objects/collections/container.js';
import { map, mapPrevious } from '../../src/objects/collections/map.js';
import { priorityQueue } from '../../src/objects/collections/priority-queue.js';
import { multiset, set } from '../../src/objects/collections/set.js';
import { mutex, ownedMutex, semaphore } from '../../src/objects/locks/mutex.js';
import type { Spec } from '../../src/spec/spec.js';
import type { Subject } from './random-history.js';

const QUEUE = [['enqueue', 0], ['dequeue']] as const;
const STACK = [['push', 0], ['pop']] as const;
const PRIORITY_QUEUE = [['insert', 0], ['deleteMin']] as const;
const TIED = [1, 2, 3].map((priority) => ['insert', 0, priority] as const);
const SET = [
  ['add', 'a'],
  ['remove', 'a'],
  ['contains', 'a'],
] as const;
const OWNED = ['a', 'b', 'c'].flatMap((owner) =>
  ['lock', 'unlock', 'tryLock'].map((method) => [method, owner] as const),
);
const CAS = [
  ['write', 0],
  ['read'],
  ['read'],
  ...[0, 1, 2, 3, 4].map((old) => ['cas', old, 0] as const),
] as const;
/** Values that come again and again. */
const few = (add: string, remove: string) =>
  [[add, 1], [add, 2], [add, 3], [remove], [remove], [remove]] as (readonly [string, ...unknown[]])[];
/** Each of these calls on two keys. */
const onKeys = (...calls: readonly (readonly [string, ...unknown[]])[]) =>
  calls.flatMap(([method, ...args]) => ['a', 'b'].map((key) => [method, key, ...args] as const));

/**
 * `aside`: so much of the histories at most may be beyond the monitor; a fifth, if not told. `wrong`: so much at least has
 * no order; a twentieth, if not told.
 */
export const MONITORED: Readonly<
  Record<string, Omit<Subject, 'plain'> & { readonly aside?: number; readonly wrong?: number }>
> = {
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
  'stack of few values': { spec: stack({ initial: [1] }) as Spec, calls: few('push', 'pop'), aside: 0 },
  'queue of few values': {
    spec: queue({ initial: [1] }) as Spec,
    calls: few('enqueue', 'dequeue'),
    aside: 0,
  },
  'priority queue of few values': {
    spec: priorityQueue({ initial: [2] }) as Spec,
    calls: [...few('insert', 'deleteMin'), ['insert', 1, 3]],
    aside: 0,
  },
  'stack of few values with peeks': {
    spec: stack() as Spec,
    calls: [...few('push', 'pop'), ['peek'], ['peek']],
    aside: 0,
  },
  'queue of few values with peeks': {
    spec: queue() as Spec,
    calls: [...few('enqueue', 'dequeue'), ['peek'], ['peek']],
  },
  'priority queue of few values with peeks': {
    spec: priorityQueue() as Spec,
    calls: [...few('insert', 'deleteMin'), ['min'], ['min']],
  },
  set: { spec: set() as Spec, calls: SET },
  'set of two keys that begins with one': {
    spec: set({ initial: ['a'] }) as Spec,
    calls: [...SET, ['add', 'b'], ['remove', 'b'], ['contains', 'b']],
  },
  'multiset that begins with a key': {
    spec: multiset({ initial: ['a'] }) as Spec,
    calls: [
      ['add', 'a'],
      ['add', 'b'],
      ['remove', 'a'],
      ['remove', 'b'],
      ['contains', 'a'],
    ],
    insists: { remove: true, contains: true },
    always: true,
  },
  counter: {
    spec: counter() as Spec,
    calls: [['increment'], ['increment', 1], ['increment', 0], ['read'], ['read']],
  },
  'counter that goes down by 2': {
    spec: counter({ initial: 3 }) as Spec,
    calls: [['decrement', 2], ['increment', -2], ['read']],
  },
  'fetch-and-add': { spec: fetchAndAdd() as Spec, calls: [['add', 1], ['add', 1], ['add', 0], ['read']] },
  'fetch-and-add of several amounts': {
    spec: fetchAndAdd({ initial: 7 }) as Spec,
    calls: [['add', -1], ['add', -2], ['read']],
  },
  mutex: {
    spec: mutex() as Spec,
    calls: [['lock'], ['unlock'], ['tryLock']],
    insists: { lock: undefined, unlock: undefined },
  },
  'owned mutex': {
    spec: ownedMutex() as Spec,
    calls: OWNED,
    sequential: true,
    insists: { lock: undefined, unlock: undefined },
  },
  semaphore: {
    spec: semaphore({ permits: 2 }) as Spec,
    calls: [['acquire'], ['acquire', 2], ['release'], ['release', 2], ['tryAcquire']],
    insists: { acquire: undefined, tryAcquire: true },
    always: true,
  },
  register: { spec: register() as Spec, calls: [['write', 0], ['read'], ['read']], fresh: ['write'] },
  'cas-register': { spec: casRegister({ initial: 0 }) as Spec, calls: CAS, fresh: ['write', 'cas'] },
  map: { spec: map() as Spec, calls: onKeys(['put', 0], ['get'], ['get']), fresh: ['put'] },
  'map with all methods': {
    spec: map() as Spec,
    calls: onKeys(['put', 0], ['get'], ['get'], ['remove'], ['getOrElseUpdate', 0], ['cas', 1, 0]),
    fresh: ['put', 'getOrElseUpdate', 'cas'],
    aside: 0.5,
  },
  'map that tells the previous value': {
    spec: mapPrevious() as Spec,
    calls: onKeys(['put', 0], ['get'], ['remove'], ['getOrElseUpdate', 0]),
    fresh: ['put', 'getOrElseUpdate'],
    aside: 0.3,
  },
  'register of few values': {
    spec: register({ initial: 0 }) as Spec,
    calls: [['write', 0], ['write', 1], ['write', 2], ['write', 3], ['read'], ['read'], ['read']],
    aside: 0.8,
    wrong: 0.02,
  },
  'cas-register of few values': {
    spec: casRegister({ initial: 0 }) as Spec,
    calls: [['write', 1], ['write', 2], ['cas', 1, 2], ['cas', 0, 1], ['cas', 2, 0], ['read'], ['read']],
    aside: 0.8,
  },
};
