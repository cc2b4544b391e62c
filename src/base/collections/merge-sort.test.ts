import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergeSort, range } from './ints.js';

describe('a merge sort', () => {
  test('sorts, keeps equal items in their order, and leaves its input alone', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(9), { maxLength: 200 }), (ranks) => {
        const items = range(ranks.length);
        const sorted = mergeSort(items, (a, b) => ranks[a] - ranks[b]);
        const expected = [...items].sort((a, b) => ranks[a] - ranks[b] || a - b);
        expect([...sorted]).toEqual(expected);
        expect(items).toEqual(range(ranks.length));
      }),
      { numRuns: 500 },
    );
  });

  test('sorted input takes about one comparison per item', () => {
    let comparisons = 0;
    mergeSort(range(4096), (a, b) => {
      comparisons++;
      return a - b;
    });
    expect(comparisons).toBeLessThan(1.2 * 4096);
  });
});
