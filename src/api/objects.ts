export type { ObjectOptions } from '../objects/by-name.js';
export { type CasRegister, casRegister } from '../objects/cells/cas-register.js';
export { type Counter, type CounterOptions, counter } from '../objects/cells/counter.js';
export { type FetchAndAdd, fetchAndAdd } from '../objects/cells/fetch-and-add.js';
export { type Register, type RegisterOptions, register } from '../objects/cells/register.js';
export type { ContainerOptions } from '../objects/collections/container.js';
export { type Deque, deque } from '../objects/collections/deque.js';
export { type MapObject, type MapOptions, map } from '../objects/collections/map.js';
export { type MapPrevious, mapPrevious } from '../objects/collections/map-previous.js';
export { type Multiset, multiset } from '../objects/collections/multiset.js';
export { type Priority, type PriorityQueue, priorityQueue } from '../objects/collections/priority-queue.js';
export { type Queue, queue } from '../objects/collections/queue.js';
export { type SetObject, type SetOptions, set } from '../objects/collections/set.js';
export { type Stack, stack } from '../objects/collections/stack.js';
export { type TxnAction, type TxnAnswer, type TxnMap, txnMap } from '../objects/collections/txn-map.js';
export { type EventObject, type EventOptions, event } from '../objects/locks/event.js';
export { type Latch, type LatchOptions, latch } from '../objects/locks/latch.js';
export { type Mutex, mutex } from '../objects/locks/mutex.js';
export { type OwnedMutex, ownedMutex } from '../objects/locks/owned-mutex.js';
export { type Semaphore, type SemaphoreOptions, semaphore } from '../objects/locks/semaphore.js';
export { objects } from '../objects/registry.js';
export { type Barrier, barrier } from '../objects/rendezvous/barrier.js';
export { type Broadcast, broadcast } from '../objects/rendezvous/broadcast.js';
export { type Channel, channel } from '../objects/rendezvous/channel.js';
export { type CloseableChannel, closeableChannel } from '../objects/rendezvous/closeable-channel.js';
export {
  type CombiningBarrier,
  type CombiningBarrierOptions,
  combiningBarrier,
} from '../objects/rendezvous/combining-barrier.js';
export { type CounterChannel, counterChannel } from '../objects/rendezvous/counter-channel.js';
export { type EnrollableBarrier, enrollableBarrier } from '../objects/rendezvous/enrollable-barrier.js';
export { type Exchanger, exchanger } from '../objects/rendezvous/exchanger.js';
export {
  type FilterChannel,
  type FilterChannelOptions,
  filterChannel,
} from '../objects/rendezvous/filter-channel.js';
export type { PartiesOptions } from '../objects/rendezvous/parties.js';
export { type TerminatingQueue, terminatingQueue } from '../objects/rendezvous/terminating-queue.js';
export {
  type EmptyOption,
  type TimeoutChannel,
  timeoutChannel,
} from '../objects/rendezvous/timeout-channel.js';
export { type TimeoutExchanger, timeoutExchanger } from '../objects/rendezvous/timeout-exchanger.js';
export { syncObjects } from '../objects/sync-registry.js';
export { type Abc, abc } from '../objects/textbook/abc.js';
export { type MenAndWomen, menAndWomen } from '../objects/textbook/men-and-women.js';
export { type OneFamily, oneFamily } from '../objects/textbook/one-family.js';
export { type TwoFamilies, twoFamilies } from '../objects/textbook/two-families.js';
