/** Whoever holds a permit, or waits for one, may be interrupted; then the permit is there for others. */
import { Effect, References, Semaphore } from 'effect-before';
import { effectLock } from './effect-lock.js';

export default effectLock('Semaphore of effect 4.0.0-beta.102', { Effect, References, Semaphore });
