import { expect, test } from 'vitest';
import { PendingEffects } from './pending-effects.js';

test('a credit can only be paid by a call before it', () => {
  const credits = new PendingEffects();
  credits.call(1);
  credits.need(2);
  credits.call(3);
  expect(credits.canPay).toBe(true);
  expect(credits.pay(3)).toBe(false);
  credits.end(1);
  expect(credits.canPay).toBe(false);
});

test('who returns pays the earliest credit that it can, so that the others can be paid', () => {
  const credits = new PendingEffects();
  credits.call(1);
  credits.need(2);
  credits.call(3);
  credits.need(4);
  expect(credits.free).toBe(0);
  credits.end(1);
  expect(credits.pay(1)).toBe(true);
  // what is left is the credit of 4, and the call of 3 is before it
  expect(credits.canPay).toBe(true);
  credits.end(3);
  expect(credits.pay(3)).toBe(true);
  expect(credits.size).toBe(0);
});
