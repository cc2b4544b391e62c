/**
 * EDN, read exactly: the notation of Clojure, in which Jepsen writes (github.com/edn-format/edn).
 *
 * EDN and JSON of one history should give one value. So keywords, symbols and
 * characters become texts (`:read` is "read"), lists and vectors arrays, maps
 * plain objects, or a Map where a key is no text, and sets Sets. `#inst` is a
 * Date; any other tag is passed over, and its value kept. Numbers: atoms.ts.
 *
 * By recursive descent. Cost: O(length of the text).
 */
import { show } from '../../base/values/show.js';
import { CLASS, dateOf, EdnError, EdnScanner, numberOf, PART, SPACE, symbolicOf, wordOf } from './scanner.js';

const DEEPEST = 1000;
const PLAIN_FIELD = { writable: true, enumerable: true, configurable: true };
const [QUOTE, HASH, OPEN_LIST, CLOSE_LIST, MINUS, ZERO] = [0x22, 0x23, 0x28, 0x29, 0x2d, 0x30];
const [NINE, COLON, SEMICOLON, OPEN_VECTOR, BACKSLASH] = [0x39, 0x3a, 0x3b, 0x5b, 0x5c];
const [CLOSE_VECTOR, UNDERSCORE, OPEN_MAP, CLOSE_MAP] = [0x5d, 0x5f, 0x7b, 0x7d];

export class EdnReader extends EdnScanner {
  #depth = 0;

  /** The whole text as one value. */
  document(): unknown {
    const value = this.value();
    if (this.hasNext()) this.fail('the end');
    return value;
  }

  /** Goes to the next value, past white space, comments and what `#_` discards. False at the end of the text. */
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
        return this.#marked();
      case BACKSLASH:
        return this.character();
    }
    return code === MINUS || (code >= ZERO && code <= NINE) ? this.#integer() : this.#atom();
  }

  /** Goes into a map, past tags that stand before it. */
  enterMap(): void {
    while (this.hasNext() && this.code() === HASH && this.code(1) !== OPEN_MAP) this.#tag();
    if (this.code() !== OPEN_MAP) this.fail('a map {…}');
    this.#enter(1);
  }

  /** Leaves the map if it ends here; else its next key stands here. */
  leavesMap(): boolean {
    return this.#leaves(CLOSE_MAP);
  }

  #map(): unknown {
    const fields: Record<string, unknown> = {};
    while (!this.#leaves(CLOSE_MAP)) {
      const at = this.position;
      const key = this.value();
      if (typeof key !== 'string') return this.#anyMap(new Map(Object.entries(fields)), key);
      if (Object.hasOwn(fields, key)) this.#failTwice(key, at, 'map');
      const value = this.value();
      // a plain assignment would set the prototype
      if (key === '__proto__') Object.defineProperty(fields, key, { ...PLAIN_FIELD, value });
      else fields[key] = value;
    }
    return fields;
  }

  /** The rest of a map in which a key is no text. */
  #anyMap(map: Map<unknown, unknown>, firstKey: unknown): Map<unknown, unknown> {
    map.set(firstKey, this.value());
    while (!this.#leaves(CLOSE_MAP)) {
      const at = this.position;
      const key = this.value();
      if (map.has(key)) this.#failTwice(key, at, 'map');
      map.set(key, this.value());
    }
    return map;
  }

  #items(close: number): unknown[] {
    const items: unknown[] = [];
    while (!this.#leaves(close)) items.push(this.value());
    return items;
  }

  #set(): Set<unknown> {
    const set = new Set<unknown>();
    while (!this.#leaves(CLOSE_MAP)) {
      const at = this.position;
      const value = this.value();
      if (set.has(value)) this.#failTwice(value, at, 'set');
      set.add(value);
    }
    return set;
  }

  /** What begins with `#`: a set, a number that has no digits, a tag before a value. */
  #marked(): unknown {
    const start = this.position;
    if (this.code(1) === OPEN_MAP) {
      this.#enter(2);
      return this.#set();
    }
    if (this.code(1) === HASH)
      return symbolicOf(this.token('a value')) ?? this.fail('##Inf, ##-Inf or ##NaN', start);
    this.#enter(0);
    const tag = this.#tag();
    const value = this.value();
    this.#depth--;
    if (tag !== 'inst') return value;
    return dateOf(value) ?? this.fail('a time such as #inst "2024-01-31T12:30:00Z"', start);
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

  /** A whole number of a few digits, which most are; all else goes the long way. */
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

  /** A number or a symbol. */
  #atom(): unknown {
    const start = this.position;
    const token = this.token('a value');
    if (!/^[+-]?\d/.test(token)) return wordOf(token);
    return numberOf(token) ?? this.fail('a number', start);
  }

  #enter(length: number): void {
    if (++this.#depth > DEEPEST) throw new EdnError(`nested deeper than ${DEEPEST} levels`, this.position);
    this.position += length;
  }

  #leaves(close: number): boolean {
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

  #failTwice(value: unknown, position: number, where: string): never {
    throw new EdnError(`${show(value)} stands twice in one ${where}`, position);
  }
}
