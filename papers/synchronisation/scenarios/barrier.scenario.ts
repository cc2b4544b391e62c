import { type Scenario, scenario } from 'straightedge';
import { barrier } from 'straightedge/objects';
import { CountlessBarrier, OpenBarrier, ReentrantBarrier, SyncBarrier, TrustingBarrier } from './barrier.js';

const correct: Scenario = scenario({
  name: 'barrier',
  backend: 'instrumented',
  create: () => new SyncBarrier(2),
  spec: barrier(),
  test: [
    [
      ['sync', 0],
      ['sync', 0],
    ],
    [
      ['sync', 1],
      ['sync', 1],
    ],
    [['sync', 2]],
  ],
});
export const open: Scenario = scenario({
  name: 'barrier that lets all pass',
  backend: 'instrumented',
  create: () => new OpenBarrier(2),
  spec: barrier(),
  test: [[['sync', 0]]],
});
export const reentrant: Scenario = scenario({
  name: 'barrier that is entered again',
  backend: 'instrumented',
  create: () => new ReentrantBarrier(2),
  spec: barrier(),
  test: [
    [
      ['sync', 0],
      ['sync', 0],
    ],
    [['sync', 1]],
  ],
});
export const countless: Scenario = scenario({
  name: 'barrier that does not count who leaves',
  backend: 'instrumented',
  create: () => new CountlessBarrier(2),
  spec: barrier(),
  test: [
    [
      ['sync', 0],
      ['sync', 0],
    ],
    [['sync', 1]],
  ],
});
export const trusting: Scenario = scenario({
  name: 'barrier with if for while',
  backend: 'instrumented',
  create: () => new TrustingBarrier(2),
  spec: barrier(),
  test: [
    [
      ['sync', 0],
      ['sync', 0],
    ],
    [['sync', 1]],
  ],
});
/** One call alone, with a spurious wake-up. */
export const lonely: Scenario = scenario({
  name: 'barrier with if for while, and one party',
  backend: 'instrumented',
  create: () => new TrustingBarrier(2),
  spec: barrier(),
  test: [[['sync', 0]]],
});

export default correct;
