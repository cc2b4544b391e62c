/** The ready-made objects by name, for who has a name and options as text: the command line. */

import type { SyncSpec } from '../spec/rendezvous/sync-spec.js';
import type { Spec } from '../spec/spec.js';
import { counter, fetchAndAdd } from './cells/counter.js';
import { casRegister, register } from './cells/register.js';
import { deque, queue, stack } from './collections/container.js';
import { map, mapPrevious } from './collections/map.js';
import { priorityQueue } from './collections/priority-queue.js';
import { multiset, set } from './collections/set.js';
import { txnMap } from './collections/txn-map.js';
import {
  anyValue,
  ensure,
  finiteNumber,
  list,
  positiveNumber,
  type Requirement,
  trueOrFalse,
  wholeNumber,
} from './common/parameters.js';
import { event, latch } from './locks/event.js';
import { mutex, ownedMutex, semaphore } from './locks/mutex.js';
import { barrier, broadcast, combiningBarrier, enrollableBarrier } from './rendezvous/barrier.js';
import {
  channel,
  closeableChannel,
  counterChannel,
  filterChannel,
  timeoutChannel,
} from './rendezvous/channel.js';
import { exchanger, timeoutExchanger } from './rendezvous/exchanger.js';
import { terminatingQueue } from './rendezvous/terminating-queue.js';
import { abc } from './textbook/abc.js';
import { menAndWomen } from './textbook/men-and-women.js';
import { oneFamily } from './textbook/one-family.js';
import { twoFamilies } from './textbook/two-families.js';

/* Objects by name, for who has a name and options as text; each refuses what it does not take. */

/** What the command line can say about an object; undefined is the same as not given. */
export interface ObjectOptions {
  readonly initial?: unknown;
  readonly empty?: unknown;
  readonly permits?: number;
  readonly parties?: number;
}

type Create<S> = (options: ObjectOptions) => S;
type Takes = { readonly [name in keyof ObjectOptions]: Requirement };
type Row<S> = readonly [name: string, takes: Takes, create: (options: never) => S];

/** A function that refuses what the object does not take, and what is not of the kind it takes. */
function withChecks<S>([name, takes, create]: Row<S>): Create<S> {
  return (options) => {
    const named = Object.entries(options).filter(([, value]) => value !== undefined);
    for (const [option, value] of named) {
      const wanted = takes[option as keyof ObjectOptions];
      if (!wanted) throw new TypeError(`${name} takes no --${option}`);
      ensure(`--${option} of ${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`, value, wanted);
    }
    return create(Object.fromEntries(named) as never);
  };
}

/** Without a prototype, so that "constructor" is no object's name. */
const byName = <S>(rows: readonly Row<S>[]): Readonly<Record<string, Create<S>>> =>
  Object.assign(
    Object.create(null) as Record<string, Create<S>>,
    Object.fromEntries(rows.map((row) => [row[0], withChecks(row)])),
  );

/* The ready-made objects whose calls meet, by name. */

const RENDEZVOUS_OBJECTS: readonly Row<SyncSpec>[] = [
  ['channel', {}, channel],
  ['filter-channel', {}, filterChannel],
  ['counter-channel', {}, counterChannel],
  ['timeout-channel', { empty: anyValue }, timeoutChannel],
  ['closeable-channel', {}, closeableChannel],
  ['exchanger', {}, exchanger],
  ['timeout-exchanger', { empty: anyValue }, timeoutExchanger],
  ['barrier', { parties: positiveNumber }, barrier],
  ['combining-barrier', { parties: positiveNumber }, combiningBarrier],
  ['enrollable-barrier', {}, enrollableBarrier],
  ['men-and-women', {}, menAndWomen],
  ['two-families', {}, twoFamilies],
  ['one-family', {}, oneFamily],
  ['abc', {}, abc],
  ['terminating-queue', { parties: positiveNumber, empty: anyValue }, terminatingQueue],
  ['broadcast', { parties: positiveNumber }, broadcast],
];

/** Name to object. */
export const syncObjects: Readonly<Record<string, Create<SyncSpec>>> = byName(RENDEZVOUS_OBJECTS);

const container: Takes = { initial: list, empty: anyValue };

const OBJECTS: readonly Row<Spec>[] = [
  ['register', { initial: anyValue }, register],
  ['cas-register', { initial: anyValue }, casRegister],
  ['counter', { initial: finiteNumber }, counter],
  ['fetch-and-add', { initial: finiteNumber }, fetchAndAdd],
  ['queue', container, queue],
  ['stack', container, stack],
  ['deque', container, deque],
  ['priority-queue', container, priorityQueue],
  ['set', { initial: list }, set],
  ['multiset', { initial: list }, multiset],
  ['map', { initial: anyValue }, map],
  ['map-previous', { initial: anyValue }, mapPrevious],
  ['txn-map', { initial: anyValue }, txnMap],
  ['mutex', {}, mutex],
  ['owned-mutex', {}, ownedMutex],
  ['semaphore', { permits: wholeNumber }, semaphore],
  ['event', { initial: trueOrFalse }, event],
  ['latch', { initial: wholeNumber }, ({ initial }: { initial?: number }) => latch({ count: initial ?? 1 })],
];

/** Name to object. */
export const objects: Readonly<Record<string, Create<Spec>>> = byName(OBJECTS);
