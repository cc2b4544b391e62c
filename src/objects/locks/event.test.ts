import { expect, test } from 'vitest';
import { blocked } from '../../spec/spec.js';
import { event } from './event.js';

const { initial, methods, readOnly } = event();

test('who waits goes on when it is set', () => {
  expect(methods.wait(false)).toBe(blocked);
  expect(methods.wait(true)).toEqual([true, undefined]);
});

test('it is set until it is reset', () => {
  expect(methods.set(false)).toEqual([true, undefined]);
  expect(methods.reset(true)).toEqual([false, undefined]);
  expect(methods.isSet(true)).toEqual([true, true]);
  expect(methods.isSet(false)).toEqual([false, false]);
});

test('it is not set at first, unless told', () => {
  expect(initial).toBe(false);
  expect(event({ initial: true }).initial).toBe(true);
  expect(() => event({ initial: 1 as never })).toThrow('the initial of an event is true or false, not 1');
});

test('waiting and asking change nothing', () => {
  expect(readOnly?.('wait', [], { kind: 'pending' }, () => false)).toBe(true);
  expect(readOnly?.('isSet', [], { kind: 'pending' }, () => false)).toBe(true);
  expect(readOnly?.('set', [], { kind: 'returned', value: undefined }, () => false)).toBe(false);
});
