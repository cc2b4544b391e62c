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
        documented: 'issue 36, open since 2019: "the user is responsible for calling release once"',
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
};
