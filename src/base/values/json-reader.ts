/**
 * JSON, read exactly.
 *
 * `JSON.parse` rounds integers above 2^53 and says little about where a text
 * went wrong. This reader keeps them as bigints, knows its position at all
 * times, and tells what stands there and what was expected. It is the second
 * reader, for texts on which the fast one fails or would round; it accepts
 * exactly the texts that `JSON.parse` accepts.
 */
export class JsonError extends Error {
  override readonly name = 'JsonError';
  /** Where, in characters from 0. */
  readonly position: number;

  constructor(message: string, position: number) {
    super(message);
    this.position = position;
  }
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const PLAIN = /[^"\\\u0000-\u001f]*/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;
const SPACE = /[ \t\n\r]*/y;
const WORDS: readonly (readonly [string, unknown])[] = [
  ['true', true],
  ['false', false],
  ['null', null],
];
const DEEPEST = 1000;

export class JsonReader {
  readonly text: string;
  position: number;
  #depth = 0;

  constructor(text: string, position = 0) {
    this.text = text;
    this.position = position;
  }

  /** The whole text as one value. */
  document(): unknown {
    const value = this.value();
    this.skipSpace();
    if (this.position < this.text.length) this.fail('the end');
    return value;
  }

  value(): unknown {
    this.skipSpace();
    switch (this.text[this.position]) {
      case '{':
        return Object.fromEntries(this.fields(() => this.value()));
      case '[':
        return this.#array();
      case '"':
        return this.#string();
    }
    const word = WORDS.find(([name]) => this.text.startsWith(name, this.position));
    if (!word) return exactNumber(this.number());
    this.position += word[0].length;
    return word[1];
  }

  /** The fields of an object, each value read by `read` when the reader stands before it. */
  fields<V>(read: (name: string) => V): [string, V][] {
    const fields: [string, V][] = [];
    this.#enter('{');
    while (!this.takes('}')) {
      if (fields.length > 0) this.expect(',', '"," or "}"');
      this.skipSpace();
      if (this.text[this.position] !== '"') this.fail('a field name in double quotes');
      const name = this.#string();
      this.expect(':', '":"');
      this.skipSpace();
      fields.push([name, read(name)]);
    }
    this.#depth--;
    return fields;
  }

  #array(): unknown[] {
    const items: unknown[] = [];
    this.#enter('[');
    while (!this.takes(']')) {
      if (items.length > 0) this.expect(',', '"," or "]"');
      items.push(this.value());
    }
    this.#depth--;
    return items;
  }

  /** By a loop: one pattern for the whole would run out of stack on strings of some megabytes. */
  #string(): string {
    const start = this.position++;
    do this.#skip(PLAIN);
    while (this.#skip(ESCAPE));
    if (this.position >= this.text.length) this.fail('the double quote that ends a string');
    if (this.text[this.position] !== '"')
      this.fail('a string that ends in a double quote and has its control characters escaped');
    return JSON.parse(this.text.slice(start, ++this.position));
  }

  /** A number as it is written. */
  number(): string {
    NUMBER.lastIndex = this.position;
    const found = NUMBER.exec(this.text);
    if (!found) this.fail('a JSON value');
    this.position = NUMBER.lastIndex;
    return found[0];
  }

  /** Passes over `mark` if it comes next. */
  takes(mark: string): boolean {
    this.skipSpace();
    if (!this.text.startsWith(mark, this.position)) return false;
    this.position += mark.length;
    return true;
  }

  expect(mark: string, expected: string): void {
    if (!this.takes(mark)) this.fail(expected);
  }

  fail(expected: string): never {
    throw new JsonError(`${quoted(this.text, this.position)} where ${expected} was expected`, this.position);
  }

  #enter(bracket: string): void {
    this.expect(bracket, `"${bracket}"`);
    if (++this.#depth > DEEPEST)
      throw new JsonError(`nested deeper than ${DEEPEST} levels`, this.position - 1);
  }

  skipSpace(): void {
    this.#skip(SPACE);
  }

  /** Passes over what matches a sticky pattern here, if something does. */
  #skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.position;
    if (!pattern.test(this.text)) return false;
    this.position = pattern.lastIndex;
    return true;
  }
}

/** A JSON number as the value it stands for: integers too large for a number are bigints. */
export function exactNumber(text: string): number | bigint {
  const number = Number(text);
  return Number.isSafeInteger(number) || !/^-?\d+$/.test(text) ? number : BigInt(text);
}

/** What stands at a position, for a message. */
export function quoted(text: string, position: number): string {
  if (position >= text.length) return 'the text ends';
  const [word] = /^(?:[\w$.+-]+|[\s\S])/u.exec(text.slice(position, position + 24)) ?? [''];
  return `${JSON.stringify(word)} stands`;
}

/*
 * JSON without loss: `JSON.parse` does the work wherever it loses nothing.
 *
 * A text in which it may have rounded an integer, or that it refuses, is read
 * again by the exact reader, which keeps large integers as bigints and says
 * where a text goes wrong.
 */

/** Fewer than the levels that a value may have. */
const MANY_BRACKETS = 900;

/** The value of a text; a JsonError where it is no JSON. */
export function parseJson(text: string, exactly: (text: string) => unknown = parseExactly): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return exactly(text);
  }
  return mayBeDeep(text) || hasRounded(value) ? exactly(text) : value;
}

const parseExactly = (text: string): unknown => new JsonReader(text).document();

/** Is there an integer, at any depth, that `JSON.parse` has rounded? */
function hasRounded(value: unknown): boolean {
  if (typeof value === 'number')
    return !Number.isSafeInteger(value) && (Number.isInteger(value) || !Number.isFinite(value));
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) if (hasRounded(value[i])) return true;
    return false;
  }
  const fields = value as Record<string, unknown>;
  for (const name in fields) if (typeof fields[name] !== 'string' && hasRounded(fields[name])) return true;
  return false;
}

/** `JSON.parse` reads values of any depth; only the exact reader says where one is too deep. */
const mayBeDeep = (text: string): boolean =>
  text.length > 2 * MANY_BRACKETS && text.split(/[[{]/, MANY_BRACKETS + 1).length > MANY_BRACKETS;
