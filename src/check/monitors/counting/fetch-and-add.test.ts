import { expect, test } from 'vitest';
import { expectLinearizable, expectViolation } from '../../../../test/support/oracles/evidence.js';
import { sketch } from '../../../history/drawing/sketch.js';
import type { History } from '../../../history/history.js';
import { fetchAndAdd } from '../../../objects/cells/counter.js';
import type { Spec } from '../../../spec/spec.js';
import { check } from '../../check.js';
import type { MonitorCause } from '../../model/causes.js';
import { verifyCause } from '../registry.js';

const monitored = { algorithm: 'monitor' } as const;

test('the results determine the linearization', () => {
  expect([
    ...expectLinearizable(
      sketch`
        A  |- add(2) -> 1 ---------|  |- add(0) -> 8 -|
        B  |- add(1) -> 0 ---------|
        C  |- read() -> 3 ---------|
        D  |- add(5) -> 3 ---------|
      `,
      fetchAndAdd(),
    ),
  ]).toEqual([1, 0, 2, 3, 4]);
});

test('the sum may decrease', () => {
  const spec = fetchAndAdd({ initial: 3 });
  expectLinearizable(sketch`A  |- add(-1) -> 3 -|  |- add(-4) -> 2 -|  |- read() -> -2 -|`, spec);
  expectViolation(sketch`A  |- add(-1) -> 3 -|  |- add(-1) -> 3 -|`, spec);
});

test('pending calls fill gaps, in order of call', () => {
  expect([
    ...expectLinearizable(
      sketch`
        A  |- add(2) -?                        |- add(2) -?
        B  |- add(2) -> 2 -|  |- add(1) -> 4 -|             |- read() -> 7 -|
      `,
      fetchAndAdd(),
    ),
  ]).toEqual([0, 1, 2, 3, 4]);
});

/** Each cause with a history that has it. */
const causes: readonly [string, object, History][] = [
  [
    'two adds return the same sum',
    { kind: 'overlap', operation: 1, other: 0 },
    sketch`
    A  |- add(1) -> 0 -|
    B    |- add(2) -> 0 -|`,
  ],
  [
    'a read returns a sum between those before and after an add',
    { kind: 'overlap', operation: 1, other: 0 },
    sketch`
    A  |- add(2) -> 0 -|
    B    |- read() -> 1 -|`,
  ],
  [
    'an add skips the result of another',
    { kind: 'overlap', operation: 0, other: 1 },
    sketch`
    A  |- add(3) -> 0 ------------------|
    B    |- add(1) -> 2 -|
    C    |- add(2) -?`,
  ],
  [
    'a later add returns a smaller sum',
    { kind: 'backwards', operation: 2, other: 0 },
    sketch`
    A  |- add(1) -> 1 -|
    B    |- add(1) -?    |- add(1) -> 0 -|`,
  ],
  [
    'a read returns the sum before an earlier add',
    { kind: 'backwards', operation: 1, other: 0 },
    sketch`
    A  |- add(1) -> 0 -|  |- read() -> 0 -|`,
  ],
  [
    'no add leads to a sum',
    { kind: 'unreached', operation: 1, sum: 1, open: [], each: 0 },
    sketch`
    A  |- add(1) -> 0 -|  |- read() -> 3 -|`,
  ],
  [
    'a sum is below the initial value',
    { kind: 'unreached', operation: 0, sum: 0 },
    sketch`A  |- add(1) -> -1 -|`,
  ],
  [
    'too few adds are pending',
    { kind: 'unreached', operation: 1, sum: 0, open: [0], each: 1 },
    sketch`
    A  |- add(1) -?
    B    |- read() -> 2 -|`,
  ],
  [
    'the pending add was called too late',
    { kind: 'unreached', operation: 0, open: [] },
    sketch`
    A  |- read() -> 1 -|
    B                    |- add(1) -?`,
  ],
  [
    'the pending adds are too large',
    { kind: 'unreached', operation: 2, open: [0, 1], each: 2 },
    sketch`
    A  |- add(2) -?
    B  |- add(2) -?
    C    |- read() -> 3 -|`,
  ],
];

test.each(causes)('a violation has its cause: %s', (_, expected, history) => {
  const { cause } = expectViolation(history, fetchAndAdd() as Spec);
  expect(cause).toMatchObject(expected);
});

test('a false cause is rejected', () => {
  const history = sketch`
    A  |- add(1) -> 0 -|  |- add(1) -> 1 -|
    B    |- add(1) -?                        |- read() -> 2 -|`;
  const expectRejected = (cause: MonitorCause) =>
    expect(verifyCause(history, fetchAndAdd() as Spec, cause)).toBe(false);
  expectRejected({ kind: 'overlap', operation: 2, other: 0 });
  expectRejected({ kind: 'overlap', operation: 0, other: 0 });
  expectRejected({ kind: 'backwards', operation: 2, other: 0 });
  expectRejected({ kind: 'backwards', operation: 0, other: 2 });
  expectRejected({ kind: 'backwards', operation: 0, other: 1 });
  expectRejected({ kind: 'unreached', operation: 3, sum: 2, open: [1], each: 1 });
  expectRejected({ kind: 'unreached', operation: 3, sum: 2, open: [1], each: 5 });
});

test.each([
  ['some amounts are positive and some are negative', sketch`A |- add(1) -> 0 -| |- add(-1) -> 1 -|`],
  ['pending calls add different amounts', sketch`A |- add(1) -? |- add(2) -?`],
  ['an argument of add is not a safe integer', sketch`A |- add(1.5) -> 0 -|`],
  ['a result of read is not a safe integer', sketch`A |- read() -> null -|`],
  ['read has 1 argument', sketch`A |- read(1) -> 0 -|`],
])('the monitor declines: %s', (obstacle, history) => {
  expect(() => check(history, fetchAndAdd() as Spec, monitored)).toThrow(obstacle);
});

test('the monitor declines an add that a prefix cut off, and a sum of bigints', () => {
  const history = sketch`
    A  |- add(1) -> 0 ----------|
    B    |- read() -> 0 -|`;
  expect(() => check(history.prefix(2), fetchAndAdd() as Spec, monitored)).toThrow(
    'add is cut off before its return',
  );
  expect(() => check(history, fetchAndAdd({ initial: 0n }) as Spec, monitored)).toThrow(
    'the initial sum is not a safe integer',
  );
});
