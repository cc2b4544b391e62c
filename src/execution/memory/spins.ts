/**
 * Exact detection of loop iterations that change nothing: no threshold, no annotation.
 *
 * At a back edge a coroutine passes the locals that outlive the iteration. If they equal those of the last back edge of this run of the loop,
 * and the thread has changed nothing in between, shared or its own, then the iteration led back to its start state: the thread *spins*.
 * Repeating the iteration is pointless until a location that it read changes, so until then the thread is not scheduled. If no other
 * thread is enabled, the program is stuck, and reports call that a deadlock.
 *
 * A location counts as changed since it was read in the iteration, not since the back edge, because another thread may have written in
 * between. An inner loop has a record of its own, and its writes are writes of the outer loop too.
 *
 * Cost: O(1) per access, O(locals + reads of the iteration) per back edge.
 */
import { grown } from '../../base/collections/ints.js';
import { CHOOSE, NOTHING, READ } from './access.js';
import type { Locations } from './locations.js';

/** A run of a loop, as it was at its last back edge. */
interface Loop {
  readonly mark: number;
  readonly site: number;
  locals: readonly unknown[];
  /** The number of changes by the thread, and of its reads. */
  changes: number;
  reads: number;
  /** The number of repeated random choices. */
  repeats: number;
  /** The number of consecutive iterations with a random choice that led back to their start; their reads start here in `reads`. */
  idle: number;
  idleFrom: number;
}

/** The number of distinct random values, which come in turn: a spinning loop has to try them all. */
const RANDOM_CHOICES = 3;

/** One thread, in one call. */
class Thread {
  /** Outer loops first. */
  readonly loops: Loop[] = [];
  isInLoop = false;
  changes = 0;
  repeats = 0;
  /** Locations read, each before the version it had; and the number of entries in use. */
  readonly reads: number[] = [];
  readCount = 0;
  /** A spinning thread waits for a change of the `reads` from this index on; -1: it does not spin. */
  watchedFrom = -1;
}

/** Which locations overlap (locations.ts). */
type Slots = Pick<Locations, 'recordedIn' | 'consults'>;
/** No two locations overlap. */
const ALONE: Slots = { recordedIn: [], consults: [] };

export class Spins {
  readonly #threads: readonly Thread[];
  /** Slot to the number of changes of its locations. */
  #versions: Int32Array = new Int32Array(64);

  readonly #locations: Slots;

  constructor(threads: number, locations: Slots = ALONE) {
    this.#locations = locations;
    this.#threads = Array.from({ length: threads }, () => new Thread());
  }

  reset(): void {
    this.#versions.fill(0);
    for (let thread = 0; thread < this.#threads.length; thread++) this.begin(thread);
  }

  begin(thread: number): void {
    const own = this.#threads[thread];
    while (own.loops.length > 0) own.loops.pop();
    own.isInLoop = false;
    own.readCount = 0;
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
      if (!own.isInLoop || location < 0) return;
      own.reads[own.readCount++] = location;
      own.reads[own.readCount++] = this.#versionOf(location);
    } else if (kind === CHOOSE) own.changes++;
    else if (kind !== NOTHING) {
      own.changes++;
      const slots = this.#locations.recordedIn[location];
      if (slots === undefined) this.#change(location);
      else for (let i = 0; i < slots.length; i++) this.#change(slots[i]);
    }
  }

  #change(slot: number): void {
    if (slot >= this.#versions.length) this.#versions = grown(this.#versions, slot + 1);
    this.#versions[slot]++;
  }

  /** The number of changes of a location and of those that overlap with it. */
  #versionOf(location: number): number {
    const slots = this.#locations.consults[location];
    if (slots === undefined) return this.#versions[location] ?? 0;
    let version = 0;
    for (let i = 0; i < slots.length; i++) version += this.#versions[slots[i]] ?? 0;
    return version;
  }

  again(thread: number, mark: number, site: number, locals: readonly unknown[]): void {
    const own = this.#threads[thread];
    const loop = this.#loopOf(own, mark, site);
    if (loop === undefined) {
      const { changes, repeats, readCount: reads } = own;
      own.loops.push({ mark, site, locals, changes, reads, repeats, idle: 0, idleFrom: 0 });
      return;
    }
    const isIdle = loop.changes === own.changes && areSame(loop.locals, locals);
    if (own.repeats > loop.repeats) this.#tryChoices(own, loop, isIdle);
    else if (isIdle) own.watchedFrom = loop.reads;
    loop.locals = locals;
    loop.changes = own.changes;
    loop.reads = own.readCount;
    loop.repeats = own.repeats;
  }

  /** An iteration with random choices has ended. With several choices it does not count, because not all combinations may come up. */
  #tryChoices(own: Thread, loop: Loop, isIdle: boolean): void {
    const hasTried = isIdle && own.repeats === loop.repeats + 1;
    if (loop.idle === 0 || this.#hasChanged(own, loop.idleFrom)) {
      loop.idle = 0;
      loop.idleFrom = loop.reads;
    }
    loop.idle = hasTried ? loop.idle + 1 : 0;
    if (loop.idle >= RANDOM_CHOICES) own.watchedFrom = loop.idleFrom;
  }

  /** The last reads of a thread led back to their start state. For loops that are recognised by other means. */
  spins(thread: number, reads: number): void {
    const own = this.#threads[thread];
    own.watchedFrom = own.readCount - 2 * reads;
  }

  isSpinning(thread: number): boolean {
    const own = this.#threads[thread];
    if (own.watchedFrom < 0) return false;
    if (!this.#hasChanged(own, own.watchedFrom)) return true;
    own.watchedFrom = -1;
    return false;
  }

  /** Has a location of the reads from an index on changed since its read? */
  #hasChanged({ reads, readCount }: Thread, from: number): boolean {
    for (let i = from; i < readCount; i += 2) if (this.#versionOf(reads[i]) !== reads[i + 1]) return true;
    return false;
  }

  /** The record of this run of a loop, if it has had a back edge. Drops the records of inner loops. */
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
