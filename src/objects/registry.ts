/** The ready-made specs by name, for callers with names and options as text: the command line. */
import type { SyncSpec } from '../spec/rendezvous/sync-spec.js';
import type { Spec } from '../spec/spec.js';
import { counter, fetchAndAdd } from './cells/counter.js';
import { casRegister, register } from './cells/register.js';
import { deque, queue, stack } from './collections/container.js';
import { map, mapPrevious, txnMap } from './collections/map.js';
import { priorityQueue } from './collections/priority-queue.js';
import { multiset, set } from './collections/set.js';
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
  exchanger,
  filterChannel,
  terminatingQueue,
  timeoutChannel,
  timeoutExchanger,
} from './rendezvous/channel.js';

/** The options of the command line; undefined means absent. */
export interface ObjectOptions {
  readonly initial?: unknown;
  readonly empty?: unknown;
  readonly permits?: number;
  readonly parties?: number;
}

type CreateSpec<S> = (options: ObjectOptions) => S;
type OptionRequirements = { readonly [name in keyof ObjectOptions]: Requirement };
type Row<S> = readonly [name: string, requirements: OptionRequirements, create: (options: never) => S];

const container: OptionRequirements = { initial: list, empty: anyValue };

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

/** Name to factory, for sequential specs. */
export const objects: Readonly<Record<string, CreateSpec<Spec>>> = byName(OBJECTS);

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
  ['terminating-queue', { parties: positiveNumber, empty: anyValue }, terminatingQueue],
  ['broadcast', { parties: positiveNumber }, broadcast],
];

/** Name to factory, for specs whose calls synchronise. */
export const syncObjects: Readonly<Record<string, CreateSpec<SyncSpec>>> = byName(RENDEZVOUS_OBJECTS);

/** Creates a spec after checking that it has these options and that their values are allowed. */
function checkingOptions<S>([name, requirements, create]: Row<S>): CreateSpec<S> {
  return (options) => {
    const given = Object.entries(options).filter(([, value]) => value !== undefined);
    for (const [option, value] of given) {
      const requirement = requirements[option as keyof ObjectOptions];
      if (!requirement) throw new TypeError(`${name} has no option --${option}`);
      ensure(`--${option} of ${/^[aeiou]/.test(name) ? 'an' : 'a'} ${name}`, value, requirement);
    }
    return create(Object.fromEntries(given) as never);
  };
}

/** A table without a prototype, so that "constructor" is not a name. */
function byName<S>(rows: readonly Row<S>[]): Readonly<Record<string, CreateSpec<S>>> {
  return Object.assign(
    Object.create(null) as Record<string, CreateSpec<S>>,
    Object.fromEntries(rows.map((row) => [row[0], checkingOptions(row)])),
  );
}
