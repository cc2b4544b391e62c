import { Channel } from 'async-channel';
import { queueOf } from './kinds.js';

export default queueOf('Channel of four', () => new Channel(4), {
  put: (channel, value) => channel.push(value),
  take: (channel) => channel.get(),
});
