import { expect, test } from 'vitest';
import { stack } from './stack.js';

const { initial, methods, readOnly } = stack<number>();

test('what came in last leaves first', () => {
  expect(methods.push([1], 2)).toEqual([[1, 2], undefined]);
  expect(methods.pop([1, 2])).toEqual([[1], 2]);
  expect(methods.peek([1, 2])).toEqual([[1, 2], 2]);
});

test('an empty stack answers null, or what it is told to', () => {
  expect(methods.pop(initial)).toEqual([[], null]);
  expect(methods.peek(initial)).toEqual([[], null]);
  expect(stack<number, number>({ empty: -1 }).methods.pop([])).toEqual([[], -1]);
});

test('a stack starts with what it is told, the top last', () => {
  const started = stack({ initial: [1, 2] });
  expect(started.methods.pop(started.initial)).toEqual([[1], 2]);
});

test('pop → empty changes nothing where nobody pushes the empty value', () => {
  const empty = { kind: 'returned', value: null } as const;
  expect(readOnly?.('pop', [], empty, () => false)).toBe(true);
  expect(readOnly?.('pop', [], empty, (method, value) => method === 'push' && value === null)).toBe(false);
  expect(readOnly?.('peek', [], { kind: 'pending' }, () => false)).toBe(true);
  expect(readOnly?.('push', [1], { kind: 'pending' }, () => false)).toBe(false);
});
