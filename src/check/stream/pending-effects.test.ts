import { expect, test } from 'vitest';
import { PendingEffects } from './pending-effects.js';

test('only an earlier call satisfies a need', () => {
  const effects = new PendingEffects();
  effects.call(1);
  effects.need(2);
  effects.call(3);
  expect(effects.areSatisfiable).toBe(true);
  expect(effects.satisfy(3)).toBe(false);
  effects.end(1);
  expect(effects.areSatisfiable).toBe(false);
});

test('an operation that returns satisfies the earliest need that it can, which leaves the later ones satisfiable', () => {
  const effects = new PendingEffects();
  effects.call(1);
  effects.need(2);
  effects.call(3);
  effects.need(4);
  expect(effects.free).toBe(0);
  effects.end(1);
  expect(effects.satisfy(1)).toBe(true);
  // the need at 4 remains, and the call at 3 is before it
  expect(effects.areSatisfiable).toBe(true);
  effects.end(3);
  expect(effects.satisfy(3)).toBe(true);
  expect(effects.size).toBe(0);
});
