import { type Scenario, scenario } from 'straightedge';
import { oneFamily } from '../specs/families.js';
import { Families, HastyFamilies, LateReadingFamilies } from './families.js';

const methods = {
  synchronise: (families: Families, me: number): number => Number(families.synchronise(`${me}`)),
};

const correct: Scenario = scenario({
  name: 'one family',
  backend: 'instrumented',
  create: () => new Families(false),
  spec: oneFamily(),
  methods,
  test: [
    [
      ['synchronise', 1],
      ['synchronise', 1],
    ],
    [
      ['synchronise', 0],
      ['synchronise', 0],
    ],
    [['synchronise', 2]],
  ],
});
export const late: Scenario = scenario({
  name: 'one family that reads late',
  backend: 'instrumented',
  create: () => new LateReadingFamilies(false),
  spec: oneFamily(),
  methods,
  test: [
    [['synchronise', 1]],
    [
      ['synchronise', 0],
      ['synchronise', 0],
    ],
    [['synchronise', 2]],
  ],
});
export const hasty: Scenario = scenario({
  name: 'one family that decides early',
  backend: 'instrumented',
  create: () => new HastyFamilies(false),
  spec: oneFamily(),
  methods,
  test: [[['synchronise', 0]], [['synchronise', 1]]],
});

export default correct;
