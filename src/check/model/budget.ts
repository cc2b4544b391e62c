/**
 * The loop around a search: a little fuel at a time, limits looked at in between.
 *
 * One budget serves all searches of a check, so that a limit holds for the whole.
 */
import type { Answer, Search } from './search.js';
import type { Exhausted } from './verdict.js';

export interface Limits {
  /** Steps tried, over all parts. */
  readonly steps?: number | undefined;
  readonly milliseconds?: number | undefined;
  /** Memory in tables of searches and machines, or, with `resident`, of the whole process. */
  readonly bytes?: number | undefined;
  /** How much memory the process has now; asked between steps. */
  readonly resident?: (() => number) | undefined;
  /** Gives back memory that nobody needs; called where it seems to run out, now and then. */
  readonly tidy?: (() => void) | undefined;
  /** Asked between steps; true ends the check. */
  readonly interrupted?: (() => boolean) | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

/** A share of a budget, for another thread. */
export interface Share {
  readonly milliseconds: number;
  readonly bytes: number | undefined;
  /** Are the bytes those of the whole process? */
  readonly isResident: boolean;
}

export interface Progress {
  /** Returns that some order explains, in all parts finished and the one under way. */
  readonly explained: number;
  readonly steps: number;
}

/** What else there is to know about a run of a search. */
interface Run {
  /** Memory that the search does not count. */
  readonly otherBytes: () => number;
  /** Has somebody else the answer? */
  readonly isOvertaken: () => boolean;
  /** So many steps of it, then it pauses. */
  readonly pauseAt: number;
}

type AnySearch = Search<unknown>;

/** Fuel between two looks at the limits: as much as lasts some milliseconds. */
const LEAST_SIP = 16;
const MOST_SIP = 10_000;
const SIP_MILLISECONDS = 5;
/** After tidying, so much of the limit may be taken at most to go on. */
const ENOUGH_ROOM = 0.9;
/** The largest table that can be made. */
const MOST_BYTES = 2 ** 33;

export class Budget {
  steps = 0;
  configurations = 0;
  /** The names of the searches that were run. */
  readonly searches: Set<string> = new Set();
  readonly #limits: Limits;
  readonly #deadline: number;
  /** What the process had before any search began. */
  readonly #residentBefore: number;
  #sip = LEAST_SIP;
  #tidyAgainAt = 0;
  readonly #paused = new WeakMap<AnySearch, number>();
  #pausedBytes = 0;
  #explained = 0;
  readonly #counted = new WeakMap<AnySearch, Pick<Search, 'steps' | 'configurations' | 'explained'>>();
  #hasRunOut = false;

  constructor(limits: Limits) {
    for (const name of ['steps', 'milliseconds', 'bytes'] as const) {
      const limit = limits[name];
      if (limit !== undefined && !(typeof limit === 'number' && limit >= 0))
        throw new TypeError(`${limit} as limit of ${name}; expected a number from 0`);
      if (
        name === 'steps' &&
        limit !== undefined &&
        !Number.isInteger(limit) &&
        limit !== Number.POSITIVE_INFINITY
      )
        throw new TypeError(`${limit} as limit of steps; expected a whole number`);
    }
    this.#limits = limits;
    this.#residentBefore = limits.resident?.() ?? 0;
    this.#deadline = performance.now() + (limits.milliseconds ?? Number.POSITIVE_INFINITY);
  }

  /** Has a search of it been given up, or is it too late for another? */
  get isSpent(): boolean {
    return this.#hasRunOut || performance.now() > this.#deadline;
  }

  /** What is left for one of several who work on it at the same time, as data. */
  shareOf(workers: number): Share {
    const { bytes, resident } = this.#limits;
    return {
      milliseconds: Math.max(0, this.#deadline - performance.now()),
      // whoever helps gives way first
      bytes: bytes === undefined ? undefined : resident ? bytes / 2 : bytes / workers,
      isResident: resident !== undefined,
    };
  }

  /** Adds what others have done. */
  add(done: { steps: number; configurations: number; searches: readonly string[] }): void {
    this.steps += done.steps;
    this.configurations += done.configurations;
    for (const name of done.searches) this.searches.add(name);
  }

  /** What has run out already, before another search is begun. */
  get met(): Exhausted | undefined {
    return this.#exhausted(() => this.#pausedBytes);
  }

  /** Is there room for this much, beside what there was before any search? */
  affords(bytes: number): boolean {
    return this.#residentBefore + bytes <= Math.min(this.#limits.bytes ?? MOST_BYTES, MOST_BYTES);
  }

  /** Does the process have room for this much, beside what it has now? */
  affordsMore(bytes: number): boolean {
    return affordsMore(bytes, this.#limits);
  }

  /**
   * Runs a search to its answer or to a limit; until somebody else has the answer; or until it
   * has taken so many steps since it was begun, after which it can be run again.
   */
  run<A extends object = Answer>(
    search: Search<A>,
    more: Partial<Run> = {},
  ): A | Exhausted | 'overtaken' | 'paused' {
    const { otherBytes = () => 0, isOvertaken = () => false, pauseAt = Number.POSITIVE_INFINITY } = more;
    this.#resume(search);
    for (;;) {
      const answer = this.#sipOf(search, pauseAt);
      this.#count(search);
      this.#limits.onProgress?.({ explained: this.#explained, steps: this.steps });
      if (!answer && isOvertaken()) return 'overtaken';
      const end = answer ?? this.#exhausted(() => search.bytes + otherBytes() + this.#pausedBytes);
      if (end) {
        this.#hasRunOut ||= typeof end === 'string';
        this.searches.add(search.name);
        return end;
      }
      if (search.steps >= pauseAt) return this.#pause(search);
    }
  }

  /** A search that is paused keeps its tables. */
  #pause(search: AnySearch): 'paused' {
    this.#paused.set(search, search.bytes);
    this.#pausedBytes += search.bytes;
    return 'paused';
  }

  #resume(search: AnySearch): void {
    this.#pausedBytes -= this.#paused.get(search) ?? 0;
    this.#paused.delete(search);
  }

  /** Adds what a search has done since it was counted last. */
  #count(search: AnySearch): void {
    const { steps, configurations, explained } = search;
    const before = this.#counted.get(search);
    this.steps += steps - (before?.steps ?? 0);
    this.configurations += configurations - (before?.configurations ?? 0);
    this.#explained += explained - (before?.explained ?? 0);
    this.#counted.set(search, { steps, configurations, explained });
  }

  /** Some milliseconds of a search. */
  #sipOf<A>(search: Search<A>, pauseAt: number): A | undefined {
    const begin = performance.now();
    const left = (this.#limits.steps ?? Number.POSITIVE_INFINITY) - this.steps;
    const answer = search.advance(Math.max(0, Math.min(this.#sip, left, pauseAt - search.steps)));
    const took = performance.now() - begin;
    if (took > SIP_MILLISECONDS) this.#sip = Math.max(LEAST_SIP, this.#sip >>> 1);
    else if (took < SIP_MILLISECONDS / 4) this.#sip = Math.min(MOST_SIP, this.#sip << 1);
    return answer;
  }

  #exhausted(tables: () => number): Exhausted | undefined {
    const { steps, interrupted } = this.#limits;
    if (interrupted?.()) return 'interrupted';
    if (this.steps >= (steps ?? Number.POSITIVE_INFINITY)) return 'steps';
    if (this.#isFull(tables)) return 'memory';
    return performance.now() > this.#deadline ? 'time' : undefined;
  }

  #isFull(tables: () => number): boolean {
    const { bytes, resident, tidy } = this.#limits;
    if (bytes === undefined) return false;
    if (this.#residentBefore + tables() > bytes) return true;
    if (resident === undefined || resident() <= bytes) return false;
    const now = performance.now();
    if (!tidy || now < this.#tidyAgainAt) return true;
    tidy();
    // at most a twentieth of the time goes into it
    const end = performance.now();
    this.#tidyAgainAt = end + 20 * (end - now);
    return resident() > ENOUGH_ROOM * bytes;
  }
}

/** Does a process, where it is limited, have room for this much, beside what it has now? */
export function affordsMore(more: number, { bytes, resident }: Limits): boolean {
  return bytes === undefined || resident === undefined || resident() + more <= bytes;
}
