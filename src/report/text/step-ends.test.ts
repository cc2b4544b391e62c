import { expect, test } from 'vitest';
import { Counter } from '../../../test/support/fixtures/lost-updates.js';
import { inOwnTask } from '../../event-loop/own-task.js';
import { exploreSync } from '../../explore/explore.js';
import { scenario } from '../../explore/scenario/scenario.js';
import { endsOfSteps, interleaving } from './interleaving.js';
import { styleOf } from './style.js';

const lost = () => {
  const { results } = exploreSync(
    scenario({ create: () => new Counter(), test: [[['add', 1]], [['add', 1]]] }),
  );
  const { violation, backend } = results[0];
  if (violation === undefined || violation.kind === 'nondeterminism') throw new Error('an update is lost');
  return backend.trace(violation.schedule);
};

test('calls of one synchronous turn are shown before their ends', async () => {
  const found = await inOwnTask(lost);
  expect(endsOfSteps(found)).toEqual([[], [0, 1]]);
  expect(
    interleaving(found, 1, () => undefined, styleOf({})).map((line) => line.replace(/ +/g, ' ')),
  ).toEqual(['A B', 'add(1)', ' add(1)', ' → 1', ' → 1']);
});

test('a call that never ends is shown after its own last step', async () => {
  const waits = scenario({
    create: () => ({ wait: () => new Promise<void>(() => {}), go: async () => {} }),
    test: [[['wait']], [['go']]],
  });
  const { backend } = await inOwnTask(() => exploreSync(waits).results[0]);
  const whole = await inOwnTask(() => backend.trace([]));
  expect(whole.isStuck).toBe(true);
  expect(endsOfSteps(whole)).toEqual([[0], [1]]);
});
