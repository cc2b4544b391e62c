/** Time limits: of an exploration or a part of it, and of single calls that may never return. */
import { runInThisContext } from 'node:vm';
import type { AnyFunction } from '../../base/any-function.js';
import { clock } from '../../base/clock.js';

/** A time limit, with a function that may stop earlier. Any number that grows can be the clock. */
export class Deadline {
  readonly #begin: number;
  readonly #milliseconds: number;
  readonly #isInterrupted: () => boolean;
  /** Called at each clock check. */
  readonly #onLook: () => void;
  readonly #now: () => number;

  constructor(
    milliseconds: number,
    isInterrupted: () => boolean = () => false,
    onLook: () => void = () => {},
    now: () => number = () => clock.now(),
  ) {
    this.#now = now;
    this.#begin = now();
    this.#milliseconds = milliseconds;
    this.#isInterrupted = isInterrupted;
    this.#onLook = onLook;
  }

  get left(): number {
    return this.#milliseconds - (this.#now() - this.#begin);
  }

  get isInterrupted(): boolean {
    return this.#isInterrupted();
  }

  /** Has this share of the time passed? */
  hasExpired(share = 1): boolean {
    this.#onLook();
    if (this.#isInterrupted()) return true;
    return this.#milliseconds !== Number.POSITIVE_INFINITY && this.left <= (1 - share) * this.#milliseconds;
  }

  /** A deadline after a share of the time that is left. */
  fraction(share: number): Deadline {
    return new Deadline(Math.max(0, this.left * share), this.#isInterrupted, this.#onLook, this.#now);
  }
}

/** A call that needs more processor time is taken to spin. */
const TRIAL_MILLISECONDS = 1_000;
/** On a busy machine it is tried again, with more time, up to this often. */
const MOST_TRIALS = 5;
/** The result of a call that spins, or was stopped at its limit. */
export const SPINS: unique symbol = Symbol('spins');
const CALL: unique symbol = Symbol.for('straightedge.call') as never;

/** The result of a call; SPINS if it exceeds the limit of wall-clock time. */
export function withinTime<T>(call: () => T, milliseconds: number): T | typeof SPINS {
  const home = globalThis as unknown as { [CALL]?: AnyFunction };
  const outer = home[CALL];
  home[CALL] = call;
  try {
    return runInThisContext("globalThis[Symbol.for('straightedge.call')]()", {
      timeout: milliseconds,
    }) as T;
  } catch (error) {
    if ((error as { code?: unknown } | undefined)?.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return SPINS;
    throw error;
  } finally {
    if (outer) home[CALL] = outer;
    else delete home[CALL];
  }
}

/** The result of a call that `make` prepares; SPINS only if it had the processor for as long as the limit. */
export function triedOften<T>(
  make: () => () => T,
  processorTime: () => number = () => process.cpuUsage().user / 1_000,
): T | typeof SPINS {
  for (let trial = 0; ; trial++) {
    const before = processorTime();
    const result = withinTime(make(), TRIAL_MILLISECONDS * 2 ** trial);
    const isStarved = processorTime() - before < TRIAL_MILLISECONDS / 2;
    if (result !== SPINS || !isStarved || trial === MOST_TRIALS) return result;
  }
}
