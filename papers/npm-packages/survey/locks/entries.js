/** Locks. */
export const entries = {
  'async-mutex': {
    from: 'async-mutex',
    kit: 'mutexKit',
    adapter: ({ Mutex }) => ({
      create: () => new Mutex(),
      acquire: (mutex) => mutex.acquire(),
      release: (_, release) => release(),
      use: (mutex, run) => mutex.runExclusive(run),
      cancel: (mutex) => mutex.cancel(),
      isLocked: (mutex) => mutex.isLocked(),
      fair: true,
      releaseTwice: true,
    }),
  },
  'async-lock': {
    from: 'async-lock',
    kit: 'mutexKit',
    adapter: ({ default: AsyncLock }) => ({
      create: () => new AsyncLock(),
      acquire: (lock) =>
        new Promise((entered) => {
          void lock.acquire('key', () => new Promise((leave) => entered(leave)));
        }),
      release: (_, leave) => leave(),
      use: (lock, run) => lock.acquire('key', run),
      isLocked: (lock) => lock.isBusy('key'),
    }),
  },
  'await-lock': {
    from: 'await-lock',
    kit: 'mutexKit',
    adapter: ({ default: own }) => ({
      create: () => new (own.default ?? own)(),
      acquire: (lock) => lock.acquireAsync(),
      release: (lock) => lock.release(),
      tryAcquire: (lock) => lock.tryAcquire(),
      timed: (lock, timeout) => lock.acquireAsync({ timeout }),
      isLocked: (lock) => lock.acquired,
    }),
  },
  'es-toolkit Mutex': {
    from: 'es-toolkit/promise',
    kit: 'mutexKit',
    adapter: ({ Mutex }) => ({
      create: () => new Mutex(),
      acquire: (mutex) => mutex.acquire(),
      release: (mutex) => mutex.release(),
      isLocked: (mutex) => mutex.isLocked,
    }),
  },
  '@rocicorp/lock': {
    from: '@rocicorp/lock',
    kit: 'mutexKit',
    adapter: ({ Lock }) => ({
      create: () => new Lock(),
      acquire: (lock) => lock.lock(),
      release: (_, release) => release(),
      use: (lock, run) => lock.withLock(run),
    }),
  },
  '@esfx/async-mutex': {
    from: '@esfx/async-mutex',
    kit: 'mutexKit',
    adapter: ({ AsyncMutex }) => ({
      create: () => new AsyncMutex(),
      acquire: (mutex) => mutex.lock(),
      release: (_, guard) => guard.unlock(),
      tryAcquire: (mutex) => mutex.tryLock(),
    }),
  },
  'tstl Mutex': {
    from: 'tstl',
    kit: 'mutexKit',
    adapter: ({ Mutex }) => ({
      create: () => new Mutex(),
      acquire: (mutex) => mutex.lock(),
      release: (mutex) => mutex.unlock(),
      tryAcquire: (mutex) => mutex.try_lock(),
    }),
  },
  '@sapphire/async-queue': {
    from: '@sapphire/async-queue',
    kit: 'mutexKit',
    adapter: ({ AsyncQueue }) => ({
      create: () => new AsyncQueue(),
      acquire: (queue) => queue.wait(),
      release: (queue) => queue.shift(),
      abortable: (queue, signal) => queue.wait({ signal }),
    }),
  },
  superlock: {
    from: 'superlock',
    kit: 'mutexKit',
    adapter: ({ createLock }) => ({
      create: () => createLock(1),
      acquire: (lock) => lock(),
      release: (_, release) => release(),
      abortable: (lock, signal) => lock(signal),
    }),
  },
};
