/** Objects over shared words that go wrong where a block is interrupted; comments at the ends of lines name its places. */
export class Blamed {
  readonly words: Int32Array;

  constructor(words: Int32Array) {
    this.words = words;
  }

  total(): number {
    return Atomics.load(this.words, 0);
  }

  increment(): void {
    const seen = Atomics.load(this.words, 0); // look
    Atomics.store(this.words, 0, seen + 1); // change
  }

  /** In two rounds, each of which is wrong by itself. */
  rounds(): void {
    for (let i = 0; i < 2; i++) {
      const seen = Atomics.load(this.words, 0); // look in a round
      Atomics.store(this.words, 0, seen + 1); // change in a round
    }
  }

  /** What it reads in its rounds belongs together. */
  scan(): number[] {
    const seen: number[] = [];
    for (const i of [0, 1]) {
      seen.push(Atomics.load(this.words, i)); // look at one
    }
    return seen;
  }

  /** The same, without a loop. */
  scanEach(): number[] {
    return [0, 1].map((i) => Atomics.load(this.words, i)); // look at each
  }

  setBoth(value: number): void {
    Atomics.store(this.words, 0, value); // first
    Atomics.store(this.words, 1, value); // second
  }

  /** By a function that is called twice. */
  helped(): void {
    const seen = this.read(0); // helper
    const other = this.read(1);
    Atomics.store(this.words, 0, seen + other + 1); // after the helper
  }

  private read(index: number): number {
    return Atomics.load(this.words, index);
  }

  /** What is done first stands last. */
  oneLine(): void {
    Atomics.store(this.words, 0, Atomics.load(this.words, 0) + 1); // one line
  }
}
