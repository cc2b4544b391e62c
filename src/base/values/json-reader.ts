/**
 * Reads JSON without loss of precision and with exact error positions.
 *
 * `JSON.parse` rounds integers above 2^53 and reports little about errors. This reader returns
 * bigints and reports the position, what was found and what was expected. It accepts exactly the
 * texts that `JSON.parse` accepts. It is slower, so `parseJson` uses it only if `JSON.parse` fails
 * or may have rounded.
 */
export class JsonError extends Error {
  override readonly name = 'JsonError';
  /** The offset in characters. */
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
const MAX_DEPTH = 1000;

export class JsonReader {
  readonly text: string;
  position: number;
  #depth = 0;

  constructor(text: string, position = 0) {
    this.text = text;
    this.position = position;
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

  /** Reads the fields of an object; `read` reads the value of each field. */
  fields<V>(read: (name: string) => V): [string, V][] {
    const fields: [string, V][] = [];
    this.#enter('{');
    while (!this.accept('}')) {
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
    while (!this.accept(']')) {
      if (items.length > 0) this.expect(',', '"," or "]"');
      items.push(this.value());
    }
    this.#depth--;
    return items;
  }

  /** A loop, because one pattern for the whole string exceeds the stack for strings of several megabytes. */
  #string(): string {
    const start = this.position++;
    do this.#skip(PLAIN);
    while (this.#skip(ESCAPE));
    if (this.position >= this.text.length) this.fail('a closing double quote');
    if (this.text[this.position] !== '"')
      this.fail('a string with a closing double quote and escaped control characters');
    return JSON.parse(this.text.slice(start, ++this.position));
  }

  /** Reads a number as text. */
  number(): string {
    NUMBER.lastIndex = this.position;
    const found = NUMBER.exec(this.text);
    if (!found) this.fail('a JSON value');
    this.position = NUMBER.lastIndex;
    return found[0];
  }

  /** Skips `mark` if it comes next. */
  accept(mark: string): boolean {
    this.skipSpace();
    if (!this.text.startsWith(mark, this.position)) return false;
    this.position += mark.length;
    return true;
  }

  expect(mark: string, expected: string): void {
    if (!this.accept(mark)) this.fail(expected);
  }

  fail(expected: string): never {
    throw new JsonError(
      `expected ${expected}, found ${describeFound(this.text, this.position)}`,
      this.position,
    );
  }

  #enter(bracket: string): void {
    this.expect(bracket, `"${bracket}"`);
    if (++this.#depth > MAX_DEPTH)
      throw new JsonError(`nested deeper than ${MAX_DEPTH} levels`, this.position - 1);
  }

  skipSpace(): void {
    this.#skip(SPACE);
  }

  /** Skips text that matches a sticky pattern here; returns whether it did. */
  #skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.position;
    if (!pattern.test(this.text)) return false;
    this.position = pattern.lastIndex;
    return true;
  }
}

/** Reads the rest of the text as one value. */
export function readDocument(reader: JsonReader): unknown {
  const value = reader.value();
  reader.skipSpace();
  if (reader.position < reader.text.length) reader.fail('the end of the text');
  return value;
}

/** Converts a JSON number; integers that a double cannot represent become bigints. */
export function exactNumber(text: string): number | bigint {
  const number = Number(text);
  return Number.isSafeInteger(number) || !/^-?\d+$/.test(text) ? number : BigInt(text);
}

/** The text at a position, for a message. */
export function describeFound(text: string, position: number): string {
  if (position >= text.length) return 'the end of the text';
  const [word] = /^(?:[\w$.+-]+|[\s\S])/u.exec(text.slice(position, position + 24)) ?? [''];
  return JSON.stringify(word);
}

/** A number of brackets below the maximum depth. */
const MANY_BRACKETS = 900;

/** Parses JSON without loss; throws a JsonError. `JSON.parse` does the work if it loses nothing. */
export function parseJson(text: string, exactly: (text: string) => unknown = parseExactly): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return exactly(text);
  }
  return mayBeDeep(text) || hasRounded(value) ? exactly(text) : value;
}

const parseExactly = (text: string): unknown => readDocument(new JsonReader(text));

/** True if the value contains an integer that `JSON.parse` has rounded. */
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

/** True if the text may be too deep. `JSON.parse` has no limit, but the exact reader reports the position. */
const mayBeDeep = (text: string): boolean =>
  text.length > 2 * MANY_BRACKETS && text.split(/[[{]/, MANY_BRACKETS + 1).length > MANY_BRACKETS;
