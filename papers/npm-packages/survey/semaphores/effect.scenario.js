/** A fiber that holds a permit, or waits for one, may be interrupted; then the permit is free for others. */
import { Effect, Semaphore } from 'effect-before';
import { effectWorkers } from './effect-workers.js';

export default effectWorkers('Semaphore of effect 4.0.0-beta.102', { Effect, Semaphore });
