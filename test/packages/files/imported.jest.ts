import { expect, test } from '@jest/globals';
import { sketch } from 'straightedge';
import { testScenario } from 'straightedge/jest';
import { queue } from 'straightedge/objects';
import { careful, careless } from './seats';

testScenario('a scenario', careful, { timeout: '5s', coverage: 'exhaustive' });
test('a history', () => {
  expect(sketch`A |- enqueue(1) -|  |- dequeue() -> 1 -|`).toBeLinearizable(queue());
});
test('a scenario that fails', async () => {
  await expect(careless).toHold();
});
test('a history that fails', () => {
  expect(sketch`A |- enqueue(1) -|  |- dequeue() -> 2 -|`).toBeLinearizable(queue());
});
testScenario('a scenario that fails as a test', careless);
