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
  /** Memory in tables of searches and machines. */
  readonly bytes?: number | undefined;
  /** Asked between steps; true ends the check. */
  readonly interrupted?: (() => boolean) | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
}

export interface Progress {
  /** Returns that some order explains, in all parts finished and the one under way. */
  readonly explained: number;
  readonly steps: number;
}

/** Fuel between two looks at the limits: some milliseconds of work. */
const SIP = 10_000;
/** The largest table that can be made. */
const MOST_BYTES = 2 ** 33;

export class Budget {
  steps = 0;
  configurations = 0;
  /** The names of the searches that were run. */
  readonly searches: Set<string> = new Set();
  readonly #limits: Limits;
  readonly #deadline: number;
  #explained = 0;
  #hasRunOut = false;

  constructor(limits: Limits) {
    for (const name of ['steps', 'milliseconds', 'bytes'] as const) {
      const limit = limits[name];
      if (limit !== undefined && !(typeof limit === 'number' && limit >= 0))
        throw new TypeError(`${limit} as limit of ${name}; expected a number from 0`);
    }
    this.#limits = limits;
    this.#deadline = performance.now() + (limits.milliseconds ?? Number.POSITIVE_INFINITY);
  }

  /** Has a search of it been given up, or is it too late for another? */
  get isSpent(): boolean {
    return this.#hasRunOut || performance.now() > this.#deadline;
  }

  /** Is there room for this much? */
  affords(bytes: number): boolean {
    return bytes <= Math.min(this.#limits.bytes ?? MOST_BYTES, MOST_BYTES);
  }

  /** Runs a search to its answer or to a limit. `otherBytes`: memory that the search does not count. */
  run(search: Search, otherBytes: () => number): Answer | Exhausted {
    const stepsBefore = this.steps;
    const {
      steps: most = Number.POSITIVE_INFINITY,
      bytes = Number.POSITIVE_INFINITY,
      interrupted,
      onProgress,
    } = this.#limits;
    for (;;) {
      const answer = search.advance(Math.min(SIP, most - this.steps));
      this.steps = stepsBefore + search.steps;
      onProgress?.({ explained: this.#explained + search.explained, steps: this.steps });
      const end =
        answer ??
        (interrupted?.()
          ? 'interrupted'
          : this.steps >= most
            ? 'steps'
            : search.bytes + otherBytes() > bytes
              ? 'memory'
              : performance.now() > this.#deadline
                ? 'time'
                : undefined);
      if (end === undefined) continue;
      this.#explained += search.explained;
      this.configurations += search.configurations;
      this.searches.add(search.name);
      this.#hasRunOut ||= typeof end === 'string';
      return end;
    }
  }
}
