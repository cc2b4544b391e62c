import { describe, expect, test } from 'vitest';
import { HistoryBuilder } from '../builder/builder.js';
import { sketch } from '../drawing/sketch.js';
import type { History } from '../history.js';
import { HistoryError } from './operation.js';

/** The drawing with `after` edges, by ids: each later operation with its earlier ones. */
function build(drawing: string, after: Readonly<Record<number, readonly number[]>>): History {
  const builder = new HistoryBuilder();
  for (const { call, return: end, ...operation } of sketch(drawing))
    builder.operation({ ...operation, call, return: end === Number.POSITIVE_INFINITY ? undefined : end });
  for (const [later, earlier] of Object.entries(after)) builder.after(Number(later), earlier);
  return builder.finish();
}

/** The error of inconsistent `after` edges. */
function contradiction(drawing: string, after: Readonly<Record<number, readonly number[]>>) {
  try {
    build(drawing, after);
  } catch (error) {
    if (error instanceof HistoryError)
      return { message: error.message, entry: error.entry, other: error.other };
    throw error;
  }
  return undefined;
}

const overlapping = `
A  |- f() -------------|
B    |- g() ----------|
C      |- h() ---?
`;

describe('order by `after` edges', () => {
  test('is kept by operations, which are numbered by call', () => {
    const { after } = build(overlapping, { 0: [1, 2], 2: [1] }).columns;
    expect(after).toEqual({ start: Int32Array.of(0, 2, 2, 3), items: Int32Array.of(1, 2, 1) });
  });

  test('is absent if there are none', () => {
    expect(build(overlapping, {}).columns.after).toBeUndefined();
  });

  test('may be declared in several calls, and may repeat the order of times', () => {
    const builder = new HistoryBuilder();
    const first = builder.call({ process: 'A', method: 'f' });
    builder.end(first, { kind: 'returned', value: 1 });
    const second = builder.call({ process: 'B', method: 'f' });
    builder.after(second, []);
    builder.after(second, [first]);
    expect(builder.finish().columns.after?.items).toEqual(Int32Array.of(0));
  });

  test('may include an operation that is called before the later one returns', () => {
    const drawing = `
      A  |- f() --------------------|
      B              |- g() -|
    `;
    expect(contradiction(drawing, { 0: [1] })).toBeUndefined();
  });

  test('may be long', () => {
    const builder = new HistoryBuilder();
    const length = 20_000;
    for (let k = 0; k < length; k++) builder.call({ process: `${k}`, method: 'f' });
    for (let k = 1; k < length; k++) builder.after(k - 1, [k]);
    builder.end(0, { kind: 'returned', value: 1 });
    expect(builder.finish().columns.after?.items).toHaveLength(length - 1);
  });
});

describe('a contradiction is reported', () => {
  test('the earlier operation is called after the later one has returned', () => {
    const drawing = `
      A  |- f() -|
      B             |- g() -|
    `;
    expect(contradiction(drawing, { 0: [1] })).toEqual({
      message: 'it comes "after" an operation that was called too late to take effect first',
      entry: 0,
      other: 1,
    });
  });

  test('the same through a third operation', () => {
    const drawing = `
      A  |- f() -----|
      B     |- g() ----------------------|
      C                   |- h() -|
    `;
    expect(contradiction(drawing, { 0: [1], 1: [2] })).toMatchObject({ entry: 1, other: 2 });
    expect(contradiction(drawing, { 1: [2] })).toBeUndefined();
  });

  test('an operation after itself', () => {
    expect(contradiction(overlapping, { 1: [1] })).toEqual({
      message: '"after" is cyclic: an operation comes after itself',
      entry: 1,
      other: undefined,
    });
  });

  test('a cycle, also of pending operations', () => {
    expect(contradiction(overlapping, { 0: [1], 1: [2], 2: [0] })).toMatchObject({
      message: '"after" is cyclic: an operation comes after itself',
    });
    const pending = `
      A  |- f() -?
      B    |- g() -?
    `;
    expect(contradiction(pending, { 0: [1], 1: [0] })).toMatchObject({
      message: '"after" is cyclic: an operation comes after itself',
    });
  });

  test('a failed operation, which never took effect', () => {
    const drawing = `
      A  |- f() ------|
      B    |- g() -x
    `;
    expect(contradiction(drawing, { 0: [1] })).toEqual({
      message: 'it comes "after" an operation that failed and never took effect',
      entry: 0,
      other: 1,
    });
  });

  test('an operation of another object', () => {
    const drawing = `
      A  |- x.f() ------|
      B    |- y.g() -|
    `;
    expect(contradiction(drawing, { 0: [1] })).toEqual({
      message: 'it comes "after" an operation of another object; objects are checked separately',
      entry: 0,
      other: 1,
    });
  });

  test('an unknown operation', () => {
    expect(contradiction(overlapping, { 0: [7] })).toMatchObject({
      message: 'it comes "after" entry 7, which does not exist',
      entry: 0,
    });
    expect(contradiction(overlapping, { 0: [-1] })).toMatchObject({ entry: 0 });
  });

  test('with the numbers of entries, although operations are numbered by call', () => {
    const builder = new HistoryBuilder();
    const outcome = { kind: 'returned', value: 1 } as const;
    builder.operation({ process: 'A', method: 'late', outcome, call: 10, return: 11 });
    builder.operation({ process: 'A', method: 'early', outcome, call: 1, return: 2 });
    builder.after(1, [0]);
    expect(() => builder.finish()).toThrow(expect.objectContaining({ entry: 1, other: 0 }));
  });
});
