import { expect, test } from 'vitest';
import { glimpse } from './preview-value.js';

class Item {
  readonly value: number;
  readonly next: Item | null;
  constructor(value: number, next: Item | null) {
    this.value = value;
    this.next = next;
  }
  toString(): string {
    throw new Error('called');
  }
}

test.each([
  [1, '1'],
  ['a\u001b', '"a\\u001b"'],
  [undefined, 'undefined'],
  [[1, [2], null], '[1, […], null]'],
  [[1, 2, 3, 4, 5, 6, 7], '[1, 2, 3, 4, 5, 6, …]'],
  [{ a: 1, b: {} }, '{a: 1, b: {…}}'],
  [new Item(1, new Item(2, null)), 'Item {value: 1, next: {…}}'],
  [new Map([[1, 2]]), 'Map'],
  [Object.create(null), '{}'],
])('value %# is told, and nothing of it is called', (value, text) => {
  expect(glimpse(value)).toBe(text);
});

test('a getter is not called', () => {
  const object = {
    get a(): number {
      throw new Error('called');
    },
    b: 1,
  };
  expect(glimpse(object)).toBe('{b: 1}');
});
