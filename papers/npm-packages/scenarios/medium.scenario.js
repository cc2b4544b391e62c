import { chan, put, take } from 'medium';
import { rendezvousOf } from './kinds.js';

export default rendezvousOf('chan without a buffer', () => chan(), {
  send: (channel, value) => put(channel, value),
  receive: (channel) => take(channel),
});
