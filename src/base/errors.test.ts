import { expect, test } from 'vitest';
import { invariant } from './errors.js';

test('a broken promise of our own says that it is our fault', () => {
  expect(() => invariant(false, 'two is not one')).toThrow(
    new Error('[straightedge bug] two is not one. Please report this.'),
  );
  expect(() => invariant(true, 'one is one')).not.toThrow();
});
