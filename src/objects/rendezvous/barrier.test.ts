import { expect, test } from 'vitest';
import { refuse } from '../../spec/spec.js';
import { barrier, combiningBarrier, enrollableBarrier } from './barrier.js';

test('two calls with the same name do not synchronise, with a reason', () => {
  const twice = refuse('two calls have the same name, "x"');
  expect(barrier().rendezvous['sync*']?.(null, ['x'], ['x'])).toEqual(twice);
  expect(barrier().rendezvous['sync*']?.(null, [{ a: 1 }], ['y'], [{ a: 1 }])).toEqual(
    refuse('two calls have the same name, {a: 1}'),
  );
  expect(combiningBarrier().rendezvous['sync*']?.(null, ['x', 1], ['x', 2])).toEqual(twice);
  expect(enrollableBarrier().rendezvous['sync*']?.(['x', 'y'], ['x'], ['x'])).toEqual(twice);
});

test('who gives no name at a barrier is taken for another', () => {
  expect(barrier().rendezvous['sync*']?.(null, [], [null], ['x'])).toEqual([
    null,
    [undefined, undefined, undefined],
  ]);
});
