/**
 * A plain line of our format, found by its bytes: most lines are.
 *
 * `JSON.parse` makes a string and an object of every line, and most of the time goes into
 * that. A plain line is `{"field":value,…}` with fields of an operation or an event, in any
 * order, each once. A value is a short ASCII string without escapes, an integer that a number
 * holds, null, true or false; that of `args` is a list of such. What is found is where each
 * value stands, and what it is. Nothing is judged: a line that is not plain, for whatever
 * reason, is left to who reads JSON, and so is every error.
 *
 * The bytes end in a newline, which stands in no value: so no loop needs to look for the end.
 *
 * Cost: O(length of the line), and nothing is allocated.
 */
import { hashByte, LONGEST_TEXT } from '../../base/index.js';

/** The fields that a plain line may have; each has a slot for its value, and a bit. */
export const FIELDS = {
  process: 0,
  method: 1,
  args: 2,
  result: 3,
  call: 4,
  return: 5,
  type: 6,
  id: 7,
  object: 8,
  threw: 9,
  failed: 10,
  unknown: 11,
} as const;

/** What a value is. */
export const STRING = 1;
export const INTEGER = 2;
export const NULL = 4;
export const TRUE = 8;
export const FALSE = 16;

/** Field to the kinds that its value may have. That of `args` is a list. */
const KINDS = [
  STRING | INTEGER,
  STRING,
  0,
  STRING | INTEGER | NULL | TRUE | FALSE,
  INTEGER,
  INTEGER,
  STRING,
  STRING | INTEGER,
  STRING,
  STRING,
  STRING | TRUE,
  STRING,
];

/** From this slot on stand the arguments. */
export const FIRST_ARGUMENT = 12;
const MOST_ARGUMENTS = 64;
const SLOTS = FIRST_ARGUMENT + MOST_ARGUMENTS;

const NOT_PLAIN = -1;
const [TAB, NEWLINE, RETURN, SPACE, QUOTE, COMMA, MINUS] = [0x09, 0x0a, 0x0d, 0x20, 0x22, 0x2c, 0x2d];
const [ZERO, NINE, COLON, OPEN_LIST, CLOSE_LIST, OPEN, CLOSE] = [0x30, 0x39, 0x3a, 0x5b, 0x5d, 0x7b, 0x7d];

/** Byte to whether it stands for itself in a string. */
const PLAIN = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= SPACE && byte < 0x80 && byte !== QUOTE && byte !== 0x5c ? 1 : 0,
);

/** Names by field, each with the quote that ends it; and to a field by two bytes of its name. */
const NAMES = Object.keys(FIELDS).map((name) =>
  Uint8Array.from(`${name}"`, (letter) => letter.charCodeAt(0)),
);
const placeOf = (first: number, third: number): number => (first + 10 * third) & 31;
const FIELD_AT = new Int8Array(32).fill(-1);
for (const [field, name] of NAMES.entries()) FIELD_AT[placeOf(name[0], name[2])] = field;

const WORDS: readonly (readonly [bytes: Uint8Array, kind: number])[] = [
  ['null', NULL],
  ['true', TRUE],
  ['false', FALSE],
].map(([word, kind]) => [Uint8Array.from(word as string, (letter) => letter.charCodeAt(0)), kind as number]);

export class PlainLine {
  bytes: Uint8Array = new Uint8Array();
  /** A bit for each field that the line has. */
  fields = 0;
  /** How many arguments it has. */
  count = 0;
  // slot to its kind; of a string or an integer, where its text starts and ends; of a string, its hash; the integer
  readonly kind: Uint8Array = new Uint8Array(SLOTS);
  readonly start: Int32Array = new Int32Array(SLOTS);
  readonly end: Int32Array = new Int32Array(SLOTS);
  readonly hash: Int32Array = new Int32Array(SLOTS);
  readonly integer: Float64Array = new Float64Array(SLOTS);

  /** Reads the line that starts here. Gives where the next one starts, or -1 if it is not plain. */
  read(bytes: Uint8Array, from: number): number {
    this.bytes = bytes;
    this.count = 0;
    let fields = 0;
    if (bytes[from] !== OPEN) return NOT_PLAIN;
    let at = from;
    do {
      at = pastSpace(bytes, at + 1);
      const field = fieldAt(bytes, at);
      if (field < 0 || (fields & (1 << field)) !== 0) return NOT_PLAIN;
      fields |= 1 << field;
      at = pastSpace(bytes, at + 1 + NAMES[field].length);
      if (bytes[at] !== COLON) return NOT_PLAIN;
      at = pastSpace(bytes, at + 1);
      if (field === FIELDS.args) at = this.#args(bytes, at);
      else {
        at = this.#value(bytes, at, field);
        if ((this.kind[field] & KINDS[field]) === 0) return NOT_PLAIN;
      }
      if (at < 0) return NOT_PLAIN;
      at = pastSpace(bytes, at);
    } while (bytes[at] === COMMA);
    if (bytes[at] !== CLOSE) return NOT_PLAIN;
    at = pastSpace(bytes, at + 1);
    this.fields = fields;
    return bytes[at] === NEWLINE ? at + 1 : NOT_PLAIN;
  }

  /** Reads a list of values; gives where it ends, or -1. */
  #args(bytes: Uint8Array, from: number): number {
    if (bytes[from] !== OPEN_LIST) return NOT_PLAIN;
    let at = pastSpace(bytes, from + 1);
    if (bytes[at] === CLOSE_LIST) return at + 1;
    for (;;) {
      if (this.count === MOST_ARGUMENTS) return NOT_PLAIN;
      at = this.#value(bytes, at, FIRST_ARGUMENT + this.count++);
      if (at < 0) return NOT_PLAIN;
      at = pastSpace(bytes, at);
      if (bytes[at] === CLOSE_LIST) return at + 1;
      if (bytes[at] !== COMMA) return NOT_PLAIN;
      at = pastSpace(bytes, at + 1);
    }
  }

  /** Reads a value into a slot; gives where it ends, or -1. */
  #value(bytes: Uint8Array, from: number, slot: number): number {
    const first = bytes[from];
    if (first === QUOTE) return this.#string(bytes, from + 1, slot);
    if ((first >= ZERO && first <= NINE) || first === MINUS) return this.#integer(bytes, from, slot);
    for (const [word, kind] of WORDS) {
      if (!startsWith(bytes, from, word)) continue;
      this.kind[slot] = kind;
      return from + word.length;
    }
    return NOT_PLAIN;
  }

  #string(bytes: Uint8Array, from: number, slot: number): number {
    let at = from;
    let hash = 0;
    while (PLAIN[bytes[at]] === 1) hash = hashByte(hash, bytes[at++]);
    if (bytes[at] !== QUOTE || at - from > LONGEST_TEXT) return NOT_PLAIN;
    this.kind[slot] = STRING;
    this.start[slot] = from;
    this.end[slot] = at;
    this.hash[slot] = hash;
    return at + 1;
  }

  /** Up to 2^53; -0, which is told from 0, is not plain, nor is what goes on as a decimal. */
  #integer(bytes: Uint8Array, from: number, slot: number): number {
    const isNegative = bytes[from] === MINUS;
    const first = isNegative ? from + 1 : from;
    let at = first;
    let integer = 0;
    for (let byte = bytes[at]; byte >= ZERO && byte <= NINE; byte = bytes[++at])
      integer = 10 * integer + (byte - ZERO);
    const isOdd = at === first || (bytes[first] === ZERO && (isNegative || at > first + 1));
    if (isOdd || integer > Number.MAX_SAFE_INTEGER || !ends(bytes[at])) return NOT_PLAIN;
    this.kind[slot] = INTEGER;
    this.start[slot] = from;
    this.end[slot] = at;
    this.integer[slot] = isNegative ? -integer : integer;
    return at;
  }
}

function pastSpace(bytes: Uint8Array, from: number): number {
  let at = from;
  while (bytes[at] === SPACE || bytes[at] === TAB || bytes[at] === RETURN) at++;
  return at;
}

/** Can a number end before this byte? */
const ends = (byte: number): boolean =>
  byte === COMMA ||
  byte === CLOSE ||
  byte === CLOSE_LIST ||
  byte === SPACE ||
  byte === TAB ||
  byte === RETURN;

/** The field whose name stands here, in quotes, or -1. */
function fieldAt(bytes: Uint8Array, at: number): number {
  if (bytes[at] !== QUOTE) return -1;
  const field = FIELD_AT[placeOf(bytes[at + 1], bytes[at + 3])];
  return field >= 0 && startsWith(bytes, at + 1, NAMES[field]) ? field : -1;
}

function startsWith(bytes: Uint8Array, at: number, text: Uint8Array): boolean {
  for (let i = 0; i < text.length; i++) if (bytes[at + i] !== text[i]) return false;
  return true;
}
