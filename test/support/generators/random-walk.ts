/** Chooses each step uniformly among the enabled threads. It finds bugs of small tests, but rarely runs one thread for long. */
import { lowestBit } from '../../../src/base/collections/ints.js';
import type { Random } from '../../../src/base/random.js';
import type { Strategy } from '../../../src/explore/engines/sampling.js';

export class RandomWalk implements Strategy {
  readonly name: string = 'random walk';
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  begin(): void {}

  next(enabled: number): number {
    let count = 0;
    for (let rest = enabled; rest !== 0; rest &= rest - 1) count++;
    let rest = enabled;
    for (let skip = this.#random.below(count); skip > 0; skip--) rest &= rest - 1;
    return lowestBit(rest);
  }

  stepped(): void {}

  choose(alternatives: number): number {
    return this.#random.below(alternatives);
  }
}
