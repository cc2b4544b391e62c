import { Chan } from 'ts-chan';
import { queueOf } from './kinds.js';

export default queueOf('Chan of four', () => new Chan(4), {
  put: (channel, value) => channel.send(value),
  take: async (channel) => (await channel.recv()).value,
});
