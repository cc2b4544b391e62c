import { expect, test } from 'vitest';
import { expectLinearizable, expectViolation } from '../../../../test/support/oracles/evidence.js';
import { sketch } from '../../../history/drawing/sketch.js';
import type { History } from '../../../history/history.js';
import { ownedMutex } from '../../../objects/locks/mutex.js';
import type { Spec } from '../../../spec/spec.js';
import { check } from '../../check.js';
import type { MonitorCause } from '../../model/causes.js';
import { verifyCause } from '../registry.js';

const monitored = { algorithm: 'monitor' } as const;

test('critical sections follow each other, and a refused tryLock lies inside one', () => {
  expect([
    ...expectLinearizable(
      sketch`
        A  |- lock("A") -|  |- unlock("A") -----------|
        B     |- tryLock("B") -> true --------------------------|
        C                         |- tryLock("C") -> false -|
      `,
      ownedMutex(),
    ),
  ]).toEqual([0, 3, 2, 1]);
});

test('a call that found the lock free lies between two critical sections', () => {
  const order = expectLinearizable(
    sketch`
      A  |- lock("A") -|  |- unlock("A") -------------------------------------|
      B     |- lock("B") -----------------------------------------------------|
      C                         |- unlock("C") ! NotLocked -|
      D                                                        |- tryLock("D") -> false -|
    `,
    ownedMutex(),
  );
  expect([...order]).toEqual([0, 2, 3, 1, 4]);
});

test('a call that found the lock free may lie in a later gap if the first one is too short', () => {
  expectLinearizable(
    sketch`
      A  |- lock("A") -|  |- unlock("A") -|   |- lock("A") -----------------------------|  |- unlock("A") --------|
      B                                             |- tryLock("B") -> false -|
      C                                                             |- unlock("C") ! NotLocked ---------------------|
    `,
    ownedMutex(),
  );
});

test('pending calls may start the last critical section, or end one', () => {
  expectLinearizable(
    sketch`
      A  |- lock("A") -|  |- unlock("A") -?
      B                                      |- lock("B") -|  |- unlock("B") -|
      C    |- tryLock("C") -?
      D                                                                          |- tryLock("D") -> false -|
    `,
    ownedMutex(),
  );
  expectLinearizable(
    sketch`
      A  |- lock("A") -|  |- unlock("A") -?
      B                                      |- unlock("B") ! NotLocked -|  |- tryLock("B") -> false -|
      C    |- lock("C") -?
    `,
    ownedMutex(),
  );
});

/** Each cause with a history that has it. */
const causes: readonly [string, object, History][] = [
  [
    'two holders',
    {
      kind: 'two holders',
      operation: 1,
      holds: [
        { owner: 'A', lock: 0, unlock: undefined },
        { owner: 'B', lock: 1, unlock: undefined },
      ],
    },
    sketch`
    A  |- lock("A") -|                           |- unlock("A") -|
    B                  |- tryLock("B") -> true -|`,
  ],
  [
    'one owner locks twice',
    { kind: 'two holders', operation: 1, holds: [{ owner: 'A' }, { owner: 'A' }] },
    sketch`
    A  |- lock("A") -|  |- lock("A") -|`,
  ],
  [
    'an owner unlocks without a lock',
    { kind: 'not held', operation: 2 },
    sketch`
    A  |- lock("A") -|  |- unlock("A") -|  |- unlock("A") -|`,
  ],
  [
    'a NotOwner error of the owner',
    { kind: 'definitely held', operation: 1, lock: 0 },
    sketch`
    A  |- lock("A") -|  |- unlock("A") ! NotOwner -|`,
  ],
  [
    'a NotLocked error of a held lock',
    { kind: 'definitely held', operation: 1, lock: 0 },
    sketch`
    A  |- lock("A") -|
    B                   |- unlock("B") ! NotLocked -|`,
  ],
  [
    'free from the start',
    { kind: 'definitely free', operation: 0, before: undefined, after: undefined },
    sketch`
    A  |- tryLock("A") -> false -|  |- lock("A") -|`,
  ],
  [
    'free between two critical sections',
    // until A locks again, C may hold it
    { kind: 'stuck', operation: 4 },
    sketch`
    A  |- lock("A") -|  |- unlock("A") -|                                    |- lock("A") -|  |- unlock("A") -|
    B                                      |- unlock("B") ! NotOwner -|
    C                                      |- lock("C") -------------------------------------------------------------|`,
  ],
  [
    'free to the end',
    { kind: 'definitely free', operation: 2, after: 1, before: undefined },
    sketch`
    A  |- lock("A") -|  |- unlock("A") -|  |- tryLock("A") -> false -|
    B                                                                   |- lock("B") -?`,
  ],
];

test('a critical section with a pending unlock ends before the next one starts', () => {
  const { cause } = expectViolation(
    sketch`
      A  |- lock("A") -|  |- unlock("A") -?
      B                                      |- lock("B") -|  |- unlock("B") -|
      C                                                                          |- tryLock("C") -> false -|
    `,
    ownedMutex(),
  );
  expect(cause).toMatchObject({ kind: 'definitely free', operation: 4, after: 3 });
});

test.each(causes)('a violation has its cause: %s', (_, expected, history) => {
  const { cause } = expectViolation(history, ownedMutex() as Spec);
  expect(cause).toMatchObject(expected);
});

test('calls that found the lock free and calls that found it held can contradict each other', () => {
  const { cause } = expectViolation(
    sketch`
      A  |- lock("A") -|  |- unlock("A") -------------------------------------------------------------|
      B                      |- unlock("B") ! NotLocked -|                            |- unlock("B") ! NotLocked -|
      C                                                     |- tryLock("C") -> false -|
    `,
    ownedMutex(),
  );
  expect(cause.kind).toBe('stuck');
});

test('a false cause is rejected', () => {
  const history = sketch`
    A  |- lock("A") -|  |- unlock("A") -|
    B     |- tryLock("B") -> false -|      |- lock("B") -|  |- unlock("A") ! NotOwner -|`;
  const expectRejected = (cause: MonitorCause) =>
    expect(verifyCause(history, ownedMutex() as Spec, cause)).toBe(false);
  const [a, b] = [
    { owner: 'A', lock: 0, unlock: 2 },
    { owner: 'B', lock: 3, unlock: undefined },
  ];
  expectRejected({ kind: 'two holders', operation: 3, holds: [a, b] });
  expectRejected({ kind: 'two holders', operation: 3, holds: [b, b] });
  expectRejected({ kind: 'not held', operation: 2 });
  expectRejected({ kind: 'definitely held', operation: 1, lock: 0 });
  expectRejected({ kind: 'definitely held', operation: 4, lock: 3 });
  expectRejected({ kind: 'definitely free', operation: 1, after: undefined, before: 3 });
  expectRejected({ kind: 'definitely free', operation: 4, after: 2, before: undefined });
});

test.each([
  [
    'calls of one owner overlap',
    sketch`
    A  |- lock("A") -----|
    B    |- unlock("A") -|`,
  ],
  ['calls of one owner overlap', sketch`A |- lock("A") -? |- lock("A") -|`],
  ['lock has 2 arguments', sketch`A |- lock("A", 1) -|`],
  ['unlock threw an error', sketch`A |- unlock("A") ! Broken -|`],
  ['unexpected result of tryLock', sketch`A |- tryLock("A") -> 1 -|`],
])('the monitor declines: %s', (obstacle, history) => {
  expect(() => check(history, ownedMutex() as Spec, monitored)).toThrow(obstacle);
});
