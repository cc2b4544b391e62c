import { expect, test } from 'vitest';
import { atOnce } from './at-once.js';

test.each([1, 2, 5])('%i at once, in their order, whatever fails', async (most) => {
  const limited = atOnce(most);
  const begun: number[] = [];
  let [running, peak] = [0, 0];
  const run = (i: number) =>
    limited(async () => {
      begun.push(i);
      peak = Math.max(peak, ++running);
      for (let turn = i % 3; turn >= 0; turn--) await Promise.resolve();
      running--;
      if (i === 2) throw new Error('two');
      return i;
    });
  const ends = await Promise.allSettled([0, 1, 2, 3, 4, 5, 6].map(run));
  expect(ends.map((end) => (end.status === 'fulfilled' ? end.value : 'failed'))).toEqual([
    0,
    1,
    'failed',
    3,
    4,
    5,
    6,
  ]);
  expect(begun).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(peak).toBe(most);
  expect(await run(7)).toBe(7);
});
