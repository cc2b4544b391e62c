import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonPieces } from './reporters.js';

test('the pieces join to the text of JSON.stringify', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.option(fc.jsonValue(), { nil: undefined })), (document) => {
      expect([...jsonPieces(document)].join('')).toBe(`${JSON.stringify(document)}\n`);
    }),
  );
});

test('a long list is divided into several pieces, and bigints become texts', () => {
  const items = Array.from({ length: 250_000 }, (_, i) => i);
  const pieces = [...jsonPieces({ a: { items }, b: 5n })];
  expect(pieces.join('')).toBe(`${JSON.stringify({ a: { items }, b: '5' })}\n`);
  expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThan(1_000_000);
});
