/** Semaphores. */
export const entries = {
  'async-mutex Semaphore': {
    from: 'async-mutex',
    kit: 'semaphoreKit',
    adapter: ({ Semaphore }) => ({
      create: (permits) => new Semaphore(permits),
      acquire: async (semaphore, weight) => (await semaphore.acquire(weight))[1],
      release: (_, release) => release(),
      use: (semaphore, run) => semaphore.runExclusive(run),
      cancel: (semaphore) => semaphore.cancel(),
      weighted: true,
    }),
  },
  'async-sema': {
    from: 'async-sema',
    kit: 'semaphoreKit',
    adapter: ({ Sema }) => ({
      create: (permits) => new Sema(permits),
      acquire: (sema) => sema.acquire(),
      release: (sema) => sema.release(),
      tryAcquire: (sema) => sema.tryAcquire(),
      fair: true,
    }),
  },
  'async-sema release': {
    from: 'async-sema',
    file: 'async-sema-release.scenario.js',
    violations: {
      'Sema, released once too often': {
        documented: 'issue 36, open since 2019: its authors leave it to the caller',
      },
    },
  },
  'await-semaphore': {
    from: 'await-semaphore',
    kit: 'semaphoreKit',
    adapter: ({ Semaphore }) => ({
      create: (permits) => new Semaphore(permits),
      acquire: (semaphore) => semaphore.acquire(),
      release: (_, release) => release(),
      use: (semaphore, run) => semaphore.use(run),
      releaseTwice: true,
    }),
  },
  'semaphore-async-await': {
    from: 'semaphore-async-await',
    kit: 'semaphoreKit',
    adapter: ({ default: own }) => ({
      create: (permits) => new (own.default ?? own)(permits),
      acquire: (semaphore) => semaphore.acquire(),
      release: (semaphore) => semaphore.release(),
      tryAcquire: (semaphore) => semaphore.tryAcquire(),
      timed: (semaphore, milliseconds) => semaphore.waitFor(milliseconds),
    }),
  },
  'es-toolkit Semaphore': {
    from: 'es-toolkit/promise',
    kit: 'semaphoreKit',
    adapter: ({ Semaphore }) => ({
      create: (permits) => new Semaphore(permits),
      acquire: (semaphore) => semaphore.acquire(),
      release: (semaphore) => semaphore.release(),
    }),
  },
  '@esfx/async-semaphore': {
    from: '@esfx/async-semaphore',
    kit: 'semaphoreKit',
    adapter: ({ AsyncSemaphore }) => ({
      create: (permits) => new AsyncSemaphore(permits),
      acquire: (semaphore) => semaphore.wait(),
      release: (semaphore) => semaphore.release(),
    }),
  },
  'tstl Semaphore': {
    from: 'tstl',
    kit: 'semaphoreKit',
    adapter: ({ Semaphore }) => ({
      create: (permits) => new Semaphore(permits),
      acquire: (semaphore) => semaphore.acquire(),
      release: (semaphore) => semaphore.release(),
      tryAcquire: (semaphore) => semaphore.try_acquire(),
      timed: (semaphore, milliseconds) => semaphore.try_acquire_for(milliseconds),
    }),
  },
  'effect-before Semaphore': {
    from: ['effect-before'],
    file: 'effect.scenario.js',
    violations: { 'Semaphore of effect 4.0.0-beta.102': { defect: 'effect-interrupt' } },
  },
  'effect-after Semaphore': { from: ['effect-after'], file: 'effect-after.scenario.js' },

  semaphore: {
    from: 'semaphore',
    kit: 'semaphoreKit',
    adapter: ({ default: semaphore }) => ({
      create: (permits) => semaphore(permits),
      acquire: (it, weight) => new Promise((resolve) => it.take(weight, () => resolve())),
      release: (it, _handle, weight) => it.leave(weight),
      weighted: true,
    }),
  },
  'locks Semaphore': {
    from: 'locks',
    kit: 'semaphoreKit',
    adapter: ({ default: locks }) => ({
      create: (permits) => locks.createSemaphore(permits),
      acquire: (semaphore) => new Promise((resolve) => semaphore.wait(resolve)),
      release: (semaphore) => semaphore.signal(),
    }),
  },
  'sync-primitives Semaphore': {
    from: 'sync-primitives',
    kit: 'semaphoreKit',
    adapter: ({ default: own }) => {
      const { Semaphore } = own.default ?? own;
      const Made = Semaphore.default ?? Semaphore;
      return {
        create: (permits) => new Made(permits),
        acquire: (semaphore) => semaphore.acquire(),
        release: (semaphore) => semaphore.release(),
        tryAcquire: (semaphore) => semaphore.acquire({ blocking: false }),
        timed: (semaphore, timeout) => semaphore.acquire({ blocking: true, timeout }),
      };
    },
    violations: {
      'at most 2 permits in use, and every waiter gets its turn': { defect: 'sync-primitives-semaphore' },
    },
  },
  'semaphore-promise': {
    from: 'semaphore-promise',
    kit: 'semaphoreKit',
    adapter: ({ Semaphore }) => ({
      create: (permits) => new Semaphore(permits),
      acquire: (semaphore) => semaphore.acquire(),
      release: (_, release) => release(),
      // it throws if no permit is free
      tryAcquire: (semaphore) => {
        try {
          return semaphore.tryAcquire();
        } catch {
          return null;
        }
      },
    }),
  },
  '@chriscdn/promise-semaphore': {
    from: '@chriscdn/promise-semaphore',
    kit: 'semaphoreKit',
    adapter: ({ Semaphore }) => ({
      create: (permits) => new Semaphore(permits),
      acquire: (semaphore) => semaphore.acquire(),
      release: (semaphore) => semaphore.release(),
      use: (semaphore, run) => semaphore.request(run),
    }),
  },
  '@shopify/semaphore': {
    from: '@shopify/semaphore',
    kit: 'semaphoreKit',
    adapter: ({ Semaphore }) => ({
      create: (permits) => new Semaphore(permits),
      acquire: (semaphore) => semaphore.acquire(),
      release: (_, permit) => permit.release(),
      releaseTwice: true,
    }),
  },
  sema4: {
    from: 'sema4',
    kit: 'semaphoreKit',
    adapter: ({ Sema }) => ({
      create: (permits) => new Sema(permits),
      acquire: (sema) => sema.acquire(),
      release: (sema, token) => sema.release(token),
      tryAcquire: (sema) => sema.tryAcquire(),
    }),
  },
  'semasync Semaphore': {
    from: 'semasync',
    kit: 'semaphoreKit',
    adapter: ({ Semaphore }) => ({
      create: (permits) => new Semaphore(permits),
      acquire: (semaphore, weight) => semaphore.acquire(weight),
      release: (semaphore, _handle, weight) => semaphore.release(weight),
      abortable: (semaphore, signal) => semaphore.acquire(1, signal),
      timed: (semaphore, milliseconds) => semaphore.acquire(1, milliseconds),
      use: (semaphore, run) => semaphore.exec(run),
      weighted: true,
    }),
    violations: {
      'an aborted wait leaves nothing behind': { defect: 'semasync-abort' },
      'an aborted wait ends at once': { defect: 'semasync-aborted' },
    },
  },
  'simple-semaphore': {
    from: 'simple-semaphore',
    kit: 'semaphoreKit',
    adapter: ({ default: Semaphore }) => ({
      create: (permits) => new Semaphore(permits),
      acquire: (semaphore) => semaphore.wait(),
      release: (semaphore) => semaphore.signal(),
      cancel: (semaphore) => semaphore.rejectAll(),
    }),
  },
  'simple-semaphore with weights': {
    from: 'simple-semaphore',
    kit: 'semaphoreKit',
    adapter: ({ default: Semaphore }) => ({
      create: (permits) => new Semaphore(permits),
      acquire: (semaphore, weight) => semaphore.wait(weight),
      release: (semaphore, _handle, weight) => semaphore.signal(weight),
      weighted: true,
    }),
  },
  'async-semaphore': {
    from: 'async-semaphore',
    kit: 'semaphoreKit',
    adapter: ({ default: Semaphore }) => ({
      create: (permits) => new Semaphore(permits),
      acquire: (semaphore, weight) => new Promise((resolve) => semaphore.acquire(weight, resolve)),
      release: (semaphore, _handle, weight) => semaphore.release(weight),
      weighted: true,
    }),
  },
  'ts-semaphore': {
    from: 'ts-semaphore',
    kit: 'semaphoreKit',
    adapter: ({ default: Semaphore }) => ({
      create: (permits) => new Semaphore(permits),
      acquire: (semaphore) => semaphore.aquire(),
      release: (semaphore) => semaphore.release(),
      use: (semaphore, run) => semaphore.use(run),
    }),
  },
  'async-primitives Semaphore': {
    from: 'async-primitives',
    kit: 'semaphoreKit',
    adapter: ({ createSemaphore }) => ({
      create: (permits) => createSemaphore(permits),
      acquire: (semaphore) => semaphore.acquire(),
      release: (_, handle) => handle.release(),
      abortable: (semaphore, signal) => semaphore.acquire(signal),
      releaseTwice: true,
    }),
  },
  '@matrixai/async-locks Semaphore': {
    from: '@matrixai/async-locks',
    kit: 'semaphoreKit',
    adapter: ({ Semaphore }) => ({
      create: (permits) => new Semaphore(permits),
      acquire: async (semaphore) => (await semaphore.lock()())[0],
      release: (_, release) => release(),
    }),
  },
  '@livekit/mutex MultiMutex': {
    from: '@livekit/mutex',
    kit: 'semaphoreKit',
    adapter: ({ MultiMutex }) => ({
      create: (permits) => new MultiMutex(permits),
      acquire: (mutex) => mutex.lock(),
      release: (_, release) => release(),
    }),
  },
  '@henrygd/semaphore': {
    from: '@henrygd/semaphore',
    kit: 'semaphoreKit',
    adapter: ({ getSemaphore }) => ({
      create: (permits) => getSemaphore(undefined, permits),
      acquire: (semaphore) => semaphore.acquire(),
      release: (semaphore) => semaphore.release(),
      fair: true,
    }),
  },
};
