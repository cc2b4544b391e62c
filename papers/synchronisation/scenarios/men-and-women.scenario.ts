import { type Scenario, scenario } from 'straightedge';
import { menAndWomen } from '../specs/men-and-women.js';
import { CrossedDance, Dance, OneWokenDance, TwoSlotDance } from './men-and-women.js';

const correct: Scenario = scenario({
  name: 'men and women',
  backend: 'instrumented',
  create: () => new Dance(),
  spec: menAndWomen(),
  test: [
    [['woman', 1]],
    [
      ['man', 0],
      ['woman', 0],
    ],
    [['man', 2]],
  ],
});
export const twoSlots: Scenario = scenario({
  name: 'men and women with two slots',
  backend: 'instrumented',
  create: () => new TwoSlotDance(),
  spec: menAndWomen(),
  test: [
    [['woman', 1]],
    [
      ['man', 0],
      ['woman', 0],
    ],
  ],
});
export const crossed: Scenario = scenario({
  name: 'men and women who let each other in',
  backend: 'instrumented',
  create: () => new CrossedDance(),
  spec: menAndWomen(),
  test: [
    [['woman', 1]],
    [
      ['man', 0],
      ['woman', 0],
    ],
  ],
});
export const oneWoken: Scenario = scenario({
  name: 'men and women of whom one is woken',
  backend: 'instrumented',
  create: () => new OneWokenDance(),
  spec: menAndWomen(),
  test: [[['woman', 1]], [['woman', 2]], [['man', 0]]],
});

export default correct;
