/**
 * The words of EDN: tokens, strings and characters, by character codes.
 *
 * A token ends at white space (commas are such), at brackets, at a quote and at
 * a semicolon. All but ASCII is part of tokens.
 */
import { quoted } from '../../base/values/json-reader.js';
import { characterOf } from './atoms.js';

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
    throw new EdnError(`${quoted(this.text, position)} where ${expected} was expected`, position);
  }
}
