/**
 * A ring buffer over shared memory, of one thread that puts in. Words: how many were taken, how many were put, and the cells.
 *
 * Faulty where more than one thread takes: `dequeue` looks at how many were taken and says so in two steps, so two threads may
 * be given one value.
 */
const TAKEN = 0;
const PUT = 1;
const CELLS = 2;

export class Ring {
  private readonly words: Int32Array;

  constructor(words: Int32Array) {
    this.words = words;
  }

  enqueue(value: number): void {
    const put = Atomics.load(this.words, PUT);
    Atomics.store(this.words, this.cell(put), value);
    Atomics.store(this.words, PUT, put + 1);
  }

  dequeue(): number | null {
    const taken = Atomics.load(this.words, TAKEN);
    if (taken === Atomics.load(this.words, PUT)) return null;
    const value = Atomics.load(this.words, this.cell(taken));
    Atomics.store(this.words, TAKEN, taken + 1);
    return value;
  }

  private cell(position: number): number {
    return CELLS + (position % (this.words.length - CELLS));
  }
}
