/**
 * What the threads of a round and who started them share beside the object: who is there, whether all are, whether the round is over,
 * and where each thread sleeps.
 *
 * Threads begin together: the last one who comes opens the gate.
 */
const { add, load, notify, store, wait } = Atomics;

const ARRIVED = 0;
const OPEN = 1;
const OVER = 2;
const BEDS = 3;

const WORD = 4;

export class Gate {
  readonly words: Int32Array;

  constructor(words: Int32Array) {
    this.words = words;
  }

  static of(threads: number): Gate {
    return new Gate(new Int32Array(new SharedArrayBuffer(WORD * (BEDS + threads))));
  }

  get #threads(): number {
    return this.words.length - BEDS;
  }

  /** Waits until all are there. */
  pass(): void {
    if (add(this.words, ARRIVED, 1) + 1 < this.#threads) wait(this.words, OPEN, 0);
    store(this.words, OPEN, 1);
    notify(this.words, OPEN);
  }

  get isOpen(): boolean {
    return load(this.words, OPEN) === 1;
  }

  get isOver(): boolean {
    return load(this.words, OVER) === 1;
  }

  /** A thread is about to sleep at an address, in bytes from where its memory begins. */
  sleep(thread: number, address: number): void {
    store(this.words, BEDS + thread, address / WORD + 1);
  }

  wakeUp(thread: number): void {
    store(this.words, BEDS + thread, 0);
  }

  /** Ends the round: wakes all who sleep in memory of these. To be called again until all are awake, who may just be falling asleep. */
  end(memory: readonly SharedArrayBuffer[]): void {
    store(this.words, OVER, 1);
    for (let thread = 0; thread < this.#threads; thread++) {
      const bed = load(this.words, BEDS + thread) - 1;
      if (bed < 0) continue;
      for (const words of memory.map((buffer) => new Int32Array(buffer, 0, buffer.byteLength >> 2)))
        if (bed < words.length) notify(words, bed);
    }
  }
}
