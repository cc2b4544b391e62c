import test from 'ava';
import { assertHolds, assertLinearizable, sketch } from 'straightedge';
import { queue } from 'straightedge/objects';
import { careful, careless } from './seats.js';

const history = (t, drawing) => {
  assertLinearizable(sketch(drawing), queue());
  t.pass();
};
const holds = async (t, seats) => {
  await assertHolds(seats);
  t.pass();
};
test('a scenario', holds, careful);
test('a history', history, 'A |- enqueue(1) -|  |- dequeue() -> 1 -|');
test('a scenario that fails', holds, careless);
test('a history that fails', history, 'A |- enqueue(1) -|  |- dequeue() -> 2 -|');
