/**
 * Threads run by priority, and change it a few times.
 *
 *   S. Burckhardt, P. Kothari, M. Musuvathi, S. Nagarakatte. A randomized scheduler with
 *   probabilistic guarantees of finding bugs (PCT). ASPLOS 2010.
 *
 * The enabled thread with the highest priority runs. At `depth - 1` steps, drawn
 * beforehand, the thread that would run falls below all others. A bug that needs `depth` orderings between steps
 * is found with probability at least 1 / (threads × steps^(depth - 1)) in each run.
 *
 * Departure: how long runs are is not known, so the longest run so far is taken.
 */
import type { Random } from '../../base/random.js';
import type { Execution } from '../../execution/execution.js';
import { highest, type Strategy } from '../engines/sampling.js';

export class Priorities implements Strategy {
  readonly name: string = 'priorities (PCT)';
  readonly #random: Random;
  readonly #depth: number;
  /** Thread to its priority; higher ones go first. Each has another one. */
  #priority: number[] = [];
  /** Step to the priority that the thread falls to. */
  readonly #falls = new Map<number, number>();
  #step = 0;

  constructor(random: Random, depth = 3) {
    this.#random = random;
    this.#depth = depth;
  }

  begin({ threads }: Execution, longest: number): void {
    this.#step = 0;
    this.#priority = [];
    // each next thread comes somewhere among those before
    const order: number[] = [];
    for (let thread = 0; thread < threads; thread++)
      order.splice(this.#random.below(order.length + 1), 0, thread);
    order.forEach((thread, rank) => {
      this.#priority[thread] = this.#depth + rank;
    });
    this.#falls.clear();
    for (let fall = 0; fall < this.#depth - 1; fall++)
      this.#falls.set(this.#random.below(Math.max(1, longest)), fall);
  }

  next(enabled: number): number {
    const fall = this.#falls.get(this.#step++);
    if (fall !== undefined) this.#priority[highest(this.#priority, enabled)] = fall;
    return highest(this.#priority, enabled);
  }

  stepped(): void {}

  choose(alternatives: number): number {
    return this.#random.below(alternatives);
  }
}
