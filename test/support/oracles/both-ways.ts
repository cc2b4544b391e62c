/** Oracle for the fast path of the JSON-lines reader: with and without it, a file gives the same history or the same error. */
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { FormatError, type ReadOptions } from '../../../src/formats/common/reader.js';
import { JsonLinesReader } from '../../../src/formats/json-lines/reader.js';
import { wholeHistory } from './whole-history.js';

function read(chunks: readonly Uint8Array[], options: ReadOptions, fast: boolean): unknown {
  const reader = new JsonLinesReader(options, false, undefined, fast);
  try {
    for (const chunk of chunks) reader.write(chunk);
    return wholeHistory(reader.end());
  } catch (error) {
    if (error instanceof FormatError) return error.message;
    throw error;
  }
}

/** Returns whether the bytes are a valid history. */
export function expectSameWithoutFastPath(chunks: readonly Uint8Array[], options: ReadOptions = {}): boolean {
  const [fast, slow] = [read(chunks, options, true), read(chunks, options, false)];
  // `expect` is slow, but says what differs
  if (!isDeepStrictEqual(fast, slow)) expect(fast).toStrictEqual(slow);
  return typeof slow !== 'string';
}
