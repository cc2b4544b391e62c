/**
 * Decides one rendezvous object: a sequence of rendezvous, a counterexample, or the limit that was reached.
 *
 * *Safety*: some sequence of rendezvous includes all returned calls, with pending ones as partners where needed.
 * *Progress*: decided only if the history is stuck.
 */
import type { EarlyViolation } from '../decide/part-check.js';
import { Budget } from '../model/budget.js';
import type { RendezvousAlgorithm, Search } from '../model/search.js';
import {
  type Counterexample,
  type LimitReason,
  linearizable,
  type PartDecision,
  violation,
} from '../model/verdict.js';
import { AlgorithmError } from '../search/choose-search.js';
import { OpenOperations } from '../search/generic/open-operations.js';
import { fromRendezvousObstruction } from './from-search.js';
import { noProgress, pendingOf, restsIn } from './progress.js';
import { AsSoonAsPossible } from './search/as-soon-as-possible.js';
import type {
  RendezvousObstruction,
  RendezvousSearchOptions,
  RendezvousSearchResult,
} from './search/configuration-graph.js';
import { CoverSearch } from './search/exact-cover.js';
import { GroupSearch } from './search/group-search.js';
import { JustInTime } from './search/just-in-time.js';
import { PairSearch } from './search/matching.js';
import { HasState } from './search/pair-rules.js';
import type { RendezvousPart } from './search/part.js';
import { TwoStep } from './search/two-step.js';

/** Limits of the explanation. */
const EXPLANATION_LIMITS = { maxSteps: 3_000_000, timeout: 2_000, maxMemory: 2 ** 29 };

/** The decision about one object; operations are named by id. */
export type RendezvousResult = PartDecision<readonly Int32Array[]>;

export interface RendezvousContext {
  readonly algorithm: RendezvousAlgorithm | 'auto';
  readonly budget: Budget;
  readonly onViolation?: ((found: EarlyViolation) => void) | undefined;
}

export function decideRendezvous(part: RendezvousPart, means: RendezvousContext): RendezvousResult {
  const { history } = part;
  const { budget } = means;
  if (budget.reached) return undecided(part, budget.reached);
  if (!budget.affords(OpenOperations.bytesFor(history.columns))) return undecided(part, 'memory');
  const safe = run(part, means, {});
  if (typeof safe === 'string') return undecided(part, safe);
  if (safe.kind === 'violation')
    return none(part, means, 'safety', () =>
      explained(part, means, {}, safe.refutation, fromRendezvousObstruction),
    );
  if (!history.stuck || pendingOf(history).length === 0) return found(part, safe.witness);

  const options = { pending: false, accepts: restsIn(part) };
  const progress = run(part, means, options);
  if (typeof progress === 'string') return undecided(part, progress);
  if (progress.kind === 'linearizable') return found(part, progress.witness);
  return none(part, means, 'progress', () =>
    explained(part, means, options, progress.refutation, (own, no) => noProgress(own, no, safe.witness)),
  );
}

/**
 * Runs the given algorithm, or the one that suits: groups if partners are recorded, pairs if calls have no state,
 * otherwise the just-in-time search. The two-step algorithm does not decide progress, so the just-in-time search
 * does.
 */
function run(
  part: RendezvousPart,
  { algorithm, budget }: RendezvousContext,
  options: RendezvousSearchOptions,
): RendezvousSearchResult | LimitReason {
  const { history, machine } = part;
  const runs = (search: Search<RendezvousSearchResult>) =>
    budget.run(search, { otherBytes: () => machine.bytes }) as RendezvousSearchResult | LimitReason;
  if (algorithm === 'rendezvous-asap') return runs(new AsSoonAsPossible(history, machine, options));
  if (algorithm === 'two-step' && options.pending !== false) {
    demand(part, algorithm, TwoStep.obstacle(history));
    return runs(new TwoStep(part));
  }
  if (algorithm === 'auto' && GroupSearch.isFor(history, machine)) {
    const answer = runs(new GroupSearch(history, machine, options));
    if (typeof answer !== 'string' && answer.kind === 'linearizable') return answer;
  }
  const Stateless = algorithm === 'cover' ? CoverSearch : PairSearch;
  if (algorithm !== 'rendezvous-jit' && algorithm !== 'two-step') {
    const obstacle = Stateless.obstacle(history, machine);
    if (algorithm !== 'auto') demand(part, algorithm, obstacle);
    try {
      if (!obstacle) return runs(new Stateless(history, machine, options));
    } catch (error) {
      if (!(error instanceof HasState)) throw error;
      if (algorithm !== 'auto') demand(part, algorithm, 'its calls change a state');
    }
  }
  return runs(new JustInTime(history, machine, options));
}

function demand({ spec }: RendezvousPart, algorithm: string, obstacle: string | undefined): void {
  if (obstacle)
    throw new AlgorithmError(
      `the algorithm ${algorithm} is not for ${spec.name}: ${obstacle}; try --algorithm auto`,
    );
}

/** Explains a violation: the just-in-time search knows the first return that no sequence of rendezvous includes. */
function explained(
  part: RendezvousPart,
  means: RendezvousContext,
  options: RendezvousSearchOptions,
  no: RendezvousObstruction,
  explain: (part: RendezvousPart, no: RendezvousObstruction) => Counterexample,
): Counterexample {
  if (no.ends.length + (no.unpaired ? 1 : 0) > 0 && means.algorithm !== 'rendezvous-asap')
    return explain(part, no);
  const search = new JustInTime(part.history, part.machine, options);
  const answer = new Budget(EXPLANATION_LIMITS).run(search);
  return typeof answer === 'object' && answer.kind === 'violation'
    ? explain(part, answer.refutation)
    : unexplained(part);
}

/** The explanation exceeded its limits. */
function unexplained({ name, history, cuts }: RendezvousPart): Counterexample {
  const { id, events } = history.columns;
  const last = events.findLast((event) => event < 0) ?? 0;
  return {
    part: name,
    core: history,
    cuts,
    minimal: false,
    isFirst: false,
    allowedIsComplete: false,
    property: 'safety',
    cause: { kind: 'unexplained', operation: id[~last], allowed: [], refused: [] },
  };
}

function found(part: RendezvousPart, rendezvous: readonly Int32Array[]): RendezvousResult {
  return linearizable(rendezvous.map((members) => Int32Array.from(part.ids(members))));
}

function none(
  part: RendezvousPart,
  { onViolation }: RendezvousContext,
  property: EarlyViolation['property'],
  explain: () => Counterexample,
): RendezvousResult {
  const counterexample = { ...explain(), property };
  onViolation?.({ part: part.name, operation: counterexample.cause.operation, property });
  return violation(counterexample);
}

function undecided({ name, history }: RendezvousPart, reason: LimitReason): RendezvousResult {
  const of = history.columns.events.length - history.length;
  return { kind: 'undecided', reason, unfinished: { part: name, explained: 0, of } };
}
