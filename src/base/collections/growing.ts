/**
 * Rows of a few 32-bit integers each, which grow in number.
 *
 * Like the lists of growing.ts they stand in chunks, so that none is copied as they grow; but
 * the cells of a row stand side by side, and one question finds room for all of them. The
 * first chunk begins small and doubles.
 *
 * Cost: O(1) a call, amortised, and 4 bytes a cell.
 */
const ROW_CHUNK_BITS = 14;
const ROW_CHUNK = 1 << ROW_CHUNK_BITS;
const LEAST_ROWS = 16;

export class GrowingRows {
  length = 0;
  readonly #width: number;
  /** All of ROW_CHUNK rows but the last one, which may be shorter where it is the first. */
  readonly #chunks: Int32Array[];
  /** The chunk of the last row. */
  cells: Int32Array;

  constructor(width: number) {
    this.#width = width;
    this.cells = new Int32Array(LEAST_ROWS * width);
    this.#chunks = [this.cells];
  }

  /** Adds a row of zeros; gives where it starts in `cells`, for who fills it. */
  add(): number {
    const start = (this.length++ & (ROW_CHUNK - 1)) * this.#width;
    if (start >= this.cells.length || (start === 0 && this.length > 1)) this.#extend();
    return start;
  }

  at(row: number, column: number): number {
    return this.chunk(row)[this.start(row) + column];
  }

  set(row: number, column: number, cell: number): void {
    this.chunk(row)[this.start(row) + column] = cell;
  }

  /** The chunk that has a row, and where the row starts in it: for who looks at many. */
  chunk(row: number): Int32Array {
    return this.#chunks[row >>> ROW_CHUNK_BITS];
  }

  start(row: number): number {
    return (row & (ROW_CHUNK - 1)) * this.#width;
  }

  #extend(): void {
    const full = this.cells;
    const isFirst = full.length < ROW_CHUNK * this.#width;
    this.cells = new Int32Array(isFirst ? 2 * full.length : full.length);
    if (!isFirst) this.#chunks.push(this.cells);
    else {
      this.cells.set(full);
      this.#chunks[0] = this.cells;
    }
  }
}

/**
 * Lists of numbers that grow, in typed arrays.
 *
 * A list stands in chunks of a fixed size, so a long one is never copied as it
 * grows: a copy would be there twice for a while. The first chunk begins small
 * and doubles. Cost: O(1) a call, amortised, and the bytes of the entries.
 */
type Items = Int32Array | Uint8Array | Float64Array;

const CHUNK_BITS = 16;
const CHUNK = 1 << CHUNK_BITS;
const LEAST_ROOM = 64;

class Growing<A extends Items> {
  length = 0;
  readonly #make: (length: number) => A;
  /** All of CHUNK entries but the last one, which may be shorter where it is the first. */
  readonly #chunks: A[];
  /** The last chunk, and the index of its first entry. */
  #last: A;
  #from = 0;

  constructor(make: (length: number) => A) {
    this.#make = make;
    this.#last = make(LEAST_ROOM);
    this.#chunks = [this.#last];
  }

  push(item: number): void {
    const place = this.length - this.#from;
    if (place < this.#last.length) this.#last[place] = item;
    else this.#extend(item);
    this.length++;
  }

  set(index: number, item: number): void {
    this.#chunks[index >>> CHUNK_BITS][index & (CHUNK - 1)] = item;
  }

  at(index: number): number {
    return this.#chunks[index >>> CHUNK_BITS][index & (CHUNK - 1)];
  }

  /** Keeps only the first entries. */
  shrink(length: number): void {
    this.length = length;
    if (length > this.#from || this.#from === 0) return;
    this.#chunks.length = 1 + (Math.max(0, length - 1) >>> CHUNK_BITS);
    this.#last = this.#chunks[this.#chunks.length - 1];
    this.#from = (this.#chunks.length - 1) * CHUNK;
  }

  /** An array of exactly the entries so far. */
  toArray(): A {
    const items = this.#make(this.length);
    this.#chunks.forEach((chunk, number) => {
      const start = number * CHUNK;
      items.set(chunk.subarray(0, this.length - start), start);
    });
    return items;
  }

  #extend(item: number): void {
    const full = this.#last;
    if (full.length < CHUNK) {
      this.#last = this.#make(2 * full.length);
      this.#last.set(full);
      this.#chunks[0] = this.#last;
    } else {
      this.#last = this.#make(CHUNK);
      this.#chunks.push(this.#last);
      this.#from = this.length;
    }
    this.#last[this.length - this.#from] = item;
  }
}

/** 32-bit integers. */
export class GrowingInts extends Growing<Int32Array> {
  constructor() {
    super((length) => new Int32Array(length));
  }
}

/** Integers from 0 to 255. */
export class GrowingBytes extends Growing<Uint8Array> {
  constructor() {
    super((length) => new Uint8Array(length));
  }
}

/** Any numbers. */
export class GrowingNumbers extends Growing<Float64Array> {
  constructor() {
    super((length) => new Float64Array(length));
  }
}
