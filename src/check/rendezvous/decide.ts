/**
 * Decides one rendezvous object: a sequence of rendezvous, a counterexample, or the limit that was reached.
 *
 * *Safety*: some sequence of rendezvous includes all returned calls, with pending ones as partners where needed.
 * *Progress*: decided only if the history is stuck.
 */
import { range } from '../../base/collections/ints.js';
import type { Outcome } from '../../history/model/operation.js';
import type { EarlyViolation } from '../decide/part-check.js';
import type { Budget } from '../model/budget.js';
import type { RendezvousAlgorithm, Search } from '../model/search.js';
import {
  type Counterexample,
  explanationFailure,
  type LimitReason,
  linearizable,
  type PartDecision,
  violation,
  withCut,
} from '../model/verdict.js';
import { AlgorithmError } from '../search/choose-search.js';
import { OpenOperations } from '../search/generic/open-operations.js';
import { fromConfigurations, fromUnpaired, possibleResults } from './from-search.js';
import { noProgress, pendingOf, restsIn } from './progress.js';
import { AsSoonAsPossible } from './search/as-soon-as-possible.js';
import type {
  RendezvousObstruction,
  RendezvousSearchOptions,
  RendezvousSearchResult,
} from './search/configuration-graph.js';
import type { RendezvousPart } from './search/enabled-rendezvous.js';
import { CoverSearch } from './search/exact-cover.js';
import { GroupSearch } from './search/group-search.js';
import { JustInTime } from './search/just-in-time.js';
import { PairSearch } from './search/matching.js';
import { HasState } from './search/pair-rules.js';
import { TwoStep } from './search/two-step.js';

/** Limits of the explanation. */
const EXPLANATION_LIMITS = { maxSteps: 3_000_000, maxMemory: 2 ** 29 };

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
    return none(part, means, 'safety', safe.refutation, () => explainSafety(part, means, safe.refutation));
  if (!history.stuck || pendingOf(history).length === 0) return found(part, safe.witness);

  const options = { pending: false, accepts: restsIn(part) };
  const progress = run(part, means, options);
  if (typeof progress === 'string') return undecided(part, progress);
  if (progress.kind === 'linearizable') return found(part, progress.witness);
  return none(part, means, 'progress', progress.refutation, () =>
    explainProgress(part, means, options, progress.refutation, safe.witness),
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

/*
 * The explanation of a safety violation: the first return that no sequence of rendezvous includes, the results that
 * were allowed, and the reason. As for plain objects, each shorter prefix of a correct prefix is correct, so bisection
 * finds the return. The just-in-time search knows it.
 */

function explainSafety(
  part: RendezvousPart,
  { algorithm, budget: whole }: RendezvousContext,
  no: RendezvousObstruction,
): Counterexample {
  const budget = whole.explanation(EXPLANATION_LIMITS);
  const isExact = no.ends.length > 0 && !no.unpaired && algorithm !== 'rendezvous-asap';
  const { moment, isFirst } = isExact ? { moment: no.moment, isFirst: true } : bisect(part, budget);
  const { history } = part;
  const operation = history.columns.id[~history.columns.events[moment]];
  const prefix = part.cut(history.prefix(moment));
  const graph = new JustInTime(prefix.history, prefix.machine);
  const answer = decidePrefix(prefix, budget);
  const refutation =
    typeof answer === 'object' && answer.kind === 'violation' ? answer.refutation : undefined;
  // an object without a state needs no search for its states
  const searched = refutation?.unpaired ? undefined : budget.run(graph);
  const isSearched = typeof searched === 'object';
  const states = refutation?.unpaired ? [prefix.machine.initial] : graph.states;
  const allowed = allowedResults(prefix, operation, states, budget);
  const explained =
    (refutation?.unpaired && fromUnpaired(prefix, refutation.unpaired, part, operation)) ??
    fromConfigurations(prefix, operation, stopOf(prefix, searched, budget)) ??
    unexplained(prefix, operation);
  return {
    ...explained,
    isFirst,
    allowedIsComplete: allowed.isComplete && (isSearched || refutation?.unpaired !== undefined),
    cause: {
      ...explained.cause,
      allowed: allowed.outcomes,
      refused: allowed.outcomes.length > 0 ? [] : explained.cause.refused,
    } as Counterexample['cause'],
  };
}

/** Why the just-in-time search stops; `searched`: its result if it has run. */
function stopOf(
  { history, machine }: RendezvousPart,
  searched: unknown,
  budget: Budget,
): RendezvousObstruction | undefined {
  const answer = (searched ?? budget.run(new JustInTime(history, machine))) as
    | RendezvousSearchResult
    | string;
  return typeof answer === 'object' && answer.kind === 'violation' ? answer.refutation : undefined;
}

const decidePrefix = (prefix: RendezvousPart, budget: Budget): RendezvousSearchResult | LimitReason =>
  run(prefix, { algorithm: 'auto', budget }, {});

/** The shortest prefix without a sequence of rendezvous. */
function bisect(part: RendezvousPart, budget: Budget): { moment: number; isFirst: boolean } {
  const { history } = part;
  const { events } = history.columns;
  const returns = range(events.length).filter((m) => events[m] < 0);
  let [longest, shortest] = [-1, returns.length - 1];
  while (shortest > longest + 1) {
    const tried = (longest + shortest) >>> 1;
    const answer = decidePrefix(part.cut(history.prefix(returns[tried])), budget);
    if (typeof answer === 'string') return { moment: returns[shortest], isFirst: false };
    if (answer.kind === 'linearizable') longest = tried;
    else shortest = tried;
  }
  return { moment: returns[shortest], isFirst: true };
}

/** Each result of a rendezvous in some state is tried; it is allowed if the prefix is correct with it. */
function allowedResults(
  prefix: RendezvousPart,
  operation: number,
  states: readonly number[],
  budget: Budget,
): { outcomes: readonly Outcome[]; isComplete: boolean } {
  const { history } = prefix;
  const k = history.positionsById()[operation];
  let isComplete = true;
  const outcomes = possibleResults(prefix, k, states).filter((outcome) => {
    const answer = isComplete && decidePrefix(prefix.cut(history.withOutcome(k, outcome), true), budget);
    if (typeof answer === 'string') isComplete = false;
    return typeof answer === 'object' && answer.kind === 'linearizable';
  });
  return { outcomes, isComplete };
}

function explainProgress(
  part: RendezvousPart,
  means: RendezvousContext,
  options: RendezvousSearchOptions,
  no: RendezvousObstruction,
  safe: readonly Int32Array[],
): Counterexample {
  if (no.ends.length + (no.unpaired ? 1 : 0) > 0 && means.algorithm !== 'rendezvous-asap')
    return noProgress(part, no, safe);
  const search = new JustInTime(part.history, part.machine, options);
  const answer = means.budget.explanation(EXPLANATION_LIMITS).run(search);
  return typeof answer === 'object' && answer.kind === 'violation'
    ? noProgress(part, answer.refutation, safe)
    : unexplained(part, lastReturned(part));
}

/** The operation that returned last; in a stuck history the first blocked one. */
function lastReturned({ history }: RendezvousPart): number {
  const { id, events } = history.columns;
  const [blocked] = history.stuck ? pendingOf(history) : [];
  return id[blocked ?? ~(events.findLast((event) => event < 0) ?? ~0)];
}

/** The explanation exceeded its limits. */
function unexplained({ name, history, cuts }: RendezvousPart, operation: number): Counterexample {
  return {
    part: name,
    core: history,
    cuts,
    minimal: false,
    isFirst: false,
    allowedIsComplete: false,
    property: 'safety',
    cause: { kind: 'unexplained', operation, allowed: [], refused: [] },
  };
}

function found(part: RendezvousPart, rendezvous: readonly Int32Array[]): RendezvousResult {
  return linearizable(rendezvous.map((members) => Int32Array.from(part.ids(members))));
}

/** A violation is certain from here on: if its explanation fails, it is reported without one. */
function none(
  part: RendezvousPart,
  { onViolation, budget }: RendezvousContext,
  property: EarlyViolation['property'],
  { moment }: RendezvousObstruction,
  explain: () => Counterexample,
): RendezvousResult {
  const { id, events } = part.history.columns;
  const isReturn = property === 'safety' && events[moment] < 0;
  const operation = isReturn ? id[~events[moment]] : lastReturned(part);
  onViolation?.({ part: part.name, operation, property });
  try {
    return violation({ ...withCut(explain(), budget), property });
  } catch (error) {
    return violation({ ...unexplained(part, operation), ...explanationFailure(error), property });
  }
}

function undecided({ name, history }: RendezvousPart, reason: LimitReason): RendezvousResult {
  const of = history.columns.events.length - history.length;
  return { kind: 'undecided', reason, unfinished: { part: name, explained: 0, of } };
}
