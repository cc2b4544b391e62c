import { type Scenario, scenario } from 'straightedge';
import { twoFamilies } from '../specs/families.js';
import { Families, HastyFamilies, LateReadingFamilies } from './families.js';

/** One of the left or of the right, and who it met. */
const methods = {
  left: (families: Families, me: number): number => Number(families.synchronise(`l${me}`).slice(1)),
  right: (families: Families, me: number): number => Number(families.synchronise(`r${me}`).slice(1)),
};

const correct: Scenario = scenario({
  name: 'two families',
  backend: 'instrumented',
  create: () => new Families(true),
  spec: twoFamilies(),
  methods,
  test: [
    [
      ['left', 0],
      ['left', 0],
    ],
    [['right', 0]],
    [['right', 1]],
  ],
});
export const late: Scenario = scenario({
  name: 'two families that read late',
  backend: 'instrumented',
  create: () => new LateReadingFamilies(true),
  spec: twoFamilies(),
  methods,
  test: [[['left', 0]], [['left', 1]], [['right', 0]], [['right', 1]]],
});
export const hasty: Scenario = scenario({
  name: 'two families that decide early',
  backend: 'instrumented',
  create: () => new HastyFamilies(true),
  spec: twoFamilies(),
  methods,
  test: [[['left', 0]], [['right', 0]]],
});

export default correct;
