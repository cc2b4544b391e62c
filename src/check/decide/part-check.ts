/** Decides one part of a history: a monitor and a search take turns, and both can be paused and resumed. */
import { pick } from '../../base/collections/ints.js';
import { invariant } from '../../base/errors.js';
import { NEVER } from '../../history/model/columns.js';
import { fromObstruction, fromRefutation } from '../counterexample/explain.js';
import { fromNeedlessWait, searchForWait } from '../counterexample/from-search.js';
import type { Budget } from '../model/budget.js';
import { Disagreement, type Search, type SearchResult } from '../model/search.js';
import {
  type Counterexample,
  explanationFailure,
  type LimitReason,
  type PartDecision,
  type Wait,
  withCut,
} from '../model/verdict.js';
import type { BlockedReturn, Reading } from '../monitors/common/monitor.js';
import { familyContradiction, verifyCause } from '../monitors/registry.js';
import type { Part } from '../parts/parts.js';
import { type SearchName, searchFor } from '../search/choose-search.js';
import { OpenOperations } from '../search/generic/open-operations.js';

/** The decision about one part; operations are named by id. */
export type PartResult = PartDecision<{ readonly order: Int32Array; readonly waits: readonly Wait[] }>;

/** A violation before it is explained: the faulty operation, and its part. */
export interface EarlyViolation {
  readonly part: string;
  readonly operation: number;
  /** safety: an incorrect result. progress: a call is blocked forever though it need not be. */
  readonly property: 'safety' | 'progress';
}

/** What all parts of a check share. */
export interface PartCheckContext {
  /** The searches to use; empty for those that suit. */
  readonly searches: readonly SearchName[];
  readonly budget: Budget;
  /** Memory in the state machines of all parts. */
  readonly machineBytes: () => number;
  readonly onViolation?: ((violation: EarlyViolation) => void) | undefined;
}

/** When to return before the part is decided. */
interface StopConditions {
  /** Whether another thread has the result. */
  readonly isOvertaken?: () => boolean;
  /** Pause once the search has taken this many steps. */
  readonly pauseAt?: number;
}

/** Steps within which most parts are decided. */
export const initialStepBudget = ({ history }: Part): number => 5_000 + 2 * history.columns.events.length;

type RunResult = SearchResult | LimitReason | 'overtaken' | 'paused';

/** Bytes per operation: its letter, its place in an order, and the verification of that order. */
const ORDER_BYTES = 20;

export class PartCheck {
  readonly #part: Part;
  readonly #context: PartCheckContext;
  #search: Search | undefined;
  /** What the monitor tries next, if it may still decide. */
  #askMonitor: Reading['decide'] | undefined;
  /** The search gets this many initial step budgets before the monitor's next try. */
  #budgetsBeforeRetry = 1;

  constructor(part: Part, context: PartCheckContext) {
    this.#part = part;
    this.#context = context;
    const { monitored } = part;
    if (monitored && 'reading' in monitored) this.#askMonitor = (search) => monitored.reading.decide(search);
  }

  /** Decides the part or resumes. Monitor and search alternate as long as the monitor has more to try. */
  run(conditions: StopConditions = {}): PartResult | 'overtaken' | 'paused' {
    const { reached } = this.#context.budget;
    if (reached) return this.#undecided(reached, this.#search);
    let refuted: SearchResult | undefined;
    for (;;) {
      const decided = this.#askMonitor && this.#runMonitor(this.#askMonitor);
      if (decided) return decided;
      const pauseAt = Math.min(
        conditions.pauseAt ?? Number.POSITIVE_INFINITY,
        this.#budgetsBeforeRetry * initialStepBudget(this.#part),
      );
      const result = refuted ?? this.#runSearch(this.#askMonitor ? { ...conditions, pauseAt } : conditions);
      const isRefuted = typeof result === 'object' && result.kind === 'violation';
      // the monitor may still have a shorter explanation
      if (this.#askMonitor && isRefuted) refuted = result;
      else if (!this.#askMonitor || result !== 'paused') return this.#conclude(result, conditions);
    }
  }

  #runSearch(conditions: StopConditions): RunResult {
    const { history } = this.#part;
    const { budget, searches, machineBytes } = this.#context;
    if (!this.#search) {
      const order = ORDER_BYTES * history.length;
      // the exact size needs a pass over the events, which few parts are long enough to need
      if (
        !budget.affords(OpenOperations.bytesAtMost(history.columns) + order) &&
        !budget.affords(OpenOperations.bytesFor(history.columns) + order)
      )
        return 'memory';
      this.#search = searchFor(this.#part, searches);
    }
    try {
      return budget.run(this.#search, { ...conditions, otherBytes: machineBytes });
    } catch (error) {
      throw error instanceof Disagreement ? this.#contradiction(error.operation) : error;
    }
  }

  #conclude(result: RunResult, conditions: StopConditions): PartResult | 'overtaken' | 'paused' {
    const { history } = this.#part;
    if (result === 'overtaken' || result === 'paused') return result;
    if (typeof result === 'string') return this.#undecided(result, this.#search);
    if (result.kind === 'linearizable') {
      const order = pick(history.columns.id, result.witness);
      return history.stuck ? this.#findWaits(order, conditions) : linearizable(order);
    }
    const { refutation } = result;
    const faulty = history.columns.id[~history.columns.events[refutation.moment]];
    return this.#violation(faulty, 'safety', () =>
      fromObstruction(this.#context.budget, this.#part, refutation),
    );
  }

  /** Undefined if the monitor declines. */
  #runMonitor(decide: Reading['decide']): PartResult | undefined {
    const { history, spec, monitored } = this.#part;
    const { budget, machineBytes } = this.#context;
    invariant(monitored && 'reading' in monitored, 'a monitor decides a part that it has not read');
    const { name, reading } = monitored;
    if (!budget.affords(reading.bytes)) return this.#undecided('memory', undefined);
    const result = decide(
      (search) => budget.run(search, { otherBytes: machineBytes }) as SearchResult | LimitReason,
    );
    this.#askMonitor = result.kind === 'declined' ? result.retry : undefined;
    if (result.kind === 'declined') this.#budgetsBeforeRetry = result.budgetsBeforeRetry ?? 1;
    budget.add({ steps: history.length, configurations: 0, searches: [name] });
    switch (result.kind) {
      case 'linearizable':
        return linearizable(pick(history.columns.id, result.witness));
      case 'violation': {
        const { refutation } = result;
        const cause = 'cause' in refutation ? refutation.cause : undefined;
        const faulty = cause?.operation ?? history.columns.id[(refutation as BlockedReturn).operation];
        return this.#violation(faulty, 'safety', () => {
          invariant(
            !cause || verifyCause(history, spec, cause),
            `a cause of kind ${cause?.kind} is not verified`,
          );
          return fromRefutation(budget, this.#part, refutation);
        });
      }
      case 'undecided':
        return this.#undecided(result.reason, undefined);
      case 'declined':
        return undefined;
    }
  }

  /**
   * Decides progress of a stuck history.
   *
   *   S. Burckhardt, C. Dern, M. Musuvathi, R. Tan. Line-Up. PLDI 2010, section 2:
   *   for each pending operation there must be a linearization of all returned operations
   *   in whose last state it blocks; the other pending operations are omitted.
   */
  #findWaits(safe: Int32Array, { isOvertaken }: StopConditions): PartResult | 'overtaken' | 'paused' {
    const { history } = this.#part;
    const { id, return: returned, after } = history.columns;
    const complete = history.complete();
    const waits: Wait[] = [];
    for (const operation of id.filter((_, k) => returned[k] === NEVER)) {
      const search = searchForWait(this.#part, complete, operation);
      const result = this.#context.budget.run(search, {
        otherBytes: this.#context.machineBytes,
        ...(isOvertaken && { isOvertaken }),
      });
      if (result === 'overtaken' || result === 'paused') return result;
      if (typeof result === 'string') return this.#undecided(result, search);
      if (result.kind === 'violation') {
        const { refutation } = result;
        return this.#violation(operation, 'progress', () =>
          fromNeedlessWait(this.#context.budget, this.#part, operation, refutation),
        );
      }
      waits.push({ operation, order: pick(complete.columns.id, result.witness) });
    }
    // a returned operation may come "after" a blocked one, which must then be in the order
    return linearizable(after ? safe : (waits[0]?.order ?? safe), waits);
  }

  /** A violation is certain from here on: if its explanation fails, it is reported without one. */
  #violation(
    operation: number,
    property: EarlyViolation['property'],
    explain: () => Counterexample,
  ): PartResult {
    const { name, history, cuts } = this.#part;
    this.#context.onViolation?.({ part: name, operation, property });
    try {
      return { kind: 'violation', refutation: withCut(explain(), this.#context.budget) };
    } catch (error) {
      if (error instanceof Disagreement) throw this.#contradiction(operation);
      const kind = property === 'safety' ? ('late' as const) : ('waits' as const);
      return {
        kind: 'violation',
        refutation: {
          ...explanationFailure(error),
          part: name,
          core: history,
          cuts,
          property,
          cause: { kind, operation, allowed: [], refused: [] },
        },
      };
    }
  }

  /** The methods allow what a monitor excludes: the verdict of neither can be given. */
  #contradiction(operation: number): Error {
    const { spec, history } = this.#part;
    return spec.family
      ? familyContradiction(spec, 'excludes', history, operation)
      : new Error(
          `[straightedge bug] two searches disagree about operation ${operation}. Please report this.`,
        );
  }

  #undecided(reason: LimitReason, search: Search | undefined): PartResult {
    const { name, history } = this.#part;
    const of = history.columns.events.length - history.length;
    return { kind: 'undecided', reason, unfinished: { part: name, explained: search?.explained ?? 0, of } };
  }
}

const linearizable = (order: Int32Array, waits: readonly Wait[] = []): PartResult => ({
  kind: 'linearizable',
  witness: { order, waits },
});
