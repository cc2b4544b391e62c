import Channel from '@nodeguy/channel';
import { rendezvousOf } from './kinds.js';

export default rendezvousOf('Channel without a buffer', () => Channel(), {
  send: (channel, value) => channel.push(value),
  receive: (channel) => channel.shift(),
});
