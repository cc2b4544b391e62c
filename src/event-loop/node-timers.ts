/**
 * Node's timers in symbolic time: the algorithm of `lib/internal/timers.js` and of `uv_run` in libuv 1.45 or newer.
 *
 * An instant is a variable. A comparison of times holds, or fails, or both are possible; then both are followed. Macrotasks
 * may take any time, so only this is known: a later reading of the clock is not smaller. Node reads the clock once for each
 * timer that is set, for each repeating timer that fires, and for each timers phase. It decides what follows a timer before
 * it runs the microtasks of that timer.
 *
 * The microtasks of the last timer of a phase run when Node has set libuv's timer again. If they read the clock, libuv before
 * 1.48 notices that its timer has expired meanwhile, and starts another timers phase at once: before immediates, and before
 * callbacks from outside. Later versions look only at timers that had expired before the phase.
 */

/** No instant, no timer, no list. */
export const NONE = -1;

/**
 * Where Node stands:
 *
 *   start    before a timers phase       poll    in a poll phase, or before it
 *   check    after an immediate          run     in the synchronous part of a timer
 *   due      the timer `due` is next     chosen  the list `list` is next
 *   end      after the last timer of a phase
 */
type Position = 'start' | 'poll' | 'check' | 'run' | 'due' | 'chosen' | 'end';

/** Does libuv look at its timers again at the end of a timers phase? */
const [major, minor] = process.versions.uv.split('.').map(Number);
const LOOKS_AGAIN = major === 1 && minor < 48;
const AFTER_TIMERS = LOOKS_AGAIN ? 'end' : 'poll';

/** The timers of one duration. `expiry` is an instant. */
interface List {
  readonly duration: number;
  readonly expiry: number;
}

/** A state of Node, with the bounds on its instants. */
export class Configuration {
  at: Position = 'start';
  /** The duration of the list that a timers phase is at, unless the list was removed. */
  list: number = NONE;
  due: number = NONE;
  times: DifferenceConstraints = new DifferenceConstraints(1);
  /** Instants: the last reading of the clock, the start of the execution, the time of the timers phase. */
  now = 0;
  zero: number = NONE;
  phase: number = NONE;
  /** Instants: when libuv wakes Node's timers, Node's `nextExpiry`, the `start` of a repeating timer that runs. */
  wake: number = NONE;
  next: number = NONE;
  again: number = NONE;
  /** The instant at which each timer was set, in the order of the timers. */
  starts: number[] = [];
  /** Oldest id first. */
  lists: List[] = [];

  copy(): Configuration {
    const copy = Object.assign(new Configuration(), this);
    copy.starts = [...this.starts];
    copy.lists = [...this.lists];
    copy.times = this.times.project([...Array(this.times.instants).keys()]);
    return copy;
  }

  /** An instant that is `offset` after another. */
  after(instant: number, offset: number): number {
    const made = this.times.addInstant();
    this.times.require(instant, made, offset);
    this.times.require(made, instant, -offset);
    return made;
  }

  /** Reads the clock. */
  read(): number {
    const made = this.times.addInstant();
    this.times.require(this.now, made, 0);
    this.now = this.after(made, 0);
    return made;
  }

  /** Is `to` at least `least` after `from`? Both answers, each with its configuration, if both are possible. */
  *decide(from: number, to: number, least: number): Generator<readonly [isTrue: boolean, Configuration]> {
    const isPossible = this.times.allows(from, to, least);
    if (this.times.allows(to, from, 1 - least)) {
      const other = isPossible ? this.copy() : this;
      other.times.require(to, from, 1 - least);
      yield [false, other];
    }
    if (!isPossible) return;
    this.times.require(from, to, least);
    yield [true, this];
  }

  removeList(duration: number): void {
    this.lists = this.lists.filter((list) => list.duration !== duration);
    if (this.list === duration) this.list = NONE;
  }

  /** `insert` of Node: the timer comes last, in the list of its duration. */
  *insert(duration: number, start: number): Generator<Configuration> {
    this.starts.push(start);
    if (this.lists.some((list) => list.duration === duration)) {
      yield this;
      return;
    }
    const expiry = this.after(start, duration);
    this.lists.push({ duration, expiry });
    const answers = this.next === NONE ? [[true, this] as const] : this.decide(expiry, this.next, 1);
    for (const [isSooner, one] of answers) {
      if (isSooner) {
        one.wake = one.after(one.now, duration);
        one.next = expiry;
      }
      yield one;
    }
  }

  removeTimer(timer: number): void {
    this.starts.splice(timer, 1);
    if (this.due === timer) this.due = NONE;
    else if (this.due > timer) this.due--;
  }

  /** Instants that matter, in a fixed order. Outside of a timers phase, the last reading is only a lower bound. */
  normal(): this {
    const isInPhase = this.at === 'run' || this.at === 'due' || this.at === 'chosen';
    if (!isInPhase) {
      this.phase = NONE;
      this.list = NONE;
    }
    if (!isInPhase && this.at !== 'end') this.times.delay(this.now);
    const single = ['now', 'zero', 'phase', 'wake', 'next', 'again'] as const;
    const kept: number[] = [];
    const keep = (instant: number) => (instant === NONE ? NONE : kept.push(instant) - 1);
    for (const name of single) this[name] = keep(this[name]);
    this.starts = this.starts.map(keep);
    this.lists = this.lists.map(({ duration, expiry }) => ({ duration, expiry: keep(expiry) }));
    this.times = this.times.project(kept);
    return this;
  }

  /** Of a normal configuration: all but the bounds. */
  get shape(): string {
    const { at, list, due, zero, phase, wake, next, again } = this;
    const lists = this.lists.map(({ duration }) => duration);
    return [at, list, due, zero, phase, wake, next, again, this.starts.length, ...lists].join();
  }
}

/** `listOnTimeout` and `processTimers` of Node, from the head of the current list up to the next callback or the end of the phase. */
export function* continuePhase(given: Configuration, timers: readonly number[]): Generator<Configuration> {
  if (given.list !== NONE) {
    const duration = given.list;
    const head = timers.indexOf(duration);
    if (head === NONE) given.removeList(duration);
    else
      for (const [isDue, one] of given.decide(given.starts[head], given.phase, duration)) {
        if (isDue) {
          one.at = 'due';
          one.due = head;
          yield one;
          continue;
        }
        one.lists = [
          ...one.lists.filter((list) => list.duration !== duration),
          { duration, expiry: one.after(one.starts[head], duration) },
        ];
        one.list = NONE;
        yield* nextList(one);
      }
    if (head !== NONE) return;
  }
  yield* nextList(given);
}

/** Chooses the next list by expiry and id, or ends the phase. */
function* nextList(given: Configuration): Generator<Configuration> {
  if (given.lists.length === 0) {
    given.at = AFTER_TIMERS;
    yield given;
    return;
  }
  for (const [first, one] of firstList(given, 0, 1)) {
    const { duration, expiry } = one.lists[first];
    for (const [isDue, two] of one.decide(expiry, one.phase, 0)) {
      if (isDue) {
        two.at = 'chosen';
        two.list = duration;
        yield two;
        continue;
      }
      for (const [isLater, three] of two.decide(two.now, expiry, 1)) {
        three.next = three.after(expiry, 0);
        three.wake = isLater ? three.after(expiry, 0) : three.after(three.now, 1);
        three.at = AFTER_TIMERS;
        yield three;
      }
    }
  }
}

/** The list with the least expiry, the older one of two: `best` of those before `other`. */
function* firstList(
  given: Configuration,
  best: number,
  other: number,
): Generator<readonly [number, Configuration]> {
  if (other === given.lists.length) {
    yield [best, given];
    return;
  }
  const { lists } = given;
  for (const [isFirst, one] of given.decide(lists[best].expiry, lists[other].expiry, 0))
    yield* firstList(one, isFirst ? best : other, other + 1);
}

/**
 * A timers phase runs if libuv's timer has expired; poll follows otherwise. libuv reads the clock before; at the end of a phase,
 * it has the last reading.
 */
export function* startPhase(given: Configuration): Generator<Configuration> {
  if (given.wake === NONE) {
    given.at = 'poll';
    yield given;
    return;
  }
  const time = given.at === 'end' ? given.now : given.read();
  for (const [isAwake, one] of given.decide(given.wake, time, 0)) {
    if (!isAwake) {
      one.at = 'poll';
      yield one;
      continue;
    }
    one.phase = one.at === 'end' ? one.read() : time;
    one.wake = NONE;
    one.next = NONE;
    yield* nextList(one);
  }
}

// A system of difference constraints x[to] - x[from] >= least over whole numbers, kept closed: every bound that follows from
// others is known.
//
// R. Dechter, I. Meiri, J. Pearl. Temporal constraint networks. Artificial Intelligence 49, 1991, section 3.
//
// A solution exists if and only if no cycle of bounds has a positive sum. Invariant: the system has a solution, and the bound
// between two instants is the longest path between them. So systems with the same solutions are equal, and dropping an
// instant is a projection. Cost, for n instants: a query is O(1), a bound or a copy is O(n²).

export class DifferenceConstraints {
  /** The bounds of instant i are row i. */
  #rows: number[][];

  constructor(instants = 0) {
    this.#rows = [];
    for (let i = 0; i < instants; i++) this.addInstant();
  }

  get instants(): number {
    return this.#rows.length;
  }

  /** Adds an instant without bounds and returns its number. */
  addInstant(): number {
    const number = this.#rows.length;
    for (const row of this.#rows) row.push(Number.NEGATIVE_INFINITY);
    this.#rows.push([...new Array<number>(number).fill(Number.NEGATIVE_INFINITY), 0]);
    return number;
  }

  /** The greatest known bound. */
  least(from: number, to: number): number {
    return this.#rows[from][to];
  }

  /** Does the system have a solution with this bound? */
  allows(from: number, to: number, least: number): boolean {
    return this.#rows[to][from] + least <= 0;
  }

  /** Adds a bound that the system allows. */
  require(from: number, to: number, least: number): void {
    const target = this.#rows[to];
    if (target[from] + least > 0) throw new RangeError('the bound has no solution');
    if (this.#rows[from][to] >= least) return;
    for (const row of this.#rows) {
      const start = row[from] + least;
      if (start === Number.NEGATIVE_INFINITY) continue;
      for (let j = 0; j < row.length; j++) if (start + target[j] > row[j]) row[j] = start + target[j];
    }
  }

  /** Drops all bounds from an instant, so that it may be arbitrarily late. */
  delay(instant: number): void {
    this.#rows[instant].fill(Number.NEGATIVE_INFINITY);
    this.#rows[instant][instant] = 0;
  }

  /** A copy with these instants only, numbered in this order. */
  project(instants: readonly number[]): DifferenceConstraints {
    const projected = new DifferenceConstraints();
    projected.#rows = instants.map((i) => instants.map((j) => this.#rows[i][j]));
    return projected;
  }

  /** Is every solution of another system, over the same instants, one of this system? */
  includes(other: DifferenceConstraints): boolean {
    return this.#rows.every((row, i) => row.every((least, j) => least <= other.#rows[i][j]));
  }

  /** Equal for equal systems. */
  get key(): string {
    return this.#rows.join(';');
  }
}
