/** Words of shared memory, and calls that do a few atomic things to them: the same for real threads and for transformed source. */
export class Words {
  readonly words: Int32Array;

  constructor(words: Int32Array) {
    this.words = words;
  }

  load(i: number): number {
    return Atomics.load(this.words, i);
  }

  store(i: number, value: number): void {
    Atomics.store(this.words, i, value);
  }

  /** Two that others may come between. */
  loadBoth(i: number, j: number): number {
    return 10 * Atomics.load(this.words, i) + Atomics.load(this.words, j);
  }

  storeBoth(i: number, j: number, value: number): void {
    Atomics.store(this.words, i, value);
    Atomics.store(this.words, j, value);
  }

  increment(i: number): number {
    const value = Atomics.load(this.words, i);
    Atomics.store(this.words, i, value + 1);
    return value;
  }

  add(i: number, value: number): number {
    return Atomics.add(this.words, i, value);
  }

  swap(i: number, j: number): number {
    return Atomics.exchange(this.words, i, Atomics.load(this.words, j));
  }

  replace(i: number, expected: number, value: number): boolean {
    return Atomics.compareExchange(this.words, i, expected, value) === expected;
  }

  wait(i: number, value: number): string {
    return Atomics.wait(this.words, i, value);
  }

  waitShortly(i: number, value: number): string {
    return Atomics.wait(this.words, i, value, 1);
  }

  notify(i: number, most: number): number {
    return Atomics.notify(this.words, i, most);
  }

  storeAndNotify(i: number, value: number): number {
    Atomics.store(this.words, i, value);
    return Atomics.notify(this.words, i);
  }

  spin(i: number, value: number): void {
    while (Atomics.load(this.words, i) !== value);
  }

  /** Gives up after some time, so it must not be taken for a loop that goes on for ever. */
  spinShortly(i: number, value: number): boolean {
    for (let left = 3; left > 0; left--) if (Atomics.load(this.words, i) === value) return true;
    return false;
  }
}
