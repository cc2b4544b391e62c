import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ABSENT, PairMap } from './int-set.js';

const natural = fc.oneof(fc.nat(5), fc.nat(0x7fffffff));

test('a pair map gives the value of each pair, and ABSENT for the others', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(natural, natural, fc.integer({ min: -1, max: 0x7fffffff })), { maxLength: 300 }),
      fc.array(fc.tuple(natural, natural)),
      (entries, others) => {
        const map = new PairMap();
        const model = new Map<string, number>();
        for (const [first, second, value] of entries) {
          if (!model.has(`${first},${second}`)) map.add(first, second, value);
          model.set(`${first},${second}`, model.get(`${first},${second}`) ?? value);
        }
        expect(map.size).toBe(model.size);
        for (const [first, second] of [...entries, ...others])
          expect(map.get(first, second)).toBe(model.get(`${first},${second}`) ?? ABSENT);
      },
    ),
    { numRuns: 300 },
  );
});
