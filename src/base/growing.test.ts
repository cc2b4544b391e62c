import fc from 'fast-check';
import { expect, test } from 'vitest';
import { GrowingInts } from './growing.js';

test('a growing list keeps what was pushed and set', () => {
  fc.assert(
    fc.property(fc.array(fc.integer(), { maxLength: 300 }), fc.nat(), (items, at) => {
      const list = new GrowingInts(1);
      for (const item of items) list.push(item);
      expect([...list.toArray()]).toEqual(items);
      expect(list).toHaveLength(items.length);
      if (items.length === 0) return;
      list.set(at % items.length, 7);
      expect(list.at(at % items.length)).toBe(7);
    }),
  );
});
