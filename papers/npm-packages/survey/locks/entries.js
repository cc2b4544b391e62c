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
      // an attempt gives no guard
      release: (mutex) => mutex.unlock(),
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
      // it promises nothing of a signal that is aborted already
      abortable: (queue, signal) => (signal.aborted ? Promise.reject(signal.reason) : queue.wait({ signal })),
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

  '@esfx/async-mutex dispose': {
    from: ['@esfx/disposable', '@esfx/async-mutex'],
    kit: 'mutexKit',
    adapter: ({ Disposable }, { AsyncMutex }) => ({
      create: () => ({ mutex: new AsyncMutex(), unlocked: new Set() }),
      acquire: ({ mutex }) => mutex.lock(),
      release: ({ unlocked }, guard) => {
        if (unlocked.has(guard)) guard[Disposable.dispose]();
        else guard.unlock();
        unlocked.add(guard);
      },
      releaseTwice: true,
    }),
    violations: { 'a second release changes nothing': { defect: 'esfx-mutex-dispose' } },
  },
  locks: {
    from: 'locks',
    kit: 'mutexKit',
    adapter: ({ default: locks }) => ({
      create: () => locks.createMutex(),
      acquire: (mutex) => new Promise((resolve) => mutex.lock(resolve)),
      release: (mutex) => mutex.unlock(),
      tryAcquire: (mutex) => mutex.tryLock(),
      timed: (mutex, milliseconds) =>
        new Promise((resolve, reject) =>
          mutex.timedLock(milliseconds, (error) => (error ? reject(error) : resolve())),
        ),
      isLocked: (mutex) => mutex.isLocked,
    }),
  },
  mutexify: {
    from: 'mutexify/promise.js',
    kit: 'mutexKit',
    adapter: ({ default: mutexify }) => ({
      create: () => mutexify(),
      acquire: (lock) => lock(),
      release: (_, release) => release(),
      isLocked: (lock) => lock.locked,
      fair: true,
    }),
  },
  'p-mutex': {
    from: 'p-mutex',
    kit: 'mutexKit',
    adapter: ({ default: Mutex }) => ({
      create: () => new Mutex(),
      acquire: (mutex) => mutex.lock(),
      release: (mutex) => mutex.unlock(),
      use: (mutex, run) => mutex.withLock(run),
      isLocked: (mutex) => mutex.isLocked,
    }),
  },
  'p-lock': {
    from: 'p-lock',
    kit: 'mutexKit',
    adapter: ({ getLock }) => ({
      create: () => getLock(),
      acquire: (lock) => lock('key'),
      release: (_, release) => release(),
    }),
  },
  'await-mutex': {
    from: 'await-mutex',
    kit: 'mutexKit',
    adapter: ({ default: own }) => ({
      create: () => new own.default(),
      acquire: (mutex) => mutex.lock(),
      release: (_, release) => release(),
      isLocked: (mutex) => mutex.isLocked(),
      fair: true,
    }),
  },
  'promise-mutex': {
    from: 'promise-mutex',
    kit: 'mutexKit',
    adapter: ({ default: Mutex }) => ({
      create: () => new Mutex(),
      acquire: (mutex) =>
        new Promise((entered) => {
          void mutex.lock(() => new Promise((leave) => entered(leave)));
        }),
      release: (_, leave) => leave(),
      use: (mutex, run) => mutex.lock(run),
    }),
  },
  'mutex-js': {
    from: 'mutex-js',
    kit: 'mutexKit',
    adapter: ({ default: Mutex }) => ({
      create: () => new Mutex(),
      acquire: (mutex) =>
        new Promise((entered) => {
          void mutex.lock(() => new Promise((leave) => entered(leave)));
        }),
      release: (_, leave) => leave(),
      use: (mutex, run) => mutex.lock(run),
    }),
  },
  'ts-mutex': {
    from: 'ts-mutex',
    kit: 'mutexKit',
    adapter: ({ default: Mutex }) => ({
      create: () => new Mutex(),
      acquire: (mutex) =>
        new Promise((entered) => {
          void mutex.use(() => new Promise((leave) => entered(leave)));
        }),
      release: (_, leave) => leave(),
      use: (mutex, run) => mutex.use(run),
      isLocked: (mutex) => mutex.locked,
    }),
  },
  locko: {
    from: 'locko',
    kit: 'mutexKit',
    adapter: ({ default: locko }) => {
      let made = 0;
      return {
        create: () => `key ${++made}`,
        acquire: (key) => locko.lock(key),
        release: (key) => locko.unlock(key),
        use: (key, run) => locko.doWithLock(key, run),
      };
    },
  },
  '@livekit/mutex': {
    from: '@livekit/mutex',
    kit: 'mutexKit',
    adapter: ({ Mutex }) => ({
      create: () => new Mutex(),
      acquire: (mutex) => mutex.lock(),
      release: (_, release) => release(),
      isLocked: (mutex) => mutex.isLocked(),
    }),
  },
  'async-primitives Mutex': {
    from: 'async-primitives',
    kit: 'mutexKit',
    adapter: ({ createMutex }) => ({
      create: () => createMutex(),
      acquire: (mutex) => mutex.lock(),
      release: (_, handle) => handle.release(),
      abortable: (mutex, signal) => mutex.lock(signal),
      isLocked: (mutex) => mutex.isLocked,
    }),
  },
  '@matrixai/async-locks Lock': {
    from: '@matrixai/async-locks',
    kit: 'mutexKit',
    adapter: ({ Lock }) => ({
      create: () => new Lock(),
      acquire: async (lock) => (await lock.lock()())[0],
      release: (_, release) => release(),
      use: (lock, run) => lock.withF(run),
      abortable: async (lock, signal) => (await lock.lock({ signal })())[0],
      timed: async (lock, timer) => (await lock.lock({ timer })())[0],
      isLocked: (lock) => lock.isLocked(),
    }),
  },
  'semasync Mutex': {
    from: 'semasync',
    kit: 'mutexKit',
    adapter: ({ Mutex }) => ({
      create: () => new Mutex(),
      acquire: (mutex) => mutex.acquire(),
      release: (mutex) => mutex.release(),
    }),
  },
  'tstl TimedMutex': {
    from: 'tstl',
    kit: 'mutexKit',
    adapter: ({ TimedMutex }) => ({
      create: () => new TimedMutex(),
      acquire: (mutex) => mutex.lock(),
      release: (mutex) => mutex.unlock(),
      tryAcquire: (mutex) => mutex.try_lock(),
      timed: (mutex, milliseconds) => mutex.try_lock_for(milliseconds),
    }),
  },
};
