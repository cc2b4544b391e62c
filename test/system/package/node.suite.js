import test from 'node:test';
import { assertHolds, assertLinearizable, sketch } from 'straightedge';
import { queue } from 'straightedge/objects';
import { careful, careless } from './seats.js';

test('a scenario', () => assertHolds(careful, { timeout: '5s', coverage: 'exhaustive' }));
test('a history', () => {
  assertLinearizable(sketch`A |- enqueue(1) -|  |- dequeue() -> 1 -|`, queue());
});
test('a scenario that fails', () => assertHolds(careless));
test('a history that fails', () => {
  assertLinearizable(sketch`A |- enqueue(1) -|  |- dequeue() -> 2 -|`, queue());
});
