import { expect, test } from 'vitest';
import { triedOften } from './deadline.js';

/** Calls whose first ones never return; each trial takes this much processor time. */
function trialsOf(spinning: number, milliseconds: number): { result: unknown; trials: number } {
  let [trials, looks] = [0, 0];
  const make = () => () => {
    while (trials++ < spinning) for (;;);
    return 7;
  };
  const result = triedOften(make, () => milliseconds * looks++);
  return { result, trials };
}

test('a call that had the processor and did not return spins', () => {
  expect(trialsOf(1, 900)).toMatchObject({ result: expect.any(Symbol) as unknown, trials: 1 });
});

test('a call that hardly had the processor is tried again', () => {
  expect(trialsOf(1, 20)).toEqual({ result: 7, trials: 2 });
});

test('a call that returns is made once', () => {
  expect(trialsOf(0, 20)).toEqual({ result: 7, trials: 1 });
});
