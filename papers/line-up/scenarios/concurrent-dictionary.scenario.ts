import { type Scenario, scenario } from 'straightedge';
import { ConcurrentDictionary } from './concurrent-dictionary.js';

const dictionary: Scenario = scenario({
  name: 'ConcurrentDictionary',
  backend: 'instrumented',
  create: () => new ConcurrentDictionary(),
  calls: [
    ['count'],
    ['isEmpty'],
    ['clear'],
    ['tryAdd', 10, 1],
    ['tryAdd', 20, 1],
    ['tryRemove', 10],
    ['tryRemove', 20],
    ['tryGet', 10],
    ['tryGet', 20],
    ['get', 10],
    ['get', 20],
    ['set', 10, 2],
    ['set', 20, 2],
    ['tryUpdate', 10, 3, 1],
    ['tryUpdate', 20, 3, 1],
    ['containsKey', 10],
    ['containsKey', 20],
  ],
});
export default dictionary;
