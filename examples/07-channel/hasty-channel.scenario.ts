import { HastyChannel } from './channel.js';
import correct from './channel.scenario.js';

export default { ...correct, name: 'hasty channel', create: () => new HastyChannel() };
