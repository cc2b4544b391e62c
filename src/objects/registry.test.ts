import { expect, test } from 'vitest';
import { show } from '../base/values/show.js';
import { objects } from './registry.js';

test('options reach the object', () => {
  expect(objects.queue({ initial: [1, 2], empty: 'EMPTY' })).toMatchObject({
    family: { initial: [1, 2], empty: 'EMPTY' },
  });
  expect(show(objects.queue({ initial: [1, 2] }).initial)).toBe('[1, 2]');
  expect(objects.semaphore({ permits: 2 }).initial).toBe(2);
  expect(objects.latch({ initial: 3 }).initial).toBe(3);
  expect(objects.latch({}).initial).toBe(1);
  expect(objects.register({ initial: 0 }).initial).toBe(0);
});

test('an option that is undefined counts as absent', () => {
  expect(objects.queue({ initial: undefined, empty: undefined }).family?.empty).toBe(null);
  expect(objects.mutex({ initial: undefined }).name).toBe('mutex');
});

test('an option that an object does not have is refused', () => {
  expect(() => objects.queue({ permits: 2 })).toThrow(new TypeError('queue has no option --permits'));
  expect(() => objects.mutex({ initial: true })).toThrow(new TypeError('mutex has no option --initial'));
});

test('an option of the wrong kind is refused', () => {
  expect(() => objects.queue({ initial: 5 })).toThrow(
    new TypeError('--initial of a queue: expected a list; got 5'),
  );
  expect(() => objects.event({ initial: 'yes' })).toThrow(
    '--initial of an event: expected true or false; got "yes"',
  );
  expect(() => objects.latch({ initial: -1 })).toThrow(
    '--initial of a latch: expected a whole number, 0 or more; got -1',
  );
  expect(() => objects.semaphore({ permits: 0.5 })).toThrow('--permits of a semaphore');
  expect(() => objects.counter({ initial: 'x' })).toThrow('--initial of a counter');
});

test('names of fields of every JavaScript object are not names of specs', () => {
  expect(objects.constructor).toBe(undefined);
  expect(objects.toString).toBe(undefined);
});
