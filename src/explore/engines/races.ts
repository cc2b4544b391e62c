/**
 * Races: steps of one execution that could have come in another order, and who must be tried
 * where so that they do.
 *
 * When a step e conflicts with an earlier step x of another thread, and x happened before it
 * for no other reason, then some thread that can begin "e without x" must be tried at the
 * node of x (source sets; see dpor.ts).
 *
 *   e waits for permits       it races with who took some last while there were enough for e,
 *                             since who gives them back has them while e has to wait
 *   a thread blocked at the   what it waits for races in the same way, or runs in which it gets
 *   end of a run              the lock first would be missed
 *   a thread that spins       is not enabled, so no race makes it repeat an iteration for ever
 */
import { lowestBit } from '../../base/collections/ints.js';
import type { Execution } from '../../execution/execution.js';
import { kindOf, LOCK, locationOf } from '../../execution/memory/access.js';
import type { HappensBefore } from '../classes/happens-before.js';
import type { Path } from './sleep-sets.js';

export class Races {
  readonly #execution: Execution;
  readonly #steps: HappensBefore;
  readonly #path: Path;
  /** Location to the steps that took permits there, in order, each before the permits that there were. */
  readonly #taken: number[][] = [];

  constructor(execution: Execution, steps: HappensBefore, path: Path) {
    this.#execution = execution;
    this.#steps = steps;
    this.#path = path;
  }

  /** Another run begins. */
  reset(): void {
    for (const list of this.#taken) if (list) list.length = 0;
  }

  /** A step has been taken, in this run or in one before. */
  remember(step: number): void {
    const { kind, location } = this.#steps;
    if (kind[step] !== LOCK) return;
    this.#taken[location[step]] ??= [];
    this.#taken[location[step]].push(step, this.#execution.permits);
  }

  /** The races of the step taken last, which may have had to wait. */
  of(e: number, hadToWait: boolean): void {
    const steps = this.#steps;
    const thread = steps.thread[e];
    for (const x of steps.conflicting) {
      if (steps.index[x] <= steps.before[steps.thread[x]] || this.#isIndirect(x)) continue;
      if (!hadToWait || this.#couldOvertake(x, thread)) this.#reverse(x, e, thread);
    }
    if (hadToWait) this.ofLock(steps.location[e], thread, this.#execution.needed, e);
  }

  /** The races of what blocked threads wait for, at the end of a run. */
  ofBlocked(): void {
    const { announced, memory, threads } = this.#execution;
    for (let thread = 0; thread < threads; thread++) {
      if (announced[thread] < 0 || kindOf(announced[thread]) !== LOCK) continue;
      if (memory.isAsleep(thread) || memory.isSpinning(thread)) continue;
      this.#steps.standAt(thread);
      this.ofLock(locationOf(announced[thread]), thread, memory.needsOf(thread), this.#steps.length);
    }
  }

  /** A thread takes permits, or waits for them: it races with the last who took some while there were enough. */
  protected ofLock(location: number, thread: number, needed: number, e: number): void {
    const steps = this.#steps;
    const taken = this.#taken[location] ?? [];
    for (let i = taken.length - 2; i >= 0; i -= 2) {
      const x = taken[i];
      const other = steps.thread[x];
      if (other === thread || taken[i + 1] < needed || steps.index[x] <= steps.before[other]) continue;
      this.#reverse(x, e, thread);
      return;
    }
  }

  /** Did x happen before another step that conflicts? Then that one races. */
  #isIndirect(x: number): boolean {
    for (const y of this.#steps.conflicting) if (y !== x && this.#steps.precedes(x, y)) return true;
    return false;
  }

  /** Might a thread have gone on where step x was taken? Not if it stood there as it stands now, and was not enabled. */
  #couldOvertake(x: number, thread: number): boolean {
    if (this.#path.enabled[x] & (1 << thread)) return true;
    const { thread: threadOf, index, before, length } = this.#steps;
    for (let step = x + 1; step < length; step++)
      if (threadOf[step] === thread && index[step] <= before[thread]) return true;
    return false;
  }

  /** Sees to it that a thread that can begin "e without x" is tried where x was. */
  #reverse(x: number, e: number, thread: number): void {
    const steps = this.#steps;
    let begun = 0;
    let initials = 0;
    // the steps after x that did not need it; of each thread the first, if it did not need another of these
    for (let step = x + 1; step < e; step++) {
      if (steps.precedes(x, step)) continue;
      const bit = 1 << steps.thread[step];
      if (begun & bit) continue;
      begun |= bit;
      if (!this.#needs(step, x)) initials |= bit;
    }
    const own = 1 << thread;
    if (!(begun & own) && !this.#lastNeeds(e, thread, x)) initials |= own;
    initials &= this.#path.enabled[x];
    if (initials === 0 || initials & this.#path.backtrack[x]) return;
    this.#path.backtrack[x] |= initials & own ? own : 1 << lowestBit(initials);
  }

  /** Did a step after x that did not need x happen before this one? */
  #needs(step: number, x: number): boolean {
    const steps = this.#steps;
    for (let other = x + 1; other < step; other++)
      if (!steps.precedes(x, other) && steps.precedes(other, step)) return true;
    return false;
  }

  /** The same of the last access of a thread, done or waited for, as if x had not been. */
  #lastNeeds(e: number, thread: number, x: number): boolean {
    const steps = this.#steps;
    const { memory } = this.#execution;
    const isDone = e < steps.length;
    const announced = this.#execution.announced[thread];
    const location = isDone ? steps.location[e] : locationOf(announced);
    const kind = isDone ? steps.kind[e] : kindOf(announced);
    for (let other = x + 1; other < e; other++) {
      if (steps.precedes(x, other)) continue;
      if (steps.index[other] <= steps.before[steps.thread[other]]) return true;
      if (memory.overlap(steps.location[other], location) && steps.conflict(kind, steps.kind[other]))
        return true;
    }
    return false;
  }
}
