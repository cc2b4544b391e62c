/** Queues. */
const next = async (iterator) => {
  const { done, value } = await iterator.next();
  return done ? undefined : value;
};

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
  'async-fifo-queue': {
    from: 'async-fifo-queue',
    kit: 'queueKit',
    adapter: ({ Queue }) => ({
      create: () => new Queue(),
      put: (queue, item) => queue.put(item),
      take: (queue) => queue.get(),
    }),
    violations: {
      'every item is taken once, in order, and no wake-up is lost': { defect: 'async-fifo-queue-empty' },
    },
  },
  'blocking-queue': {
    from: 'blocking-queue',
    kit: 'queueKit',
    adapter: ({ default: { default: Queue } }) => ({
      create: () => new Queue(),
      put: (queue, item) => queue.push(item),
      take: (queue) => queue.pop(),
    }),
  },
  conc: {
    from: 'conc',
    kit: 'queueKit',
    adapter: ({ default: { asyncqueue } }) => ({
      create: () => asyncqueue(),
      put: (queue, item) => void queue.offer(item),
      take: (queue) => queue.poll(),
    }),
  },
  'async-iterable-queue': {
    from: 'async-iterable-queue',
    kit: 'queueKit',
    adapter: ({ AsyncIterableQueue }) => ({
      create: () => {
        const queue = new AsyncIterableQueue();
        return { queue, iterator: queue[Symbol.asyncIterator]() };
      },
      put: ({ queue }, item) => queue.push(item),
      take: ({ iterator }) => next(iterator),
      close: ({ queue }) => queue.end(),
    }),
    violations: {
      'close ends every call and loses no item': { defect: 'async-iterable-queue-end' },
    },
  },
  '@esfx/async-stack': {
    from: '@esfx/async-stack',
    kit: 'queueKit',
    adapter: ({ AsyncStack }) => ({
      fifo: false,
      create: () => new AsyncStack(),
      put: (stack, item) => void stack.push(item),
      take: (stack) => stack.pop(),
    }),
  },
  'it-pushable': {
    from: 'it-pushable',
    kit: 'queueKit',
    adapter: ({ pushable }) => ({
      create: () => pushable({ objectMode: true }),
      put: (queue, item) => void queue.push(item),
      take: (queue) => next(queue),
      close: (queue) => void queue.end(),
    }),
    violations: {
      'every item is taken once, in order, and no wake-up is lost': { defect: 'it-pushable-next' },
      'close ends every call and loses no item': { defect: 'it-pushable-next' },
    },
  },
  '@repeaterjs/repeater': {
    from: '@repeaterjs/repeater',
    kit: 'queueKit',
    adapter: ({ Repeater }) => ({
      // the first call of `next` starts it
      create: () => {
        const own = { isOpen: true };
        own.repeater = new Repeater((push, stop) => Object.assign(own, { push, stop }));
        own.first = own.repeater.next();
        return own;
      },
      put: ({ push, isOpen }, item) => {
        push(item).catch(() => {});
        return isOpen;
      },
      take: async (own) => {
        const { first = own.repeater.next() } = own;
        own.first = undefined;
        const { done, value } = await first;
        return done ? undefined : value;
      },
      close: (own) => {
        own.isOpen = false;
        own.stop();
      },
    }),
  },
  'event-iterator': {
    from: 'event-iterator',
    kit: 'queueKit',
    adapter: ({ EventIterator }) => ({
      create: () => {
        const own = { isOpen: true };
        const iterable = new EventIterator((queue) => void Object.assign(own, { queue }));
        return Object.assign(own, { iterator: iterable[Symbol.asyncIterator]() });
      },
      put: ({ queue, isOpen }, item) => {
        queue.push(item);
        return isOpen;
      },
      take: ({ iterator }) => next(iterator),
      close: (own) => {
        own.isOpen = false;
        own.queue.stop();
      },
    }),
  },
  queueable: {
    from: 'queueable',
    kit: 'queueKit',
    adapter: ({ Channel }) => ({
      create: () => new Channel(),
      put: (channel, item) => void channel.push(item),
      take: (channel) => next(channel),
    }),
  },
};
