import { describe, expect, test } from 'vitest';
import { HistoryError, type Outcome } from '../model/operation.js';

import { HistoryBuilder, type TimedOperation } from './builder.js';

const returned = (value?: unknown): Outcome => ({ kind: 'returned', value });

/** The error of a builder, which must be a HistoryError. */
function errorOf(act: () => unknown): Pick<HistoryError, 'message' | 'entry' | 'other'> {
  try {
    act();
  } catch (error) {
    if (!(error instanceof HistoryError)) throw error;
    return { message: error.message, entry: error.entry, other: error.other };
  }
  throw new Error('no HistoryError');
}

/** A builder with one operation for each [process, call, return]; the method is the number of the entry. */
function timed(...rows: [process: string, call: number, end?: number, more?: Partial<TimedOperation>][]) {
  const builder = new HistoryBuilder();
  rows.forEach(([process, call, end, more], entry) => {
    const outcome: Outcome = end === undefined ? { kind: 'pending' } : returned(entry);
    builder.operation({ process, method: `m${entry}`, args: [], outcome, call, return: end, ...more });
  });
  return builder;
}

describe('events', () => {
  test('are ordered by arrival, and operations are numbered by call', () => {
    const builder = new HistoryBuilder();
    const a = builder.call({ process: 'A', method: 'enqueue', args: [1] });
    const b = builder.call({ process: 'B', method: 'dequeue' });
    builder.end(b, returned(1));
    builder.end(a, returned());
    expect([...builder.finish()]).toStrictEqual([
      { id: 0, process: 'A', method: 'enqueue', args: [1], outcome: returned(), call: 0, return: 3 },
      { id: 1, process: 'B', method: 'dequeue', args: [], outcome: returned(1), call: 1, return: 2 },
    ]);
  });

  test('a call that never ends, or ends as unknown, has the return Infinity', () => {
    const builder = new HistoryBuilder();
    builder.call({ process: 'A', method: 'f' });
    builder.end(builder.call({ process: 'B', method: 'f' }), { kind: 'pending', reason: 'timeout' });
    const history = builder.finish();
    expect(history.at(0)).toMatchObject({ outcome: { kind: 'pending' }, return: Number.POSITIVE_INFINITY });
    expect(history.at(1)).toMatchObject({
      outcome: { kind: 'pending', reason: 'timeout' },
      return: Number.POSITIVE_INFINITY,
    });
    expect(history.columns.events).toHaveLength(2);
  });

  test('an outcome keeps its error or its reason', () => {
    const builder = new HistoryBuilder();
    const outcomes: Outcome[] = [
      { kind: 'threw', error: 'Closed' },
      { kind: 'failed', reason: 'refused' },
      { kind: 'failed' },
      { kind: 'returned', value: { deep: [1n] } },
    ];
    for (const outcome of outcomes) builder.end(builder.call({ process: 'A', method: 'f' }), outcome);
    expect(Array.from(builder.finish(), ({ outcome }) => outcome)).toStrictEqual(outcomes);
  });

  test('a process may continue after a call of unknown outcome', () => {
    const builder = new HistoryBuilder();
    builder.end(builder.call({ process: 'A', method: 'f' }), { kind: 'pending' });
    builder.end(builder.call({ process: 'A', method: 'g' }), returned());
    expect(builder.finish()).toHaveLength(2);
  });

  test('a call while another call of the process is open is an error that names both', () => {
    const builder = new HistoryBuilder();
    builder.call({ process: 'B', method: 'g' });
    builder.call({ process: 'A', method: 'enqueue' });
    expect(errorOf(() => builder.call({ process: 'A', method: 'dequeue' }))).toEqual({
      message: 'process A calls dequeue while its call of enqueue is open',
      entry: 2,
      other: 1,
    });
  });

  test('calls of one process may overlap if both are declared overlapping', () => {
    const builder = new HistoryBuilder();
    builder.call({ process: 'A', method: 'f', overlapping: true });
    builder.call({ process: 'A', method: 'g', overlapping: true });
    expect(errorOf(() => builder.call({ process: 'A', method: 'h' }))).toMatchObject({ entry: 2, other: 0 });
    expect(builder.finish()).toHaveLength(2);
  });

  test('an end without an open call is an error', () => {
    const builder = new HistoryBuilder();
    const entry = builder.call({ process: 'A', method: 'f' });
    builder.end(entry, returned());
    expect(errorOf(() => builder.end(entry, returned()))).toMatchObject({
      message: 'it ends but is not open',
      entry,
    });
    expect(errorOf(() => builder.end(7, returned()))).toMatchObject({ entry: 7 });
    expect(errorOf(() => builder.end(-1, returned()))).toMatchObject({ entry: -1 });
  });
});

describe('complete operations', () => {
  test('may be in any order and are numbered by call, at equal times by entry', () => {
    const history = timed(['A', 5, 9], ['B', 1, 3], ['C', 5, 6], ['D', 3, 4]).finish();
    expect(Array.from(history, ({ method }) => method)).toEqual(['m1', 'm3', 'm0', 'm2']);
    expect([...history.columns.id]).toEqual([0, 1, 2, 3]);
  });

  test('at equal times calls come before returns, so the operations overlap', () => {
    const history = timed(['A', 1, 10], ['B', 10, 12], ['C', 13, 13]).finish();
    expect([...history.columns.events]).toEqual([0, 1, ~0, ~1, 2, ~2]);
    expect(history.precedes(0, 1)).toBe(false);
    expect(history.precedes(1, 2)).toBe(true);
  });

  test('an operation without duration is called before it returns', () => {
    const history = timed(['A', 5, 5], ['B', 5, 5]).finish();
    expect([...history.columns.events]).toEqual([0, 1, ~0, ~1]);
  });

  test('a return before its call is an error that names the times', () => {
    expect(errorOf(() => timed(['B', 1, 2], ['A', 10, 9]))).toEqual({
      message: 'the return at 9 comes before the call at 10',
      entry: 1,
      other: undefined,
    });
  });

  test('the time at which a caller gave up is no return, but must not precede the call', () => {
    const gaveUp = { outcome: { kind: 'pending' } } as const;
    const history = timed(['A', 1, 5, gaveUp], ['A', 6, 7]).finish();
    expect(history.at(0).return).toBe(Number.POSITIVE_INFINITY);
    expect(errorOf(() => timed(['A', 5, 1, gaveUp]))).toMatchObject({ entry: 0 });
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, '12:30', ''])('%o is not a time', (stamp) => {
    expect(() => timed(['A', 0, 1, { call: stamp }])).toThrow(RangeError);
  });

  test('calls of one process must not overlap, for any order of entries', () => {
    expect(errorOf(() => timed(['A', 5, 9], ['A', 1, 6]).finish())).toEqual({
      message: 'process A calls m0 while its call of m1 is open',
      entry: 0,
      other: 1,
    });
  });

  test('a call inside a long call is found, also after a short one', () => {
    const both = { overlapping: true };
    expect(errorOf(() => timed(['A', 0, 20, both], ['A', 1, 2, both], ['A', 3, 4]).finish())).toMatchObject({
      entry: 2,
      other: 0,
    });
  });

  test('a process may call at the time of its return', () => {
    expect(timed(['A', 1, 5], ['A', 5, 6]).finish()).toHaveLength(2);
  });

  test('a process may continue after a pending or failed operation', () => {
    expect(
      timed(['A', 1], ['A', 2, 3], ['A', 4, 6, { outcome: { kind: 'failed' } }], ['A', 7, 8]).finish(),
    ).toHaveLength(4);
  });
});

test('events and complete operations cannot be mixed', () => {
  const builder = timed(['A', 1, 2]);
  builder.call({ process: 'B', method: 'f' });
  expect(() => builder.finish()).toThrow(
    new TypeError('a history is built from events or from operations, not from both'),
  );
});

test('a history may have no operations', () => {
  const history = new HistoryBuilder().finish();
  expect(history).toHaveLength(0);
  expect([...history]).toEqual([]);
  expect(history.processes).toEqual([]);
});

test('an annotation has the number of events before it', () => {
  const builder = timed(['A', 10, 20], ['B', 15, 30]);
  builder.annotate('first', 5);
  builder.annotate('node killed', 17);
  builder.annotate('at a return', 20);
  builder.annotate('last', '99.5');
  expect(builder.finish().annotations).toEqual([
    { text: 'first', moment: 0 },
    { text: 'node killed', moment: 2 },
    { text: 'at a return', moment: 2 },
    { text: 'last', moment: 4 },
  ]);
});

test('an annotation without a time follows the last event', () => {
  const builder = new HistoryBuilder();
  const entry = builder.call({ process: 'A', method: 'f' });
  builder.annotate('node killed');
  builder.end(entry, returned());
  expect(builder.finish().annotations).toEqual([{ text: 'node killed', moment: 1 }]);
});

test('in a file undefined means null, unless undefined itself occurs', () => {
  const build = (fromFile: boolean, value: unknown) => {
    const builder = new HistoryBuilder({ fromFile });
    builder.end(builder.call({ process: 'A', method: 'f' }), returned(value));
    return builder.finish().tables.undefinedIsNull;
  };
  expect(build(true, null)).toBe(true);
  expect(build(true, undefined)).toBe(false);
  expect(build(false, null)).toBe(false);
});

describe('invalid outcomes of untyped callers', () => {
  test.each([
    99,
    undefined,
    { kind: 'return', value: 99 },
    { kind: 'returned', result: 99 },
    { kind: 'threw' },
  ])('%j is refused', (outcome) => {
    const builder = new HistoryBuilder();
    const entry = builder.call({ process: 'A', method: 'f' });
    expect(() => builder.end(entry, outcome as Outcome)).toThrow(
      /^invalid outcome .*; expected \{ kind: 'returned', value \}/,
    );
  });

  test('a value is recorded as it was, although it changes later', () => {
    const list: number[] = [];
    const builder = new HistoryBuilder();
    builder.end(builder.call({ process: 'A', method: 'put', args: [list] }), {
      kind: 'returned',
      value: list,
    });
    list.push(1);
    expect(builder.finish().at(0)).toMatchObject({ args: [[]], outcome: { value: [] } });
  });

  test('a refused operation is not added', () => {
    const builder = new HistoryBuilder();
    const operation = {
      process: 'A',
      method: 'read',
      args: [],
      outcome: { kind: 'returned', value: 77 } as const,
    };
    expect(() => builder.operation({ ...operation, call: 5, return: 1 })).toThrow(HistoryError);
    expect(() => builder.operation({ ...operation, call: 5, return: Number.NaN })).toThrow(RangeError);
    builder.operation({ ...operation, call: 5, return: 6 });
    expect([...builder.finish()]).toMatchObject([
      { outcome: { kind: 'returned', value: 77 }, call: 0, return: 1 },
    ]);
  });
});
