import fc from 'fast-check';
import { expect, test } from 'vitest';
import { IntSet, NO_INT } from './int-set.js';

test.each([1, 31, 32, 33, 1_025, 40_000])(
  'a set of integers below %i gives successors and predecessors',
  (length) => {
    fc.assert(
      fc.property(
        fc.boolean(),
        fc.array(fc.tuple(fc.nat(length - 1), fc.boolean()), { maxLength: 40 }),
        (full, steps) => {
          const set = new IntSet(length, { full });
          const plain = new Set(full ? Array(length).keys() : []);
          for (const [item, isAdded] of steps) {
            if (isAdded) set.add(item);
            else set.delete(item);
            if (isAdded) plain.add(item);
            else plain.delete(item);
            expect(set.has(item)).toBe(isAdded);
          }
          for (const [item] of [...steps, [0], [length - 1]] as const) {
            let [next, previous] = [item, item];
            while (next < length && !plain.has(next)) next++;
            while (previous >= 0 && !plain.has(previous)) previous--;
            expect(set.next(item)).toBe(next < length ? next : NO_INT);
            expect(set.previous(item)).toBe(previous);
          }
          expect(set.next(length)).toBe(NO_INT);
          expect(set.next(-1)).toBe(set.next(0));
          expect(set.previous(-1)).toBe(NO_INT);
        },
      ),
      { numRuns: length > 2_000 ? 10 : 100 },
    );
  },
);
