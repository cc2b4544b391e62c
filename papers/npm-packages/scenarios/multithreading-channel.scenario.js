/** Any JSON may be sent, says its documentation: null is JSON. */
import './node-20.js';
import { channel } from 'multithreading';
import { queueOf } from './kinds.js';

const create = () => {
  const [sender, receiver] = channel(4);
  return { sender, receiver };
};

export default queueOf('channel', create, {
  put: ({ sender }, value) => sender.send(value),
  take: async ({ receiver }) => {
    const { ok, value, error } = await receiver.recv();
    if (!ok) throw error;
    return value;
  },
  calls: [['put', null], ['put', 1], ['take']],
});
