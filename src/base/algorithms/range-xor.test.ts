import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Toggles } from './range-xor.js';

test('each place has the sum of the numbers toggled over it', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.nat(20), fc.nat(20), fc.nat(1_000))), (changes) => {
      const plain = new Array<number>(20).fill(0);
      const toggles = new Toggles(20);
      for (const [a, b, number] of changes) {
        const [begin, end] = [Math.min(a, b), Math.max(a, b)];
        for (let i = begin; i < end; i++) plain[i] ^= number;
        toggles.toggle(begin, end, number);
      }
      expect(plain.map((_, place) => toggles.at(place))).toEqual(plain);
    }),
  );
});
