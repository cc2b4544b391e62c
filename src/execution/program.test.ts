import { expect, test } from 'vitest';
import { noMethod } from './program.js';

test('a missing method is reported with those that are there, of all classes, and no getter is run', () => {
  class Base {
    read(): void {}
  }
  class Counter extends Base {
    count = 0;
    add(): void {}
    get value(): number {
      throw new Error('run');
    }
  }
  expect(noMethod(new Counter(), 'ad')).toBe('has no method ad; it has add, read');
  expect(noMethod({ own: () => 1 }, 'x')).toBe('has no method x; it has own');
  expect(noMethod(Object.create(null) as object, 'x')).toBe('has no method x');
});
