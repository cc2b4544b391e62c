/**
 * What has been tried in which state: who goes on from a state that is met again, and who sleeps along a path (sleep-sets.ts).
 *
 * A state knows who slept each time that it was met. Met again, it is gone on from only by those who
 * slept then and are awake now (Godefroid, algorithm of section 5.4). Why nothing is missed: take the steps that lead from a state to
 * something wrong, none of which can be put first that always sleeps there. Of those that can be put first, look at the last time that one was
 * tried, and the first that was tried then. None that can be put first after it sleeps below it, for that one could be put first
 * in the state too. So the rest of the steps is found from there, by induction.
 *
 * What a thread chooses after a step belongs to it, and the thread sleeps when all has been chosen. A step into a block that is run as one
 * never sleeps, since nobody can go between it and what follows.
 */
import { grown } from '../../base/collections/ints.js';
import type { Execution } from '../../execution/execution.js';
import { CHOOSE } from '../../execution/memory/access.js';
import { CALL, RETURN, type SleepSets } from './sleep-sets.js';

const NOBODY = -1;

export class Tried {
  readonly #execution: Execution;
  readonly #sleep: SleepSets;
  /** State to who slept in it each time. */
  #slept: Int32Array = new Int32Array(64);
  /** Place to who took a step there that may sleep, or NOBODY; of which kind, where, and what it carried. */
  #thread: Int32Array = new Int32Array(64);
  #kind: Int32Array = new Int32Array(64);
  #location: Int32Array = new Int32Array(64);
  #carried: Int32Array = new Int32Array(64);

  constructor(execution: Execution, sleep: SleepSets) {
    this.#execution = execution;
    this.#sleep = sleep;
  }

  /** Who may go on at a place of the path, where the program is in a state; as bits. */
  open(place: number, state: number, isNew: boolean): number {
    if (place === 0) this.#sleep.clear();
    const asleep = this.#sleep.at(place);
    if (state >= this.#slept.length) this.#slept = grown(this.#slept, 0);
    const slept = isNew ? -1 : this.#slept[state];
    this.#sleep.keep(place, slept);
    this.#slept[state] = slept & asleep;
    return slept & ~asleep;
  }

  /** A thread has taken a step at a place, or has chosen. */
  step(place: number, thread: number): void {
    const { kind, location, isFirst, isLast, holder } = this.#execution;
    if (place === this.#thread.length) this.#grow();
    this.#thread[place] = kind === CHOOSE || holder >= 0 ? NOBODY : thread;
    this.#kind[place] = kind;
    this.#location[place] = location;
    this.#carried[place] = (isFirst ? CALL : 0) | (isLast ? RETURN : 0);
    this.#sleep.step(place, thread, kind, location, this.#carried[place]);
  }

  /** Another goes on at a place of the path. */
  leave(place: number): void {
    if (this.#thread[place] === NOBODY) return;
    this.#sleep.add(
      place,
      this.#thread[place],
      this.#kind[place],
      this.#location[place],
      this.#carried[place],
    );
  }

  #grow(): void {
    this.#thread = grown(this.#thread, 0);
    this.#kind = grown(this.#kind, 0);
    this.#location = grown(this.#location, 0);
    this.#carried = grown(this.#carried, 0);
  }
}
