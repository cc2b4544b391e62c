import { assertHolds, assertLinearizable, sketch } from 'straightedge';
import { queue } from 'straightedge/objects';
import { careful, careless } from './seats.js';

it('a scenario', () => assertHolds(careful, { coverage: 'exhaustive' }));
it('a history', () => assertLinearizable(sketch`A |- enqueue(1) -|  |- dequeue() -> 1 -|`, queue()));
it('a scenario that fails', () => assertHolds(careless));
it('a history that fails', () =>
  assertLinearizable(sketch`A |- enqueue(1) -|  |- dequeue() -> 2 -|`, queue()));
