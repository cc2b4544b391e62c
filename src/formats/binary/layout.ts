/** What reader and writer of the binary form agree upon. docs/sedge.md is the full definition. */

/** The first bytes: a name, and a zero, which no text has. */
export const MAGIC: Uint8Array = new TextEncoder().encode('SEDGE\0');
export const VERSION = 1;

/** Bits of the flags. */
export const STUCK = 1;
export const UNDEFINED_IS_NULL = 2;

/** Kinds of values. */
export const NULL = 0;
export const TRUE = 1;
export const FALSE = 2;
export const UNDEFINED = 3;
/** An integer of 0 or more, and one below: the latter as -1 - it. */
export const NATURAL = 4;
export const NEGATIVE = 5;
/** Any other number. */
export const NUMBER = 6;
export const TEXT = 7;
/** All else, as JSON with tags. */
export const JSON_TEXT = 8;

/** Bytes of the check sum at the end. */
export const SUM_BYTES = 4;
