/**
 * Rows of a few 32-bit integers each, which grow in number.
 *
 * Like the lists of growing.ts they stand in chunks, so that none is copied as they grow; but
 * the cells of a row stand side by side, and one question finds room for all of them. The
 * first chunk begins small and doubles.
 *
 * Cost: O(1) a call, amortised, and 4 bytes a cell.
 */
const CHUNK_BITS = 14;
const CHUNK = 1 << CHUNK_BITS;
const LEAST_ROWS = 16;

export class GrowingRows {
  length = 0;
  readonly #width: number;
  /** All of CHUNK rows but the last one, which may be shorter where it is the first. */
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
    const start = (this.length++ & (CHUNK - 1)) * this.#width;
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
    return this.#chunks[row >>> CHUNK_BITS];
  }

  start(row: number): number {
    return (row & (CHUNK - 1)) * this.#width;
  }

  #extend(): void {
    const full = this.cells;
    const isFirst = full.length < CHUNK * this.#width;
    this.cells = new Int32Array(isFirst ? 2 * full.length : full.length);
    if (!isFirst) this.#chunks.push(this.cells);
    else {
      this.cells.set(full);
      this.#chunks[0] = this.cells;
    }
  }
}
