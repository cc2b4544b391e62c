/** The ready-made objects by name, for who has a name and options as text: the command line. */
import type { Spec } from '../spec/index.js';
import { casRegister } from './cas-register.js';
import { counter } from './counter.js';
import { anything, count, type Demand, demand, finite, list, truth } from './demand.js';
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

/** What the command line can say about an object; undefined is the same as not given. */
export interface ObjectOptions {
  readonly initial?: unknown;
  readonly empty?: unknown;
  readonly permits?: number;
}

type Create = (options: ObjectOptions) => Spec;
type Takes = { readonly [name in keyof ObjectOptions]: Demand };

/** A function that refuses what the object does not take, and what is not of the kind it takes. */
function withChecks(name: string, takes: Takes, create: (options: never) => Spec): Create {
  return (options) => {
    const named = Object.entries(options).filter(([, value]) => value !== undefined);
    for (const [option, value] of named) {
      const wanted = takes[option as keyof ObjectOptions];
      if (!wanted) throw new TypeError(`${name} takes no --${option}`);
      demand(`--${option} of ${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`, value, wanted);
    }
    return create(Object.fromEntries(named) as never);
  };
}

const container: Takes = { initial: list, empty: anything };

const rows: readonly (readonly [name: string, takes: Takes, create: (options: never) => Spec])[] = [
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

/** Name to object. Without a prototype, so that "constructor" is no object's name. */
export const objects: Readonly<Record<string, Create>> = Object.assign(
  Object.create(null) as Record<string, Create>,
  Object.fromEntries(rows.map(([name, takes, create]) => [name, withChecks(name, takes, create)])),
);
