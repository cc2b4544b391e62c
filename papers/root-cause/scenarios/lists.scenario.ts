/** Three sorted lists, each with the atomic section of `add`, of `remove` and of both made smaller. */
import { type Scenario, scenario } from 'straightedge';
import { CoarseList } from './coarse-list.js';
import { OptimisticList } from './optimistic-list.js';
import { OrderingMap } from './ordering-map.js';
import type { Shrunk } from './shrunk.js';

interface List {
  readonly file: string;
  readonly shrunk: Shrunk;
  readonly scenario: Scenario;
}

const variations = (
  file: string,
  create: (shrunk: Shrunk) => CoarseList | OptimisticList | OrderingMap,
): List[] =>
  [
    { add: true, remove: false },
    { add: false, remove: true },
    { add: true, remove: true },
  ].map((shrunk) => ({
    file,
    shrunk,
    scenario: scenario({
      name: file.replace('.ts', ''),
      backend: 'instrumented',
      create: () => create(shrunk),
      before: [['add', 0]],
      calls: [
        ['add', 0],
        ['add', 1],
        ['remove', 0],
        ['remove', 1],
        ['contains', 0],
        ['contains', 1],
      ],
      threads: 2,
      callsPerThread: 2,
    }),
  }));

export const lists: readonly List[] = [
  ...variations('coarse-list.ts', (shrunk) => new CoarseList(shrunk)),
  ...variations('optimistic-list.ts', (shrunk) => new OptimisticList(shrunk)),
  ...variations('ordering-map.ts', (shrunk) => new OrderingMap(shrunk)),
];

const first: Scenario = lists[0].scenario;
export default first;
