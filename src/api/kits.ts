/**
 * Scenarios of common objects: locks, queues, caches, limiters and others, for an adapter of a few lines.
 *
 * @module straightedge/kits
 */

export {
  type CacheAdapter,
  cacheKit,
  type Load,
  type MemoAdapter,
  memoKit,
  type OnceAdapter,
  onceKit,
} from '../kits/caches.js';
export {
  type CircuitBreakerAdapter,
  type CircuitOptions,
  circuitBreakerKit,
  type DelayAdapter,
  debounceKit,
  throttleKit,
} from '../kits/calls.js';
export {
  type Job,
  type JobQueueAdapter,
  jobQueueKit,
  type RateLimit,
  type RateLimiterAdapter,
  rateLimiterKit,
} from '../kits/jobs.js';
export type { Kit, KitOptions } from '../kits/kit.js';
export { type ConditionAdapter, conditionKit, mutexKit, semaphoreKit } from '../kits/locks.js';
export type { MutexAdapter, SemaphoreAdapter } from '../kits/permits.js';
export {
  type BatcherAdapter,
  batcherKit,
  type PoolAdapter,
  type PoolFactory,
  type PoolResource,
  poolKit,
} from '../kits/pools.js';
export { channelKit, type QueueAdapter, queueKit } from '../kits/queues.js';
export { type ReadWriteLockAdapter, readWriteLockKit } from '../kits/readers.js';
export {
  type BarrierAdapter,
  barrierKit,
  type EventAdapter,
  eventKit,
  type LatchAdapter,
  latchKit,
} from '../kits/waiting.js';
