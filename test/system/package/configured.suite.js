/** What `straightedge.config` says shows in reports: of tests that are chosen, by the seed. */
import { testScenario } from 'straightedge/vitest';
import { expect, test } from 'vitest';
import { chosen } from './seats.js';

testScenario('a test', chosen('one'));
test('a matcher', async () => {
  await expect(chosen('another')).toHold();
});
