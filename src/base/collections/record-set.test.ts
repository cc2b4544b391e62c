import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RecordSet } from './record-set.js';

/** Few groups, so that some have many records. */
const GROUPS = 3;
const integer = fc.oneof(fc.nat(3), fc.integer());

describe('a record set', () => {
  test.each([1, 2, 3, 5])('a set of width %i has each record once, in order', (width) => {
    const record = fc
      .tuple(fc.nat(GROUPS - 1), fc.array(integer, { minLength: width - 1, maxLength: width - 1 }))
      .map(([group, fields]) => [group, ...fields]);
    fc.assert(
      fc.property(fc.array(record, { maxLength: 300 }), (records) => {
        const set = new RecordSet(width, GROUPS);
        const model = new Set<string>();
        for (const fields of records) {
          const draft = set.draft();
          fields.forEach((field, i) => {
            set.records[draft + i] = field;
          });
          expect(set.add()).toBe(!model.has(fields.join()));
          model.add(fields.join());
        }
        expect(set.size).toBe(model.size);
        const kept = Array.from({ length: set.size }, (_, j) =>
          set.records.slice(j * width, (j + 1) * width).join(),
        );
        expect(kept).toEqual([...model]);
      }),
    );
  });

  test('counts the bytes it holds', () => {
    const set = new RecordSet(2, 32);
    const before = set.bytes;
    for (let item = 0; item < 33; item++) {
      set.records[set.draft() + 1] = item;
      set.add();
    }
    expect(set.bytes).toBeGreaterThanOrEqual(before + 4 * (2 * 32 + 32));
  });
});

test('a record whose bits include those of another is dropped', () => {
  const set = new RecordSet(4, 2, { bits: 1 });
  const add = (...record: [number, number, number, number]): boolean => {
    const draft = set.draft();
    set.records.set(record, draft);
    return set.add();
  };
  expect(add(0, 5, 6, 0b0110)).toBe(true);
  expect(add(0, 5, 6, 0b0111)).toBe(false);
  expect(add(0, 5, 6, 0b0101)).toBe(true);
  expect(add(0, 5, 7, 0b0111)).toBe(true);
  expect(add(1, 5, 6, 0b0111)).toBe(true);
  // the same in a hashed group
  for (let i = 0; i < 100; i++) expect(add(0, 100 + i, 0, 0b0001)).toBe(true);
  for (let i = 0; i < 100; i++) expect(add(0, 100 + i, 0, 0b0011)).toBe(false);
  for (let i = 0; i < 100; i++) expect(add(0, 100 + i, 0, 0b0010)).toBe(true);
  expect([add(0, 5, 6, 0b1110), add(0, 5, 6, 0b1000)]).toEqual([false, true]);
});
