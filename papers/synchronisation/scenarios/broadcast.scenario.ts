import { type Scenario, scenario } from 'straightedge';
import { broadcast } from 'straightedge/objects';
import { HastyBroadcast, OneWokenBroadcast, SyncBroadcast } from './broadcast.js';

const correct: Scenario = scenario({
  name: 'broadcast',
  backend: 'instrumented',
  create: () => new SyncBroadcast(2),
  spec: broadcast<number>(),
  test: [[['send', 1]], [['receive'], ['receive']], [['receive']]],
});
export const hasty: Scenario = scenario({
  name: 'broadcast whose sender does not wait',
  backend: 'instrumented',
  create: () => new HastyBroadcast(2),
  spec: broadcast<number>(),
  test: [[['send', 1]], [['send', 2]], [['receive']], [['receive']]],
});
export const oneWoken: Scenario = scenario({
  name: 'broadcast of which one is woken',
  backend: 'instrumented',
  create: () => new OneWokenBroadcast(2),
  spec: broadcast<number>(),
  test: [[['send', 1]], [['receive']], [['receive']]],
});

export default correct;
