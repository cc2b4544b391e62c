/** Job queues and limits of concurrency. */
export const entries = {
  'p-limit': {
    from: 'p-limit',
    kit: 'jobQueueKit',
    adapter: ({ default: pLimit }) => ({
      create: (concurrency) => pLimit(concurrency),
      add: (limit, job) => limit(job),
    }),
  },
  'p-queue': {
    from: 'p-queue',
    kit: 'jobQueueKit',
    adapter: ({ default: PQueue }) => ({
      create: (concurrency) => new PQueue({ concurrency }),
      add: (queue, job) => queue.add(job),
      onIdle: (queue) => queue.onIdle(),
      pause: (queue) => queue.pause(),
      resume: (queue) => queue.start(),
    }),
  },
};
