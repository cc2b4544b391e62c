/** Channels. */
export const entries = {
  'async-channel': {
    from: 'async-channel',
    kit: 'channelKit',
    adapter: ({ Channel }) => ({
      // a channel has a method `then`: awaiting it would take from it
      create: (capacity) => ({ channel: new Channel(capacity) }),
      put: ({ channel }, item) => channel.push(item),
      take: ({ channel }) => channel.get(),
    }),
  },
  'async-channel of four': {
    from: 'async-channel',
    kit: 'queueKit',
    adapter: ({ Channel }) => ({
      create: () => ({ channel: new Channel(4) }),
      put: ({ channel }, item) => channel.push(item),
      take: ({ channel }) => channel.get(),
    }),
  },
  'async-csp': {
    from: 'async-csp',
    kit: 'channelKit',
    adapter: ({ Channel, default: own }) => ({
      create: () => new (Channel ?? own.Channel)(),
      put: (channel, item) => channel.put(item),
      take: (channel) => channel.take(),
    }),
  },
  'js-csp': {
    from: 'js-csp',
    kit: 'channelKit',
    adapter: ({ default: own }) => {
      const csp = own.default ?? own;
      return {
        create: () => csp.chan(),
        put: (channel, item) => new Promise((resolve) => csp.putAsync(channel, item, resolve)),
        take: (channel) => new Promise((resolve) => csp.takeAsync(channel, resolve)),
      };
    },
  },
  medium: {
    from: 'medium',
    kit: 'channelKit',
    adapter: ({ chan, put, take }) => ({
      create: () => ({ channel: chan() }),
      put: ({ channel }, item) => put(channel, item),
      take: ({ channel }) => take(channel),
    }),
  },
  '@nodeguy/channel': {
    from: '@nodeguy/channel',
    kit: 'channelKit',
    adapter: ({ default: Channel }) => ({
      create: () => Channel(),
      put: (channel, item) => channel.push(item),
      take: (channel) => channel.shift(),
    }),
  },
  'ts-chan': {
    from: 'ts-chan',
    kit: 'channelKit',
    adapter: ({ Chan }) => ({
      create: () => new Chan(),
      put: (channel, item) => channel.send(item),
      take: async (channel) => (await channel.recv()).value,
    }),
  },
  'it-queueless-pushable': {
    from: ['./node-20.js', 'it-queueless-pushable'],
    kit: 'channelKit',
    adapter: (_, { queuelessPushable }) => ({
      create: () => queuelessPushable(),
      put: (queue, item) => queue.push(item),
      take: async (queue) => {
        const { done, value } = await queue.next();
        return done ? undefined : value;
      },
      close: (queue) => queue.end(),
    }),
    violations: {
      'every message is taken once, in order, and no wake-up is lost': {
        defect: 'it-queueless-pushable-next',
      },
      'close ends every call and loses no message': { defect: 'it-queueless-pushable-end' },
    },
  },
  '@ayonli/jsext chan': {
    from: '@ayonli/jsext/chan',
    kit: 'channelKit',
    adapter: ({ default: chan }) => ({
      create: () => chan(),
      put: (channel, item) => channel.send(item),
      take: (channel) => channel.recv(),
      close: (channel) => channel.close(),
    }),
  },
  '@ayonli/jsext chan of one': {
    from: '@ayonli/jsext/chan',
    kit: 'channelKit',
    adapter: ({ default: chan }) => ({
      capacity: 1,
      create: (capacity) => chan(capacity),
      put: (channel, item) => channel.send(item),
      take: (channel) => channel.recv(),
    }),
    violations: {
      'every message is taken once, in order, and no wake-up is lost': { defect: 'ayonli-chan-undefined' },
      'put waits while there are 1 messages': { defect: 'ayonli-chan-undefined' },
    },
  },
  '@f5io/csp': {
    from: '@f5io/csp',
    kit: 'channelKit',
    adapter: ({ default: csp }) => ({
      create: () => ({ channel: csp.channel() }),
      put: ({ channel }, item) => csp.put(channel, item),
      take: ({ channel }) => csp.take(channel),
    }),
  },
  '@thi.ng/csp': {
    from: '@thi.ng/csp',
    kit: 'channelKit',
    adapter: ({ channel: make }) => ({
      capacity: 2,
      create: (buffer) => make({ buffer }),
      put: (channel, item) => channel.write(item),
      take: (channel) => channel.read(),
      close: (channel) => void channel.close(),
    }),
  },
  chan: {
    from: 'chan',
    kit: 'channelKit',
    adapter: ({ default: chan }) => {
      const called = (thunk) =>
        new Promise((resolve, reject) => thunk((error, value) => (error ? reject(error) : resolve(value))));
      return {
        create: () => ({ channel: chan() }),
        put: ({ channel }, item) => called(channel(item)),
        take: async ({ channel }) => {
          const value = await called(channel);
          return value === channel.empty ? undefined : value;
        },
        close: ({ channel }) => channel.close(),
      };
    },
  },
  'csp-ts': {
    from: 'csp-ts',
    kit: 'channelKit',
    adapter: ({ BufferedChannel }) => ({
      capacity: 1,
      create: (capacity) => new BufferedChannel(undefined, capacity),
      put: (channel, item) => channel.send(item),
      take: (channel) => channel.receive(),
    }),
  },
};
