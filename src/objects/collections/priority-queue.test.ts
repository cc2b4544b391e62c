import { expect, test } from 'vitest';
import { oneOf, type Step } from '../../spec/spec.js';
import { type Priority, priorityQueue } from './priority-queue.js';

const { initial, methods, readOnly } = priorityQueue<unknown>();

/** The state after some insertions. */
function holding(...calls: readonly (readonly [value: unknown, priority?: Priority])[]) {
  return calls.reduce(
    (items, call) => (methods.insert(items, ...call) as Step<typeof items, void>)[0],
    initial,
  );
}

test('the smallest value is removed first', () => {
  expect(methods.deleteMin(holding([3], [1], [2]))).toEqual(oneOf([holding([2], [3]), 1]));
  expect(methods.min(holding([3], [1], [2]))).toEqual(oneOf([holding([1], [2], [3]), 1]));
});

test('a given priority replaces the value as priority', () => {
  expect(methods.deleteMin(holding(['late', 2], ['soon', 1]))).toEqual(oneOf([holding(['late', 2]), 'soon']));
  expect(holding([1, 1])).toEqual(holding([1]));
});

test('any value of the smallest priority may be removed', () => {
  const items = holding(['b', 1], ['a', 1], ['c', 2]);
  const onlyB = holding(['b', 1], ['c', 2]);
  expect(methods.deleteMin(items)).toEqual(oneOf([onlyB, 'a'], [holding(['a', 1], ['c', 2]), 'b']));
  expect(methods.min(items)).toEqual(oneOf([items, 'a'], [items, 'b']));
});

test('equal values of equal priority are one choice', () => {
  expect(methods.deleteMin(holding([[1], 1], [[1], 1]))).toEqual(oneOf([holding([[1], 1]), [1]]));
});

test('the state does not depend on the order of insertion', () => {
  expect(holding(['a', 1], ['b', 1], ['c', 0])).toEqual(holding(['c', 0], ['b', 1], ['a', 1]));
});

test('numbers and bigints are compared by value, strings by code units', () => {
  expect(methods.min(holding([10], [9n], [11]))).toMatchObject({ steps: [[{}, 9n]] });
  expect(methods.min(holding([1], [1n]))).toMatchObject({
    steps: [
      [{}, 1],
      [{}, 1n],
    ],
  });
  expect(methods.min(holding(['a'], ['B']))).toMatchObject({ steps: [[{}, 'B']] });
  expect(methods.min(holding(['9'], ['10']))).toMatchObject({ steps: [[{}, '10']] });
});

test('an empty queue returns null or its empty value', () => {
  expect(methods.deleteMin([])).toEqual([[], null]);
  expect(methods.min([])).toEqual([[], null]);
  expect(priorityQueue<number, number>({ empty: -1 }).methods.min([])).toEqual([[], -1]);
});

test('initial values are their own priorities', () => {
  expect(priorityQueue({ initial: [2, 1] }).initial).toEqual(holding([1], [2]));
});

test('incomparable priorities are an error', () => {
  expect(() => methods.insert([], { a: 1 })).toThrow(/^invalid priority \{a: 1\}/);
  expect(() => methods.insert([], 1, Number.NaN)).toThrow(TypeError);
  expect(() => methods.insert(holding([1]), 'a')).toThrow('the priorities "a" and 1 cannot be compared');
});

test('only min is read-only', () => {
  expect(readOnly?.('min', [], { kind: 'pending' }, () => false)).toBe(true);
  expect(readOnly?.('deleteMin', [], { kind: 'returned', value: null }, () => false)).toBe(false);
  expect(readOnly?.('insert', [1], { kind: 'pending' }, () => false)).toBe(false);
});
