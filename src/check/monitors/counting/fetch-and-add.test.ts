import { expect, test } from 'vitest';
import { expectLinearizable, expectViolation } from '../../../../test/support/oracles/evidence.js';
import { sketch } from '../../../history/drawing/sketch.js';
import type { History } from '../../../history/history.js';
import { fetchAndAdd } from '../../../objects/cells/counter.js';
import type { Spec } from '../../../spec/spec.js';
import { check } from '../../check.js';
import type { MonitorCause } from '../../model/monitor-causes.js';
import { verifyCause } from '../registry.js';

const monitored = { algorithm: 'monitor' } as const;

test('what was found is the order', () => {
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

test('it may go down', () => {
  const spec = fetchAndAdd({ initial: 3 });
  expectLinearizable(sketch`A  |- add(-1) -> 3 -|  |- add(-4) -> 2 -|  |- read() -> -2 -|`, spec);
  expectViolation(sketch`A  |- add(-1) -> 3 -|  |- add(-1) -> 3 -|`, spec);
});

test('calls that never returned fill gaps in the order of their calls', () => {
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

/** The cause, with the operations that show it. */
const causes: readonly [string, object, History][] = [
  [
    'the same found twice',
    { kind: 'overlap', operation: 1, other: 0 },
    sketch`
    A  |- add(1) -> 0 -|
    B    |- add(2) -> 0 -|`,
  ],
  [
    'found between',
    { kind: 'overlap', operation: 1, other: 0 },
    sketch`
    A  |- add(2) -> 0 -|
    B    |- read() -> 1 -|`,
  ],
  [
    'passed over',
    { kind: 'overlap', operation: 0, other: 1 },
    sketch`
    A  |- add(3) -> 0 ------------------|
    B    |- add(1) -> 2 -|
    C    |- add(2) -?`,
  ],
  [
    'found less, later',
    { kind: 'backwards', operation: 2, other: 0 },
    sketch`
    A  |- add(1) -> 1 -|
    B    |- add(1) -?    |- add(1) -> 0 -|`,
  ],
  [
    'read what was added to',
    { kind: 'backwards', operation: 1, other: 0 },
    sketch`
    A  |- add(1) -> 0 -|  |- read() -> 0 -|`,
  ],
  [
    'a sum that nothing makes',
    { kind: 'unreached', operation: 1, sum: 1, open: [], each: 0 },
    sketch`
    A  |- add(1) -> 0 -|  |- read() -> 3 -|`,
  ],
  ['below the beginning', { kind: 'unreached', operation: 0, sum: 0 }, sketch`A  |- add(1) -> -1 -|`],
  [
    'too few that never returned',
    { kind: 'unreached', operation: 1, sum: 0, open: [0], each: 1 },
    sketch`
    A  |- add(1) -?
    B    |- read() -> 2 -|`,
  ],
  [
    'one that was called too late',
    { kind: 'unreached', operation: 0, open: [] },
    sketch`
    A  |- read() -> 1 -|
    B                    |- add(1) -?`,
  ],
  [
    'steps that do not fit',
    { kind: 'unreached', operation: 2, open: [0, 1], each: 2 },
    sketch`
    A  |- add(2) -?
    B  |- add(2) -?
    C    |- read() -> 3 -|`,
  ],
];

test.each(causes)('%s is told as such', (_, told, history) => {
  const { cause } = expectViolation(history, fetchAndAdd() as Spec);
  expect(cause).toMatchObject(told);
});

test('a cause that is none is not confirmed', () => {
  const history = sketch`
    A  |- add(1) -> 0 -|  |- add(1) -> 1 -|
    B    |- add(1) -?                        |- read() -> 2 -|`;
  const no = (cause: MonitorCause) => expect(verifyCause(history, fetchAndAdd() as Spec, cause)).toBe(false);
  no({ kind: 'overlap', operation: 2, other: 0 });
  no({ kind: 'overlap', operation: 0, other: 0 });
  no({ kind: 'backwards', operation: 2, other: 0 });
  no({ kind: 'backwards', operation: 0, other: 2 });
  no({ kind: 'backwards', operation: 0, other: 1 });
  no({ kind: 'unreached', operation: 3, sum: 2, open: [1], each: 1 });
  no({ kind: 'unreached', operation: 3, sum: 2, open: [1], each: 5 });
});

test.each([
  ['some add, and some take away', sketch`A |- add(1) -> 0 -| |- add(-1) -> 1 -|`],
  ['calls that never returned and add different amounts', sketch`A |- add(1) -? |- add(2) -?`],
  ['an argument of add that is no safe integer', sketch`A |- add(1.5) -> 0 -|`],
  ['an answer of read that is no safe integer', sketch`A |- read() -> null -|`],
  ['an operation read with 1 argument', sketch`A |- read(1) -> 0 -|`],
])('%s: beyond it', (obstacle, history) => {
  expect(() => check(history, fetchAndAdd() as Spec, monitored)).toThrow(obstacle);
});

test('an add that a prefix cut off is beyond it, and a sum of bigints', () => {
  const history = sketch`
    A  |- add(1) -> 0 ----------|
    B    |- read() -> 0 -|`;
  expect(() => check(history.prefix(2), fetchAndAdd() as Spec, monitored)).toThrow(
    'an operation add that is cut off',
  );
  expect(() => check(history, fetchAndAdd({ initial: 0n }) as Spec, monitored)).toThrow(
    'begin with a safe integer',
  );
});
