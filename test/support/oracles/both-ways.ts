/** Bytes of our format, read with the fast way for plain lines and without it: the outcome must be the same. */
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { FormatError } from '../../../src/formats/common/format-error.js';
import type { ReadOptions } from '../../../src/formats/common/reader.js';
import { JsonLinesReader } from '../../../src/formats/json-lines/reader.js';
import { wholeHistory } from './whole-history.js';

function read(chunks: readonly Uint8Array[], options: ReadOptions, fast: boolean): unknown {
  const reader = new JsonLinesReader(options, false, fast);
  try {
    for (const chunk of chunks) reader.write(chunk);
    return wholeHistory(reader.end());
  } catch (error) {
    if (error instanceof FormatError) return error.message;
    throw error;
  }
}

/** Is it read at all? */
export function expectSameBothWays(chunks: readonly Uint8Array[], options: ReadOptions = {}): boolean {
  const [fast, slow] = [read(chunks, options, true), read(chunks, options, false)];
  // `expect` is slow, but says what differs
  if (!isDeepStrictEqual(fast, slow)) expect(fast).toStrictEqual(slow);
  return typeof slow !== 'string';
}
