/** Kits of locks and semaphores. */
import { clients, type Kit, kitOf, numbers, type Tested } from './kit.js';
import { type MutexAdapter, methodsOf, Permits, type SemaphoreAdapter, type Words } from './permits.js';

function promisesOf(
  {
    tryAcquire,
    abortable,
    timed,
    use,
    cancel,
    fair,
    releaseTwice,
    weighted,
    overtaking,
  }: Partial<SemaphoreAdapter<never, never>>,
  { one, permits, isMutex }: Words,
): readonly (Tested | false | undefined)[] {
  /** Calls that take all permits but `left`, each by a client. */
  const others = (left: number): string =>
    numbers(permits - left, 2)
      .map((n) => `use ${n} | `)
      .join('');
  const [all, rest] = [others(0), others(1)];
  const n = permits + 2;
  return [
    {
      promise: isMutex
        ? 'one holder at a time, and every waiter gets its turn'
        : `at most ${permits} permits in use, and every waiter gets its turn`,
      tests: [
        clients(`${all} use 1`, 'free'),
        clients('releaseFirst | use 1 | use 2', 'free', 'acquireFirst'),
        clients(`${rest} use 1, use ${n} | use ${n + 1}`, 'free'),
        clients(`${rest} useBriefly 1, useBriefly ${n} | useBriefly ${n + 1}`, 'free'),
        clients('releaseOne | use 1', 'releaseFirst, free', 'acquireFirst'),
        ...(isMutex
          ? [clients('use 1 | use 2 | use 3', 'free'), clients('use 1, use 3 | use 2, use 4', 'free')]
          : []),
      ],
    },
    tryAcquire && {
      promise: 'an attempt that fails takes nothing',
      tests: [clients(`${all} tryUse 1`, 'free'), clients(`${rest} tryUse 1 | tryUse ${n}`, 'free')],
    },
    abortable && {
      promise: 'an aborted wait leaves nothing behind',
      tests: [
        clients('abortedUse 1 | abort 1 | releaseFirst', 'free', 'acquireFirst'),
        clients('abortedUse 1 | abort 1 | releaseFirst | use 2', 'free', 'acquireFirst'),
        clients(`${all} abortedUse 1 | abort 1`, 'free'),
      ],
    },
    abortable && {
      promise: 'an aborted wait ends at once',
      tests: [clients('abortedUse 1 | abort 1 | hasEnded abortedUse 1, releaseFirst', '', 'acquireFirst')],
    },
    timed && {
      promise: 'a wait that times out leaves nothing behind',
      tests: [
        clients('timedUse 1 | releaseFirst', 'free', 'acquireFirst'),
        clients('timedUse 1 | releaseFirst | use 2', 'free', 'acquireFirst'),
        clients('timedUse 1 | releaseFirst | timedUse 2', 'free', 'acquireFirst'),
        clients(`${all} timedUse 1`, 'free'),
      ],
    },
    timed && {
      promise: 'a wait with a time-out ends',
      tests: [clients('timedUse 1 | hasEnded timedUse 1, releaseFirst', '', 'acquireFirst')],
    },
    use && {
      promise: `an error of the work releases ${one}`,
      tests: [
        clients(`${rest} run 1 | run ${n} throw`, 'free'),
        clients(`${rest} run 1 throw, run ${n} | run ${n + 1} throw`, 'free'),
      ],
    },
    cancel && {
      promise: 'cancelled waits leave nothing behind',
      tests: [
        clients('cancelledUse 1 | cancel | releaseFirst', 'free', 'acquireFirst'),
        clients('cancelledUse 1 | cancel | releaseFirst | cancelledUse 2', 'free', 'acquireFirst'),
      ],
    },
    releaseTwice && {
      promise: 'a second release changes nothing',
      tests: [clients(`${rest} releaseTwice 1 | use ${n} | use ${n + 1}`, 'free')],
    },
    fair && {
      promise: 'waiters are served in the order of their calls',
      tests: [
        clients('releaseFirst | queue 1 | queue 2', 'free', 'acquireFirst'),
        clients('releaseFirst | queue 1, queue 3 | queue 2', 'free', 'acquireFirst'),
      ],
    },
    weighted && {
      promise: 'never more than all permits in use, with several for a call',
      tests: [
        clients(`use 1 1 | use 2 ${permits}`, 'free'),
        clients(`use 1 1 | use 2 ${permits} | use 3 1`, 'free'),
        clients(`use 1 ${permits} | use 2 ${permits} | use 3 1`, 'free'),
        clients(`releaseFirst | use 1 ${permits} | use 2 1`, 'free', 'acquireFirst'),
      ],
    },
    weighted &&
      overtaking && {
        promise: 'a free permit is used',
        tests: [clients(`releaseOne | use 1 ${permits} | use 2 1, releaseFirst`, 'free', 'acquireFirst')],
      },
  ];
}

/**
 * A kit of locks: one holder at a time, no lost wake-up, and what else the adapter names.
 *
 * @example
 * export default mutexKit({
 *   create: () => new Mutex(),
 *   acquire: (mutex) => mutex.acquire(),
 *   release: (_mutex, release) => release(),
 * });
 */
export function mutexKit<M, H>(adapter: MutexAdapter<M, H>): Kit {
  const words: Words = { one: 'the lock', permits: 1, isMutex: true };
  return kitOf({
    kind: 'mutex',
    options: adapter,
    create: async () => new Permits(await adapter.create(), words),
    methods: methodsOf(adapter as never, words),
    promises: promisesOf(adapter as never, words),
  });
}

/**
 * A kit of semaphores: never more permits in use than there are, no lost wake-up, and what else the adapter names.
 *
 * @example
 * export default semaphoreKit({
 *   create: (permits) => new Semaphore(permits),
 *   acquire: (semaphore) => semaphore.acquire(),
 *   release: (semaphore) => semaphore.release(),
 * });
 */
export function semaphoreKit<S, H>(adapter: SemaphoreAdapter<S, H>): Kit {
  const words: Words = { one: 'a permit', permits: adapter.permits ?? 2, isMutex: false };
  return kitOf({
    kind: 'semaphore',
    options: adapter,
    create: async () => new Permits(await adapter.create(words.permits), words),
    methods: methodsOf(adapter, words),
    promises: promisesOf(adapter as never, words),
  });
}
