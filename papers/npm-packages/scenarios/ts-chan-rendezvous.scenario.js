import { Chan } from 'ts-chan';
import { rendezvousOf } from './kinds.js';

export default rendezvousOf('Chan without a buffer', () => new Chan(), {
  send: (channel, value) => channel.send(value),
  receive: async (channel) => (await channel.recv()).value,
});
