import { AsyncBarrier } from '@esfx/async-barrier';
import { barrierOf } from './kinds.js';

export default barrierOf(
  'AsyncBarrier',
  (parties) => new AsyncBarrier(parties),
  (barrier) => barrier.signalAndWait(),
);
