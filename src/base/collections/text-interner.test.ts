import fc from 'fast-check';
import { expect, test } from 'vitest';
import { asciiText, hashText, MAX_TEXT_LENGTH, TextInterner } from './interners.js';

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

function asked(texts: readonly string[]): { numbers: number[]; made: string[] } {
  const made: string[] = [];
  const numbers = new TextInterner((text) => made.push(text) - 1);
  const found = texts.map((text) => {
    const bytes = bytesOf(`<${text}>`);
    return numbers.intern(bytes, 1, bytes.length - 1, hashText(bytes, 1, bytes.length - 1));
  });
  return { numbers: found, made };
}

test('equal texts have equal numbers, and each is decoded only once', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary-ascii', maxLength: MAX_TEXT_LENGTH })), (texts) => {
      const { numbers, made } = asked(texts);
      expect(made).toEqual([...new Set(texts)]);
      expect(numbers.map((number) => made[number])).toEqual(texts);
    }),
  );
});

test('texts with equal hashes are distinguished', () => {
  const numbers = new TextInterner((text) => Number(text));
  const bytes = bytesOf('1234512345');
  for (let round = 0; round < 2; round++)
    for (let at = 0; at < 5; at++) {
      expect(numbers.intern(bytes, at, at + 1, 7)).toBe(at + 1);
      expect(numbers.intern(bytes, at, at + 2, 7)).toBe(Number(asciiText(bytes, at, at + 2)));
    }
});

test('beyond the limit of the cache, texts are still distinguished', () => {
  const texts = Array.from({ length: 40_000 }, (_, i) => `v${i}`);
  const { numbers, made } = asked([...texts, ...texts]);
  expect(numbers.map((number) => made[number])).toEqual([...texts, ...texts]);
  expect(made.length).toBeGreaterThan(texts.length);
});
