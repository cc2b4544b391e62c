import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Canonical } from '../../base/values/canonical.js';
import { writeEdn, writeWord } from '../jepsen/writer.js';
import { EdnReader } from './reader.js';

describe('EDN of', () => {
  test.each([
    [null, 'nil'],
    [true, 'true'],
    [-0, '0'],
    [1.5, '1.5'],
    [1e-9, '1e-9'],
    [2 ** 60, '1.152921504606847e+18'],
    [2n ** 60n, '1152921504606846976N'],
    [Number.NaN, '##NaN'],
    [Number.NEGATIVE_INFINITY, '##-Inf'],
    ['a "b"\n\ud800', '"a \\"b\\"\\n\\ud800"'],
    [[1, [], 'x'], '[1 [] "x"]'],
    [{ a: 1, 'b c': { d: null } }, '{:a 1, "b c" {:d nil}}'],
    [new Set([1, 'x']), '#{1 "x"}'],
    [new Map<unknown, unknown>([[1, 2]]), '{1 2}'],
    [new Date(0), '#inst "1970-01-01T00:00:00.000Z"'],
  ])('%o is %s', (value, text) => {
    expect(writeEdn(value)).toBe(text);
  });

  test.each([
    [undefined, 'undefined has no EDN form'],
    [[1, 5n], '5n has no EDN form'],
    [new Map([['a', 1]]), 'has no EDN form'],
    [new Map(), 'has no EDN form'],
    [new Uint8Array(2), 'has no EDN form'],
    [new Date(Number.NaN), 'has no EDN form'],
    [() => 1, 'has no EDN form'],
    [new (class Money {})(), 'has no EDN form'],
  ])('%o is refused', (value, message) => {
    expect(() => writeEdn(value)).toThrow(message);
  });
});

test('a text is written as a keyword if possible', () => {
  expect(['read', 'get-and-set!', '', 'a b', ':x', '5', 'é'].map(writeWord)).toEqual([
    ':read',
    ':get-and-set!',
    '""',
    '"a b"',
    '":x"',
    '"5"',
    '"é"',
  ]);
});

test('a written value is read back as the same value', () => {
  const value = fc.anything({
    withDate: true,
    withSet: true,
    withMap: true,
    withBigInt: true,
    withNullPrototype: false,
    withObjectString: false,
  });
  let written = 0;
  fc.assert(
    fc.property(value, (original) => {
      let text: string;
      try {
        text = writeEdn(original);
      } catch (error) {
        expect(error).toBeInstanceOf(TypeError);
        return;
      }
      written++;
      const canonical = new Canonical();
      expect(canonical.key(new EdnReader(text).document())).toBe(canonical.key(original));
    }),
    { seed: 5, numRuns: 3000 },
  );
  expect(written).toBeGreaterThan(500);
});
