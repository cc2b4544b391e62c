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

/** Fuel between two looks at the limits: as much as lasts some milliseconds. */
const LEAST_SIP = 100;
const MOST_SIP = 10_000;
const SIP_MILLISECONDS = 5;
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
  #explained = 0;
  #hasRunOut = false;

  constructor(limits: Limits) {
    for (const name of ['steps', 'milliseconds', 'bytes'] as const) {
      const limit = limits[name];
      if (limit !== undefined && !(typeof limit === 'number' && limit >= 0))
        throw new TypeError(`${limit} as limit of ${name}; expected a number from 0`);
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
      bytes: resident || bytes === undefined ? bytes : bytes / workers,
      isResident: resident !== undefined,
    };
  }

  /** Adds what others have done. */
  add(done: { steps: number; configurations: number; searches: readonly string[] }): void {
    this.steps += done.steps;
    this.configurations += done.configurations;
    for (const name of done.searches) this.searches.add(name);
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
   * Runs a search to its answer, to a limit, or until somebody else has the answer.
   * `otherBytes`: memory that the search does not count.
   */
  run(search: Search, otherBytes: () => number): Answer | Exhausted;
  run(search: Search, otherBytes: () => number, isOvertaken: () => boolean): Answer | Exhausted | 'overtaken';
  run(
    search: Search,
    otherBytes: () => number,
    isOvertaken: () => boolean = () => false,
  ): Answer | Exhausted | 'overtaken' {
    let counted = search.steps;
    for (;;) {
      const answer = this.#sipOf(search);
      this.steps += search.steps - counted;
      counted = search.steps;
      this.#limits.onProgress?.({ explained: this.#explained + search.explained, steps: this.steps });
      const end =
        answer ?? (isOvertaken() ? 'overtaken' : this.#exhausted(() => search.bytes + otherBytes()));
      if (end === undefined) continue;
      this.#explained += search.explained;
      this.configurations += search.configurations;
      this.searches.add(search.name);
      this.#hasRunOut ||= typeof end === 'string';
      return end;
    }
  }

  /** Some milliseconds of a search. */
  #sipOf(search: Search): Answer | undefined {
    const begin = performance.now();
    const left = (this.#limits.steps ?? Number.POSITIVE_INFINITY) - this.steps;
    const answer = search.advance(Math.min(this.#sip, left));
    const took = performance.now() - begin;
    if (took > SIP_MILLISECONDS) this.#sip = Math.max(LEAST_SIP, this.#sip >>> 1);
    else if (took < SIP_MILLISECONDS / 4) this.#sip = Math.min(MOST_SIP, this.#sip << 1);
    return answer;
  }

  #exhausted(tables: () => number): Exhausted | undefined {
    const { steps, bytes, interrupted, resident } = this.#limits;
    if (interrupted?.()) return 'interrupted';
    if (this.steps >= (steps ?? Number.POSITIVE_INFINITY)) return 'steps';
    if (
      bytes !== undefined &&
      (this.#residentBefore + tables() > bytes || (resident !== undefined && resident() > bytes))
    )
      return 'memory';
    return performance.now() > this.#deadline ? 'time' : undefined;
  }
}

/** Does a process, where it is limited, have room for this much, beside what it has now? */
export function affordsMore(more: number, { bytes, resident }: Limits): boolean {
  return bytes === undefined || resident === undefined || resident() + more <= bytes;
}
