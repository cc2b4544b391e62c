/**
 * Scans plain lines of our format from their bytes, without strings or objects.
 *
 * `JSON.parse` creates a string and an object for every line, which dominates reading. A plain line is `{"field":value,…}`
 * with fields of an operation or an event, in any order, each once. A value is a short ASCII string without escapes, a safe
 * integer, null, true or false; `args` is a list of such values. Times may have 19 digits, may be decimals, and may be in
 * quotes. The scan finds the position and kind of each value. All other lines, and all errors, are left to the JSON reader.
 *
 * The bytes end with a newline, which no value contains, so loops need no bounds check.
 *
 * Cost: O(length of the line), without allocation.
 */
import { hashByte, MAX_TEXT_LENGTH } from '../../base/collections/interners.js';
import { invariant } from '../../base/errors.js';
import type { LongTime } from '../../history/model/timestamps.js';
import { PlainTime, SHORT_DIGITS } from './plain-time.js';

/**
 * Each field has a slot for its value and a bit.
 *
 * Field names are recognised by their bytes. A name with its quotes has 4 to 9 bytes, so three
 * overlapping words of four bytes cover it. The first word selects a candidate by perfect hashing;
 * the other two confirm it.
 */
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

const NAMES = Object.keys(FIELDS).map((name) => new TextEncoder().encode(`"${name}"`));
const wordAt = (name: Uint8Array, at: number): number => new DataView(name.buffer).getInt32(at, true);

/** Field to the length of its name with quotes. */
const NAME_LENGTH: Int32Array = Int32Array.from(NAMES, ({ length }) => length);
// field to the words of its name
const FIRST = Int32Array.from(NAMES, (name) => wordAt(name, 0));
const MIDDLE_AT = Int32Array.from(NAMES, ({ length }) => Math.min(4, length - 4));
const MIDDLE = Int32Array.from(NAMES, (name) => wordAt(name, Math.min(4, name.length - 4)));
const LAST = Int32Array.from(NAMES, (name) => wordAt(name, name.length - 4));

/** Hash of the first word to its field, or -1. */
const FIELD = new Int8Array(32).fill(-1);
const hashWord = (word: number): number => Math.imul(word, 0x9e3779b7) >>> 27;
for (const [field, word] of FIRST.entries()) {
  invariant(FIELD[hashWord(word)] < 0, 'two fields have the same hash');
  FIELD[hashWord(word)] = field;
}

/** The field with this quoted name; -1 if there is none, or if too few bytes follow. */
function fieldAt(view: DataView, at: number, end: number): number {
  // a colon, a value, a bracket and a newline must follow
  if (at + 8 > end) return -1;
  const first = view.getInt32(at, true);
  const field = FIELD[hashWord(first)];
  if (field < 0 || first !== FIRST[field]) return -1;
  const last = at + NAME_LENGTH[field] - 4;
  if (last + 8 > end) return -1;
  if (view.getInt32(at + MIDDLE_AT[field], true) !== MIDDLE[field]) return -1;
  return view.getInt32(last, true) === LAST[field] ? field : -1;
}

/** Kinds of values. */
export const STRING = 1;
export const INTEGER = 2;
export const NULL = 4;
export const TRUE = 8;
export const FALSE = 16;
/** For times only: an integer above 2^53; a decimal without an exponent; and an integer that `PlainTime` has read again. */
const LONG = 32;
const DECIMAL = 64;
const AGAIN = 128;

/** First slot of the arguments, after those of the fields. */
export const FIRST_ARGUMENT: number = NAMES.length;
const MAX_ARGUMENTS = 64;

/** Slot to the allowed kinds of its value; `args` is a list. */
export const KINDS: Uint8Array = new Uint8Array(FIRST_ARGUMENT + MAX_ARGUMENTS).fill(STRING);
KINDS.fill(STRING | INTEGER | NULL | TRUE | FALSE, FIRST_ARGUMENT);
KINDS[FIELDS.process] = KINDS[FIELDS.id] = STRING | INTEGER;
KINDS[FIELDS.call] = KINDS[FIELDS.return] = INTEGER | LONG | DECIMAL | STRING;
KINDS[FIELDS.result] = STRING | INTEGER | NULL | TRUE | FALSE;
KINDS[FIELDS.failed] = STRING | TRUE;

export const isTime = (slot: number): boolean => slot === FIELDS.call || slot === FIELDS.return;
export const isWord = (kind: number): boolean => (kind & (NULL | TRUE | FALSE)) !== 0;
const NOT_PLAIN = -1;
const [TAB, NEWLINE, RETURN, SPACE, QUOTE, MINUS] = [0x09, 0x0a, 0x0d, 0x20, 0x22, 0x2d];
/** Bytes of JSON. */
export const BYTE = { quote: 0x22, zero: 0x30, comma: 0x2c, closeList: 0x5d, close: 0x7d } as const;
const { zero: ZERO, comma: COMMA, closeList: CLOSE_LIST, close: CLOSE } = BYTE;
const [POINT, NINE, COLON, OPEN_LIST, OPEN] = [0x2e, 0x39, 0x3a, 0x5b, 0x7b];

/** Byte to 1 if it is unescaped in a string. */
const IS_LITERAL = Uint8Array.from({ length: 256 }, (_, byte) =>
  byte >= SPACE && byte < 0x80 && byte !== QUOTE && byte !== 0x5c ? 1 : 0,
);

const WORDS: readonly (readonly [word: Uint8Array, kind: number])[] = [
  [new TextEncoder().encode('null'), NULL],
  [new TextEncoder().encode('true'), TRUE],
  [new TextEncoder().encode('false'), FALSE],
];

/**
 * A token is four integers: kind; start and end of the text; hash of a string, or the places of a decimal whose digits
 * are its integer (0: they are not).
 */
const [KIND, START, END, HASH] = [0, 1, 2, 3];
const TOKEN = 4;

export class PlainLine {
  bytes: Uint8Array = new Uint8Array();
  view: DataView = new DataView(new ArrayBuffer(0));
  /** One bit per field of the scanned line. */
  fields = 0;
  /** The number of arguments. */
  count = 0;
  /** Slot to its token, at four times the slot; and slot to its integer. */
  readonly tokens: Int32Array = new Int32Array(TOKEN * KINDS.length);
  readonly integers: Float64Array = new Float64Array(KINDS.length);

  readonly #call = new PlainTime();
  readonly #return = new PlainTime();

  /** Scans the line of `bytes` that starts here. Returns the start of the next line, or -1 if the line is not plain. */
  read(from: number): number {
    const { bytes, view } = this;
    if (bytes[from] !== OPEN) return NOT_PLAIN;
    const tokens = this.tokens;
    const { integers } = this;
    this.count = 0;
    let fields = 0;
    let at = from;
    do {
      if (bytes[++at] <= SPACE) at = skipSpace(bytes, at);
      const field = fieldAt(view, at, bytes.length);
      if (field < 0 || (fields & (1 << field)) !== 0) return NOT_PLAIN;
      fields |= 1 << field;
      at += NAME_LENGTH[field];
      if (bytes[at] <= SPACE) at = skipSpace(bytes, at);
      if (bytes[at] !== COLON) return NOT_PLAIN;
      if (bytes[++at] <= SPACE) at = skipSpace(bytes, at);
      if (field === FIELDS.args) at = this.#args(bytes, at);
      else {
        at = readValue(bytes, at, tokens, integers, field);
        if ((tokens[TOKEN * field + KIND] & KINDS[field]) === 0) return NOT_PLAIN;
      }
      if (at < 0) return NOT_PLAIN;
      if (bytes[at] <= SPACE) at = skipSpace(bytes, at);
    } while (bytes[at] === COMMA);
    if (bytes[at] !== CLOSE) return NOT_PLAIN;
    if (bytes[++at] <= SPACE) at = skipSpace(bytes, at);
    this.fields = fields;
    return bytes[at] === NEWLINE ? at + 1 : NOT_PLAIN;
  }

  /** The kind of the value in a slot. */
  kind(slot: number): number {
    return this.tokens[TOKEN * slot + KIND];
  }

  /** Start and end of its text. */
  start(slot: number): number {
    return this.tokens[TOKEN * slot + START];
  }

  end(slot: number): number {
    return this.tokens[TOKEN * slot + END];
  }

  /** The hash of its text, if it is a string. */
  hash(slot: number): number {
    return this.tokens[TOKEN * slot + HASH];
  }

  /** The time in a slot, which is valid until the next call for it. Undefined if it is not a decimal of up to 19 digits. */
  time(slot: number): number | LongTime | undefined {
    const time = this.#timeIn(slot);
    switch (this.kind(slot)) {
      case INTEGER:
        return this.integers[slot];
      case AGAIN:
        return time.again;
      case DECIMAL:
        // the scan has its digits, if a double holds them
        if (this.hash(slot) > 0) return time.decimal(this.integers[slot], this.hash(slot));
    }
    return time.read(this.bytes, this.start(slot), this.end(slot));
  }

  /** Reads a time, which may be in quotes, along the time before. Returns its end, or -1. More digits may follow. */
  readTimeAgain(slot: number, from: number): number {
    const { bytes } = this;
    const start = bytes[from] === QUOTE ? from + 1 : from;
    const end = this.#timeIn(slot).readAgain(bytes, this.view, start);
    if (end < 0 || (start > from && bytes[end] !== QUOTE)) return NOT_PLAIN;
    this.tokens[TOKEN * slot + KIND] = AGAIN;
    return start > from ? end + 1 : end;
  }

  /** Remembers the time that was scanned. */
  learnTime(slot: number): void {
    this.#timeIn(slot).learn(this.bytes, this.view, this.start(slot), this.end(slot));
  }

  #timeIn(slot: number): PlainTime {
    return slot === FIELDS.call ? this.#call : this.#return;
  }

  setInteger(slot: number, integer: number): void {
    this.tokens[TOKEN * slot + KIND] = INTEGER;
    this.integers[slot] = integer;
  }

  /** Sets the bytes, which contain whole lines. */
  begin(bytes: Uint8Array): void {
    this.bytes = bytes;
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  }

  /** Scans a list of values. Returns its end, or -1. */
  #args(bytes: Uint8Array, from: number): number {
    if (bytes[from] !== OPEN_LIST) return NOT_PLAIN;
    let at = from + 1;
    if (bytes[at] <= SPACE) at = skipSpace(bytes, at);
    if (bytes[at] === CLOSE_LIST) return at + 1;
    for (;;) {
      if (this.count === MAX_ARGUMENTS) return NOT_PLAIN;
      const slot = FIRST_ARGUMENT + this.count++;
      at = readValue(bytes, at, this.tokens, this.integers, slot);
      if (at < 0 || (this.kind(slot) & KINDS[slot]) === 0) return NOT_PLAIN;
      if (bytes[at] <= SPACE) at = skipSpace(bytes, at);
      if (bytes[at] === CLOSE_LIST) return at + 1;
      if (bytes[at] !== COMMA) return NOT_PLAIN;
      if (bytes[++at] <= SPACE) at = skipSpace(bytes, at);
    }
  }
}

/** Scans a value into a slot. Returns its end, or -1. */
export function readValue(
  bytes: Uint8Array,
  at: number,
  tokens: Int32Array,
  integers: Float64Array,
  slot: number,
): number {
  const byte = bytes[at];
  if (byte === QUOTE) return readString(bytes, at + 1, tokens, TOKEN * slot);
  if (byte === MINUS || (byte >= ZERO && byte <= NINE)) return readInteger(bytes, at, tokens, integers, slot);
  return readWord(bytes, at, tokens, TOKEN * slot);
}

function readString(bytes: Uint8Array, from: number, tokens: Int32Array, token: number): number {
  let at = from;
  let hash = 0;
  let byte = bytes[at];
  for (; IS_LITERAL[byte] === 1; byte = bytes[++at]) hash = hashByte(hash, byte);
  if (byte !== QUOTE || at - from > MAX_TEXT_LENGTH) return NOT_PLAIN;
  tokens[token + KIND] = STRING;
  tokens[token + START] = from;
  tokens[token + END] = at;
  tokens[token + HASH] = hash;
  return at + 1;
}

/** Integers, and the value of those up to 2^53; decimals. -0, which differs from 0, and exponents are not plain. */
function readInteger(
  bytes: Uint8Array,
  from: number,
  tokens: Int32Array,
  integers: Float64Array,
  slot: number,
): number {
  const isNegative = bytes[from] === MINUS;
  const first = isNegative ? from + 1 : from;
  let at = first;
  let byte = bytes[at];
  // 32-bit arithmetic first, which is faster
  let short = 0;
  for (; byte >= ZERO && byte <= NINE && at < first + SHORT_DIGITS; byte = bytes[++at])
    short = (Math.imul(10, short) + byte - ZERO) | 0;
  let integer = short;
  for (; byte >= ZERO && byte <= NINE; byte = bytes[++at]) integer = 10 * integer + (byte - ZERO);
  const hasPoint = byte === POINT;
  if (at === first || (bytes[first] === ZERO && ((isNegative && !hasPoint) || at > first + 1)))
    return NOT_PLAIN;
  let kind = integer > Number.MAX_SAFE_INTEGER ? LONG : INTEGER;
  if (hasPoint) {
    const point = at;
    for (byte = bytes[++at]; byte >= ZERO && byte <= NINE; byte = bytes[++at])
      integer = 10 * integer + (byte - ZERO);
    if (at === point + 1) return NOT_PLAIN;
    kind = DECIMAL;
    // the integer has all digits, if a double holds them
    const isExact = !isNegative && integer <= Number.MAX_SAFE_INTEGER && bytes[at - 1] !== ZERO;
    tokens[TOKEN * slot + HASH] = isExact ? at - point - 1 : 0;
  }
  if (!endsNumber(byte)) return NOT_PLAIN;
  tokens[TOKEN * slot + KIND] = kind;
  tokens[TOKEN * slot + START] = from;
  tokens[TOKEN * slot + END] = at;
  integers[slot] = isNegative ? -integer : integer;
  return at;
}

function readWord(bytes: Uint8Array, from: number, tokens: Int32Array, token: number): number {
  for (const [word, kind] of WORDS) {
    let length = 0;
    while (length < word.length && bytes[from + length] === word[length]) length++;
    if (length < word.length) continue;
    tokens[token + KIND] = kind;
    return from + length;
  }
  return NOT_PLAIN;
}

/** True if a number can end before this byte. */
const endsNumber = (byte: number): boolean =>
  byte === COMMA ||
  byte === CLOSE ||
  byte === CLOSE_LIST ||
  byte === SPACE ||
  byte === TAB ||
  byte === RETURN;

function skipSpace(bytes: Uint8Array, from: number): number {
  let at = from;
  while (bytes[at] === SPACE || bytes[at] === TAB || bytes[at] === RETURN) at++;
  return at;
}
