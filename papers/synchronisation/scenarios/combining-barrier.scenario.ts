import { type Scenario, scenario } from 'straightedge';
import { combiningBarrier } from 'straightedge/objects';
import {
  OneWokenCombiningBarrier,
  ReentrantCombiningBarrier,
  SyncCombiningBarrier,
} from './combining-barrier.js';

const correct: Scenario = scenario({
  name: 'combining barrier',
  backend: 'instrumented',
  create: () => new SyncCombiningBarrier(2),
  spec: combiningBarrier(),
  test: [
    [
      ['sync', 0, 1],
      ['sync', 0, 2],
    ],
    [
      ['sync', 1, 4],
      ['sync', 1, 8],
    ],
  ],
});
export const reentrant: Scenario = scenario({
  name: 'combining barrier that is entered again',
  backend: 'instrumented',
  create: () => new ReentrantCombiningBarrier(2),
  spec: combiningBarrier(),
  test: [
    [
      ['sync', 0, 1],
      ['sync', 0, 2],
    ],
    [['sync', 1, 4]],
  ],
});
export const oneWoken: Scenario = scenario({
  name: 'combining barrier of which one is woken',
  backend: 'instrumented',
  create: () => new OneWokenCombiningBarrier(3),
  spec: combiningBarrier({ parties: 3 }),
  test: [[['sync', 0, 1]], [['sync', 1, 2]], [['sync', 2, 4]]],
});

export default correct;
