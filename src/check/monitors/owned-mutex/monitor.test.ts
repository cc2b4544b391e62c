import { expect, test } from 'vitest';
import { expectLinearizable, expectViolation } from '../../../../test/support/oracles/evidence.js';
import { sketch } from '../../../history/drawing/sketch.js';
import type { History } from '../../../history/history.js';
import { ownedMutex } from '../../../objects/locks/mutex.js';
import type { Spec } from '../../../spec/spec.js';
import { check } from '../../check.js';
import type { MonitorCause } from '../../model/monitor-causes.js';
import { verifyCause } from '../registry.js';

const monitored = { algorithm: 'monitor' } as const;

test('turns follow each other, and who was refused comes while it is held', () => {
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

test('who found it free comes between two turns', () => {
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

test('who found it free waits for the next window, if this one is too short', () => {
  expectLinearizable(
    sketch`
      A  |- lock("A") -|  |- unlock("A") -|   |- lock("A") -----------------------------|  |- unlock("A") --------|
      B                                             |- tryLock("B") -> false -|
      C                                                             |- unlock("C") ! NotLocked ---------------------|
    `,
    ownedMutex(),
  );
});

test('calls that never returned begin a last turn, or end one', () => {
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

/** The cause, with the operations that show it. */
const causes: readonly [string, object, History][] = [
  [
    'two holders',
    {
      kind: 'two holders',
      operation: 1,
      holds: [
        { owner: 'A', lock: 0, unlock: 2 },
        { owner: 'B', lock: 1, unlock: undefined },
      ],
    },
    sketch`
    A  |- lock("A") -|                           |- unlock("A") -|
    B                  |- tryLock("B") -> true -|`,
  ],
  [
    'one who locks twice',
    { kind: 'two holders', operation: 1, holds: [{ owner: 'A' }, { owner: 'A' }] },
    sketch`
    A  |- lock("A") -|  |- lock("A") -|`,
  ],
  [
    'an unlock without a lock',
    { kind: 'not held', operation: 2 },
    sketch`
    A  |- lock("A") -|  |- unlock("A") -|  |- unlock("A") -|`,
  ],
  [
    'it was the owner',
    { kind: 'definitely held', operation: 1, lock: 0 },
    sketch`
    A  |- lock("A") -|  |- unlock("A") ! NotOwner -|`,
  ],
  [
    'it was locked',
    { kind: 'definitely held', operation: 1, lock: 0 },
    sketch`
    A  |- lock("A") -|
    B                   |- unlock("B") ! NotLocked -|`,
  ],
  [
    'free from the beginning',
    { kind: 'definitely free', operation: 0, before: 1, after: undefined },
    sketch`
    A  |- tryLock("A") -> false -|  |- lock("A") -|`,
  ],
  [
    'free between two turns',
    { kind: 'definitely free', operation: 2, after: 1, before: 4 },
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

test('a turn is over when the next one has begun, though its unlock never returned', () => {
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

test.each(causes)('%s', (_, told, history) => {
  const { cause } = expectViolation(history, ownedMutex() as Spec);
  expect(cause).toMatchObject(told);
});

test('those who saw it free and those who saw it held may be in each other’s way', () => {
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

test('a cause that is none is not confirmed', () => {
  const history = sketch`
    A  |- lock("A") -|  |- unlock("A") -|
    B     |- tryLock("B") -> false -|      |- lock("B") -|  |- unlock("A") ! NotOwner -|`;
  const no = (cause: MonitorCause) => expect(verifyCause(history, ownedMutex() as Spec, cause)).toBe(false);
  const [a, b] = [
    { owner: 'A', lock: 0, unlock: 2 },
    { owner: 'B', lock: 3, unlock: undefined },
  ];
  no({ kind: 'two holders', operation: 3, holds: [a, b] });
  no({ kind: 'two holders', operation: 3, holds: [b, b] });
  no({ kind: 'not held', operation: 2 });
  no({ kind: 'definitely held', operation: 1, lock: 0 });
  no({ kind: 'definitely held', operation: 4, lock: 3 });
  no({ kind: 'definitely free', operation: 1, after: undefined, before: 3 });
  no({ kind: 'definitely free', operation: 4, after: 2, before: undefined });
});

test.each([
  [
    'calls of one owner overlap',
    sketch`
    A  |- lock("A") -----|
    B    |- unlock("A") -|`,
  ],
  ['calls of one owner overlap', sketch`A |- lock("A") -? |- lock("A") -|`],
  ['an operation lock with 2 arguments', sketch`A |- lock("A", 1) -|`],
  ['an operation unlock that threw', sketch`A |- unlock("A") ! Broken -|`],
  ['an answer of tryLock that is none', sketch`A |- tryLock("A") -> 1 -|`],
])('%s: beyond it', (obstacle, history) => {
  expect(() => check(history, ownedMutex() as Spec, monitored)).toThrow(obstacle);
});
