/**
 * Reads EDN without loss, the notation of Clojure in which Jepsen writes
 * (github.com/edn-format/edn).
 *
 * EDN and JSON of one history give the same values. Keywords, symbols and characters become strings
 * (`:read` is "read"), lists and vectors arrays, maps plain objects (a Map if a key is not a
 * string), and sets Sets. `#inst` becomes a Date; other tags are ignored and their values kept.
 * Numbers: see scanner.ts.
 *
 * Recursive descent. Cost: O(length of the text).
 */
import { show } from '../../base/values/show.js';
import {
  CLASS,
  EdnError,
  EdnScanner,
  PART,
  parseInstant,
  parseNumber,
  parseSymbol,
  parseSymbolicNumber,
  SPACE,
} from './scanner.js';

const MAX_DEPTH = 1000;
const PLAIN_FIELD = { writable: true, enumerable: true, configurable: true };
const [QUOTE, HASH, OPEN_LIST, CLOSE_LIST, MINUS, ZERO] = [0x22, 0x23, 0x28, 0x29, 0x2d, 0x30];
const [NINE, COLON, SEMICOLON, OPEN_VECTOR, BACKSLASH] = [0x39, 0x3a, 0x3b, 0x5b, 0x5c];
const [CLOSE_VECTOR, UNDERSCORE, OPEN_MAP, CLOSE_MAP] = [0x5d, 0x5f, 0x7b, 0x7d];

export class EdnReader extends EdnScanner {
  #depth = 0;

  /** Reads the whole text as one value. */
  document(): unknown {
    const value = this.value();
    if (this.hasNext()) this.fail('the end of the text');
    return value;
  }

  /** Skips white space, comments and `#_` discards. Returns false at the end of the text. */
  hasNext(): boolean {
    const { text } = this;
    for (;;) {
      const code = text.charCodeAt(this.position);
      if (code < 128 && CLASS[code] === SPACE) this.position++;
      else if (code === SEMICOLON) {
        const newline = text.indexOf('\n', this.position);
        this.position = newline < 0 ? text.length : newline + 1;
      } else if (code === HASH && this.code(1) === UNDERSCORE) {
        this.#enter(2);
        this.value();
        this.#depth--;
      } else return this.position < text.length;
    }
  }

  value(): unknown {
    if (!this.hasNext()) this.fail('a value');
    const code = this.code();
    switch (code) {
      case COLON:
        return this.#keyword();
      case QUOTE:
        return this.string();
      case OPEN_MAP:
        this.#enter(1);
        return this.#map();
      case OPEN_VECTOR:
        this.#enter(1);
        return this.#items(CLOSE_VECTOR);
      case OPEN_LIST:
        this.#enter(1);
        return this.#items(CLOSE_LIST);
      case HASH:
        return this.#dispatch();
      case BACKSLASH:
        return this.character();
    }
    return code === MINUS || (code >= ZERO && code <= NINE) ? this.#integer() : this.#atom();
  }

  /** Enters a map, after tags before it. */
  enterMap(): void {
    while (this.hasNext() && this.code() === HASH && this.code(1) !== OPEN_MAP) this.#tag();
    if (this.code() !== OPEN_MAP) this.fail('a map {…}');
    this.#enter(1);
  }

  /** Leaves the map if it ends here; otherwise its next key follows. */
  leaveMapIfEnded(): boolean {
    return this.#leaveIfEnded(CLOSE_MAP);
  }

  #map(): unknown {
    const fields: Record<string, unknown> = {};
    while (!this.#leaveIfEnded(CLOSE_MAP)) {
      const at = this.position;
      const key = this.value();
      if (typeof key !== 'string') return this.#anyMap(new Map(Object.entries(fields)), key);
      if (Object.hasOwn(fields, key)) this.#failDuplicate(key, at, 'map');
      const value = this.value();
      // an assignment would set the prototype
      if (key === '__proto__') Object.defineProperty(fields, key, { ...PLAIN_FIELD, value });
      else fields[key] = value;
    }
    return fields;
  }

  /** Reads the rest of a map with a key that is not a string. */
  #anyMap(map: Map<unknown, unknown>, firstKey: unknown): Map<unknown, unknown> {
    map.set(firstKey, this.value());
    while (!this.#leaveIfEnded(CLOSE_MAP)) {
      const at = this.position;
      const key = this.value();
      if (map.has(key)) this.#failDuplicate(key, at, 'map');
      map.set(key, this.value());
    }
    return map;
  }

  #items(close: number): unknown[] {
    const items: unknown[] = [];
    while (!this.#leaveIfEnded(close)) items.push(this.value());
    return items;
  }

  #set(): Set<unknown> {
    const set = new Set<unknown>();
    while (!this.#leaveIfEnded(CLOSE_MAP)) {
      const at = this.position;
      const value = this.value();
      if (set.has(value)) this.#failDuplicate(value, at, 'set');
      set.add(value);
    }
    return set;
  }

  /** Reads what starts with `#`: a set, a symbolic number, or a tagged value. */
  #dispatch(): unknown {
    const start = this.position;
    if (this.code(1) === OPEN_MAP) {
      this.#enter(2);
      return this.#set();
    }
    if (this.code(1) === HASH)
      return parseSymbolicNumber(this.token('a value')) ?? this.fail('##Inf, ##-Inf or ##NaN', start);
    this.#enter(0);
    const tag = this.#tag();
    const value = this.value();
    this.#depth--;
    if (tag !== 'inst') return value;
    return parseInstant(value) ?? this.fail('a time such as #inst "2024-01-31T12:30:00Z"', start);
  }

  #tag(): string {
    const start = this.position++;
    const tag = this.token('a tag, a set or a discarded value');
    if (!/^[:\p{L}]/u.test(tag)) this.fail('a tag, a set or a discarded value', start + 1);
    return tag;
  }

  #keyword(): string {
    const start = this.position++;
    const word = this.token('a keyword');
    if (word.charCodeAt(0) === COLON) this.fail('a keyword', start);
    return word;
  }

  /** Fast path for integers of up to 15 digits; others are read as atoms. */
  #integer(): unknown {
    const { text } = this;
    const negative = this.code() === MINUS;
    const first = this.position + (negative ? 1 : 0);
    let at = first;
    let number = 0;
    let code = text.charCodeAt(at);
    for (; code >= ZERO && code <= NINE; code = text.charCodeAt(++at)) number = 10 * number + code - ZERO;
    const digits = at - first;
    const isPlain = digits > 0 && digits <= 15 && (digits === 1 || text.charCodeAt(first) !== ZERO);
    if (!isPlain || code >= 128 || CLASS[code] === PART) return this.#atom();
    this.position = at;
    return negative && number > 0 ? -number : number;
  }

  /** Reads a number or a symbol. */
  #atom(): unknown {
    const start = this.position;
    const token = this.token('a value');
    if (!/^[+-]?\d/.test(token)) return parseSymbol(token);
    return parseNumber(token) ?? this.fail('a number', start);
  }

  #enter(length: number): void {
    if (++this.#depth > MAX_DEPTH)
      throw new EdnError(`nested deeper than ${MAX_DEPTH} levels`, this.position);
    this.position += length;
  }

  #leaveIfEnded(close: number): boolean {
    this.hasNext();
    const code = this.code();
    if (code === close) {
      this.position++;
      this.#depth--;
      return true;
    }
    if (Number.isNaN(code) || code === CLOSE_MAP || code === CLOSE_VECTOR || code === CLOSE_LIST)
      this.fail(`a value or "${String.fromCharCode(close)}"`);
    return false;
  }

  #failDuplicate(value: unknown, position: number, where: string): never {
    throw new EdnError(`duplicate ${show(value)} in one ${where}`, position);
  }
}
