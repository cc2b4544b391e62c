/**
 * A whole exploration: one matrix after another, until one is wrong or the time is over.
 *
 * Each gets an equal part of the time that is left, so that none takes it all.
 */
import { backendOf } from './async/backend-of.js';
import type { Explored, LineUpOptions } from './explored.js';
import { lineUp } from './line-up.js';
import { type MatrixOptions, matricesOf } from './matrix.js';
import { Patience } from './patience.js';
import type { Scenario } from './scenario.js';
import { type Called, runtime } from './transform/index.js';

export interface ExploreOptions extends Partial<MatrixOptions>, Partial<Omit<LineUpOptions, 'schedule'>> {
  readonly milliseconds?: number | undefined;
  readonly interrupted?: () => boolean;
  /** Called from time to time, with how many matrices are done. */
  readonly onProgress?: (done: number, of: number) => void;
}

/**
 *   holds       no violation in what was asked for
 *   violation   the last matrix has one
 *   undecided   no violation in what was covered, but that is less than was asked for
 */
export interface Exploration {
  readonly verdict: 'holds' | 'violation' | 'undecided';
  readonly because: 'time' | 'interrupted' | 'steps' | undefined;
  readonly scenario: Scenario;
  readonly seed: number;
  /** How many matrices there are to explore, and what came of those that were begun. */
  readonly matrices: number;
  readonly explored: readonly Explored[];
  /** Functions that ran in one step because they were not transformed; sources of luck or time that were replaced. */
  readonly atomic: readonly Called[];
  readonly controlled: readonly Called[];
}

const SAMPLES = 100;
const SEED = 1;

/** A scenario of asynchronous code is explored in a task of its own (`inOwnTask`). */
export function explore(given: Scenario, options: ExploreOptions = {}): Exploration {
  const scenario: Scenario = { ...given, backend: backendOf(given) };
  const { seed = SEED, samples = SAMPLES, milliseconds = Number.POSITIVE_INFINITY, onProgress } = options;
  const matrices = matricesOf(scenario, { ...options, seed, samples });
  const explored: Explored[] = [];
  const patience = new Patience(milliseconds, options.interrupted, () =>
    onProgress?.(explored.length, matrices.length),
  );
  const ended = (verdict: Exploration['verdict'], because?: Exploration['because']): Exploration => ({
    verdict,
    because,
    scenario,
    seed,
    matrices: matrices.length,
    explored,
    atomic: [...runtime.atomic.values()],
    controlled: [...runtime.controlled.values()],
  });
  for (const [i, matrix] of matrices.entries()) {
    if (patience.isOver()) break;
    const own = patience.part(1 / (matrices.length - i));
    explored.push(lineUp(scenario, matrix, { ...options, seed: seed + i }, own));
    if (explored[i].violation !== undefined) return ended('violation');
  }
  if (patience.isInterrupted) return ended('undecided', 'interrupted');
  const isCovered = ({ coverage }: Explored) =>
    coverage.some(({ kind }) => kind === 'all' || (kind === 'bound' && options.preemptions !== undefined));
  if (explored.length === matrices.length && explored.every(isCovered)) return ended('holds');
  return ended('undecided', explored.some(({ unfinished }) => unfinished > 0) ? 'steps' : 'time');
}
