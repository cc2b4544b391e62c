/** The same with the version after. */
import { Effect, References, Semaphore } from 'effect-after';
import { effectLock } from './effect-lock.js';

export default effectLock('Semaphore of effect 4.0.0-beta.103', { Effect, References, Semaphore });
