import fc from 'fast-check';
import { expect, test } from 'vitest';
import { UnionFind } from './int-set.js';

test('find returns equal roots exactly for joined items', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(19), fc.nat(19)), { maxLength: 25 }), (unions) => {
      const sets = new UnionFind(20);
      const group = Array.from({ length: 20 }, (_, item) => item);
      for (const [a, b] of unions) {
        sets.union(a, b);
        const [from, to] = [group[a], group[b]];
        group.forEach((own, item) => {
          if (own === from) group[item] = to;
        });
      }
      for (let a = 0; a < 20; a++)
        for (let b = 0; b < 20; b++) expect(sets.find(a) === sets.find(b)).toBe(group[a] === group[b]);
    }),
  );
});
