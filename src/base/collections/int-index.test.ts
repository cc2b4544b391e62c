import fc from 'fast-check';
import { expect, test } from 'vitest';
import { IntPlaces } from './int-index.js';

test('each integer is found where it was put, and no other is', () => {
  const values: unknown[] = [];
  const places = new IntPlaces();
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
    // other values stand in between
    values.push('a text', int);
    places.add(int, values.length - 1);
  }
  expect(places.size).toBe(ints.length);
  for (const int of ints) expect(values[places.find(int)]).toBe(int);
  expect(places.find(7)).toBe(-1);
});

test('those that come before their turn, far ones and negative ones are found when the others have come', () => {
  const places = new IntPlaces();
  const ints = Array.from({ length: 5_000 }, (_, i) => (i * 2_741) % 5_000);
  for (const int of ints) places.add(int, 2 * int);
  for (const int of ints) places.add(int - 2 ** 31, 2 * int + 1);
  for (const int of ints)
    expect([places.find(int), places.find(int - 2 ** 31)]).toEqual([2 * int, 2 * int + 1]);
  expect([places.find(5_000), places.find(-1), places.find(20_000)]).toEqual([-1, -1, -1]);
});

test.each([50, 300])('it agrees with a Map on integers up to %i', (max) => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -max, max }), { maxLength: 4 * max, size: 'max' }), (ints) => {
      const values: number[] = [];
      const places = new IntPlaces();
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
