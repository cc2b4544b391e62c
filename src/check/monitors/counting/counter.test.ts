import { expect, test } from 'vitest';
import { expectLinearizable, expectViolation } from '../../../../test/support/oracles/evidence.js';
import { sketch } from '../../../history/drawing/sketch.js';
import { counter } from '../../../objects/cells/counter.js';
import type { Spec } from '../../../spec/spec.js';
import { check } from '../../check.js';

const monitored = { algorithm: 'monitor' } as const;

test('a read sees all returned increments and any of the open ones', () => {
  expectLinearizable(
    sketch`
      A  |- increment() -|  |- increment() ----------------|
      B                        |- read() -> 1 -|  |- read() -> 2 -|
    `,
    counter(),
  );
  expectViolation(
    sketch`
      A  |- increment() -|  |- increment() -------------------------------|
      B                        |- read() -> 2 -|  |- read() -> 1 -|
    `,
    counter(),
  );
});

test('a read that misses a returned increment is the faulty operation', () => {
  const { cause } = expectViolation(
    sketch`
      A  |- increment() -|  |- read() -> 0 -|
      B                                        |- read() -> 5 -|
    `,
    counter(),
  );
  expect(cause).toMatchObject({ operation: 1, allowed: [{ kind: 'returned', value: 1 }] });
});

test('increments may be negative or larger than 1 if all are equal', () => {
  expectLinearizable(
    sketch`
      A  |- decrement(3) -|  |- increment(-3) -|  |- read() -> 1 -|  |- increment(0) -|
      B     |- read() -> 4 -|
    `,
    counter({ initial: 7 }),
  );
  expectViolation(sketch`A  |- decrement(3) -|  |- read() -> 5 -|`, counter({ initial: 7 }));
});

test('pending increments count if a read has seen them', () => {
  expect([
    ...expectLinearizable(
      sketch`
        A  |- increment() -?
        B  |- increment() -?
        C                    |- read() -> 1 -|  |- read() -> 1 -|
        D                       |- read() -?
      `,
      counter(),
    ),
  ]).toHaveLength(3);
  expectViolation(
    sketch`
      A  |- increment() -?
      B                    |- read() -> 2 -|
    `,
    counter(),
  );
});

test.each([
  ['increments differ', sketch`A |- increment(1) -| |- increment(2) -|`],
  ['increments differ', sketch`A |- increment(1) -| |- decrement(1) -|`],
  ['an argument of increment is not a safe integer', sketch`A |- increment(0.5) -|`],
  ['a result of read is not a safe integer', sketch`A |- read() -> "many" -|`],
  ['read has an argument', sketch`A |- read(null) -> 0 -|`],
])('the monitor declines: %s', (obstacle, history) => {
  expect(() => check(history, counter() as Spec, monitored)).toThrow(obstacle);
});

test('the monitor declines a counter of bigints', () => {
  expect(() => check(sketch`A |- increment() -|`, counter({ initial: 0n }) as Spec, monitored)).toThrow(
    'the initial count is not a safe integer',
  );
});
