import module from 'await-event-emitter';
import { once } from './once.js';

export default once('await-event-emitter', () => new (module.default ?? module)());
