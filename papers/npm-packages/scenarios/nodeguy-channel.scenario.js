/** A rendezvous: a send waits for a receive. In sequential runs both wait. */
import Channel from '@nodeguy/channel';
import { queueOf } from './kinds.js';

export default queueOf('Channel of four', () => Channel(4), {
  put: (channel, value) => channel.push(value),
  take: (channel) => channel.shift(),
});
