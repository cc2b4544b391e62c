import { scenario } from 'straightedge';
import { channel } from 'straightedge/objects';
import { Channel } from './channel.js';

export default scenario({
  name: 'channel',
  create: () => new Channel(),
  spec: channel<number>(),
  test: [[['send', 1]], [['send', 2]], [['receive'], ['receive']]],
});
