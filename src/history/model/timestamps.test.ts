import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { callAt, EntryTimes, returnAt } from '../builder/entry-times.js';
import { Timeline } from '../builder/timeline.js';
import { LongTime, type Timestamp } from './timestamps.js';

function compare(a: Timestamp, b: Timestamp): number {
  const times = new EntryTimes();
  times.add(a, b);
  return Math.sign(times.compare(callAt(0), returnAt(0)));
}

describe('timestamps are compared exactly', () => {
  test.each([
    ['1699999999123456788', '1699999999123456789'],
    [1699999999123456788n, '1699999999123456789'],
    ['1699999999123456788', 1699999999123456789n],
    ['1700000000.123456788', '1700000000.123456789'],
    ['123456789012345678901234567890', '123456789012345678901234567891'],
    ['0.123456789012345678901234567890', '0.123456789012345678901234567891'],
    ['-5.2', '-5.1'],
    ['-1700000000123456789', '-1700000000123456788'],
    ['1e3', '1001'],
    ['1e-3', '0.0011'],
    [1, '1.0000000000000000000000001'],
    [2 ** 53, '9007199254740993'],
  ])('%o comes before %o', (earlier, later) => {
    expect(compare(earlier, later)).toBe(-1);
    expect(compare(later, earlier)).toBe(1);
  });

  test.each([
    ['1', '1.0'],
    ['1.5', 1.5],
    ['0.50', '5e-1'],
    [1700000000123456789n, '1700000000123456789'],
    ['-0', 0],
    ['00012', 12],
    ['1E2', 100n],
    ['-1.2999995', '-1.29999950'],
  ])('%o and %o are equal', (a, b) => {
    expect(compare(a, b)).toBe(0);
  });

  test('all integers of up to 30 digits', () => {
    const stamp = fc.bigInt({ min: -(10n ** 30n) + 1n, max: 10n ** 30n - 1n });
    const near = fc.tuple(stamp, fc.bigInt({ min: -3n, max: 3n })).map(([a, step]) => [a, a + step] as const);
    fc.assert(
      fc.property(fc.oneof(near, fc.tuple(stamp, stamp)), ([a, b]) => {
        fc.pre(`${b}`.replace('-', '').length <= 30);
        return compare(a, `${b}`) === Number(a > b) - Number(a < b);
      }),
      { numRuns: 1000 },
    );
  });

  test('all decimals', () => {
    const digits = fc.bigInt({ min: 0n, max: 10n ** 25n - 1n });
    fc.assert(
      fc.property(digits, fc.bigInt({ min: 0n, max: 3n }), fc.nat(20), (a, step, places) => {
        const decimal = (units: bigint) =>
          `${units / 10n ** BigInt(places)}.${`${units % 10n ** BigInt(places)}`.padStart(places, '0')}0`;
        return compare(decimal(a), decimal(a + step)) === -Number(step > 0n);
      }),
      { numRuns: 1000 },
    );
  });
});

describe('a decimal in two doubles', () => {
  const decimal = (units: bigint, places: number): string => {
    const digits = `${units}`.padStart(places + 1, '0');
    return places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
  };
  /** The sum of a pair, as an integer divided by 2^1200. */
  const scaled = (value: number): bigint => {
    let [mantissa, shift] = [value, 1200n];
    while (!Number.isInteger(mantissa)) {
      mantissa *= 2;
      shift--;
    }
    return BigInt(mantissa) << shift;
  };

  test('has the nearest double and the rest, and its text', () => {
    const size = fc
      .integer({ min: 1, max: 18 })
      .chain((digits) => fc.bigInt({ min: 0n, max: 4n * 10n ** BigInt(digits) }));
    fc.assert(
      fc.property(size, fc.integer({ min: 1, max: 9 }), fc.boolean(), (drawn, places, isNegative) => {
        const units = drawn % 10n === 0n ? drawn + 1n : drawn;
        const long = new LongTime();
        const isHeld = long.set(Number(units / 10n ** 9n), Number(units % 10n ** 9n), isNegative, places);
        const text = `${isNegative ? '-' : ''}${decimal(units, places)}`;
        expect(isHeld).toBe(true);
        expect(String(long)).toBe(text);
        expect(long.high).toBe(Number(text));
        const exact = ((isNegative ? -units : units) << 1200n) / 10n ** BigInt(places);
        const error = scaled(long.high) + scaled(long.low) - exact;
        const bound = (exact < 0n ? -exact : exact) / 2n ** 104n + 1n;
        return error <= bound && -error <= bound;
      }),
      { numRuns: 2000 },
    );
  });

  test('differs from its neighbours of up to 30 digits', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 10n ** 18n }),
        fc.integer({ min: 1, max: 9 }),
        (units, places) => {
          const time = decimal(units, places);
          const digits = BigInt(30 - `${units}`.length);
          const later = decimal(units * 10n ** digits + 1n, places + Number(digits));
          return compare(time, later) === -1 && compare(time, `${time}${'0'.repeat(Number(digits))}`) === 0;
        },
      ),
      { numRuns: 1000 },
    );
  });
});

test.each([
  [Number.NaN, 'invalid time NaN; expected a finite number'],
  [Number.NEGATIVE_INFINITY, 'invalid time -Infinity; expected a finite number'],
  ['1e999', 'invalid time 1e999; expected a finite number'],
  ['', 'invalid time ""; expected a number'],
  ['1.', 'invalid time "1."; expected a number'],
  ['.5', 'invalid time ".5"; expected a number'],
  ['0x10', 'invalid time "0x10"; expected a number'],
  ['12:30', 'invalid time "12:30"; expected a number'],
  ['1'.repeat(31), 'a time with more than 30 digits'],
])('%o is refused', (stamp, message) => {
  expect(() => new EntryTimes().add(stamp, undefined)).toThrow(new RangeError(message));
});

const eventsOf = (timeline: Timeline): number[] => {
  const events: number[] = [];
  timeline.events({ add: (event) => events.push(event) });
  return events;
};

describe('the times of entries', () => {
  /** Near 0, near 2^53, and nanoseconds since 1970; integers of any type, and decimals. */
  const nanoseconds = fc
    .tuple(
      fc.constantFrom(0n, 2n ** 53n, 1_767_225_600_000_000_000n, -(10n ** 18n)),
      fc.integer({ min: -3, max: 3 }),
    )
    .map(([near, step]) => near + BigInt(step));
  const long = nanoseconds.map((units) => {
    const time = new LongTime();
    const size = units < 0n ? -units : units;
    expect(time.set(Number(size / 10n ** 9n), Number(size % 10n ** 9n), units < 0n)).toBe(true);
    return { time, units: 4n * units };
  });
  const text = nanoseconds.map((units) => ({ time: `${units}`, units: 4n * units }));
  const other = nanoseconds.map((units) => ({ time: units, units: 4n * units }));
  const decimal = nanoseconds.map((units) => ({
    time: `${units}.25`,
    units: 4n * units + (units < 0n ? -1n : 1n),
  }));
  const small = fc.integer({ min: -5, max: 5 }).map((time) => ({ time: time / 4, units: BigInt(time) }));
  const one = fc.oneof({ weight: 8, arbitrary: long }, text, other, decimal, small);

  test('are sorted as integers are, whichever come first', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(one, fc.option(one)), { maxLength: 100 }), (operations) => {
        const times = new EntryTimes();
        for (const [call, end] of operations) times.add(call.time, end?.time);
        const sorted = (of: (entry: number) => bigint | undefined): number[] =>
          Array.from(operations.keys())
            .filter((entry) => of(entry) !== undefined)
            .sort((a, b) => {
              const [one, two] = [of(a) as bigint, of(b) as bigint];
              return one < two ? -1 : one > two ? 1 : a - b;
            });
        expect([...times.sorted(false)]).toEqual(sorted((entry) => operations[entry][0].units));
        expect([...times.sorted(true)]).toEqual(sorted((entry) => operations[entry][1]?.units));
        for (let entry = 0; entry < operations.length; entry++)
          expect(times.returns(entry)).toBe(operations[entry][1] !== null);
      }),
      { numRuns: 500 },
    );
  });

  test('in a file in any order are merged where insertion would take too long', () => {
    const times = new EntryTimes();
    for (let entry = 0; entry < 1000; entry++) times.add(1000 - entry, 1000 - entry);
    expect([...times.sorted(false)]).toEqual(Array.from({ length: 1000 }, (_, i) => 999 - i));
    expect([...times.sorted(true)]).toEqual(Array.from({ length: 1000 }, (_, i) => 999 - i));
  });
});

describe('a timeline', () => {
  test('orders calls and returns of 19 digits that doubles would confuse', () => {
    const timeline = new Timeline();
    for (const call of ['1699999999123456790', '1699999999123456788', '1699999999123456789'])
      timeline.add(call);
    timeline.end(0, '1699999999123456791');
    timeline.end(1, '1699999999123456789');
    expect([...timeline.callOrder()]).toEqual([1, 2, 0]);
    expect(eventsOf(timeline)).toEqual([1, 2, ~1, 0, ~0]);
  });

  test('agrees with a plain sort by time, calls first, then by entry', () => {
    const operation = fc.tuple(fc.nat(6), fc.nat(4), fc.boolean());
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 30 }), (operations) => {
        const timeline = new Timeline();
        const events = operations.flatMap(([call, duration, returns], entry) => {
          timeline.add(call);
          if (returns) timeline.end(entry, call + duration);
          const own = [{ at: call, rank: 0, entry, event: entry }];
          return returns ? [...own, { at: call + duration, rank: 1, entry, event: ~entry }] : own;
        });
        events.sort((a, b) => a.at - b.at || a.rank - b.rank || a.entry - b.entry);
        expect(eventsOf(timeline)).toEqual(events.map(({ event }) => event));
      }),
    );
  });
});
