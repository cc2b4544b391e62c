import csp from 'js-csp';
import { rendezvousOf } from './kinds.js';

export default rendezvousOf('chan without a buffer', () => csp.chan(), {
  send: (channel, value) => new Promise((resolve) => csp.putAsync(channel, value, resolve)),
  receive: (channel) => new Promise((resolve) => csp.takeAsync(channel, resolve)),
});
