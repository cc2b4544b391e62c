import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { draw } from '../drawing/sketch.js';
import type { History } from '../history.js';
import { HistoryError } from '../model/operation.js';
import { addTimestamps, type Timestamp } from '../model/timestamps.js';
import { HistoryBuilder } from './builder.js';

type Row = readonly [process: string, method: string, call: Timestamp, end?: Timestamp, object?: string];

function build(clockError: Timestamp, ...rows: Row[]): History {
  const builder = new HistoryBuilder({ clockError });
  for (const [process, method, call, end, object] of rows)
    builder.operation({
      process,
      method,
      object,
      call,
      return: end,
      outcome: end === undefined ? { kind: 'pending' } : { kind: 'returned', value: undefined },
    });
  return builder.finish();
}

/** The `after` edges of a history, by methods. */
function order(history: History): string[] {
  const { after } = history.columns;
  const method = (k: number) => history.at(k).method;
  return Array.from(history, (_, k) =>
    Array.from(
      after?.items.subarray(after.start[k], after.start[k + 1]) ?? [],
      (own) => `${method(own)} ${method(k)}`,
    ),
  ).flat();
}

describe('a clock error', () => {
  test('widens every interval in both directions', () => {
    expect(draw(build(2, ['A', 'f', 0, 10], ['B', 'g', 13, 20], ['C', 'h', 15, 16]))).toBe(
      draw(build(0, ['A', 'f', -2, 12], ['B', 'g', 11, 22], ['C', 'h', 13, 18])),
    );
  });

  test('makes touching intervals overlap: an interval includes both ends', () => {
    expect(build(2, ['A', 'f', 0, 10], ['B', 'g', 14, 20]).precedes(0, 1)).toBe(false);
    expect(build('1.999', ['A', 'f', 0, 10], ['B', 'g', 14, 20]).precedes(0, 1)).toBe(true);
    expect(build('2.001', ['A', 'f', 0, 10], ['B', 'g', 14, 20]).precedes(0, 1)).toBe(false);
  });

  test('is exact for decimals and for integers that doubles would round', () => {
    expect(build('0.1', ['A', 'f', 0, '0.1'], ['B', 'g', '0.3', 1]).precedes(0, 1)).toBe(false);
    expect(build('0.1', ['A', 'f', 0, '0.1'], ['B', 'g', '0.30000000000000000001', 1]).precedes(0, 1)).toBe(
      true,
    );
    const [end, call] = ['1699999999123456789', 1699999999123456799n];
    expect(build(5, ['A', 'f', 0, end], ['B', 'g', call, `${call}0`]).precedes(0, 1)).toBe(false);
    expect(build(4n, ['A', 'f', 0, end], ['B', 'g', call, `${call}0`]).precedes(0, 1)).toBe(true);
  });

  test('that is negative, or no time, is refused', () => {
    expect(() => new HistoryBuilder({ clockError: -1 })).toThrow(
      'negative clock error -1; expected 0 or more',
    );
    expect(() => new HistoryBuilder({ clockError: Number.NaN })).toThrow(RangeError);
    expect(() => new HistoryBuilder({ clockError: '5ms' })).toThrow('invalid time "5ms"; expected a number');
  });

  test('that needs more than 30 digits together with a time is refused, not rounded', () => {
    expect(() => build('1e-15', ['A', 'f', '12345678901234567890', '12345678901234567891'])).toThrow(
      new HistoryError(
        'the time 12345678901234567890 with a clock error of 1e-15 is a time with more than 30 digits',
        0,
      ),
    );
  });
});

describe('the order of a process is kept', () => {
  test('by the necessary `after` edges', () => {
    const rows: Row[] = [
      ['A', 'a', 0, 10],
      ['A', 'b', 11, 20],
      ['A', 'c', 21, 30],
      ['A', 'd', 90, 99],
    ];
    expect(order(build(0, ...rows))).toEqual([]);
    expect(order(build(5, ...rows))).toEqual(['a b', 'b c']);
    expect(order(build(50, ...rows))).toEqual(['a b', 'b c', 'c d']);
  });

  test('around pending operations, which may not have taken effect', () => {
    expect(order(build(5, ['A', 'a', 0, 10], ['A', 'b', 11], ['A', 'c', 12, 20]))).toEqual(['a b', 'a c']);
  });

  test('separately for each object', () => {
    const rows: Row[] = [
      ['A', 'a', 0, 10, 'x'],
      ['A', 'b', 11, 20, 'y'],
      ['A', 'c', 21, 30, 'x'],
    ];
    expect(order(build(50, ...rows))).toEqual(['a c']);
  });

  test('also for several open calls', () => {
    const builder = new HistoryBuilder({ clockError: 50 });
    const add = (method: string, call: number, end: number) =>
      builder.operation({
        process: 'A',
        method,
        overlapping: true,
        call,
        return: end,
        outcome: { kind: 'returned', value: undefined },
      });
    add('long', 0, 35);
    add('a', 1, 10);
    add('b', 11, 20);
    add('c', 30, 50);
    add('d', 60, 61);
    expect(order(builder.finish())).toEqual(['a b', 'b c', 'long d', 'c d']);
  });

  test('and calls that overlap by its own clock are an error', () => {
    expect(() => build(5, ['A', 'a', 0, 10], ['A', 'b', 9, 20])).toThrow(
      'process A calls b while its call of a is open',
    );
  });
});

describe('events with times', () => {
  test('are widened like operations', () => {
    const builder = new HistoryBuilder({ clockError: 2 });
    const f = builder.call({ process: 'A', method: 'f' }, 0);
    builder.end(f, { kind: 'returned', value: undefined }, 10);
    const g = builder.call({ process: 'B', method: 'g' }, 13);
    builder.call({ process: 'C', method: 'h' }, 15);
    builder.end(g, { kind: 'returned', value: undefined }, 20);
    expect(draw(builder.finish())).toBe(
      draw(build(2, ['A', 'f', 0, 10], ['B', 'g', 13, 20], ['C', 'h', 15])),
    );
  });

  test('must have a time each, and a return not before its call', () => {
    const builder = new HistoryBuilder({ clockError: 2 });
    expect(() => builder.call({ process: 'A', method: 'f' })).toThrow('the event has no time');
    const f = builder.call({ process: 'A', method: 'f' }, 10);
    expect(() => builder.end(f, { kind: 'returned', value: 1 }, 9)).toThrow(
      'the return at 9 comes before the call',
    );
  });
});

test('sums of timestamps are exact', () => {
  const places = fc.nat(8);
  const digits = fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n });
  fc.assert(
    fc.property(digits, places, digits, places, (a, aPlaces, b, bPlaces) => {
      const sum = a * 10n ** BigInt(8 - aPlaces) + b * 10n ** BigInt(8 - bPlaces);
      const builder = new HistoryBuilder();
      const times = [addTimestamps(`${a}e-${aPlaces}`, `${b}e-${bPlaces}`), `${sum}e-8`] as const;
      // equal times: both are calls at one time, and a return there precedes neither
      for (const [call, end] of [times, [times[1], times[0]] as const])
        builder.operation({
          process: 'A',
          overlapping: true,
          method: 'f',
          call,
          return: end,
          outcome: { kind: 'failed' },
        });
      return builder.length === 2;
    }),
    { seed: 3, numRuns: 1000 },
  );
});
