import { expect, test } from 'vitest';
import { LateOrder } from './late-order.js';

const nobody = () => -1;

test('who returns pays the earliest credit behind its call', () => {
  const order = new LateOrder(4, 1);
  order.call(0, 0);
  order.call(0, 1);
  expect(order.borrow(0)).toBe(true);
  order.call(0, 2);
  order.call(0, 3);
  expect(order.borrow(0)).toBe(true);
  expect(order.borrow(0)).toBe(true);
  // 2 was called behind the first credit
  expect(order.repay(0, 2)).toBe(true);
  expect(order.repay(0, 1)).toBe(true);
  expect(order.repay(0, 0)).toBe(true);
  expect(order.repay(0, 3)).toBe(false);
  order.put(3);
  expect([...order.finish(nobody)]).toEqual([1, 2, 0, 3]);
});

test('who was called behind all credits pays none', () => {
  const order = new LateOrder(2, 1);
  order.call(0, 0);
  order.borrow(0);
  order.call(0, 1);
  expect(order.repay(0, 1)).toBe(false);
});

test('there is no credit without an open operation of the kind', () => {
  const order = new LateOrder(3, 2);
  order.call(1, 0);
  expect(order.borrow(0)).toBe(false);
  expect(order.borrow(1)).toBe(true);
  expect(order.borrow(1)).toBe(false);
  order.call(1, 1);
  expect(order.spare(1)).toBe(1);
});

test('what is unpaid is paid by those who never returned, in the order of their calls', () => {
  const order = new LateOrder(4, 2);
  order.call(0, 0);
  order.call(1, 1);
  order.call(0, 2);
  order.borrow(0);
  order.borrow(1);
  order.put(3);
  order.borrow(0);
  expect([...order.finish((k) => (k === 3 ? -1 : k % 2))]).toEqual([0, 1, 3, 2]);
});
