/** Pseudo-random numbers from a seed: the same seed gives the same numbers on every machine. */
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

export class Random {
  readonly #generator: ReturnType<typeof xoroshiro128plus>;

  constructor(seed: number) {
    this.#generator = xoroshiro128plus(seed);
  }

  /** A uniform integer from 0 to n - 1. */
  below(n: number): number {
    return (this.#generator.next() >>> 0) % n;
  }

  withProbability(percent: number): boolean {
    return this.below(100) < percent;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)];
  }
}
