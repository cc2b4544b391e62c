/** Queues. */
export const entries = {
  'async-blocking-queue': {
    from: 'async-blocking-queue',
    kit: 'queueKit',
    adapter: ({ default: Queue }) => ({
      create: () => new Queue(),
      put: (queue, item) => queue.enqueue(item),
      take: (queue) => queue.dequeue(),
    }),
  },
  '@esfx/async-queue': {
    from: '@esfx/async-queue',
    kit: 'queueKit',
    adapter: ({ AsyncQueue }) => ({
      create: () => new AsyncQueue(),
      put: (queue, item) => queue.put(item),
      take: (queue) => queue.get(),
    }),
  },
};
