/**
 * The loop around a search: a slice of steps at a time, with the limits checked in between.
 *
 * One budget serves all searches of a check, so that a limit holds for the whole check. The explanation of a violation
 * has step budgets of its own (`explanation`), and the time limit of the check.
 *
 * Slices decide which of several searches finishes first. So their length is a function of the steps so far: the clock
 * decides only when a time limit is reached.
 */
import { clock } from '../../base/clock.js';
import { show } from '../../base/values/show.js';
import { specCalls } from '../../spec/machine/state-space.js';
import type { Search, SearchResult } from './search.js';
import type { LimitReason } from './verdict.js';

/** When to stop without a decision. */
export interface Limits {
  /**
   * Wall-clock time: milliseconds, or a text such as `'60s'`. A violation that was found by then has two more seconds to
   * be explained; if that is not enough, the counterexample says so (`cutBy`).
   */
  readonly timeout?: number | string | undefined;
  /** Memory in the tables of searches and state machines: bytes, or a text such as `'4gb'`. */
  readonly maxMemory?: number | string | undefined;
  /** Steps of all searches together. */
  readonly maxSteps?: number | undefined;
  /** Polled every few milliseconds; `true` stops. */
  readonly shouldStop?: (() => boolean) | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** @internal With it, `maxMemory` limits the whole process. */
  readonly processMemory?: ProcessMemory | undefined;
}

/** Memory of the process that a check runs in. */
export interface ProcessMemory {
  /** Its resident bytes. */
  readonly resident: () => number;
  /** Whether more than `limit` bytes are in use, and unused memory cannot be freed. Default: whether more are resident. */
  readonly isFull?: (limit: number) => boolean;
}

export interface Progress {
  /** Returns that some linearization includes, in all finished parts and the current one. */
  readonly explained: number;
  readonly steps: number;
}

/** Limits in milliseconds and bytes. */
export interface ResolvedLimits extends Limits {
  readonly timeout?: number | undefined;
  readonly maxMemory?: number | undefined;
}

/* Times and sizes as users write them: a number, or a text with a unit. */

const TIME_UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 } as const;
const SIZE_UNITS = { kb: 2 ** 10, mb: 2 ** 20, gb: 2 ** 30 } as const;

export const TIME_EXAMPLE = 'a time such as 500ms, 60s or 5m';
export const SIZE_EXAMPLE = 'a size such as 512mb or 4gb';

/** `500ms`, `60s`, `5m` in milliseconds; undefined for any other text. */
export const parseTime = (text: string): number | undefined => parse(text, TIME_UNITS);

/** `512mb`, `4gb` in bytes; undefined for any other text. */
export const parseSize = (text: string): number | undefined => parse(text.toLowerCase(), SIZE_UNITS);

function parse(text: string, units: Readonly<Record<string, number>>): number | undefined {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)([a-z]+)$/.exec(text) ?? [];
  if (unit === undefined || !Object.hasOwn(units, unit) || Number(amount) === 0) return undefined;
  return Number(amount) * units[unit];
}

/** Validates limits and reads their units. */
export function resolveLimits<L extends Limits>(limits: L): L & ResolvedLimits {
  const { maxSteps } = limits;
  if (maxSteps !== undefined && !isLimit(maxSteps, Number.isInteger))
    throw new TypeError(`invalid maxSteps ${show(maxSteps)}; expected a whole number from 0`);
  return {
    ...limits,
    timeout: quantity('timeout', limits.timeout, parseTime, `milliseconds or ${TIME_EXAMPLE}`),
    maxMemory: quantity('maxMemory', limits.maxMemory, parseSize, `bytes or ${SIZE_EXAMPLE}`),
  };
}

/** Reads a memory limit: bytes, or a text such as `'4gb'`. */
export const resolveMemory = (limit: number | string): number =>
  quantity('maxMemory', limit, parseSize, `bytes or ${SIZE_EXAMPLE}`) as number;

function quantity(
  option: string,
  limit: number | string | undefined,
  parse: (text: string) => number | undefined,
  expected: string,
): number | undefined {
  const amount = typeof limit === 'string' ? parse(limit) : limit;
  if (limit === undefined || (amount !== undefined && isLimit(amount, () => true))) return amount;
  throw new TypeError(`invalid ${option} ${show(limit)}; expected ${expected}`);
}

const isLimit = (limit: unknown, isAllowed: (limit: number) => boolean): limit is number =>
  typeof limit === 'number' && limit >= 0 && (limit === Number.POSITIVE_INFINITY || isAllowed(limit));

/** A part of a budget that another thread may use. */
export interface BudgetShare {
  readonly timeout: number;
  readonly maxMemory: number | undefined;
  /** Whether `maxMemory` limits the whole process. */
  readonly limitsProcess: boolean;
}

/** How to run a search. */
interface RunOptions {
  /** Memory that the search does not count. */
  readonly otherBytes: () => number;
  /** Whether another thread has the result. */
  readonly isOvertaken: () => boolean;
  /** Pause once the search has taken this many steps since it started. */
  readonly pauseAt: number;
}

type AnySearch = Search<unknown>;

/** Steps of a slice: this share of the steps so far. A time limit is exceeded by about this share if steps take equally long. */
const SLICE_SHARE = 1 / 8;
const MIN_SLICE = 16;
const MAX_SLICE = 4_096;
/** Milliseconds between two looks at what only the caller knows: whether to stop, and the memory of the process. */
const POLL_INTERVAL = 5;
/** Milliseconds after the time limit in which a violation is still explained. */
const EXPLANATION_TIME = 2_000;
/** A call of a method of the spec costs an explanation as much as this many steps. */
const CALL_STEPS = 8;
/** The largest table that can be allocated. */
const MAX_BYTES = 2 ** 33;

export class Budget {
  steps = 0;
  configurations = 0;
  /** The names of the searches that ran. */
  readonly searches: Set<string> = new Set();
  readonly #limits: ResolvedLimits;
  readonly #deadline: number;
  /** Resident memory before the first search. */
  readonly #residentBefore: number;
  #polledAt = Number.NEGATIVE_INFINITY;
  readonly #paused = new WeakMap<AnySearch, number>();
  #pausedBytes = 0;
  #explained = 0;
  readonly #counted = new WeakMap<AnySearch, Pick<Search, 'steps' | 'configurations' | 'explained'>>();
  #wasExceeded = false;
  /** Of the budget of an explanation: the calls of spec methods before it, and what to do when a limit of the user ends it. */
  #callsBefore = Number.POSITIVE_INFINITY;
  #onCut: (by: LimitReason) => void = () => {};
  #explanationCutBy: LimitReason | undefined;

  constructor(limits: ResolvedLimits) {
    this.#limits = limits;
    this.#residentBefore = limits.processMemory?.resident() ?? 0;
    this.#deadline = clock.now() + (limits.timeout ?? Number.POSITIVE_INFINITY);
  }

  /** Whether a search was stopped by a limit, or the deadline has passed. */
  get isSpent(): boolean {
    return this.#wasExceeded || clock.now() > this.#deadline;
  }

  /**
   * A budget for a step of the explanation of a violation. Its own limits are steps and memory, the same on every machine.
   * Calls of spec methods count as steps, because they can be slow. The time limit of this budget and `shouldStop`
   * end it as well, and are then `explanationCutBy`.
   */
  explanation(limits: Pick<ResolvedLimits, 'maxSteps' | 'maxMemory'>): Budget {
    const { shouldStop } = this.#limits;
    const left = this.#deadline - clock.now() + EXPLANATION_TIME;
    const budget = new Budget({ ...limits, shouldStop, timeout: Math.max(0, left) });
    budget.#callsBefore = specCalls.count;
    budget.#onCut = (by) => {
      this.#explanationCutBy ??= by;
    };
    return budget;
  }

  /** The limit of the user that ended an explanation early. */
  get explanationCutBy(): LimitReason | undefined {
    return this.#explanationCutBy;
  }

  /** Steps, and calls of spec methods in an explanation. */
  get #spent(): number {
    return this.steps + CALL_STEPS * Math.max(0, specCalls.count - this.#callsBefore);
  }

  /** What remains for one of several threads that work at the same time. */
  shareOf(threads: number): BudgetShare {
    const { maxMemory, processMemory } = this.#limits;
    return {
      timeout: Math.max(0, this.#deadline - clock.now()),
      // helper threads stop before the check itself does
      maxMemory: maxMemory === undefined ? undefined : maxMemory / (processMemory ? 2 : threads),
      limitsProcess: processMemory !== undefined,
    };
  }

  /** Adds the work of others. */
  add(done: { steps: number; configurations: number; searches: readonly string[] }): void {
    this.steps += done.steps;
    this.configurations += done.configurations;
    for (const name of done.searches) this.searches.add(name);
  }

  /** The limit that is reached already, before another search starts. */
  get reached(): LimitReason | undefined {
    this.#polledAt = Number.NEGATIVE_INFINITY;
    return this.#limitReached(() => this.#pausedBytes);
  }

  /** Whether this much fits beside what the process had before the first search. */
  affords(bytes: number): boolean {
    return this.#residentBefore + bytes <= Math.min(this.#limits.maxMemory ?? MAX_BYTES, MAX_BYTES);
  }

  /** Whether this much fits beside what the process has now. */
  affordsMore(bytes: number): boolean {
    return affordsMore(bytes, this.#limits);
  }

  /**
   * Runs a search until it has a result, a limit is reached, another thread has the result, or
   * it has taken `pauseAt` steps; a paused search can be run again.
   */
  run<R extends object = SearchResult>(
    search: Search<R>,
    options: Partial<RunOptions> = {},
  ): R | LimitReason | 'overtaken' | 'paused' {
    const { otherBytes = () => 0, isOvertaken = () => false, pauseAt = Number.POSITIVE_INFINITY } = options;
    this.#resume(search);
    for (;;) {
      const result = this.#runSlice(search, pauseAt);
      this.#count(search);
      const isDue = clock.now() - this.#polledAt >= POLL_INTERVAL;
      if (isDue) this.#limits.onProgress?.({ explained: this.#explained, steps: this.steps });
      if (!result && isDue && isOvertaken()) return 'overtaken';
      const end = result ?? this.#limitReached(() => search.bytes + otherBytes() + this.#pausedBytes);
      if (end) {
        this.#wasExceeded ||= typeof end === 'string';
        this.searches.add(search.name);
        return end;
      }
      if (search.steps >= pauseAt) return this.#pause(search);
    }
  }

  /** A paused search keeps its tables. */
  #pause(search: AnySearch): 'paused' {
    this.#paused.set(search, search.bytes);
    this.#pausedBytes += search.bytes;
    return 'paused';
  }

  #resume(search: AnySearch): void {
    this.#pausedBytes -= this.#paused.get(search) ?? 0;
    this.#paused.delete(search);
  }

  /** Adds what a search did since it was last counted. */
  #count(search: AnySearch): void {
    const { steps, configurations, explained } = search;
    const before = this.#counted.get(search);
    this.steps += steps - (before?.steps ?? 0);
    this.configurations += configurations - (before?.configurations ?? 0);
    this.#explained += explained - (before?.explained ?? 0);
    this.#counted.set(search, { steps, configurations, explained });
  }

  #runSlice<R>(search: Search<R>, pauseAt: number): R | undefined {
    const slice = Math.min(MAX_SLICE, Math.max(MIN_SLICE, Math.floor(SLICE_SHARE * this.steps)));
    const left = (this.#limits.maxSteps ?? Number.POSITIVE_INFINITY) - this.#spent;
    return search.advance(Math.max(0, Math.min(slice, left, pauseAt - search.steps)));
  }

  #limitReached(tables: () => number): LimitReason | undefined {
    const limit = this.#firstLimit(tables);
    if (limit === 'time' || limit === 'interrupted') this.#onCut(limit);
    return limit;
  }

  #firstLimit(tables: () => number): LimitReason | undefined {
    const { maxSteps, maxMemory, shouldStop, processMemory } = this.#limits;
    const now = clock.now();
    const isDue = now - this.#polledAt >= POLL_INTERVAL;
    if (isDue) this.#polledAt = now;
    if (isDue && shouldStop?.()) return 'interrupted';
    if (this.#spent >= (maxSteps ?? Number.POSITIVE_INFINITY)) return 'steps';
    if (maxMemory !== undefined && this.#residentBefore + tables() > maxMemory) return 'memory';
    if (isDue && maxMemory !== undefined && processMemory && isFull(processMemory, maxMemory))
      return 'memory';
    return now > this.#deadline ? 'time' : undefined;
  }
}

const isFull = (memory: ProcessMemory, limit: number): boolean =>
  memory.isFull?.(limit) ?? memory.resident() > limit;

/** Whether this much fits beside what the process has now; true if process memory is not limited. */
export function affordsMore(bytes: number, { maxMemory, processMemory }: ResolvedLimits): boolean {
  return (
    maxMemory === undefined || processMemory === undefined || processMemory.resident() + bytes <= maxMemory
  );
}
