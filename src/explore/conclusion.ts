/**
 * What an exploration comes to, of what came of its tests: the same whoever has explored them.
 *
 * It holds only where all that was asked for is covered, test by test.
 */
import type { Batch } from './batches.js';
import type { Explored } from './line-up.js';
import type { Scenario } from './scenario.js';
import type { Called } from './transform/index.js';

/** A batch, and what came of those of its tests that were begun. */
export interface ExploredBatch extends Batch {
  readonly explored: readonly Explored[];
}

/** Tests of a batch, by number, of which nobody could tell what comes of them, and why. */
export interface SetAside {
  readonly batch: Batch;
  readonly from: number;
  readonly to: number;
  readonly why: string;
}

/**
 *   holds       no violation in what was asked for
 *   violation   a test has one; the last, unless all were to be explored
 *   undecided   no violation in what was covered, but that is less than was asked for
 */
export interface Exploration {
  readonly verdict: 'holds' | 'violation' | 'undecided';
  readonly because: 'time' | 'interrupted' | 'steps' | 'set aside' | undefined;
  readonly scenario: Scenario;
  readonly seed: number;
  readonly batches: readonly ExploredBatch[];
  /** What came of all tests, one after another. */
  readonly explored: readonly Explored[];
  readonly setAside: readonly SetAside[];
  /** Functions that ran in one step because they were not transformed; sources of luck or time that were replaced. */
  readonly atomic: readonly Called[];
  readonly controlled: readonly Called[];
}

export type Gathered = Pick<
  Exploration,
  'scenario' | 'seed' | 'batches' | 'setAside' | 'atomic' | 'controlled'
> & {
  readonly isInterrupted: boolean;
  /** Does it do to cover schedules with few preemptions? */
  readonly isBounded: boolean;
};

export function conclude({ isInterrupted, isBounded, ...gathered }: Gathered): Exploration {
  const { batches, setAside } = gathered;
  const explored = batches.flatMap((batch) => batch.explored);
  const ended = (verdict: Exploration['verdict'], because?: Exploration['because']): Exploration => ({
    verdict,
    because,
    ...gathered,
    explored,
  });
  if (explored.some(({ violation }) => violation !== undefined)) return ended('violation');
  if (isInterrupted) return ended('undecided', 'interrupted');
  const isWhole = (batch: ExploredBatch) => !batch.isAskedFor || isCoveredBatch(batch, isBounded);
  if (batches.every(isWhole)) return ended('holds');
  if (setAside.length > 0) return ended('undecided', 'set aside');
  return ended('undecided', explored.some(({ unfinished }) => unfinished > 0) ? 'steps' : 'time');
}

export const isCoveredBatch = ({ explored, matrices }: ExploredBatch, isBounded: boolean): boolean =>
  explored.length === matrices.length && explored.every((one) => isCovered(one, isBounded));

/** Were all schedules tried, or all that it does to try? */
export const isCovered = ({ coverage }: Pick<Explored, 'coverage'>, isBounded: boolean): boolean =>
  coverage.some(({ kind }) => kind === 'all' || (kind === 'bound' && isBounded));

/** Does a batch have the size of another? */
export const isOfSize = (batch: Batch | undefined, { threads, callsPerThread }: Batch): boolean =>
  batch?.threads === threads && batch.callsPerThread === callsPerThread;
