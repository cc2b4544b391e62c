/** What a page of a failing run says beside the drawing. */
import { expect, test } from 'vitest';
import { inOwnTask } from '../../event-loop/own-task.js';
import { explore } from '../../explore/explore.js';
import { scenario } from '../../explore/scenario/scenario.js';
import { sources } from '../text/interleaving.js';
import { explorationPage, failureData } from './failure-data.js';

test('a page has the nearest run of the calls one at a time, as the text report does', async () => {
  const exploration = await explore(
    scenario({
      backend: 'async',
      create: () => ({
        left: 1,
        async take() {
          const { left } = this;
          await Promise.resolve();
          this.left = left - 1;
          return left;
        },
      }),
      test: [[['take']], [['take']]],
    }),
  );
  const explored = exploration.results.at(-1)!;
  const { violation, backend } = explored;
  if (violation === undefined || !('schedule' in violation)) throw new Error('a schedule was expected');
  const trace = await inOwnTask(() => backend.trace(violation.schedule));
  const page = explorationPage({
    file: 'take.ts',
    exploration,
    failure: { explored, trace },
    sourceOf: sources(),
    saved: undefined,
    ms: { explore: 0 },
  });
  const { facts, core } = failureData(page);
  const [first, nearest] =
    core?.reasons.map(({ sentence, steps = [] }) =>
      [sentence, ...steps].map((own) => own.map(({ text }) => text).join('')),
    ) ?? [];
  expect(first[0]).toContain('returned');
  expect(nearest).toEqual([
    'Nearest run of the calls one at a time:',
    expect.stringMatching(/^[AB] take\(\) → 1$/),
    expect.stringMatching(/^[AB] take\(\) → 0$/),
  ]);
  expect([facts, core?.title]).toEqual([['2 threads, 2 calls'], 'Why it is not linearizable']);
});
