import { expect, test } from 'vitest';
import { Counter } from '../../../test/support/explore/lost-updates.js';
import { inOwnTask } from '../../event-loop/own-task.js';
import { explore } from '../explore.js';
import { scenario } from '../scenario/scenario.js';

test('a learnt failure says what serial runs gave at its place', async () => {
  const lost = scenario({ create: () => new Counter(), test: [[['add', 1]], [['add', 2]]] });
  const { explored } = await inOwnTask(() => explore(lost));
  const [{ violation }] = explored;
  // A has returned 1, so B comes after it
  expect(violation).toMatchObject({ kind: 'outcome', operation: 1, allowed: ['3'] });
});

test('what was shown after the results before it, not what is shown first', async () => {
  class Odd extends Counter {
    #calls = 0;
    override async add(by: number): Promise<number> {
      if (++this.#calls > 1) return -1;
      await Promise.resolve();
      return this.#calls === 1 ? super.add(by) : -2;
    }
  }
  const odd = scenario({ create: () => new Odd(), test: [[['add', 1]], [['add', 2]]] });
  const { explored } = await inOwnTask(() => explore(odd));
  const wrong = explored.find(({ violation }) => violation !== undefined)?.violation;
  expect(wrong).toMatchObject({ kind: 'outcome', operation: 0, allowed: ['1'] });
});
