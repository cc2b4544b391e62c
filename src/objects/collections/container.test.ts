import { describe, expect, test } from 'vitest';
import { deque, queue, stack } from './container.js';

const { initial, methods, readOnly } = deque<number>();

test('values are added at both ends', () => {
  expect(methods.pushFront([1], 2)).toEqual([[2, 1], undefined]);
  expect(methods.pushBack([1], 2)).toEqual([[1, 2], undefined]);
});

test('values are removed at both ends', () => {
  expect(methods.popFront([1, 2, 3])).toEqual([[2, 3], 1]);
  expect(methods.popBack([1, 2, 3])).toEqual([[1, 2], 3]);
});

test('an empty deque returns null or its empty value', () => {
  expect(methods.popFront(initial)).toEqual([[], null]);
  expect(methods.popBack(initial)).toEqual([[], null]);
  expect(deque<number, string>({ empty: 'EMPTY' }).methods.popBack([])).toEqual([[], 'EMPTY']);
});

test('a deque starts with its initial values, the front first', () => {
  expect(deque({ initial: [1, 2] }).initial).toEqual([1, 2]);
});

test('an empty result is read-only if no call pushes the empty value at either end', () => {
  const empty = { kind: 'returned', value: null } as const;
  for (const pop of ['popFront', 'popBack']) {
    expect(readOnly?.(pop, [], empty, () => false)).toBe(true);
    for (const push of ['pushFront', 'pushBack'])
      expect(readOnly?.(pop, [], empty, (method, value) => method === push && value === null)).toBe(false);
  }
  expect(readOnly?.('pushFront', [1], { kind: 'pending' }, () => false)).toBe(false);
});

describe('queue', () => {
  const { initial, methods, readOnly, family } = queue<number | null>();
  const never = () => false;

  test('values are removed in the order in which they were added', () => {
    expect(methods.enqueue([1], 2)).toEqual([[1, 2], undefined]);
    expect(methods.dequeue([1, 2])).toEqual([[2], 1]);
    expect(methods.peek([1, 2])).toEqual([[1, 2], 1]);
  });

  test('an empty queue returns null or its empty value', () => {
    expect(initial).toEqual([]);
    expect(methods.dequeue([])).toEqual([[], null]);
    expect(methods.peek([])).toEqual([[], null]);
    expect(queue<number, string>({ empty: 'EMPTY' }).methods.dequeue([])).toEqual([[], 'EMPTY']);
    expect(queue<number, undefined>({ empty: undefined }).methods.dequeue([])).toStrictEqual([[], undefined]);
    expect(family?.empty).toBe(null);
  });

  test('a queue starts with its initial values, the oldest first', () => {
    const started = queue({ initial: [1, 2] });
    expect(started.methods.dequeue(started.initial)).toEqual([[2], 1]);
  });

  test('dequeue → empty is read-only if no call enqueues the empty value', () => {
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

  test('in a file, null may mean the empty value undefined', () => {
    const { readOnly } = queue<unknown, undefined>({ empty: undefined });
    const empty = { kind: 'returned', value: null } as const;
    expect(readOnly?.('dequeue', [], empty, never)).toBe(true);
    expect(readOnly?.('dequeue', [], empty, (_method, value) => value === null)).toBe(false);
  });

  test('an initial value that is no list is an error', () => {
    expect(() => queue({ initial: 5 as never })).toThrow(
      new TypeError('initial of a queue: expected a list; got 5'),
    );
  });
});

describe('stack', () => {
  const { initial, methods, readOnly } = stack<number>();

  test('values are removed in the reverse order in which they were added', () => {
    expect(methods.push([1], 2)).toEqual([[1, 2], undefined]);
    expect(methods.pop([1, 2])).toEqual([[1], 2]);
    expect(methods.peek([1, 2])).toEqual([[1, 2], 2]);
  });

  test('an empty stack returns null or its empty value', () => {
    expect(methods.pop(initial)).toEqual([[], null]);
    expect(methods.peek(initial)).toEqual([[], null]);
    expect(stack<number, number>({ empty: -1 }).methods.pop([])).toEqual([[], -1]);
  });

  test('a stack starts with its initial values, the top last', () => {
    const started = stack({ initial: [1, 2] });
    expect(started.methods.pop(started.initial)).toEqual([[1], 2]);
  });

  test('pop → empty is read-only if no call pushes the empty value', () => {
    const empty = { kind: 'returned', value: null } as const;
    expect(readOnly?.('pop', [], empty, () => false)).toBe(true);
    expect(readOnly?.('pop', [], empty, (method, value) => method === 'push' && value === null)).toBe(false);
    expect(readOnly?.('peek', [], { kind: 'pending' }, () => false)).toBe(true);
    expect(readOnly?.('push', [1], { kind: 'pending' }, () => false)).toBe(false);
  });
});
