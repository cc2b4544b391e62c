import { type Scenario, scenario } from 'straightedge';
import { Blamed } from './blamed.js';

const blamed: Scenario = scenario({
  backend: 'workers',
  module: import.meta.url,
  create: () => new Int32Array(new SharedArrayBuffer(8)),
  attach: (words: Int32Array) => new Blamed(words),
  calls: [['increment']],
});
export default blamed;
