import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isPrimitive } from './canonical.js';
import { Interner, IntIndex, LargeMap } from './interner.js';

test('equal values have equal numbers, in order of first occurrence', () => {
  const interner = new Interner();
  const numbers = ['a', [1], 'a', [1], { x: 1 }, 0, -0, Number.NaN, Number.NaN, 1n, 1].map((value) =>
    interner.intern(value),
  );
  expect(numbers).toEqual([0, 1, 0, 1, 2, 3, 3, 4, 4, 5, 6]);
});

test('the first of equal values is kept', () => {
  const interner = new Interner();
  const first = [1];
  interner.intern(first);
  interner.intern([1]);
  expect(interner.values).toHaveLength(1);
  expect(interner.values[0]).toBe(first);
});

test('only interned values are found, and a look-up adds none', () => {
  const interner = new Interner();
  interner.intern([1]);
  interner.intern(undefined);
  expect(interner.find([1])).toBe(0);
  expect(interner.find(undefined)).toBe(1);
  expect(interner.find([2])).toBeUndefined();
  expect(interner.find(null)).toBeUndefined();
  expect(interner.values).toHaveLength(2);
});

test('a string never equals the key of an object', () => {
  const interner = new Interner();
  expect(interner.intern('[1:1;')).not.toBe(interner.intern([1]));
});

test('an object that was changed is no longer found', () => {
  const interner = new Interner();
  const list = [1];
  interner.intern(list);
  list.push(2);
  expect(interner.find(list)).toBeUndefined();
});

test('each number gives an equal value', () => {
  fc.assert(
    fc.property(fc.array(fc.anything({ maxDepth: 2 })), (values) => {
      const interner = new Interner();
      const numbers = values.map((value) => interner.intern(value));
      expect(numbers.map((number) => interner.intern(interner.values[number]))).toEqual(numbers);
      expect(values.map((value) => interner.find(value))).toEqual(numbers);
      expect(new Set(numbers).size).toBe(interner.values.length);
    }),
  );
});

test('null and symbols are primitive; functions and objects are not', () => {
  expect([{}, [], () => 1, new Date()].some(isPrimitive)).toBe(false);
  expect([null, undefined, 1, 1n, '', false, Symbol('a')].every(isPrimitive)).toBe(true);
});

describe('int-index', () => {
  test('each integer has its position, and no other integer is found', () => {
    const values: unknown[] = [];
    const places = new IntIndex();
    const ints = [
      0,
      -1,
      1,
      2 ** 31 - 1,
      -(2 ** 31),
      ...Array.from({ length: 1000 }, (_, i) => 65_536 * (i + 1)),
    ];
    for (const int of ints) {
      expect(places.find(int)).toBe(-1);
      // other values are in between
      values.push('a text', int);
      places.add(int, values.length - 1);
    }
    expect(places.size).toBe(ints.length);
    for (const int of ints) expect(values[places.find(int)]).toBe(int);
    expect(places.find(7)).toBe(-1);
  });

  test('integers beyond the range and negative ones are found after the range has grown', () => {
    const places = new IntIndex();
    const ints = Array.from({ length: 5_000 }, (_, i) => (i * 2_741) % 5_000);
    for (const int of ints) places.add(int, 2 * int);
    for (const int of ints) places.add(int - 2 ** 31, 2 * int + 1);
    for (const int of ints)
      expect([places.find(int), places.find(int - 2 ** 31)]).toEqual([2 * int, 2 * int + 1]);
    expect([places.find(5_000), places.find(-1), places.find(20_000)]).toEqual([-1, -1, -1]);
  });

  test.each([50, 300])('an index agrees with a Map on integers up to %i', (max) => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -max, max }), { maxLength: 4 * max, size: 'max' }), (ints) => {
        const values: number[] = [];
        const places = new IntIndex();
        const map = new Map<number, number>();
        for (const int of ints) {
          expect(places.find(int)).toBe(map.get(int) ?? -1);
          if (map.has(int)) continue;
          map.set(int, values.push(int) - 1);
          places.add(int, values.length - 1);
        }
        for (const int of ints) expect(places.find(int)).toBe(map.get(int));
        expect(places.size).toBe(map.size);
      }),
      { numRuns: 30 },
    );
  });
});

describe('an extended table', () => {
  const VALUES = [0, 7, 1e9, -3, 0.5, 'a', 'b', null, undefined, true, [1, 2], { x: 1 }, new Map([[1, 2]])];

  test('keeps the numbers of the other one, and neither sees what the other adds later', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: VALUES.length - 1 })),
        fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 0, max: VALUES.length - 1 }))),
        (before, later) => {
          const one = new Interner();
          const alone = [new Interner(), new Interner()];
          for (const i of before) for (const table of [one, ...alone]) table.intern(VALUES[i]);
          const tables = [one, new Interner(one)];
          for (const [isOther, i] of later) {
            const t = Number(isOther);
            expect(tables[t].find(VALUES[i])).toBe(alone[t].find(VALUES[i]));
            expect(tables[t].intern(VALUES[i])).toBe(alone[t].intern(VALUES[i]));
          }
          for (const t of [0, 1]) expect(tables[t].values).toEqual(alone[t].values);
          for (const t of [0, 1]) expect(tables[t].bytes).toBe(alone[t].bytes);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('large-map', () => {
  test('a map continues in another Map when one is full', () => {
    const map = new LargeMap<string, number>(4);
    for (let i = 0; i < 11; i++) {
      expect([map.size, map.get(`k${i}`)]).toEqual([i, undefined]);
      map.add(`k${i}`, i);
    }
    expect(Array.from({ length: 12 }, (_, i) => map.get(`k${i}`))).toEqual([
      ...Array.from({ length: 11 }, (_, i) => i),
      undefined,
    ]);
  });
});
