/**
 * Tokens of EDN: symbols, numbers, strings and characters, by character codes.
 *
 * A token ends at white space (which includes commas), brackets, quotes and semicolons. Non-ASCII
 * characters are part of tokens.
 */
import { describeFound } from '../../base/values/json-reader.js';

/**
 * Parses a number token; undefined if it is not one.
 *
 *   5, 5N, 5M, 10/2     5, as they are equal in Clojure
 *   beyond 2^53         bigints
 *   1/3                 "1/3", which no double represents
 *   1.50M               1.5; beyond 15 digits, which a double may round, the text
 *   ##Inf, ##NaN        Infinity, NaN (parseSymbolicNumber)
 */
const INTEGER = /^[+-]?(?:0|[1-9]\d*)N?$/;
const RATIO = /^([+-]?\d+)\/(\d+)$/;
const DECIMAL = /^[+-]?(?:0|[1-9]\d*)(?:\.\d*)?(?:[eE][+-]?\d+)?(M?)$/;
/** Digits that a double represents exactly. */
const EXACT_DIGITS = 15;

export function parseNumber(token: string): number | bigint | string | undefined {
  if (INTEGER.test(token)) return toInteger(BigInt(token.replace(/^\+|N$/g, '')));
  const decimal = DECIMAL.exec(token);
  if (decimal) {
    const number = Number(decimal[1] ? token.slice(0, -1) : token);
    if (!decimal[1]) return Number.isFinite(number) ? number : undefined;
    const digits = token.replace(/[eE].*|\D/g, '').replace(/^0+/, '').length;
    return digits > EXACT_DIGITS || !Number.isFinite(number) ? token : number;
  }
  const ratio = RATIO.exec(token);
  return ratio ? reduceRatio(BigInt(ratio[1]), BigInt(ratio[2])) : undefined;
}

const toInteger = (exact: bigint): number | bigint =>
  Number.isSafeInteger(Number(exact)) ? Number(exact) : exact;

function reduceRatio(above: bigint, below: bigint): number | bigint | string | undefined {
  if (below === 0n) return undefined;
  let [a, b] = [above < 0n ? -above : above, below];
  while (b !== 0n) [a, b] = [b, a % b];
  return a === below ? toInteger(above / below) : `${above / a}/${below / a}`;
}

const WORDS = new Map<string, unknown>([
  ['nil', null],
  ['true', true],
  ['false', false],
]);

/** A symbol becomes its text. */
export const parseSymbol = (token: string): unknown => (WORDS.has(token) ? WORDS.get(token) : token);

const SYMBOLIC = new Map<string, number>([
  ['##Inf', Number.POSITIVE_INFINITY],
  ['##-Inf', Number.NEGATIVE_INFINITY],
  ['##NaN', Number.NaN],
]);

export const parseSymbolicNumber = (token: string): number | undefined => SYMBOLIC.get(token);

const NAMED = new Map<string, string>([
  ['newline', '\n'],
  ['space', ' '],
  ['tab', '\t'],
  ['return', '\r'],
  ['formfeed', '\f'],
  ['backspace', '\b'],
]);

/** Parses a character from the text after its backslash. */
function parseCharacter(name: string): string | undefined {
  if (name.length === 1 || (name.length === 2 && name.codePointAt(0)! > 0xffff)) return name;
  const coded = /^(?:u([\da-fA-F]{4})|o([0-3]?[0-7]{1,2}))$/.exec(name);
  if (!coded) return NAMED.get(name);
  return String.fromCharCode(coded[1] ? Number.parseInt(coded[1], 16) : Number.parseInt(coded[2], 8));
}

const INSTANT = /^\d{4}(?:-\d\d(?:-\d\d(?:T\d\d(?::\d\d(?::\d\d(?:\.\d{1,9})?)?)?(?:Z|[+-]\d\d:\d\d)?)?)?)?$/;

/** Parses a time of `#inst`: "2024-01-31T12:30:00.000-00:00", or a prefix of it. */
export function parseInstant(text: unknown): Date | undefined {
  if (typeof text !== 'string' || !INSTANT.test(text)) return undefined;
  // missing parts are zero, in UTC
  const withMinutes = text.replace(/T(\d\d)(?!:|\d)/, 'T$1:00');
  const date = new Date(
    /T.*(?:Z|[+-]\d\d:\d\d)$/.test(text) || !text.includes('T') ? withMinutes : `${withMinutes}Z`,
  );
  return Number.isNaN(date.getTime()) ? undefined : date;
}

export class EdnError extends Error {
  override readonly name = 'EdnError';
  /** The offset in characters. */
  readonly position: number;

  constructor(message: string, position: number) {
    super(message);
    this.position = position;
  }
}

/** Classes of ASCII characters: part of a token, white space, end of a token, or not allowed. */
export const PART = 0;
export const SPACE = 1;
const END = 2;
const INVALID = 3;
/** Code to class; non-ASCII characters have no entry. */
export const CLASS: Uint8Array = new Uint8Array(128);
for (let code = 0; code <= 0x20; code++) CLASS[code] = /\s/.test(String.fromCharCode(code)) ? SPACE : INVALID;
for (const mark of '\\@^`~\x7f') CLASS[mark.charCodeAt(0)] = INVALID;
for (const mark of '()[]{}";') CLASS[mark.charCodeAt(0)] = END;
CLASS[0x2c] = SPACE;

const [QUOTE, BACKSLASH] = [0x22, 0x5c];
const PLAIN = /[^"\\]*/y;
const ESCAPE = /\\(?:([trnbf\\"])|u([\da-fA-F]{4})|([0-3]?[0-7]{1,2}))/y;
const ESCAPED: Readonly<Record<string, string>> = {
  t: '\t',
  r: '\r',
  n: '\n',
  b: '\b',
  f: '\f',
  '\\': '\\',
  '"': '"',
};
const STRING = 'a string with a closing double quote and valid EDN escapes';

/**
 * Cache of tokens by hash: a history has few distinct words. Only short tokens are cached, because
 * a slice keeps its whole text in memory (V8's sliced strings).
 */
const MAX_CACHED_LENGTH = 12;
const CACHE: string[] = new Array(256).fill('');

export class EdnScanner {
  readonly text: string;
  position = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** Reads a token of at least one character. */
  protected token(expected: string): string {
    const { text, position: start } = this;
    let at = start;
    let hash = 0;
    let code = text.charCodeAt(at);
    for (; code >= 128 || CLASS[code] === PART; code = text.charCodeAt(++at)) hash = (31 * hash + code) | 0;
    this.position = at;
    if (at === start || (code < 128 && CLASS[code] === INVALID)) this.fail(expected);
    const known = CACHE[hash & 255];
    if (known.length === at - start && text.startsWith(known, start)) return known;
    const token = text.slice(start, at);
    if (token.length <= MAX_CACHED_LENGTH) CACHE[hash & 255] = token;
    return token;
  }

  /** Reads a character, at its backslash. */
  protected character(): string {
    const start = this.position++;
    // the character may itself be one that ends tokens
    const length = this.text.codePointAt(this.position)! > 0xffff ? 2 : 1;
    let name = this.text.slice(this.position, this.position + length);
    this.position += length;
    const code = this.code();
    if (code >= 128 || CLASS[code] === PART) name += this.token('a character');
    if (!/^\S/.test(name)) this.fail('a character such as \\a, \\newline or \\u0041', start);
    return parseCharacter(name) ?? this.fail('a character such as \\a, \\newline or \\u0041', start);
  }

  /** Reads a string, at its quote. */
  protected string(): string {
    const { text } = this;
    const start = ++this.position;
    for (let at = start; at < text.length; at++) {
      const code = text.charCodeAt(at);
      if (code === BACKSLASH) return this.#escaped(start, at);
      if (code !== QUOTE) continue;
      this.position = at + 1;
      return text.slice(start, at);
    }
    this.position = text.length;
    return this.fail(STRING);
  }

  /** Reads a string from `start` whose first escape is here. */
  #escaped(start: number, firstEscape: number): string {
    const pieces = [this.text.slice(start, firstEscape)];
    this.position = firstEscape;
    while (this.code() !== QUOTE) {
      const [whole, name, unicode, octal] = this.#match(ESCAPE) ?? this.fail(STRING);
      pieces.push(
        name
          ? ESCAPED[name]
          : String.fromCharCode(unicode ? Number.parseInt(unicode, 16) : Number.parseInt(octal, 8)),
      );
      this.position += whole.length;
      const [plain] = this.#match(PLAIN) ?? [''];
      pieces.push(plain);
      this.position += plain.length;
    }
    this.position++;
    return pieces.join('');
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.position;
    return pattern.exec(this.text);
  }

  protected code(ahead = 0): number {
    return this.text.charCodeAt(this.position + ahead);
  }

  fail(expected: string, position: number = this.position): never {
    throw new EdnError(`expected ${expected}, found ${describeFound(this.text, position)}`, position);
  }
}
