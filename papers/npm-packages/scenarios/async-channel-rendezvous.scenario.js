import { Channel } from 'async-channel';
import { rendezvousOf } from './kinds.js';

export default rendezvousOf('Channel without a buffer', () => new Channel(0), {
  send: (channel, value) => channel.push(value),
  receive: (channel) => channel.get(),
});
