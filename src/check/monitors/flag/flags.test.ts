import { describe, expect, test } from 'vitest';
import { expectLinearizable, expectViolation } from '../../../../test/support/oracles/evidence.js';
import { HistoryBuilder } from '../../../history/builder/builder.js';
import { sketch } from '../../../history/drawing/sketch.js';
import { set } from '../../../objects/collections/set.js';
import { mutex } from '../../../objects/locks/mutex.js';
import type { Spec } from '../../../spec/spec.js';
import { check } from '../../check.js';

const monitored = { algorithm: 'monitor' } as const;

describe('set', () => {
  test('an add accounts only for effects needed after its call', () => {
    const { core, cause, part } = expectViolation(
      sketch`
        A  |- add(1) -> true ------------------------------------------------------------------------|
        B     |- remove(1) -> true -|  |- add(1) -> true -|  |- add(2) -> true -|  |- contains(1) -> false -|
      `,
      set(),
    );
    expect(part).toBe('1');
    expect(cause).toMatchObject({ kind: 'stuck', allowed: [{ kind: 'returned', value: true }] });
    expect(Array.from(core, ({ method }) => method)).toEqual(['add', 'remove', 'add', 'contains']);
  });

  test('keys of any type are compared by content, also initial ones', () => {
    const spec = set({ initial: [{ a: 1 }, 'x', 'x'] });
    expectLinearizable(
      sketch`A  |- contains({"a":1}) -> true -|  |- remove("x") -> true -|  |- add("x") -> true -|`,
      spec,
    );
    expectViolation(sketch`A  |- add({"a":1}) -> true -|`, spec);
  });

  test('pending calls take effect if a result needs them', () => {
    expect([
      ...expectLinearizable(
        sketch`
          A  |- add(1) -?
          B                |- contains(1) -> true -|  |- contains(1) -> false -|  |- add(1) -> true -|
          C                  |- remove(1) -?
          D                    |- contains(1) -?
        `,
        set(),
      ),
    ]).toEqual([0, 1, 2, 4, 5]);
    expectViolation(
      sketch`
        A  |- add(1) -?
        B                |- remove(1) -> true -|  |- remove(1) -> true -|
      `,
      set(),
    );
  });

  test('calls that a prefix cut off take effect with their result, or not at all', () => {
    const history = sketch`
      A  |- add(1) -> true ------------------------------------|
      B     |- contains(1) -> true -|
      C     |- remove(1) -> false ------------------------------|
    `;
    const { events } = history.columns;
    const cut = history.prefix(events.indexOf(~1));
    const verdict = check(cut, set(), monitored);
    expect(verdict).toMatchObject({ kind: 'linearizable', witness: { order: Int32Array.of(0, 1) } });
  });

  test.each([
    ['unsupported operation insert', sketch`A |- insert(1) -|`],
    ['unsupported operation members', sketch`A |- members() -> [1] -|`],
    ['add has 2 arguments', sketch`A |- add(1, 2) -> true -|`],
    ['add threw an error', sketch`A |- add(1) ! Full -|`],
    ['unexpected result of add', sketch`A |- add(1) -> 7 -|`],
  ])('the monitor declines: %s', (obstacle, history) => {
    expect(() => check(history, set() as Spec, monitored)).toThrow(obstacle);
  });

  test('each key counts as a part', () => {
    const history = sketch`A |- add(1) -> true -| |- add(2) -> true -| |- remove(1) -> true -|`;
    expect(check(history, set(), monitored).stats).toMatchObject({ parts: 2, decided: 2 });
  });

  test('only the key with an insert is searched', () => {
    const history = sketch`A |- insert(1) -| |- contains(1) -> true -| |- add(2) -> true -|`;
    expect(check(history, set() as Spec).stats.checker).toBe('just-in-time graph search and set monitor');
  });

  test('each of many pending calls takes effect at most once', () => {
    const builder = new HistoryBuilder();
    const run = (method: string, value: boolean) =>
      builder.end(builder.call({ process: 'A', method, args: [1] }), { kind: 'returned', value });
    for (let i = 0; i < 5_000; i++) {
      for (const method of ['add', 'remove']) builder.call({ process: `${method}${i}`, method, args: [1] });
      run('contains', true);
      run('add', false);
      run('contains', false);
      run('add', true);
      run('remove', true);
    }
    expect(check(builder.finish(), set() as Spec, monitored).kind).toBe('linearizable');
  });
});

describe('mutex', () => {
  test('a locked mutex cannot be locked again', () => {
    const { cause } = expectViolation(
      sketch`
        A  |- lock() -|                           |- unlock() -|
        B               |- tryLock() -> true -|
      `,
      mutex(),
    );
    expect(cause).toMatchObject({
      kind: 'stuck',
      operation: 1,
      allowed: [{ kind: 'returned', value: false }],
    });
  });

  test('a failed tryLock needs a moment at which the mutex is held, a NotLocked error one at which it is free', () => {
    expectLinearizable(
      sketch`
        A  |- lock() -|   |- unlock() -------------------|
        B                   |- tryLock() -> false -|  |- unlock() ! NotLocked -|
      `,
      mutex(),
    );
    expectViolation(
      sketch`
        A  |- lock() -|   |- unlock() -|
        B                                  |- tryLock() -> false -|
      `,
      mutex(),
    );
    expectViolation(sketch`A  |- lock() -|  |- unlock() ! NotLocked -|`, mutex());
  });

  test('pending calls may lock, unlock, or take no effect', () => {
    expectLinearizable(
      sketch`
        A  |- tryLock() -?
        B                   |- tryLock() -> false -|  |- lock() -|  |- lock() -|
        C                     |- unlock() -?
        D                     |- unlock() -?
      `,
      mutex(),
    );
    expectViolation(
      sketch`
        A  |- lock() -?
        B                 |- unlock() -|  |- unlock() -|
      `,
      mutex(),
    );
  });

  test('the monitor declines unknown errors', () => {
    expect(() => check(sketch`A |- unlock() ! Broken -|`, mutex() as Spec, monitored)).toThrow(
      'the mutex monitor is not for this history: unlock threw an error',
    );
  });
});
