/**
 * Workers that go through a semaphore of effect again and again, and one of which is interrupted.
 *
 * A fiber gives way to others after 2,048 operations, wherever that is: in a thousand rounds it is often inside of the
 * semaphore. Only there it can be interrupted between taking a permit and being sure to give it back.
 */
import { scenario } from 'straightedge';

const ROUNDS = 1000;

/** Whatever others do, a worker comes to its end. */
const worker = {
  name: 'worker',
  initial: 0,
  methods: { work: (state) => [state, undefined] },
};

export const effectWorkers = (name, { Effect, Semaphore }) =>
  scenario({
    name,
    create: () => Effect.runSync(Semaphore.make(1)),
    spec: worker,
    methods: {
      work: async (permits, options) => {
        const round = () => permits.withPermits(1)(Effect.void);
        await Effect.runPromise(Effect.forEach(Array(ROUNDS), round, { discard: true }), options);
      },
    },
    calls: [['work']],
    cancel: true,
    threads: 2,
    callsPerThread: 1,
    after: [['work']],
  });
