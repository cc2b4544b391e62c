import { expect, test } from 'vitest';
import { LateOrder } from './lists.js';

const noPending = () => -1;

test('a returning operation is assigned to the earliest pending effect after its call', () => {
  const order = new LateOrder(4, 1);
  order.call(0, 0);
  order.call(0, 1);
  expect(order.requireEffect(0)).toBe(true);
  order.call(0, 2);
  order.call(0, 3);
  expect(order.requireEffect(0)).toBe(true);
  expect(order.requireEffect(0)).toBe(true);
  // 2 was called after the first pending effect
  expect(order.assign(0, 2)).toBe(true);
  expect(order.assign(0, 1)).toBe(true);
  expect(order.assign(0, 0)).toBe(true);
  expect(order.assign(0, 3)).toBe(false);
  order.put(3);
  expect([...order.finish(noPending)]).toEqual([1, 2, 0, 3]);
});

test('an operation that was called after all pending effects is assigned to none', () => {
  const order = new LateOrder(2, 1);
  order.call(0, 0);
  order.requireEffect(0);
  order.call(0, 1);
  expect(order.assign(0, 1)).toBe(false);
});

test('an effect needs an open operation of its kind', () => {
  const order = new LateOrder(3, 2);
  order.call(1, 0);
  expect(order.requireEffect(0)).toBe(false);
  expect(order.requireEffect(1)).toBe(true);
  expect(order.requireEffect(1)).toBe(false);
  order.call(1, 1);
  expect(order.spare(1)).toBe(1);
});

test('the remaining pending effects are assigned to pending operations, in order of call', () => {
  const order = new LateOrder(4, 2);
  order.call(0, 0);
  order.call(1, 1);
  order.call(0, 2);
  order.requireEffect(0);
  order.requireEffect(1);
  order.put(3);
  order.requireEffect(0);
  expect([...order.finish((k) => (k === 3 ? -1 : k % 2))]).toEqual([0, 1, 3, 2]);
});
