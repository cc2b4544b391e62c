/** The ready-made objects by name, for who has a name and options as text: the command line. */
import type { Spec } from '../spec/index.js';
import { byName, type Create, type Row, type Takes } from './by-name.js';
import { casRegister } from './cas-register.js';
import { counter } from './counter.js';
import { anything, count, finite, list, truth } from './demand.js';
import { deque } from './deque.js';
import { event } from './event.js';
import { fetchAndAdd } from './fetch-and-add.js';
import { latch } from './latch.js';
import { map } from './map.js';
import { mapPrevious } from './map-previous.js';
import { multiset } from './multiset.js';
import { mutex } from './mutex.js';
import { ownedMutex } from './owned-mutex.js';
import { priorityQueue } from './priority-queue.js';
import { queue } from './queue.js';
import { register } from './register.js';
import { semaphore } from './semaphore.js';
import { set } from './set.js';
import { stack } from './stack.js';
import { txnMap } from './txn-map.js';

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
