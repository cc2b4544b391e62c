/**
 * Scenarios of the objects that packages have most: locks, semaphores, queues, channels and barriers. Each package says only how it is called.
 *
 * Who has locked gets something to unlock with. A scenario keeps these, first come first served.
 */
import { blocked, scenario } from 'straightedge';
import { barrier, channel, mutex, semaphore } from 'straightedge/objects';

/** `lock` gives what `unlock` takes. */
export const lockOf = (name, create, { lock, unlock, tryLock, ...more }) =>
  scenario({
    name,
    create: () => ({ it: create(), held: [] }),
    spec: mutex(),
    calls: [[['lock'], ['unlock']], ...(tryLock ? [['tryLock']] : [])],
    methods: {
      lock: async (own, options) => {
        own.held.push(await lock(own.it, options));
      },
      unlock: async (own) => {
        await unlock(own.it, own.held.shift());
      },
      ...(tryLock && { tryLock: (own) => tryLock(own.it) }),
    },
    threads: 3,
    callsPerThread: 1,
    ...more,
  });

/** Two permits. */
export const semaphoreOf = (name, create, { acquire, release, tryAcquire, ...more }) =>
  scenario({
    name,
    create: () => ({ it: create(2), held: [] }),
    spec: semaphore({ permits: 2 }),
    calls: [[['acquire'], ['release']], ...(tryAcquire ? [[['tryAcquire']]] : [])],
    methods: {
      acquire: async (own, ...args) => {
        own.held.push(await acquire(own.it, ...args));
      },
      release: async (own) => {
        await release(own.it, own.held.shift());
      },
      ...(tryAcquire && { tryAcquire: (own, ...args) => tryAcquire(own.it, ...args) }),
    },
    threads: 3,
    callsPerThread: 1,
    ...more,
  });

/** First in, first out; who takes from an empty one waits. */
const waitingQueue = {
  name: 'waiting queue',
  initial: [],
  methods: {
    put: (items, value) => [[...items, value], undefined],
    take: (items) => (items.length === 0 ? blocked : [items.slice(1), items[0]]),
  },
};

export const queueOf = (name, create, { put, take, ...more }) =>
  scenario({
    name,
    create,
    spec: waitingQueue,
    calls: [['put', 1], ['put', 2], ['take']],
    methods: {
      put: async (queue, value) => {
        await put(queue, value);
      },
      take: async (queue) => take(queue),
    },
    threads: 2,
    callsPerThread: 2,
    ...more,
  });

/** A channel without a buffer: who sends waits for one who receives. */
export const rendezvousOf = (name, create, { send, receive, ...more }) =>
  scenario({
    name,
    create,
    spec: channel(),
    calls: [['send', 1], ['send', 2], ['receive']],
    methods: {
      send: async (channel, value) => {
        await send(channel, value);
      },
      receive: async (channel) => receive(channel),
    },
    threads: 3,
    callsPerThread: 2,
    ...more,
  });

/** No call returns before two have arrived. There are at most two, as barriers require. */
export const barrierOf = (name, create, sync) =>
  scenario({
    name,
    create: () => create(2),
    spec: barrier({ parties: 2 }),
    calls: [['sync']],
    methods: {
      sync: async (barrier) => {
        await sync(barrier);
      },
    },
    threads: 2,
    callsPerThread: 3,
  });
