/** Words of shared memory under plain accesses, and some atomic ones: the same for real threads and for transformed source. */
export class PlainWords {
  readonly words: Int32Array;

  constructor(words: Int32Array) {
    this.words = words;
  }

  peek(i: number): number {
    return this.words[i];
  }

  poke(i: number, value: number): void {
    this.words[i] = value;
  }

  bump(i: number): number {
    return this.words[i]++;
  }

  bumpFirst(i: number): number {
    return --this.words[i];
  }

  addTo(i: number, j: number): void {
    this.words[i] += this.words[j] + 1;
  }

  copy(i: number, j: number): void {
    this.words[i] = this.words[j];
  }

  publish(value: number): void {
    this.words[0] = value;
    Atomics.store(this.words, 1, 1);
  }

  publishTooSoon(value: number): void {
    Atomics.store(this.words, 1, 1);
    this.words[0] = value;
  }

  consume(): number {
    return Atomics.load(this.words, 1) === 1 ? this.words[0] : -1;
  }

  spin(i: number): void {
    while (this.words[i] === 0);
  }
}
