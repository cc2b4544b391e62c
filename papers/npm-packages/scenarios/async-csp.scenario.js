import { Channel } from 'async-csp';
import { rendezvousOf } from './kinds.js';

export default rendezvousOf('Channel without a buffer', () => new Channel(), {
  send: (channel, value) => channel.put(value),
  receive: (channel) => channel.take(),
});
