export { type Abc, abc } from './abc.js';
export { type Barrier, barrier } from './barrier.js';
export { type Broadcast, broadcast } from './broadcast.js';
export type { ObjectOptions } from './by-name.js';
export { type CasRegister, casRegister } from './cas-register.js';
export { type Channel, channel } from './channel.js';
export { type CloseableChannel, closeableChannel } from './closeable-channel.js';
export {
  type CombiningBarrier,
  type CombiningBarrierOptions,
  combiningBarrier,
} from './combining-barrier.js';
export type { ContainerOptions } from './container.js';
export { type Counter, type CounterOptions, counter } from './counter.js';
export { type CounterChannel, counterChannel } from './counter-channel.js';
export { type Deque, deque } from './deque.js';
export { type EnrollableBarrier, enrollableBarrier } from './enrollable-barrier.js';
export { type EventObject, type EventOptions, event } from './event.js';
export { type Exchanger, exchanger } from './exchanger.js';
export { type FetchAndAdd, fetchAndAdd } from './fetch-and-add.js';
export { type FilterChannel, type FilterChannelOptions, filterChannel } from './filter-channel.js';
export { type Latch, type LatchOptions, latch } from './latch.js';
export { type MapObject, type MapOptions, map } from './map.js';
export { type MapPrevious, mapPrevious } from './map-previous.js';
export { type MenAndWomen, menAndWomen } from './men-and-women.js';
export { type Multiset, multiset } from './multiset.js';
export { type Mutex, mutex } from './mutex.js';
export { type OneFamily, oneFamily } from './one-family.js';
export { type OwnedMutex, ownedMutex } from './owned-mutex.js';
export type { PartiesOptions } from './parties.js';
export { type Priority, type PriorityQueue, priorityQueue } from './priority-queue.js';
export { type Queue, queue } from './queue.js';
export { type Register, type RegisterOptions, register } from './register.js';
export { objects } from './registry.js';
export { type Semaphore, type SemaphoreOptions, semaphore } from './semaphore.js';
export { type SetObject, type SetOptions, set } from './set.js';
export { type Stack, stack } from './stack.js';
export { syncObjects } from './sync-registry.js';
export { type TerminatingQueue, terminatingQueue } from './terminating-queue.js';
export { type EmptyOption, type TimeoutChannel, timeoutChannel } from './timeout-channel.js';
export { type TimeoutExchanger, timeoutExchanger } from './timeout-exchanger.js';
export { type TwoFamilies, twoFamilies } from './two-families.js';
export { type TxnAction, type TxnAnswer, type TxnMap, txnMap } from './txn-map.js';
