/** Any JSON may be sent, says its documentation: null is JSON. */
import './node-20.js';
import { channel } from 'multithreading';
import { channelOfJson, received } from './channel-of-json.js';
import { attached, moved } from './multithreading-on-threads.js';

export default channelOfJson({
  name: 'channel on threads',
  backend: 'threads',
  create: () => {
    const [sender, receiver] = channel(4);
    return { sender: moved(sender), receiver: moved(receiver) };
  },
  attach: ({ sender, receiver }) => ({ sender: attached(sender), receiver: attached(receiver) }),
  methods: {
    put: ({ sender }, value) => {
      sender.blockingSend(value);
    },
    take: ({ receiver }) => received(receiver.blockingRecv()),
  },
});
