/** One schedule, as it was written down. Where it ends, whoever can goes on. */
import { lowest } from '../../base/collections/bits.js';
import type { Schedule } from '../model/engine.js';
import type { Strategy } from './strategy.js';

export class Planned implements Strategy {
  readonly name: string = 'one schedule';
  readonly #schedule: Schedule;
  #at = 0;

  constructor(schedule: Schedule) {
    this.#schedule = schedule;
  }

  begin(): void {
    this.#at = 0;
  }

  next(enabled: number): number {
    const planned = this.#schedule[this.#at++];
    return planned !== undefined && enabled & (1 << planned) ? planned : lowest(enabled);
  }

  stepped(): void {}

  choose(alternatives: number): number {
    return Math.min(this.#schedule[this.#at++] ?? 0, alternatives - 1);
  }
}
