/**
 * A whole exploration: one test after another, until one is wrong or the time is over.
 *
 * Growing sizes have half of the time, and end with the first test of which not every schedule could
 * be tried: larger ones would take longer still. The others share what is left in equal parts, so that none takes it all.
 */
import { type Batch, type BatchOptions, batchesOf } from './batches.js';
import { type Explored, type LineUpOptions, lineUp } from './line-up.js';
import { Patience } from './patience.js';
import type { Scenario } from './scenario.js';
import { type Called, runtime } from './transform/index.js';

export interface ExploreOptions extends Partial<BatchOptions>, Partial<Omit<LineUpOptions, 'schedule'>> {
  readonly milliseconds?: number | undefined;
  readonly interrupted?: () => boolean;
  /** Called from time to time, with what there is so far. */
  readonly onProgress?: (batches: readonly ExploredBatch[]) => void;
}

/** A batch, and what came of those of its tests that were begun. */
export interface ExploredBatch extends Batch {
  readonly explored: readonly Explored[];
}

/**
 *   holds       no violation in what was asked for
 *   violation   the last test has one
 *   undecided   no violation in what was covered, but that is less than was asked for
 */
export interface Exploration {
  readonly verdict: 'holds' | 'violation' | 'undecided';
  readonly because: 'time' | 'interrupted' | 'steps' | undefined;
  readonly scenario: Scenario;
  readonly seed: number;
  readonly batches: readonly ExploredBatch[];
  /** What came of all tests, one after another. */
  readonly explored: readonly Explored[];
  /** Functions that ran in one step because they were not transformed; sources of luck or time that were replaced. */
  readonly atomic: readonly Called[];
  readonly controlled: readonly Called[];
}

const SEED = 1;
/** The share of the time in which sizes grow; and of that, what one test may take. */
const GROWING = 0.5;
const ONE_TEST = 0.5;

const isOfSize = (batch: Batch | undefined, { threads, callsPerThread }: Batch): boolean =>
  batch?.threads === threads && batch.callsPerThread === callsPerThread;

export function explore(scenario: Scenario, options: ExploreOptions = {}): Exploration {
  const { seed = SEED, milliseconds = Number.POSITIVE_INFINITY, onProgress } = options;
  const batches: (Batch & { explored: Explored[] })[] = [];
  const patience = new Patience(milliseconds, options.interrupted, () => onProgress?.(batches));
  const growing = patience.part(GROWING);
  const isCovered = ({ coverage }: Explored) =>
    coverage.some(({ kind }) => kind === 'all' || (kind === 'bound' && options.preemptions !== undefined));
  const ended = (verdict: Exploration['verdict'], because?: Exploration['because']): Exploration => ({
    verdict,
    because,
    scenario,
    seed,
    batches,
    explored: batches.flatMap(({ explored }) => explored),
    atomic: [...runtime.atomic.values()],
    controlled: [...runtime.controlled.values()],
  });

  let isGrowing = true;
  let tests = 0;
  for (const batch of batchesOf(scenario, { ...options, seed })) {
    if (batch.choice === 'all' ? !isGrowing : isGrowing && isOfSize(batches.at(-1), batch)) continue;
    const explored: Explored[] = [];
    batches.push({ ...batch, explored });
    for (const [i, matrix] of batch.matrices.entries()) {
      const isAll = batch.choice === 'all';
      if (patience.isOver() || (isAll && growing.isOver())) break;
      const own = isAll ? growing.part(ONE_TEST) : patience.part(1 / (batch.matrices.length - i));
      const one = lineUp(scenario, matrix, { ...options, seed: seed + tests++, isExhaustive: isAll }, own);
      explored.push(one);
      if (one.violation !== undefined) return ended('violation');
      if (isAll && !isCovered(one)) break;
    }
    isGrowing = explored.length === batch.matrices.length && explored.every(isCovered);
  }
  if (patience.isInterrupted) return ended('undecided', 'interrupted');
  const isWhole = ({ isAskedFor, explored, matrices }: ExploredBatch) =>
    !isAskedFor || (explored.length === matrices.length && explored.every(isCovered));
  if (batches.every(isWhole)) return ended('holds');
  const isGivenUp = batches.some(({ explored }) => explored.some(({ unfinished }) => unfinished > 0));
  return ended('undecided', isGivenUp ? 'steps' : 'time');
}
