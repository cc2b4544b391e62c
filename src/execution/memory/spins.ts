/**
 * Loops that change nothing, told exactly: no threshold, no annotation.
 *
 * At a back edge a coroutine gives the locals that outlive the iteration. If they
 * are what they were at the last back edge of this run of the loop, and since then
 * the thread has changed nothing, shared or its own, then the iteration led back to where it began:
 * the thread *spins*, and doing it again is pointless until a location that it
 * read holds something else. Until then it is not scheduled. If nobody else can
 * run either, the program is stuck: a livelock, not a long loop.
 *
 * A location counts as changed since it was read in the iteration, not since the
 * back edge: another thread may have written in between. A loop inside a loop
 * has a record of its own, and all of its writes are writes of the outer one.
 *
 * Cost: O(1) an access, O(locals + reads of the iteration) a back edge.
 */
import { grown } from '../../base/collections/ints.js';
import { CHOOSE, NOTHING, READ } from './access.js';

/** A run of a loop, as it was at its last back edge. */
interface Loop {
  readonly mark: number;
  readonly site: number;
  locals: readonly unknown[];
  /** How often the thread had changed something, and how much it had read. */
  changes: number;
  reads: number;
  /** How often it had been given something by luck. */
  repeats: number;
  /** How many iterations by luck have led back to where they began, one after another; from here on in `reads` is what they read. */
  idle: number;
  idleFrom: number;
}

/** So many different things come by luck, one after another: a loop for nothing has to try them all. */
const RANDOM_CHOICES = 3;

/** One thread, in one call. */
class Thread {
  /** Outer loops first. */
  readonly loops: Loop[] = [];
  isInLoop = false;
  changes = 0;
  repeats = 0;
  /** Locations read, each before the version it had. */
  readonly reads: number[] = [];
  /** From here on in `reads` is what a spinning thread waits for; -1: it does not spin. */
  watchedFrom = -1;
}

export class Spins {
  readonly #threads: readonly Thread[];
  /** Location to how often it was changed. */
  #versions: Int32Array = new Int32Array(64);

  constructor(threads: number) {
    this.#threads = Array.from({ length: threads }, () => new Thread());
  }

  reset(): void {
    this.#versions.fill(0);
    for (let thread = 0; thread < this.#threads.length; thread++) this.begin(thread);
  }

  begin(thread: number): void {
    const own = this.#threads[thread];
    own.loops.length = 0;
    own.isInLoop = false;
    own.reads.length = 0;
    own.watchedFrom = -1;
  }

  enter(thread: number): void {
    this.#threads[thread].isInLoop = true;
  }

  changed(thread: number): void {
    this.#threads[thread].changes++;
  }

  repeatRandomChoice(thread: number): void {
    this.#threads[thread].repeats++;
  }

  done(thread: number, kind: number, location: number): void {
    const own = this.#threads[thread];
    if (kind === READ) {
      if (own.isInLoop) own.reads.push(location, this.#versions[location] ?? 0);
    } else if (kind === CHOOSE) own.changes++;
    else if (kind !== NOTHING) {
      own.changes++;
      if (location >= this.#versions.length) this.#versions = grown(this.#versions, location + 1);
      this.#versions[location]++;
    }
  }

  again(thread: number, mark: number, site: number, locals: readonly unknown[]): void {
    const own = this.#threads[thread];
    const loop = this.#loopOf(own, mark, site);
    if (loop === undefined) {
      const { changes, repeats } = own;
      own.loops.push({ mark, site, locals, changes, reads: own.reads.length, repeats, idle: 0, idleFrom: 0 });
      return;
    }
    const isIdle = loop.changes === own.changes && areSame(loop.locals, locals);
    if (own.repeats > loop.repeats) this.#tryChoices(own, loop, isIdle);
    else if (isIdle) own.watchedFrom = loop.reads;
    loop.locals = locals;
    loop.changes = own.changes;
    loop.reads = own.reads.length;
    loop.repeats = own.repeats;
  }

  /** An iteration by luck has ended: whoever asks more than once in each may always get the same together. */
  #tryChoices(own: Thread, loop: Loop, isIdle: boolean): void {
    const hasTried = isIdle && own.repeats === loop.repeats + 1;
    if (loop.idle === 0 || this.#hasChanged(own, loop.idleFrom)) {
      loop.idle = 0;
      loop.idleFrom = loop.reads;
    }
    loop.idle = hasTried ? loop.idle + 1 : 0;
    if (loop.idle >= RANDOM_CHOICES) own.watchedFrom = loop.idleFrom;
  }

  /** Whoever knows the loop by other means tells that its last reads lead back to where they began. */
  spins(thread: number, reads: number): void {
    const own = this.#threads[thread];
    own.watchedFrom = own.reads.length - 2 * reads;
  }

  isSpinning(thread: number): boolean {
    const own = this.#threads[thread];
    if (own.watchedFrom < 0) return false;
    if (!this.#hasChanged(own, own.watchedFrom)) return true;
    own.watchedFrom = -1;
    return false;
  }

  /** Has a location changed since it was read, from some read on? */
  #hasChanged({ reads }: Thread, from: number): boolean {
    for (let i = from; i < reads.length; i += 2)
      if ((this.#versions[reads[i]] ?? 0) !== reads[i + 1]) return true;
    return false;
  }

  /** The record of this run of a loop, if it has had a back edge. Runs inside of it are over. */
  #loopOf({ loops }: Thread, mark: number, site: number): Loop | undefined {
    for (let i = loops.length - 1; i >= 0; i--)
      if (loops[i].mark === mark && loops[i].site === site) {
        loops.length = i + 1;
        return loops[i];
      }
    while (loops.length > 0 && loops[loops.length - 1].mark > mark) loops.pop();
    return undefined;
  }
}

function areSame(before: readonly unknown[], now: readonly unknown[]): boolean {
  for (let i = 0; i < now.length; i++) if (!Object.is(before[i], now[i])) return false;
  return true;
}
