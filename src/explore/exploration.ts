/**
 * A whole exploration: one test after another, until one is wrong or the time is over.
 *
 * Growing sizes have half of the time, and end with the first test of which not every schedule could
 * be tried: larger ones would take longer still. The others share what is left in equal parts, so that none takes it all.
 */
import { type Batch, type BatchOptions, batchesOf } from './batches.js';
import {
  conclude,
  type Exploration,
  type ExploredBatch,
  isCovered,
  isCoveredBatch,
  isOfSize,
} from './conclusion.js';
import { type Explored, type LineUpOptions, lineUp } from './line-up.js';
import { Patience } from './patience.js';
import type { Scenario } from './scenario.js';
import { runtime } from './transform/index.js';

export interface ExploreOptions extends Partial<BatchOptions>, Partial<Omit<LineUpOptions, 'schedule'>> {
  readonly milliseconds?: number | undefined;
  readonly interrupted?: () => boolean;
  /** Called from time to time, with what there is so far. */
  readonly onProgress?: (batches: readonly ExploredBatch[]) => void;
}

const SEED = 1;
/** The share of the time in which sizes grow; and of that, what one test may take. */
const GROWING = 0.5;
const ONE_TEST = 0.5;

export function explore(scenario: Scenario, options: ExploreOptions = {}): Exploration {
  const { seed = SEED, milliseconds = Number.POSITIVE_INFINITY, onProgress } = options;
  const isBounded = options.preemptions !== undefined;
  const batches: (Batch & { explored: Explored[] })[] = [];
  const patience = new Patience(milliseconds, options.interrupted, () => onProgress?.(batches));
  const growing = patience.part(GROWING);
  const ended = () =>
    conclude({
      scenario,
      seed,
      batches,
      setAside: [],
      atomic: [...runtime.atomic.values()],
      controlled: [...runtime.controlled.values()],
      isInterrupted: patience.isInterrupted,
      isBounded,
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
      if (one.violation !== undefined) return ended();
      if (isAll && !isCovered(one, isBounded)) break;
    }
    isGrowing = isCoveredBatch({ ...batch, explored }, isBounded);
  }
  return ended();
}
