/** Locks for readers and writers. */
export const entries = {
  'async-rwlock': {
    from: 'async-rwlock',
    kit: 'readWriteLockKit',
    adapter: ({ RWLock }) => ({
      create: () => new RWLock(),
      acquireRead: (lock) => lock.readLock(),
      releaseRead: (lock) => lock.unlock(),
      acquireWrite: (lock) => lock.writeLock(),
      releaseWrite: (lock) => lock.unlock(),
      timedRead: (lock, milliseconds) => lock.readLock(milliseconds),
      timedWrite: (lock, milliseconds) => lock.writeLock(milliseconds),
    }),
    violations: {
      'a writer that gives up lets the readers behind it in': { defect: 'async-rwlock-timeout' },
      'a wait that times out leaves nothing behind': { defect: 'async-rwlock-timeout' },
    },
  },
  rwlock: {
    from: 'rwlock',
    kit: 'readWriteLockKit',
    adapter: ({ default: ReadWriteLock }) => {
      const timed = (lock, method, timeout) =>
        new Promise((resolve, reject) =>
          lock[method](resolve, { timeout, timeoutCallback: () => reject(new Error('time-out')) }),
        );
      return {
        create: () => new ReadWriteLock(),
        acquireRead: (lock) => new Promise((resolve) => lock.readLock(resolve)),
        releaseRead: (_, release) => release(),
        acquireWrite: (lock) => new Promise((resolve) => lock.writeLock(resolve)),
        releaseWrite: (_, release) => release(),
        timedRead: (lock, milliseconds) => timed(lock, 'readLock', milliseconds),
        timedWrite: (lock, milliseconds) => timed(lock, 'writeLock', milliseconds),
      };
    },
    violations: {
      'a writer that gives up lets the readers behind it in': { defect: 'rwlock-timeout' },
      'a wait that times out leaves nothing behind': { defect: 'rwlock-timeout' },
    },
  },
  rwmutex: {
    from: 'rwmutex',
    kit: 'readWriteLockKit',
    adapter: ({ default: Mutex }) => ({
      create: () => new Mutex(),
      acquireRead: (mutex) => mutex.rlock(),
      releaseRead: (_, release) => release(),
      acquireWrite: (mutex) => mutex.lock(),
      releaseWrite: (_, release) => release(),
    }),
  },
  'locks ReadWriteLock': {
    from: 'locks',
    kit: 'readWriteLockKit',
    adapter: ({ default: locks }) => {
      const timed = (lock, method, milliseconds) =>
        new Promise((resolve, reject) =>
          lock[method](milliseconds, (error) => (error ? reject(error) : resolve())),
        );
      return {
        create: () => locks.createReadWriteLock(),
        acquireRead: (lock) => new Promise((resolve) => lock.readLock(resolve)),
        releaseRead: (lock) => lock.unlock(),
        acquireWrite: (lock) => new Promise((resolve) => lock.writeLock(resolve)),
        releaseWrite: (lock) => lock.unlock(),
        timedRead: (lock, milliseconds) => timed(lock, 'timedReadLock', milliseconds),
        timedWrite: (lock, milliseconds) => timed(lock, 'timedWriteLock', milliseconds),
      };
    },
  },
  'readers-writer-lock': {
    from: 'readers-writer-lock',
    kit: 'readWriteLockKit',
    adapter: ({ default: { RWLock } }) => {
      const held = (lock, method) =>
        new Promise((entered) => {
          void lock[method](() => new Promise((leave) => entered(leave)));
        });
      return {
        create: () => new RWLock(),
        acquireRead: (lock) => held(lock, 'read'),
        releaseRead: (_, leave) => leave(),
        acquireWrite: (lock) => held(lock, 'write'),
        releaseWrite: (_, leave) => leave(),
      };
    },
  },
  'read-write-lock': {
    from: 'read-write-lock',
    kit: 'readWriteLockKit',
    adapter: ({ default: createMutex }) => ({
      create: () => createMutex(),
      acquireRead: (mutex) => new Promise((resolve) => mutex.readLock(resolve)),
      releaseRead: (_, release) => release(),
      acquireWrite: (mutex) => new Promise((resolve) => mutex.writeLock(resolve)),
      releaseWrite: (_, release) => release(),
    }),
    violations: {
      'readers share the lock': {
        documented:
          "when one read lock is given, all read requests in the queue go at once - once they all come back, it's on to the next lock request in the queue",
      },
    },
  },
  'readwrite-lock': {
    from: 'readwrite-lock',
    kit: 'readWriteLockKit',
    adapter: ({ default: own }) => {
      const held = (lock, method) =>
        new Promise((entered) => {
          void lock[method]('key', () => new Promise((leave) => entered(leave)));
        });
      return {
        create: () => new (own.default ?? own)(),
        acquireRead: (lock) => held(lock, 'acquireRead'),
        releaseRead: (_, leave) => leave(),
        acquireWrite: (lock) => held(lock, 'acquireWrite'),
        releaseWrite: (_, leave) => leave(),
      };
    },
  },
  'async-primitives ReaderWriterLock': {
    from: 'async-primitives',
    kit: 'readWriteLockKit',
    adapter: ({ createReaderWriterLock }) => ({
      create: () => createReaderWriterLock(),
      acquireRead: (lock) => lock.readLock(),
      releaseRead: (_, handle) => handle.release(),
      acquireWrite: (lock) => lock.writeLock(),
      releaseWrite: (_, handle) => handle.release(),
      abortableRead: (lock, signal) => lock.readLock(signal),
      abortableWrite: (lock, signal) => lock.writeLock(signal),
    }),
    violations: {
      'a writer that gives up lets the readers behind it in': { defect: 'async-primitives-abort' },
    },
  },
  '@matrixai/async-locks RWLockReader': {
    from: '@matrixai/async-locks',
    kit: 'readWriteLockKit',
    adapter: ({ RWLockReader }) => ({
      create: () => new RWLockReader(),
      acquireRead: async (lock) => (await lock.read()())[0],
      releaseRead: (_, release) => release(),
      acquireWrite: async (lock) => (await lock.write()())[0],
      releaseWrite: (_, release) => release(),
    }),
  },
  '@matrixai/async-locks RWLockWriter': {
    from: '@matrixai/async-locks',
    kit: 'readWriteLockKit',
    adapter: ({ RWLockWriter }) => ({
      create: () => new RWLockWriter(),
      acquireRead: async (lock) => (await lock.read()())[0],
      releaseRead: (_, release) => release(),
      acquireWrite: async (lock) => (await lock.write()())[0],
      releaseWrite: (_, release) => release(),
    }),
  },
  '@esfx/async-readerwriterlock': {
    from: '@esfx/async-readerwriterlock',
    kit: 'readWriteLockKit',
    adapter: ({ AsyncReaderWriterLock }) => ({
      create: () => new AsyncReaderWriterLock(),
      acquireRead: (lock) => lock.read(),
      releaseRead: (_, handle) => handle.unlock(),
      acquireWrite: (lock) => lock.write(),
      releaseWrite: (_, handle) => handle.unlock(),
    }),
  },
  'tstl SharedTimedMutex': {
    from: 'tstl',
    kit: 'readWriteLockKit',
    adapter: ({ SharedTimedMutex }) => ({
      create: () => new SharedTimedMutex(),
      acquireRead: (mutex) => mutex.lock_shared(),
      releaseRead: (mutex) => mutex.unlock_shared(),
      acquireWrite: (mutex) => mutex.lock(),
      releaseWrite: (mutex) => mutex.unlock(),
      timedRead: (mutex, milliseconds) => mutex.try_lock_shared_for(milliseconds),
      timedWrite: (mutex, milliseconds) => mutex.try_lock_for(milliseconds),
    }),
  },
};
