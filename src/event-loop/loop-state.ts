/**
 * What Node's event loop can run next: exactly the callbacks that Node could run, whatever time macrotasks take.
 *
 * A `LoopState` is the set of all configurations (node-timers.ts) after one sequence of callbacks and timer calls, as in the
 * subset construction of automata. So orders of callbacks are the only choices, and each order is explored once.
 *
 * States are hash-consed and remember their transitions: executions with a common prefix compute it once. Invariant: no
 * configuration of a state includes another.
 */
import { invariant } from '../base/errors.js';
import { Configuration, continuePhase, NONE, startPhase } from './node-timers.js';

/** States that are remembered. */
const MOST_STATES = 20_000;

type Operation =
  | 'set'
  | 'clear'
  | 'refresh'
  | 'repeat'
  | 'set immediate'
  | 'clear immediate'
  | 'run timer'
  | 'run immediate'
  | 'run external'
  | 'end callback'
  | 'fix time';

/** An operation of the loop, or of code that runs on it. */
export type LoopEvent = readonly [operation: Operation, subject?: number, flag?: boolean];

/** What can be next: timers by number, the first immediate, a callback from outside. */
export interface NextCallbacks {
  readonly timers: ReadonlySet<number>;
  readonly hasImmediate: boolean;
  readonly hasExternal: boolean;
}

export class LoopState {
  static #made = 0;
  readonly number: number = LoopState.#made++;
  /** The duration of each pending timer, in the order in which they were set or refreshed. */
  readonly #timers: readonly number[];
  /** Immediates of this check phase, and of the next. */
  readonly #batch: number;
  readonly #queued: number;
  readonly #configurations: readonly Configuration[];
  readonly #after = new Map<string, LoopState>();
  #next: (NextCallbacks & { readonly before: ReadonlyMap<number | string, Configuration[]> }) | undefined;

  private constructor(
    timers: readonly number[],
    batch: number,
    queued: number,
    configurations: readonly Configuration[],
  ) {
    this.#timers = timers;
    this.#batch = batch;
    this.#queued = queued;
    this.#configurations = configurations;
  }

  /** Before the first timers phase. `hasClock`: can the time since the start be asked for? */
  static start(hasClock: boolean): LoopState {
    const known = LoopState.#starts.get(hasClock);
    if (known) return known;
    const configuration = new Configuration();
    if (hasClock) configuration.zero = configuration.after(0, 0);
    const state = LoopState.#interned([], 0, 0, [configuration]);
    LoopState.#starts.set(hasClock, state);
    return state;
  }

  static readonly #starts = new Map<boolean, LoopState>();
  static readonly #states = new Map<string, LoopState>();

  static #interned(
    timers: readonly number[],
    batch: number,
    queued: number,
    all: Iterable<Configuration>,
  ): LoopState {
    const kept = withoutIncluded(all);
    const keys = Array.from(kept, (one) => `${one.shape}:${one.times.key}`).sort();
    const key = `${timers.join()} ${batch} ${queued} ${keys.join(' ')}`;
    const states = LoopState.#states;
    const known = states.get(key);
    if (known) return known;
    invariant(kept.length > 0, 'Node cannot run this callback now');
    if (states.size === MOST_STATES) {
      states.clear();
      LoopState.#starts.clear();
    }
    const state = new LoopState(timers, batch, queued, kept);
    states.set(key, state);
    return state;
  }

  after(event: LoopEvent): LoopState {
    const key = event.join();
    let state = this.#after.get(key);
    if (state === undefined) {
      state = this.#apply(event);
      this.#after.set(key, state);
    }
    return state;
  }

  get next(): NextCallbacks {
    return this.#findNext();
  }

  /** The least possible time since the start of the execution. `fix time` makes it the time. */
  get time(): number {
    return Math.min(...this.#configurations.map(({ times, zero, now }) => times.least(zero, now)));
  }

  #apply([operation, subject = 0, flag = false]: LoopEvent): LoopState {
    const batch = this.#batch;
    const queued = this.#queued;
    const timers = this.#timers;
    const same = (step: (one: Configuration) => Iterable<Configuration>, durations = timers) =>
      LoopState.#interned(durations, batch, queued, this.#each(step));
    switch (operation) {
      case 'set':
        return same((one) => one.insert(subject, one.read()), [...timers, subject]);
      case 'repeat':
        return same((one) => one.insert(subject, one.again), [...timers, subject]);
      case 'refresh':
        return same(
          (one) => {
            const isDue = one.due === subject;
            one.removeTimer(subject);
            one.starts.push(one.read());
            if (isDue) one.due = timers.length - 1;
            return [one];
          },
          [...timers.toSpliced(subject, 1), timers[subject]],
        );
      case 'clear': {
        const rest = timers.toSpliced(subject, 1);
        return same((one) => {
          one.removeTimer(subject);
          // Node keeps the empty list of an unref'd timer
          if (flag && !rest.includes(timers[subject])) one.removeList(timers[subject]);
          return [one];
        }, rest);
      }
      case 'set immediate':
        return LoopState.#interned(
          timers,
          batch,
          queued + 1,
          this.#each((one) => [one]),
        );
      case 'clear immediate': {
        const isInBatch = subject < batch;
        return LoopState.#interned(
          timers,
          isInBatch ? batch - 1 : batch,
          isInBatch ? queued : queued - 1,
          this.#each((one) => [one]),
        );
      }
      case 'end callback':
        return same((one) => {
          one.again = NONE;
          return one.at === 'run' ? continuePhase(one, timers) : [one];
        });
      case 'fix time':
        return same((one) => {
          if (!one.times.allows(one.now, one.zero, -subject)) return [];
          one.times.require(one.zero, one.now, subject);
          one.times.require(one.now, one.zero, -subject);
          return [one];
        });
      default:
        return this.#run(operation, subject, flag);
    }
  }

  #run(
    operation: 'run timer' | 'run immediate' | 'run external',
    timer: number,
    isRepeated: boolean,
  ): LoopState {
    const { before } = this.#findNext();
    if (operation === 'run external')
      return LoopState.#interned(this.#timers, 0, this.#queued, copies(before.get(operation)));
    if (operation === 'run immediate') {
      const isInBatch = this.#batch > 0;
      const configurations = copies(before.get(operation)).map((one) => Object.assign(one, { at: 'check' }));
      return isInBatch
        ? LoopState.#interned(this.#timers, this.#batch - 1, this.#queued, configurations)
        : LoopState.#interned(this.#timers, this.#queued - 1, 0, configurations);
    }
    const configurations = copies(before.get(timer)).map((one) => {
      one.removeTimer(timer);
      one.at = 'run';
      if (isRepeated) one.again = one.read();
      return one;
    });
    return LoopState.#interned(this.#timers.toSpliced(timer, 1), 0, this.#queued, configurations);
  }

  *#each(step: (one: Configuration) => Iterable<Configuration>): Generator<Configuration> {
    for (const one of this.#configurations) yield* step(one.copy());
  }

  /** Runs the loop from each configuration up to the next callbacks. */
  #findNext() {
    if (this.#next) return this.#next;
    const before = new Map<number | string, Configuration[]>();
    const emit = (event: number | string, one: Configuration) =>
      before.set(event, [...(before.get(event) ?? []), one.copy().normal()]);
    const seen: Configuration[] = [];
    const open = [...this.#each((one) => [one])];
    for (let one = open.pop(); one !== undefined; one = open.pop()) {
      one.normal();
      if (seen.some((other) => includes(other, one!))) continue;
      seen.push(one.copy());
      if (one.at === 'due' && one.due !== NONE) emit(one.due, one);
      else if (one.at === 'due' || one.at === 'chosen' || one.at === 'run')
        open.push(...continuePhase(one, this.#timers));
      else if (one.at === 'check' && this.#batch > 0) emit('run immediate', one);
      else if (one.at === 'poll') {
        emit('run external', one);
        if (this.#queued > 0) emit('run immediate', one);
        else open.push(Object.assign(one, { at: 'start' }));
      } else open.push(...startPhase(one));
    }
    this.#next = {
      before,
      timers: new Set([...before.keys()].filter((event) => typeof event === 'number')),
      hasImmediate: before.has('run immediate'),
      hasExternal: before.has('run external'),
    };
    return this.#next;
  }
}

const copies = (all: readonly Configuration[] = []): Configuration[] => all.map((one) => one.copy());

const includes = (one: Configuration, other: Configuration): boolean =>
  one.shape === other.shape && one.times.includes(other.times);

function withoutIncluded(all: Iterable<Configuration>): Configuration[] {
  let kept: Configuration[] = [];
  for (const one of all) {
    one.normal();
    if (kept.some((other) => includes(other, one))) continue;
    kept = [...kept.filter((other) => !includes(one, other)), one];
  }
  return kept;
}
