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
};
