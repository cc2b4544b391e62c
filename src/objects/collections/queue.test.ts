import { expect, test } from 'vitest';
import { queue } from './queue.js';

const { initial, methods, readOnly, family } = queue<number | null>();
const never = () => false;

test('what came in first leaves first', () => {
  expect(methods.enqueue([1], 2)).toEqual([[1, 2], undefined]);
  expect(methods.dequeue([1, 2])).toEqual([[2], 1]);
  expect(methods.peek([1, 2])).toEqual([[1, 2], 1]);
});

test('an empty queue answers null, or what it is told to', () => {
  expect(initial).toEqual([]);
  expect(methods.dequeue([])).toEqual([[], null]);
  expect(methods.peek([])).toEqual([[], null]);
  expect(queue<number, string>({ empty: 'EMPTY' }).methods.dequeue([])).toEqual([[], 'EMPTY']);
  expect(queue<number, undefined>({ empty: undefined }).methods.dequeue([])).toStrictEqual([[], undefined]);
  expect(family?.empty).toBe(null);
});

test('a queue starts with what it is told, the oldest first', () => {
  const started = queue({ initial: [1, 2] });
  expect(started.methods.dequeue(started.initial)).toEqual([[2], 1]);
});

test('dequeue → empty changes nothing where nobody enqueues the empty value', () => {
  const empty = { kind: 'returned', value: null } as const;
  expect(readOnly?.('dequeue', [], empty, never)).toBe(true);
  expect(readOnly?.('dequeue', [], empty, (method, value) => method === 'enqueue' && value === null)).toBe(
    false,
  );
  expect(queue({ initial: [null] }).readOnly?.('dequeue', [], empty, never)).toBe(false);
  expect(readOnly?.('dequeue', [], { kind: 'returned', value: 1 }, never)).toBe(false);
  expect(readOnly?.('dequeue', [], { kind: 'pending' }, never)).toBe(false);
  expect(readOnly?.('peek', [], { kind: 'pending' }, never)).toBe(true);
  expect(readOnly?.('enqueue', [1], { kind: 'pending' }, never)).toBe(false);
});

test('null in a file may stand for the empty value undefined', () => {
  const { readOnly } = queue<unknown, undefined>({ empty: undefined });
  const empty = { kind: 'returned', value: null } as const;
  expect(readOnly?.('dequeue', [], empty, never)).toBe(true);
  expect(readOnly?.('dequeue', [], empty, (_method, value) => value === null)).toBe(false);
});

test('an initial that is no list is an error that says so', () => {
  expect(() => queue({ initial: 5 as never })).toThrow(
    new TypeError('the initial of a queue is a list, not 5'),
  );
});
