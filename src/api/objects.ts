/**
 * Ready-made specs: sequential objects and objects whose calls synchronise.
 *
 * @module straightedge/objects
 */
export {
  type Counter,
  type CounterOptions,
  counter,
  type FetchAndAdd,
  fetchAndAdd,
} from '../objects/cells/counter.js';
export {
  type CasRegister,
  casRegister,
  type Register,
  type RegisterOptions,
  register,
} from '../objects/cells/register.js';
export type { ContainerOptions } from '../objects/collections/container.js';
export { type Deque, deque, type Queue, queue, type Stack, stack } from '../objects/collections/container.js';
export {
  type MapObject,
  type MapOptions,
  type MapPrevious,
  map,
  mapPrevious,
  type TxnAction,
  type TxnMap,
  type TxnResult,
  txnMap,
} from '../objects/collections/map.js';
export { type Priority, type PriorityQueue, priorityQueue } from '../objects/collections/priority-queue.js';
export { type Multiset, multiset, type SetObject, type SetOptions, set } from '../objects/collections/set.js';
export {
  type EventObject,
  type EventOptions,
  event,
  type Latch,
  type LatchOptions,
  latch,
} from '../objects/locks/event.js';
export {
  type Exclusive,
  type ExclusiveOptions,
  exclusive,
  type Mutex,
  mutex,
  type OwnedMutex,
  ownedMutex,
  type Semaphore,
  type SemaphoreOptions,
  semaphore,
} from '../objects/locks/mutex.js';
export type { PartiesOptions } from '../objects/rendezvous/barrier.js';
export {
  type Barrier,
  type Broadcast,
  barrier,
  broadcast,
  type CombiningBarrier,
  type CombiningBarrierOptions,
  combiningBarrier,
  type EnrollableBarrier,
  enrollableBarrier,
} from '../objects/rendezvous/barrier.js';
export {
  type Channel,
  type CloseableChannel,
  type CounterChannel,
  channel,
  closeableChannel,
  counterChannel,
  type EmptyOption,
  type Exchanger,
  exchanger,
  type FilterChannel,
  type FilterChannelOptions,
  filterChannel,
  type TerminatingQueue,
  type TimeoutChannel,
  type TimeoutExchanger,
  terminatingQueue,
  timeoutChannel,
  timeoutExchanger,
} from '../objects/rendezvous/channel.js';
