import { expect, test } from 'vitest';
import { check } from '../../check/check.js';
import { HistoryBuilder } from '../../history/builder/builder.js';
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

test('a call without a name counts as a different caller', () => {
  expect(barrier().rendezvous['sync*']?.(null, [], [null], ['x'])).toEqual([
    null,
    [undefined, undefined, undefined],
  ]);
});

/** All permutations. */
const orders = (items: readonly string[]): string[] =>
  items.length === 0
    ? ['']
    : items.flatMap((item) => orders(items.filter((own) => own !== item)).map((rest) => item + rest));

test('values may be combined in every order', () => {
  const spec = combiningBarrier<string>({ parties: 3, combine: (values) => values.join('') });
  const verdictOf = (result: string, calls: string): string => {
    const builder = new HistoryBuilder();
    const ids = [...calls].map((name) => builder.call({ process: name, method: 'sync', args: [name, name] }));
    for (const id of ids) builder.end(id, { kind: 'returned', value: result });
    return check(builder.finish(), spec as never).kind;
  };
  for (const calls of orders(['a', 'b', 'c'])) {
    for (const result of orders(['a', 'b', 'c'])) expect(verdictOf(result, calls)).toBe('linearizable');
    for (const result of ['ab', 'abb', '']) expect(verdictOf(result, calls)).toBe('violation');
  }
});
