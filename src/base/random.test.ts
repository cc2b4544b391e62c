import { expect, test } from 'vitest';
import { Random } from './random.js';

const draw = (seed: number) => {
  const random = new Random(seed);
  return Array.from({ length: 1000 }, () => random.below(10));
};

test('equal seeds give equal numbers, other seeds others', () => {
  expect(draw(7)).toEqual(draw(7));
  expect(draw(7)).not.toEqual(draw(8));
});

test('all numbers below a limit occur about equally often', () => {
  const counts = new Array<number>(10).fill(0);
  for (const number of draw(1)) counts[number]++;
  for (const count of counts) expect(Math.abs(count - 100)).toBeLessThan(50);
});

test('a probability of 0 never succeeds, and of 100 always', () => {
  const random = new Random(3);
  const chances = Array.from({ length: 100 }, () => [random.withProbability(0), random.withProbability(100)]);
  expect(new Set(chances.map(String))).toEqual(new Set(['false,true']));
});

test('a picked item is one of the items', () => {
  const random = new Random(3);
  expect(new Set(Array.from({ length: 50 }, () => random.pick(['a', 'b'])))).toEqual(new Set(['a', 'b']));
});
