/**
 * Growing lists of numbers in typed arrays.
 *
 * Items are stored in chunks of fixed size, so a long list is never copied, which would need twice
 * its memory. The first chunk starts small and doubles. Cost: amortised O(1) per call, and the
 * bytes of the items.
 */
type Items = Int32Array | Uint8Array | Float64Array;

const CHUNK_BITS = 16;
const CHUNK = 1 << CHUNK_BITS;
const INITIAL_CAPACITY = 64;

class Growing<A extends Items> {
  length = 0;
  readonly #make: (length: number) => A;
  /** All chunks have CHUNK items, except a first chunk that is still growing. */
  readonly #chunks: A[];
  /** The last chunk, and the index of its first item. */
  #last: A;
  #from = 0;

  constructor(make: (length: number) => A) {
    this.#make = make;
    this.#last = make(INITIAL_CAPACITY);
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

  /** Truncates the list. */
  shrink(length: number): void {
    this.length = length;
    if (length > this.#from || this.#from === 0) return;
    this.#chunks.length = 1 + (Math.max(0, length - 1) >>> CHUNK_BITS);
    this.#last = this.#chunks[this.#chunks.length - 1];
    this.#from = (this.#chunks.length - 1) * CHUNK;
  }

  /** The items as one array. */
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

const ROW_CHUNK_BITS = 14;
const ROW_CHUNK = 1 << ROW_CHUNK_BITS;
const INITIAL_ROWS = 16;

/**
 * Rows of a few 32-bit integers each, appended one by one.
 *
 * As in `Growing`, rows are stored in chunks. The cells of a row are adjacent, and one capacity
 * check covers all of them.
 *
 * Cost: amortised O(1) per call, 4 bytes per cell.
 */
export class GrowingRows {
  length = 0;
  readonly #width: number;
  /** All chunks have ROW_CHUNK rows, except a first chunk that is still growing. */
  readonly #chunks: Int32Array[];
  /** The chunk of the last row. */
  cells: Int32Array;

  constructor(width: number) {
    this.#width = width;
    this.cells = new Int32Array(INITIAL_ROWS * width);
    this.#chunks = [this.cells];
  }

  /** Adds a row of zeros and returns its start in `cells`, where the caller fills it. */
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

  /** The chunk of a row; with `start`, for fast access to many cells. */
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
