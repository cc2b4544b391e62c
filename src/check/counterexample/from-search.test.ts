import { describe, expect, test } from 'vitest';
import { expectViolation } from '../../../test/support/oracles/evidence.js';
import { HistoryBuilder } from '../../history/builder/builder.js';
import { sketch } from '../../history/drawing/sketch.js';
import type { History } from '../../history/history.js';
import { type Register, register } from '../../objects/cells/register.js';
import { stack } from '../../objects/collections/container.js';
import { type Latch, latch } from '../../objects/locks/event.js';
import { type Mutex, mutex } from '../../objects/locks/mutex.js';
import type { Spec } from '../../spec/spec.js';
import { check } from '../check.js';

const ids = ({ columns }: Pick<History, 'columns'>): number[] => [...columns.id];

describe('a core', () => {
  test('omits irrelevant reads, but never the faulty one', () => {
    const history = sketch<Register<number>>`
      A  |- write(1) -|  |- read() -> 1 -|  |- write(2) -|
      B     |- read() -> null -|                            |- read() -> 1 -|
      C                                       |- read() -> 2 -|
    `;
    const { core, cuts, minimal, cause } = expectViolation(history, register<number>(), {
      algorithm: 'search',
    });
    expect(ids(core)).toEqual([0, 3, 5]);
    expect(cuts).toEqual(['prefix', 'reads']);
    expect(minimal).toBe(true);
    expect(cause).toMatchObject({
      operation: 5,
      allowed: [{ kind: 'returned', value: 2 }],
      longest: [{ order: Int32Array.of(0, 3), state: '2' }],
    });
  });

  test('keeps a read that the violation needs', () => {
    const history = sketch<Register<number>>`
      A  |- write(1) ------------------------------------|
      B     |- read() -> 1 -|  |- read() -> 1 -|
      C                                           |- read() -> null -|
    `;
    const { core, cause } = expectViolation(history, register<number>(), { algorithm: 'search' });
    expect(cause.operation).toBe(3);
    expect(ids(core)).toEqual([0, 2, 3]);
  });

  test('keeps a read without which more outcomes would be allowed', () => {
    const history = sketch<Register<number>>`
      A  |- write(1) -|  |- read() -> 1 -|  |- read() -> 3 -|
      B  |- write(2) -|  |- read() -> 1 -|
    `;
    const { core, cause } = expectViolation(history, register<number>(), { algorithm: 'search' });
    expect(cause.allowed).toEqual([{ kind: 'returned', value: 1 }]);
    expect(core.length).toBe(4);
  });

  test('keeps operations that are not declared read-only', () => {
    const { readOnly: _, ...undeclared } = register<number>();
    const history = sketch<Register<number>>`
      A  |- write(1) -|  |- read() -> 1 -|  |- read() -> 2 -|
    `;
    expect(ids(expectViolation(history, register<number>(), { algorithm: 'search' }).core)).toEqual([0, 2]);
    expect(ids(expectViolation(history, undeclared, { algorithm: 'search' }).core)).toEqual([0, 1, 2]);
  });

  test('may omit all earlier returns', () => {
    const history = sketch<Register<number>>`A  |- read() -> null -|  |- read() -> 2 -|`;
    const { core, cause } = expectViolation(history, register<number>(), { algorithm: 'search' });
    expect(ids(core)).toEqual([1]);
    expect(cause).toMatchObject({ longest: [{ order: Int32Array.of(), state: 'null' }] });
  });

  test('omits reads of a stuck history', () => {
    const builder = new HistoryBuilder();
    for (const { call, return: end, ...operation } of sketch<Mutex & Latch>`
      A  |- lock() -|  |- tryLock() -> false -|  |- unlock() -|
      B                                                          |- lock() -?
    `)
      builder.operation({ ...operation, call, return: Number.isFinite(end) ? end : undefined });
    builder.markStuck();
    const { core, cuts, property } = expectViolation(builder.finish(), mutex() as Spec);
    expect(property).toBe('progress');
    expect(cuts).toEqual(['reads']);
    expect(ids(core)).toEqual([0, 2, 3]);
  });
});

test('a core keeps a read without which the spec throws', () => {
  // bump throws in state 1, which the read excludes
  const fragile: Spec = {
    name: 'fragile',
    initial: 0,
    methods: {
      set: (_: number, value: number) => [value, undefined],
      bump: (value: number) => {
        if (value === 1) throw new RangeError('never here');
        return [value + 10, undefined];
      },
      read: (value: number) => [value, value],
    },
    readOnly: (method) => method === 'read',
  };
  const history = sketch`
    A  |- set(1) -|                       |- bump() -|  |- read() -> 7 -|
    B  |- set(2) -|  |- read() -> 2 -|
  `;
  const verdict = check(history, fragile);
  if (verdict.kind !== 'violation') throw new Error(verdict.kind);
  expect(verdict.counterexample.core.length).toBe(5);
});

test('a very long core is shortened and does not claim to be minimal', () => {
  const builder = new HistoryBuilder();
  for (let i = 0; i <= 5_000; i++) {
    builder.call({ process: 'A', method: 'count', args: [] });
    builder.end(i, { kind: 'returned', value: i < 5_000 ? 1 : 2 });
  }
  const { core, cuts, minimal } = expectViolation(builder.finish(), latch() as unknown as Spec);
  expect(core.length).toBe(1);
  expect(cuts).toEqual(['prefix', 'earlier']);
  expect(minimal).toBe(false);
});

describe('a value that equals the result of an empty container', () => {
  const returned = (value: unknown) => ({ kind: 'returned' as const, value });

  test('an initial undefined is read as null in a file', () => {
    const builder = new HistoryBuilder({ fromFile: true });
    builder.operation({ process: 'A', method: 'pop', args: [], outcome: { kind: 'pending' }, call: 0 });
    builder.operation({ process: 'B', method: 'pop', args: [], outcome: returned(1), call: 1, return: 3 });
    builder.operation({
      process: 'C',
      method: 'peek',
      args: [],
      outcome: returned(null),
      call: 2,
      return: 4,
    });
    const spec = stack<unknown, string>({ initial: [null, undefined, 1, 2], empty: 'none' });
    expect(check(builder.finish(), spec).kind).toBe('linearizable');
  });

  test('its operations stay in the core: it is not known which they are', () => {
    const builder = new HistoryBuilder();
    const add = (method: string, args: unknown[], value: unknown, call: number, end: number) =>
      builder.operation({ process: `${call}`, method, args, outcome: returned(value), call, return: end });
    add('push', [null], undefined, 0, 5);
    add('pop', [], undefined, 1, 6);
    add('push', [undefined], undefined, 2, 4);
    add('peek', [], null, 3, 7);
    add('pop', [], null, 8, 10);
    add('push', [1], undefined, 9, 11);
    builder.after(4, [5]);
    const { core, minimal, cause } = expectViolation(builder.finish(), stack<unknown>({ initial: [2] }), {});
    expect(cause).toMatchObject({ operation: 4, allowed: [returned(1)] });
    expect(ids(core)).toEqual([0, 4, 5]);
    expect(minimal).toBe(true);
  });
});
