/**
 * Steps run by priority, and lose it to a race.
 *
 *   X. Yuan, J. Yang, R. Gu. Partial order aware concurrency sampling. CAV 2018.
 *
 * Each announced access has a random priority of its own; the highest goes first.
 * When it has been done, the announced accesses that conflict with it get new ones: so
 * both orders of a race are equally likely, however many steps that conflict with
 * nothing are in between.
 */
import type { Random } from '../../base/random.js';
import type { Execution } from '../../execution/execution.js';
import { kindOf, locationOf, NOTHING, READ } from '../../execution/memory/access.js';
import { highest } from './highest.js';
import type { Strategy } from './strategy.js';

const MOST = 2 ** 30;

export class PartialOrderSampling implements Strategy {
  readonly name: string = 'partial-order sampling';
  readonly #random: Random;
  /** Thread to the priority of what it has announced. */
  #priority: number[] = [];

  constructor(random: Random) {
    this.#random = random;
  }

  begin({ threads }: Execution): void {
    this.#priority = Array.from({ length: threads }, () => this.#random.below(MOST));
  }

  next(enabled: number): number {
    return highest(this.#priority, enabled);
  }

  stepped(thread: number, { announced, kind, location }: Execution): void {
    this.#priority[thread] = this.#random.below(MOST);
    announced.forEach((other, at) => {
      const conflicts =
        other >= 0 &&
        kindOf(other) !== NOTHING &&
        locationOf(other) === location &&
        !(kind === READ && kindOf(other) === READ);
      if (conflicts) this.#priority[at] = this.#random.below(MOST);
    });
  }

  choose(alternatives: number): number {
    return this.#random.below(alternatives);
  }
}
