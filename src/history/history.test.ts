import { describe, expect, test } from 'vitest';
import { HistoryBuilder } from './builder/builder.js';
import { sketch } from './drawing/sketch.js';
import { type History, withRecordedMethods } from './history.js';
import { NEVER } from './model/columns.js';

const history = sketch`
  A  |- enqueue(1) -|           |- dequeue() -> 2 -|
  B     |- enqueue(2) ----------------|
  C        |- dequeue() -x               |- peek() -?
`;

const methods = (cut: History) => Array.from(cut, ({ method }) => method);
const ids = (cut: History) => [...cut.columns.id];

describe('rows', () => {
  test('are indexed from both ends, within the length', () => {
    expect(history).toHaveLength(5);
    expect(history.at(0)).toStrictEqual({
      id: 0,
      process: 'A',
      method: 'enqueue',
      args: [1],
      outcome: { kind: 'returned', value: undefined },
      call: 0,
      return: 3,
    });
    expect(history.at(-1)).toEqual(history.at(4));
    for (const k of [5, -6, Number.NaN]) expect(() => history.at(k)).toThrow(RangeError);
  });

  test('name their object if there are several', () => {
    const several = sketch`
      A  |- orders.enqueue(1) -|
      B     |- size() -> 0 -|
    `;
    expect(several.at(0).object).toBe('orders');
    expect('object' in several.at(1)).toBe(false);
    expect(several.objects).toEqual(['orders', undefined]);
  });

  test('precede each other if and only if one returned before the other was called', () => {
    expect(history.precedes(0, 3)).toBe(true);
    expect(history.precedes(0, 1)).toBe(false);
    expect(history.precedes(1, 3)).toBe(false);
    expect(history.precedes(4, 0)).toBe(false);
  });

  test('have equal indices for equal values', () => {
    const { argument, result } = history.columns;
    expect(result[3]).toBe(argument[1]);
  });

  test('processes are in the order of their first calls', () => {
    expect(history.processes).toEqual(['A', 'B', 'C']);
  });
});

describe('a selection', () => {
  const selected = history.select((k) => k === 1 || k === 3);

  test('keeps order, ids and outcomes', () => {
    expect(ids(selected)).toEqual([1, 3]);
    expect(methods(selected)).toEqual(['enqueue', 'dequeue']);
    expect(selected.at(1).outcome).toEqual({ kind: 'returned', value: 2 });
    expect(selected.processes).toEqual(['B', 'A']);
  });

  test('renumbers moments without gaps', () => {
    expect([...selected.columns.events]).toEqual([0, 1, ~0, ~1]);
    expect([...selected.columns.call]).toEqual([0, 1]);
  });

  test('from a selection keeps the original ids', () => {
    const again = selected.select((k) => k === 1);
    expect(ids(again)).toEqual([3]);
    expect([...again.positionsById()]).toEqual([-1, -1, -1, 0]);
  });

  test('without operations is an empty history', () => {
    const nothing = history.select(() => false);
    expect(nothing).toHaveLength(0);
    expect([...nothing.positionsById()]).toEqual([]);
  });

  test('without failed operations keeps all others', () => {
    expect(ids(history.withoutFailed())).toEqual([0, 1, 3, 4]);
    expect(selected.withoutFailed()).toBe(selected);
  });
});

describe('a prefix', () => {
  test('keeps the outcomes of open operations, whose return becomes NEVER', () => {
    const prefix = history.prefix(history.columns.return[0]);
    expect(ids(prefix)).toEqual([0, 1, 2]);
    expect(prefix.at(0).return).toBe(3);
    expect(prefix.at(1)).toMatchObject({
      outcome: { kind: 'returned', value: undefined },
      return: Number.POSITIVE_INFINITY,
    });
    expect(prefix.columns.return[1]).toBe(NEVER);
  });

  test('up to the last moment is the whole history, and before the first it is empty', () => {
    expect([...history.prefix(history.columns.events.length - 1)]).toEqual([...history]);
    expect(history.prefix(-1)).toHaveLength(0);
  });

  test('is not stuck', () => {
    const builder = new HistoryBuilder();
    builder.call({ process: 'A', method: 'lock' });
    builder.markStuck();
    const stuck = builder.finish();
    expect(stuck.stuck).toBe(true);
    expect(stuck.select(() => true).stuck).toBe(true);
    expect(stuck.prefix(0).stuck).toBe(false);
  });
});

describe('a partition', () => {
  test('gives each part its operations, with their ids', () => {
    const parts = history.partition(Int32Array.of(0, 1, 0, 2, 1));
    expect(parts.map(ids)).toEqual([[0, 2], [1, 4], [3]]);
    expect(parts.map((part) => [...part.columns.events])).toEqual([
      [0, 1, ~0, ~1],
      [0, ~0, 1],
      [0, ~0],
    ]);
    expect(parts[1].at(1)).toMatchObject({ id: 4, method: 'peek', process: 'C' });
  });

  test('into one part is the history itself, and an empty history has no parts', () => {
    expect(history.partition(new Int32Array(5))).toEqual([history]);
    expect(history.select(() => false).partition(new Int32Array(0))).toEqual([]);
  });
});

describe('order by `after` edges', () => {
  const builder = new HistoryBuilder();
  for (const process of ['A', 'B', 'C', 'D']) builder.call({ process, method: 'f' });
  builder.after(3, [0, 2]);
  builder.after(1, [0]);
  const ordered = builder.finish();

  test('is kept in a cut with both operations', () => {
    expect(ordered.select((k) => k !== 1).columns.after).toEqual({
      start: Int32Array.of(0, 0, 0, 2),
      items: Int32Array.of(0, 1),
    });
  });

  test('is omitted from a cut with only one of them', () => {
    expect(ordered.select((k) => k !== 0).columns.after).toEqual({
      start: Int32Array.of(0, 0, 0, 1),
      items: Int32Array.of(1),
    });
    const [even, odd] = ordered.partition(Int32Array.of(0, 1, 0, 1));
    expect(even.columns.after?.items).toHaveLength(0);
    expect(odd.columns.after?.items).toHaveLength(0);
  });
});

test('a history keeps the method names of its recording', () => {
  const renamed = withRecordedMethods(history, (method) => `my-${method}`);
  expect(renamed.tables.recordedMethods).toEqual(history.tables.methods.map((method) => `my-${method}`));
});
