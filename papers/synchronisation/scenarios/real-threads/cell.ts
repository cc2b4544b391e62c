/**
 * One value in memory that threads share, as JSON. What takes up to seven bytes is read and written at once; what is longer only
 * under a lock.
 */
const BYTES = 512;
const SHORT = 7;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class Cell {
  static readonly BYTES: number = BYTES;
  readonly #word: BigInt64Array;
  readonly #text: Uint8Array;

  constructor(memory: SharedArrayBuffer, at: number) {
    this.#word = new BigInt64Array(memory, at, 1);
    this.#text = new Uint8Array(memory, at + 8, BYTES - 8);
  }

  get(): unknown {
    const word = new Uint8Array(8);
    new DataView(word.buffer).setBigInt64(0, Atomics.load(this.#word, 0));
    const [length] = word;
    const bytes = length <= SHORT ? word.subarray(1, 1 + length) : this.#text.slice(0, length);
    return JSON.parse(decoder.decode(bytes));
  }

  set(value: unknown): void {
    const bytes = encoder.encode(JSON.stringify(value));
    const word = new Uint8Array(8);
    word[0] = bytes.length;
    if (bytes.length <= SHORT) word.set(bytes, 1);
    else this.#text.set(bytes);
    Atomics.store(this.#word, 0, new DataView(word.buffer).getBigInt64(0));
  }
}
