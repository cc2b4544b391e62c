import { type Scenario, scenario } from 'straightedge';
import { filterChannel } from 'straightedge/objects';
import {
  CarelessFilterChannel,
  FlagFilterChannel,
  OneSlotFilterChannel,
  SyncFilterChannel,
} from './filter-channel.js';

const correct: Scenario = scenario({
  name: 'filter channel',
  backend: 'instrumented',
  create: () => new SyncFilterChannel(),
  spec: filterChannel<number>(),
  test: [
    [['send', 3]],
    [['send', 0]],
    [
      ['receive', 'even'],
      ['receive', 'odd'],
    ],
  ],
});
export const careless: Scenario = scenario({
  name: 'filter channel that ignores its filter',
  backend: 'instrumented',
  create: () => new CarelessFilterChannel(),
  spec: filterChannel<number>(),
  test: [[['send', 0]], [['receive', 'odd']]],
});
export const oneSlot: Scenario = scenario({
  name: 'filter channel with one slot',
  backend: 'instrumented',
  create: () => new OneSlotFilterChannel(),
  spec: filterChannel<number>(),
  test: [[['send', 3]], [['send', 0]], [['receive', 'even']]],
});
export const flag: Scenario = scenario({
  name: 'filter channel with a flag',
  backend: 'instrumented',
  create: () => new FlagFilterChannel(),
  spec: filterChannel<number>(),
  test: [
    [
      ['receive', 'even'],
      ['send', 1],
    ],
    [['send', 2]],
  ],
});

export default correct;
