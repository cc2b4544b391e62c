import { expect, test } from 'vitest';
import { invariant } from './errors.js';

test('a broken invariant is reported as a bug of straightedge', () => {
  expect(() => invariant(false, 'two is not one')).toThrow(
    new Error('[straightedge bug] two is not one. Please report this.'),
  );
  expect(() => invariant(true, 'one is one')).not.toThrow();
});
