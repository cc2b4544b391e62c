/**
 * The words of EDN: tokens, strings and characters, by character codes.
 *
 * A token ends at white space (commas are such), at brackets, at a quote and at
 * a semicolon. All but ASCII is part of tokens.
 */
import { describeFound } from '../../base/values/json-reader.js';

/**
 * What a token of EDN stands for: a number, a word, a character, a tagged text.
 * Each gives undefined for what is none.
 *
 *   5, 5N, 5M, 10/2     5. Clojure calls these equal, and so do we
 *   beyond 2^53         bigints
 *   1/3                 "1/3": no number holds it
 *   1.50M               1.5; beyond 15 digits, which a number may round, the text as it is written
 *   ##Inf, ##NaN        Infinity, NaN
 */
const INTEGER = /^[+-]?(?:0|[1-9]\d*)N?$/;
const RATIO = /^([+-]?\d+)\/(\d+)$/;
const DECIMAL = /^[+-]?(?:0|[1-9]\d*)(?:\.\d*)?(?:[eE][+-]?\d+)?(M?)$/;
/** So many digits a number holds exactly. */
const EXACT_DIGITS = 15;

export function numberOf(token: string): number | bigint | string | undefined {
  if (INTEGER.test(token)) return integer(BigInt(token.replace(/^\+|N$/g, '')));
  const decimal = DECIMAL.exec(token);
  if (decimal) {
    const number = Number(decimal[1] ? token.slice(0, -1) : token);
    if (!decimal[1]) return Number.isFinite(number) ? number : undefined;
    const digits = token.replace(/[eE].*|\D/g, '').replace(/^0+/, '').length;
    return digits > EXACT_DIGITS || !Number.isFinite(number) ? token : number;
  }
  const ratio = RATIO.exec(token);
  return ratio ? reduced(BigInt(ratio[1]), BigInt(ratio[2])) : undefined;
}

const integer = (exact: bigint): number | bigint =>
  Number.isSafeInteger(Number(exact)) ? Number(exact) : exact;

function reduced(above: bigint, below: bigint): number | bigint | string | undefined {
  if (below === 0n) return undefined;
  let [a, b] = [above < 0n ? -above : above, below];
  while (b !== 0n) [a, b] = [b, a % b];
  return a === below ? integer(above / below) : `${above / a}/${below / a}`;
}

const WORDS = new Map<string, unknown>([
  ['nil', null],
  ['true', true],
  ['false', false],
]);

/** A symbol is its text. */
export const wordOf = (token: string): unknown => (WORDS.has(token) ? WORDS.get(token) : token);

const SYMBOLIC = new Map<string, number>([
  ['##Inf', Number.POSITIVE_INFINITY],
  ['##-Inf', Number.NEGATIVE_INFINITY],
  ['##NaN', Number.NaN],
]);

export const symbolicOf = (token: string): number | undefined => SYMBOLIC.get(token);

const NAMED = new Map<string, string>([
  ['newline', '\n'],
  ['space', ' '],
  ['tab', '\t'],
  ['return', '\r'],
  ['formfeed', '\f'],
  ['backspace', '\b'],
]);

/** A character by what follows its backslash. */
function characterOf(name: string): string | undefined {
  if (name.length === 1 || (name.length === 2 && name.codePointAt(0)! > 0xffff)) return name;
  const coded = /^(?:u([\da-fA-F]{4})|o([0-3]?[0-7]{1,2}))$/.exec(name);
  if (!coded) return NAMED.get(name);
  return String.fromCharCode(coded[1] ? Number.parseInt(coded[1], 16) : Number.parseInt(coded[2], 8));
}

const INSTANT = /^\d{4}(?:-\d\d(?:-\d\d(?:T\d\d(?::\d\d(?::\d\d(?:\.\d{1,9})?)?)?(?:Z|[+-]\d\d:\d\d)?)?)?)?$/;

/** A time of `#inst`: "2024-01-31T12:30:00.000-00:00", or a part of that from its start. */
export function dateOf(text: unknown): Date | undefined {
  if (typeof text !== 'string' || !INSTANT.test(text)) return undefined;
  // what is not told is zero, in UTC
  const withMinutes = text.replace(/T(\d\d)(?!:|\d)/, 'T$1:00');
  const date = new Date(
    /T.*(?:Z|[+-]\d\d:\d\d)$/.test(text) || !text.includes('T') ? withMinutes : `${withMinutes}Z`,
  );
  return Number.isNaN(date.getTime()) ? undefined : date;
}

export class EdnError extends Error {
  override readonly name = 'EdnError';
  /** Where, in characters from 0. */
  readonly position: number;

  constructor(message: string, position: number) {
    super(message);
    this.position = position;
  }
}

/** What an ASCII character does to a token: it is part of it, ends it as white space, ends it, or may not stand there. */
export const PART = 0;
export const SPACE = 1;
const END = 2;
const STRAY = 3;
/** Code to that; what is not ASCII has no entry. */
export const CLASS: Uint8Array = new Uint8Array(128);
for (let code = 0; code <= 0x20; code++) CLASS[code] = /\s/.test(String.fromCharCode(code)) ? SPACE : STRAY;
for (const mark of '\\@^`~\x7f') CLASS[mark.charCodeAt(0)] = STRAY;
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
const STRING = 'a string that ends in a double quote and has escapes that EDN knows';

/**
 * Tokens met before, by hash: a history has few words, and they need no new string each time.
 * Short ones only: a longer piece of a text keeps the whole text in memory (V8's sliced strings).
 */
const LONGEST_KNOWN = 12;
const KNOWN: string[] = new Array(256).fill('');

export class EdnScanner {
  readonly text: string;
  position = 0;

  constructor(text: string) {
    this.text = text;
  }

  /** What stands here up to its end: at least one character. */
  protected token(expected: string): string {
    const { text, position: start } = this;
    let at = start;
    let hash = 0;
    let code = text.charCodeAt(at);
    for (; code >= 128 || CLASS[code] === PART; code = text.charCodeAt(++at)) hash = (31 * hash + code) | 0;
    this.position = at;
    if (at === start || (code < 128 && CLASS[code] === STRAY)) this.fail(expected);
    const known = KNOWN[hash & 255];
    if (known.length === at - start && text.startsWith(known, start)) return known;
    const token = text.slice(start, at);
    if (token.length <= LONGEST_KNOWN) KNOWN[hash & 255] = token;
    return token;
  }

  /** A character, at its backslash. */
  protected character(): string {
    const start = this.position++;
    // it may itself be one that ends tokens
    const length = this.text.codePointAt(this.position)! > 0xffff ? 2 : 1;
    let name = this.text.slice(this.position, this.position + length);
    this.position += length;
    const code = this.code();
    if (code >= 128 || CLASS[code] === PART) name += this.token('a character');
    if (!/^\S/.test(name)) this.fail('a character such as \\a, \\newline or \\u0041', start);
    return characterOf(name) ?? this.fail('a character such as \\a, \\newline or \\u0041', start);
  }

  /** A string, at its quote. */
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

  /** A string from `start` that has its first escape here. */
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
    throw new EdnError(`${describeFound(this.text, position)} where ${expected} was expected`, position);
  }
}
