/** Any JSON may be sent, says its documentation: null is JSON. */
import './node-20.js';
import { channel } from 'multithreading';
import { queueOf } from './kinds.js';
import { moved, received } from './multithreading-on-threads.js';

const create = () => {
  const [sender, receiver] = channel(4);
  return { sender: moved(sender), receiver: moved(receiver) };
};

export default queueOf('channel on threads', create, {
  backend: 'threads',
  attach: ({ sender, receiver }) => ({ sender: received(sender), receiver: received(receiver) }),
  put: ({ sender }, value) => {
    sender.blockingSend(value);
  },
  take: ({ receiver }) => {
    const { ok, value, error } = receiver.blockingRecv();
    if (!ok) throw error;
    return value;
  },
  calls: [['put', null], ['put', 1], ['take']],
});
