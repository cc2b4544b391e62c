/** A rendezvous: who sends waits for one who takes. What serial runs show is that both wait. */
import Channel from '@nodeguy/channel';
import { queueOf } from './kinds.js';

export default queueOf('Channel of four', () => Channel(4), {
  put: (channel, value) => channel.push(value),
  take: (channel) => channel.shift(),
});
