/** Any JSON may be sent, says its documentation: null is JSON. */
import './node-20.js';
import { channel } from 'multithreading';
import { channelOfJson, received } from './channel-of-json.js';

export default channelOfJson({
  name: 'channel',
  create: () => {
    const [sender, receiver] = channel(4);
    return { sender, receiver };
  },
  methods: {
    put: async ({ sender }, value) => {
      await sender.send(value);
    },
    take: async ({ receiver }) => received(await receiver.recv()),
  },
});
