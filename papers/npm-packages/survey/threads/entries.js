/** Objects in shared memory, for real threads: scenarios in their own files. */
const node20 = './node-20.js';

export const entries = {
  'multithreading semaphore': {
    from: [node20, 'multithreading'],
    kit: 'semaphoreKit',
    adapter: (_, { Semaphore }) => ({
      create: (permits) => new Semaphore(permits),
      acquire: (semaphore, weight) => semaphore.acquire(weight),
      release: (_semaphore, guard) => guard.dispose(),
      weighted: true,
      overtaking: true,
    }),
    violations: { 'a free permit is used': { defect: 'multithreading-wake' } },
  },
  'multithreading channel': {
    from: [node20, 'multithreading'],
    file: 'multithreading-channel.scenario.js',
    violations: { channel: { defect: 'multithreading-null' } },
  },
  'multithreading channel on threads': {
    from: [node20, 'multithreading'],
    file: 'multithreading-threads-channel.scenario.js',
    violations: { 'channel on threads': { defect: 'multithreading-null' } },
  },
  'multithreading semaphore on threads': {
    from: [node20, 'multithreading'],
    file: 'multithreading-threads-semaphore.scenario.js',
    violations: { 'Semaphore.blockingAcquire on threads': { defect: 'multithreading-wake' } },
  },
  'multithreading try on threads': {
    from: [node20, 'multithreading'],
    file: 'multithreading-threads-try.scenario.js',
    violations: { 'Semaphore.tryAcquire on threads': { defect: 'multithreading-try' } },
  },
  'ringbuf.js': { from: 'ringbuf.js', file: 'ringbuf.scenario.js' },
};
