/** The ready-made objects by name, for who has a name and options as text: the command line. */
import type { Spec } from '../spec/spec.js';
import { byName, type Create, type Row, type Takes } from './by-name.js';
import { casRegister } from './cells/cas-register.js';
import { counter } from './cells/counter.js';
import { fetchAndAdd } from './cells/fetch-and-add.js';
import { register } from './cells/register.js';
import { deque } from './collections/deque.js';
import { map } from './collections/map.js';
import { mapPrevious } from './collections/map-previous.js';
import { multiset } from './collections/multiset.js';
import { priorityQueue } from './collections/priority-queue.js';
import { queue } from './collections/queue.js';
import { set } from './collections/set.js';
import { stack } from './collections/stack.js';
import { txnMap } from './collections/txn-map.js';
import { anything, count, finite, list, truth } from './common/parameters.js';
import { event } from './locks/event.js';
import { latch } from './locks/latch.js';
import { mutex } from './locks/mutex.js';
import { ownedMutex } from './locks/owned-mutex.js';
import { semaphore } from './locks/semaphore.js';

const container: Takes = { initial: list, empty: anything };

const rows: readonly Row<Spec>[] = [
  ['register', { initial: anything }, register],
  ['cas-register', { initial: anything }, casRegister],
  ['counter', { initial: finite }, counter],
  ['fetch-and-add', { initial: finite }, fetchAndAdd],
  ['queue', container, queue],
  ['stack', container, stack],
  ['deque', container, deque],
  ['priority-queue', container, priorityQueue],
  ['set', { initial: list }, set],
  ['multiset', { initial: list }, multiset],
  ['map', { initial: anything }, map],
  ['map-previous', { initial: anything }, mapPrevious],
  ['txn-map', { initial: anything }, txnMap],
  ['mutex', {}, mutex],
  ['owned-mutex', {}, ownedMutex],
  ['semaphore', { permits: count }, semaphore],
  ['event', { initial: truth }, event],
  ['latch', { initial: count }, ({ initial }: { initial?: number }) => latch({ count: initial ?? 1 })],
];

/** Name to object. */
export const objects: Readonly<Record<string, Create<Spec>>> = byName(rows);
