/**
 * Races: pairs of steps of one execution that could have come in the other order. For each race, a thread is added to
 * the backtrack set of a node, so that the other order is explored.
 *
 * A step e races with an earlier step x of another thread if they conflict and no step between them orders them. Then
 * some thread that can start "e without x" must be tried at the node of x (source sets; see dpor.ts).
 *
 *   e waits for permits       it races with the last step that took permits while there were enough for e;
 *                             not with the release that ends its wait, since e was not enabled before it
 *   a thread is blocked at    the access that it waits for races in the same way; otherwise runs in which
 *   the end of a run          it gets the lock first would be missed
 *   a thread spins            it is not enabled, so no race makes it repeat an iteration forever
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
  /** Location to the steps that took permits there, in order, each followed by the number of permits that it found. */
  readonly #taken: number[][] = [];

  constructor(execution: Execution, steps: HappensBefore, path: Path) {
    this.#execution = execution;
    this.#steps = steps;
    this.#path = path;
  }

  /** Starts another run. */
  reset(): void {
    for (const list of this.#taken) if (list) list.length = 0;
  }

  /** Records a step of this run, also one that it repeats from the previous run. */
  remember(step: number): void {
    const { kind, location } = this.#steps;
    if (kind[step] !== LOCK) return;
    this.#taken[location[step]] ??= [];
    this.#taken[location[step]].push(step, this.#execution.permits);
  }

  /** Finds the races of the last step, e. `hadToWait`: its access was announced as a LOCK. */
  of(e: number, hadToWait: boolean): void {
    const steps = this.#steps;
    const thread = steps.thread[e];
    for (const x of steps.conflicting) {
      if (steps.index[x] <= steps.before[steps.thread[x]] || this.#isIndirect(x)) continue;
      if (!hadToWait || this.#couldOvertake(x, thread)) this.#reverse(x, e, thread);
    }
    if (hadToWait) this.ofLock(steps.location[e], thread, this.#execution.needed, e);
  }

  /** Finds the races of the accesses that blocked threads wait for at the end of a run. */
  ofBlocked(): void {
    const { announced, memory, threads } = this.#execution;
    for (let thread = 0; thread < threads; thread++) {
      if (announced[thread] < 0 || kindOf(announced[thread]) !== LOCK) continue;
      if (memory.isAsleep(thread) || memory.isSpinning(thread)) continue;
      this.#steps.standAt(thread);
      this.ofLock(locationOf(announced[thread]), thread, memory.needsOf(thread), this.#steps.length);
    }
  }

  /** A thread takes permits, or waits for them: it races with the last step of another thread that took some while there were enough. */
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

  /** Did x happen before another conflicting step? Then that step races instead of x. */
  #isIndirect(x: number): boolean {
    for (const y of this.#steps.conflicting) if (y !== x && this.#steps.precedes(x, y)) return true;
    return false;
  }

  /** Could the thread have run at the node of x? Not if it was not enabled there and has taken no step since. */
  #couldOvertake(x: number, thread: number): boolean {
    if (this.#path.enabled[x] & (1 << thread)) return true;
    const { thread: threadOf, index, before, length } = this.#steps;
    for (let step = x + 1; step < length; step++)
      if (threadOf[step] === thread && index[step] <= before[thread]) return true;
    return false;
  }

  /** Adds a thread that can start "e without x" to the backtrack set of the node of x. */
  #reverse(x: number, e: number, thread: number): void {
    const steps = this.#steps;
    let begun = 0;
    let initials = 0;
    // steps between x and e that x does not precede: the first of a thread is an initial if none of the others precedes it
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

  /** Did a step that came after x, and not because of x, happen before this one? */
  #needs(step: number, x: number): boolean {
    const steps = this.#steps;
    for (let other = x + 1; other < step; other++)
      if (!steps.precedes(x, other) && steps.precedes(other, step)) return true;
    return false;
  }

  /** The same for step e, executed or still announced, without the edge from x. */
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
