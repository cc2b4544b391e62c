import { type Scenario, scenario } from 'straightedge';
import { enrollableBarrier } from 'straightedge/objects';
import {
  EagerEnrollableBarrier,
  ForgetfulEnrollableBarrier,
  ReentrantEnrollableBarrier,
  SyncEnrollableBarrier,
} from './enrollable-barrier.js';

const correct: Scenario = scenario({
  name: 'enrollable barrier',
  backend: 'instrumented',
  create: () => new SyncEnrollableBarrier(),
  spec: enrollableBarrier(),
  before: [
    ['enrol', 0],
    ['enrol', 1],
  ],
  test: [
    [
      ['sync', 0],
      ['sync', 0],
    ],
    [
      ['sync', 1],
      ['resign', 1],
    ],
  ],
});
export const reentrant: Scenario = scenario({
  name: 'enrollable barrier that is entered again',
  backend: 'instrumented',
  create: () => new ReentrantEnrollableBarrier(),
  spec: enrollableBarrier(),
  before: [
    ['enrol', 0],
    ['enrol', 1],
  ],
  test: [
    [['sync', 0]],
    [
      ['sync', 1],
      ['sync', 1],
    ],
  ],
});
export const eager: Scenario = scenario({
  name: 'enrollable barrier that counts who enrols among those who leave',
  backend: 'instrumented',
  create: () => new EagerEnrollableBarrier(),
  spec: enrollableBarrier(),
  before: [
    ['enrol', 0],
    ['enrol', 1],
  ],
  test: [
    [['sync', 0]],
    [['sync', 1]],
    [
      ['enrol', 2],
      ['sync', 2],
    ],
  ],
});
export const forgetful: Scenario = scenario({
  name: 'enrollable barrier that forgets who waits',
  backend: 'instrumented',
  create: () => new ForgetfulEnrollableBarrier(),
  spec: enrollableBarrier(),
  before: [
    ['enrol', 0],
    ['enrol', 1],
  ],
  test: [[['sync', 0]], [['resign', 1]]],
});

export default correct;
