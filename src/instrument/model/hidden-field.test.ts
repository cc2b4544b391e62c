import { expect, test } from 'vitest';
import { hiddenField } from './coroutine-versions.js';

test('a hidden field keeps its value and is not visible', () => {
  const field = hiddenField<number>();
  const other = hiddenField<string>();
  const object = { a: 1 };
  expect(field.get(object)).toBeUndefined();
  field.set(object, 7);
  other.set(object, 'x');
  field.set(object, 8);
  expect([field.get(object), other.get(object)]).toEqual([8, 'x']);
  expect(Reflect.ownKeys(object)).toEqual(['a']);
  expect(field.get({ ...object })).toBeUndefined();
});

test('functions and frozen objects can have hidden fields', () => {
  const field = hiddenField<number>();
  const frozen = Object.freeze([1]);
  const late: number[] = [];
  field.set(late, 3);
  Object.freeze(late);
  for (const object of [frozen, () => 1, class {}]) {
    field.set(object, 5);
    expect(field.get(object)).toBe(5);
  }
  field.set(late, 4);
  expect(field.get(late)).toBe(4);
});
