import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { GrowingBytes, GrowingInts, GrowingNumbers, GrowingRows } from './growing.js';

test('a growing list keeps the items that were pushed and set', () => {
  fc.assert(
    fc.property(fc.array(fc.integer(), { maxLength: 300 }), fc.nat(), (items, at) => {
      const list = new GrowingInts();
      for (const item of items) list.push(item);
      expect([...list.toArray()]).toEqual(items);
      expect(list).toHaveLength(items.length);
      if (items.length === 0) return;
      list.set(at % items.length, 7);
      expect(list.at(at % items.length)).toBe(7);
    }),
  );
});

test.each([
  [200_001, 0],
  [200_001, 131_072],
  [200_001, 65_537],
  [65_537, 65_536],
  [65_536, 3],
  [50, 50],
])('a list of %i items truncated to %i keeps these, and new items follow them', (before, length) => {
  const list = new GrowingInts();
  for (let i = 0; i < before; i++) list.push(i);
  list.shrink(length);
  for (let i = length; i < length + 70_000; i++) list.push(~i);
  expect(list).toHaveLength(length + 70_000);
  expect(list.toArray().every((item, i) => item === (i < length ? i : ~i))).toBe(true);
});

test.each([0, 1, 64, 65, 65_535, 65_536, 65_537, 131_072, 200_001])(
  'a list of %i items returns them all',
  (length) => {
    const [ints, bytes, numbers] = [new GrowingInts(), new GrowingBytes(), new GrowingNumbers()];
    for (let i = 0; i < length; i++) {
      ints.push(~i);
      bytes.push(i & 255);
      numbers.push(i / 2);
    }
    expect([ints.toArray(), bytes.toArray(), numbers.toArray()].map((list) => list.length)).toEqual(
      Array(3).fill(length),
    );
    expect(ints.toArray().every((item, i) => item === ~i)).toBe(true);
    expect(bytes.toArray().every((item, i) => item === (i & 255))).toBe(true);
    expect(numbers.toArray().every((item, i) => item === i / 2)).toBe(true);
    for (const index of [0, length >>> 1, length - 1])
      if (index < length && index >= 0)
        expect([ints.at(index), numbers.at(index)]).toEqual([~index, index / 2]);
  },
);

describe('growing-rows', () => {
  test.each([0, 1, 15, 16, 17, 33, 16_383, 16_384, 16_385, 32_768, 50_001])(
    '%i rows keep the integers written into them',
    (length) => {
      const rows = new GrowingRows(3);
      for (let row = 0; row < length; row++) {
        const start = rows.add();
        rows.cells[start] = row;
        rows.cells[start + 2] = -row;
      }
      expect(rows).toHaveLength(length);
      for (let row = 0; row < length; row += 7) rows.set(row, 1, 5 * row);

      for (let row = 0; row < length; row++) {
        const written = [row, row % 7 === 0 ? 5 * row : 0, 0 - row];
        const [chunk, start] = [rows.chunk(row), rows.start(row)];
        const isKept = written.every((cell, i) => rows.at(row, i) === cell && chunk[start + i] === cell);
        if (!isKept) expect([...chunk.subarray(start, start + 3)], `row ${row}`).toEqual(written);
      }
    },
  );
});
