import { type Scenario, scenario } from 'straightedge';
import { CountdownEvent } from './countdown-event.js';

const countdown: Scenario = scenario({
  name: 'CountdownEvent',
  backend: 'instrumented',
  create: () => new CountdownEvent(2),
  calls: [
    ['isSet'],
    ['wait'],
    ['tryWait'],
    ['currentCount'],
    ['waitOne'],
    ['signal'],
    ['signal', 2],
    ['addCount'],
    ['addCount', 2],
    ['tryAddCount'],
    ['tryAddCount', 2],
  ],
});
export default countdown;
