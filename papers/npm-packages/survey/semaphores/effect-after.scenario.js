/** The same with the version after. */
import { Effect, Semaphore } from 'effect-after';
import { effectWorkers } from './effect-workers.js';

export default effectWorkers('Semaphore of effect 4.0.0-beta.103', { Effect, Semaphore });
