/**
 * The bugs of Lowe's papers: the shortest test of each fails on the faulty version and holds on the corrected one, both
 * under every schedule.
 */
import { expect, test } from 'vitest';
import { lineUp } from '../../../src/explore/line-up.js';
import { Deadline } from '../../../src/explore/model/deadline.js';
import type { PlainCall } from '../../../src/instrument/instrumented-program.js';
import { scenariosIn } from '../../support/fixtures/papers.js';

const BUGS: readonly (readonly [file: string, threads: readonly (readonly PlainCall[])[]])[] = [
  [
    'hash-map',
    [
      [
        ['update', 0, 1],
        ['get', 0],
      ],
      [
        ['delete', 0],
        ['update', 0, 2],
        ['delete', 0],
      ],
    ],
  ],
  [
    'resizing-map',
    [
      [['update', 0, 1]],
      [
        ['update', 1, 2],
        ['get', 1],
      ],
    ],
  ],
  ['array-queue', [[['dequeue']], [['enqueue', 1], ['dequeue']]]],
  ['register', [[['write', 1]], [['read'], ['read']]]],
  [
    'skip-list',
    [
      [
        ['add', 1],
        ['add', 3],
        ['contains', 1],
      ],
    ],
  ],
  [
    'sharded-map',
    [
      [
        ['update', 0, 1],
        ['delete', 0],
        ['get', 0],
      ],
      [['update', 0, 2]],
    ],
  ],
  ['priority-queue', [[['deleteMin']], [['deleteMin'], ['insert', 3], ['insert', 7]]]],
];

test.each(BUGS)('%s', (file, threads) => {
  const scenarios = scenariosIn(`lowe-2017/scenarios/${file}.scenario.ts`);
  const explored = (exported: string) => {
    const { before, after } = scenarios[exported];
    return lineUp(scenarios[exported], { threads, before, after }, { seed: 1 }, new Deadline(60_000));
  };
  expect(explored('faulty').violation?.kind).toBe('outcome');
  const { violation, coverage } = explored('default');
  expect(violation).toBeUndefined();
  expect(coverage).toEqual([{ kind: 'all' }]);
});
