import { expect, test } from 'vitest';
import { expectLinearizable, expectViolation } from '../../../../test/support/oracles/evidence.js';
import { sketch } from '../../../history/drawing/sketch.js';
import { multiset } from '../../../objects/collections/set.js';
import { semaphore } from '../../../objects/locks/mutex.js';
import type { Spec } from '../../../spec/spec.js';
import { check } from '../../check.js';

const monitored = { algorithm: 'monitor' } as const;

test('a key is present as often as it was added, initial ones included', () => {
  const spec = multiset({ initial: ['a', 'b', 'b'] });
  expectLinearizable(
    sketch`A  |- remove("b") -> true -|  |- remove("b") -> true -|  |- remove("a") -> true -|`,
    spec,
  );
  const { core, part } = expectViolation(
    sketch`A  |- remove("a") -> true -|  |- remove("b") -> true -|  |- contains("a") -> true -|`,
    spec,
  );
  expect(part).toBe('a');
  expect(Array.from(core, ({ method }) => method)).toEqual(['remove', 'contains']);
});

test('a successful contains needs one moment at which the key can be present', () => {
  expectLinearizable(
    sketch`
      A  |- contains(1) -> true --------------|
      B              |- add(1) -|
      C                  |- remove(1) -> true -|
    `,
    multiset(),
  );
});

test('pending calls may have added a key, and need not have removed one', () => {
  expectLinearizable(
    sketch`
      A  |- add(1) -?
      B     |- remove(1) -?
      C     |- contains(1) -?
      D                      |- remove(1) -> true -|
    `,
    multiset(),
  );
  expectViolation(
    sketch`
      A  |- add(1) -?
      B                 |- remove(1) -> true -|  |- remove(1) -> true -|
    `,
    multiset(),
  );
});

test('only the key that was found absent is searched', () => {
  const history = sketch`A |- remove(1) -> false -| |- add(2) -| |- remove(2) -> true -|`;
  expect(check(history, multiset() as Spec).stats.checker).toBe(
    'just-in-time graph search and multiset monitor',
  );
  expect(() => check(history, multiset() as Spec, monitored)).toThrow('remove found none');
});

test('a negative result that a prefix cut off is ignored', () => {
  const history = sketch`
    A  |- add(1) -|  |- contains(1) -> true -|
    B  |- remove(1) -> false ------------------|
  `;
  const cut = history.prefix(history.columns.events.length - 2);
  expect(check(cut, multiset() as Spec, monitored).kind).toBe('linearizable');
});

test('an acquire takes any number of available permits', () => {
  const spec = semaphore({ permits: 2 });
  expectLinearizable(
    sketch`
      A  |- acquire(2) -|  |- acquire(3) -------------|  |- acquire(0) -|
      B                       |- release(2) -|
      C                                |- release() -|
    `,
    spec,
  );
  const { cause } = expectViolation(
    sketch`
      A  |- acquire(2) -|  |- tryAcquire(3) -> true -|
      B                       |- release(2) -|
    `,
    spec,
  );
  expect(cause).toMatchObject({ kind: 'stuck', operation: 1, allowed: [{ kind: 'returned', value: false }] });
});

test('a pending release may have taken effect, and a pending acquire need not have', () => {
  expectLinearizable(
    sketch`
      A  |- acquire() -?
      B  |- release() -?   |- acquire() -|  |- tryAcquire() -> true -|
      C  |- tryAcquire() -?
    `,
    semaphore(),
  );
});

test.each([
  ['tryAcquire found too few permits', sketch`A |- tryAcquire(2) -> false -|`],
  ['an argument of release is not a count', sketch`A |- release(-1) -|`],
  ['acquire has 2 arguments', sketch`A |- acquire(1, 2) -|`],
  ['unexpected result of acquire', sketch`A |- acquire() -> 5 -|`],
  ['the number of permits exceeds the safe integers', sketch`A |- release(9007199254740991) -|`],
])('the semaphore monitor declines: %s', (obstacle, history) => {
  expect(() => check(history, semaphore() as Spec, monitored)).toThrow(obstacle);
});
