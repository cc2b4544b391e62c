/**
 * Reads lines that have the texts of earlier lines between their values.
 *
 * The lines of one recorder have the same fields in the same order, and few names of processes, methods and objects; only
 * numbers and strings differ. The texts between these numbers and strings are the edges of a tree, and a line is a path
 * from the root to a leaf. The tree learns a line that `PlainLine` has scanned. A later line on the same path has the same
 * bytes except for its numbers and strings, which are read into the same slots, without a search for fields and names.
 *
 * A line on no path is left to the scan. A tree stops growing at MAX_NODES, since names may never recur.
 *
 * Cost: a comparison per four bytes of text, and a table look-up where lines differ.
 */
import { grown } from '../../base/collections/ints.js';
import {
  BYTE,
  FIELDS,
  FIRST_ARGUMENT,
  isTime,
  isWord,
  KINDS,
  type PlainLine,
  readValue,
  STRING,
} from './plain-line.js';
import { SHORT_DIGITS } from './plain-time.js';

const MAX_NODES = 1024;
const MAX_WORDS = 1 << 14;
const BYTES = 128;
const NONE = -1;
const WORD = 4;

/** Fields whose few values are part of the texts. */
const NAMES = new Set<number>([FIELDS.process, FIELDS.method, FIELDS.object, FIELDS.type]);

// the cells of a node: the first word of its text, its length, and the mask of its last word; the slot of the number or
// string that may follow, and the nodes after it; the leaf that ends here. NONE if there is none
const [TEXT, LENGTH, MASK, SLOT, AFTER_NUMBER, AFTER_STRING, LEAF] = [0, 1, 2, 3, 4, 5, 6];
const WIDTH = 8;

/** A number or string of a line, with its quotes. */
interface Value {
  readonly slot: number;
  readonly start: number;
  readonly end: number;
}

export class LineTree {
  /** After a match: the start of the next line. */
  next = 0;
  /** The texts, each from the start of a word. */
  readonly #words: Int32Array = new Int32Array(MAX_WORDS);
  readonly #text: Uint8Array = new Uint8Array(this.#words.buffer);
  #wordCount = 0;
  #nodes: Int32Array = new Int32Array(32 * WIDTH);
  /** Node and byte to the node whose text starts with it; 0 if there is none, since nothing leads to the root. */
  #children: Int16Array = new Int16Array(32 * BYTES);
  #count = 0;
  #leaves = 0;

  /** Reads the line that starts here into the slots of `line`. Returns its leaf, or -1 if it is on no path. */
  match(line: PlainLine, from: number): number {
    if (this.#count === 0) return NONE;
    const { bytes, view, tokens, integers } = line;
    const nodes = this.#nodes;
    const words = this.#words;
    let at = from;
    for (let node = 0; ; ) {
      const cell = WIDTH * node;
      let word = nodes[cell + TEXT];
      const end = at + nodes[cell + LENGTH];
      // the last word may have bytes behind the text
      if (end + WORD > bytes.length + 1) return NONE;
      for (; at + WORD < end; at += WORD) if (view.getInt32(at, true) !== words[word++]) return NONE;
      if (((view.getInt32(at, true) ^ words[word]) & nodes[cell + MASK]) !== 0) return NONE;
      at = end;
      if (nodes[cell + LEAF] !== NONE) {
        this.next = at;
        return nodes[cell + LEAF];
      }
      const slot = nodes[cell + SLOT];
      const child = this.#children[BYTES * node + (bytes[at] & (BYTES - 1))];
      if (child > 0) node = child;
      else if (slot === NONE) return NONE;
      else {
        if (isTime(slot)) {
          const after = line.readTimeAgain(slot, at);
          if (after >= 0) {
            node = nodes[cell + (bytes[at] === BYTE.quote ? AFTER_STRING : AFTER_NUMBER)];
            if (node === NONE) return NONE;
            at = after;
            continue;
          }
        }
        // most numbers are short, and end before a comma or a bracket
        let digit = bytes[at] - BYTE.zero;
        if (digit > 0 && digit <= 9 && nodes[cell + AFTER_NUMBER] !== NONE) {
          const last = at + SHORT_DIGITS;
          let integer = digit;
          let after = at + 1;
          for (
            digit = bytes[after] - BYTE.zero;
            digit >= 0 && digit <= 9 && after < last;
            digit = bytes[++after] - BYTE.zero
          )
            integer = 10 * integer + digit;
          const byte = bytes[after];
          if (byte === BYTE.comma || byte === BYTE.closeList || byte === BYTE.close) {
            line.setInteger(slot, integer);
            at = after;
            node = nodes[cell + AFTER_NUMBER];
            continue;
          }
        }
        at = readValue(bytes, at, tokens, integers, slot);
        const kind = line.kind(slot);
        if (at < 0 || (kind & KINDS[slot]) === 0) return NONE;
        if (isTime(slot)) line.learnTime(slot);
        node = isWord(kind) ? NONE : nodes[cell + (kind === STRING ? AFTER_STRING : AFTER_NUMBER)];
        if (node === NONE) return NONE;
      }
    }
  }

  /** Learns the line from here to `next`, which was scanned last. Returns its new leaf, or -1 if the tree is full. */
  learn(line: PlainLine, from: number, next: number): number {
    const values = valuesOf(line);
    // each text adds a node, and may split another
    if (this.#count + 2 * (values.length + 1) > MAX_NODES) return NONE;
    // and each may be copied once more, with a word that is not full
    if (this.#wordCount + 2 * (next - from) > MAX_WORDS) return NONE;
    let at = from;
    /** The cell that leads to the next text. */
    let way = NONE;
    for (const { slot, start, end } of values) {
      const cell = WIDTH * this.#extend(way, line.bytes, at, start);
      this.#nodes[cell + SLOT] = slot;
      way = cell + (line.kind(slot) === STRING ? AFTER_STRING : AFTER_NUMBER);
      at = end;
    }
    const last = WIDTH * this.#extend(way, line.bytes, at, next);
    this.#nodes[last + LEAF] = this.#leaves;
    return this.#leaves++;
  }

  /** The node at which a text ends, which starts where a cell leads. */
  #extend(way: number, bytes: Uint8Array, from: number, to: number): number {
    let node = way === NONE ? (this.#count === 0 ? NONE : 0) : this.#nodes[way];
    if (node === NONE) {
      node = this.#create(bytes, from, to);
      if (way !== NONE) this.#nodes[way] = node;
      return node;
    }
    for (let at = from; ; ) {
      const start = WORD * this.#nodes[WIDTH * node + TEXT];
      const length = this.#nodes[WIDTH * node + LENGTH];
      let same = 0;
      while (same < length && at < to && this.#text[start + same] === bytes[at]) {
        same++;
        at++;
      }
      if (same < length) this.#split(node, same);
      if (at === to) return node;
      const place = BYTES * node + bytes[at];
      if (this.#children[place] > 0) node = this.#children[place];
      else {
        const child = this.#create(bytes, at, to);
        this.#children[place] = child;
        return child;
      }
    }
  }

  /** Splits a node: it keeps the beginning of its text, and a child gets the rest. */
  #split(node: number, length: number): void {
    const own = WIDTH * node;
    const start = WORD * this.#nodes[own + TEXT];
    const child = this.#create(this.#text, start + length, start + this.#nodes[own + LENGTH]);
    const [nodes, children] = [this.#nodes, this.#children];
    nodes.copyWithin(WIDTH * child + SLOT, own + SLOT, own + WIDTH);
    nodes.fill(NONE, own + SLOT, own + WIDTH);
    this.#setLength(node, length);
    children.copyWithin(BYTES * child, BYTES * node, BYTES * (node + 1));
    children.fill(0, BYTES * node, BYTES * (node + 1));
    children[BYTES * node + this.#text[start + length]] = child;
  }

  #create(bytes: Uint8Array, from: number, to: number): number {
    const node = this.#add();
    this.#nodes[WIDTH * node + TEXT] = this.#wordCount;
    this.#text.set(bytes.subarray(from, to), WORD * this.#wordCount);
    this.#wordCount += Math.ceil((to - from) / WORD);
    this.#setLength(node, to - from);
    return node;
  }

  #setLength(node: number, length: number): void {
    this.#nodes[WIDTH * node + LENGTH] = length;
    // a text may be empty: after one value, there may be several texts
    const inLast = length === 0 ? 0 : ((length - 1) % WORD) + 1;
    this.#nodes[WIDTH * node + MASK] = inLast === 0 ? 0 : -1 >>> (8 * (WORD - inLast));
  }

  #add(): number {
    const node = this.#count++;
    if (WIDTH * node === this.#nodes.length) {
      this.#nodes = grown(this.#nodes, 0);
      const children = new Int16Array(2 * this.#children.length);
      children.set(this.#children);
      this.#children = children;
    }
    this.#nodes.fill(NONE, WIDTH * node, WIDTH * (node + 1));
    return node;
  }
}

/** The numbers and strings of a line between its texts, in order. */
function valuesOf(line: PlainLine): Value[] {
  const slots: number[] = [];
  for (let slot = 0; slot < FIRST_ARGUMENT; slot++)
    if (((line.fields >>> slot) & 1) === 1 && slot !== FIELDS.args && !NAMES.has(slot)) slots.push(slot);
  for (let i = 0; i < line.count; i++) slots.push(FIRST_ARGUMENT + i);
  return slots
    .filter((slot) => !isWord(line.kind(slot)))
    .map((slot) => {
      const quote = line.kind(slot) === STRING ? 1 : 0;
      return { slot, start: line.start(slot) - quote, end: line.end(slot) + quote };
    })
    .sort((a, b) => a.start - b.start);
}
