/** One part, decided: an order of its operations, a counterexample, or what ran out. It can be left and taken up again. */
import { pick } from '../../base/collections/ints.js';
import { invariant } from '../../base/invariant.js';
import { NEVER } from '../../history/model/columns.js';
import { contradiction, stop } from '../counterexample/from-monitor.js';
import { needlessWait, searchForWait, wrongAnswer } from '../counterexample/from-search.js';
import type { Budget } from '../model/budget.js';
import type { Answer, Refusal, Search } from '../model/search.js';
import type { Counterexample, Exhausted, Unfinished, Wait } from '../model/verdict.js';
import type { Reading } from '../monitors/common/monitor.js';
import { verifyCause } from '../monitors/registry.js';
import type { Part } from '../parts/part.js';
import { type SearchName, searchFor } from '../search/choose-search.js';
import { Openings } from '../search/generic/open-operations.js';

/** How one part came out; operations are named by id. */
export type Finding =
  | { readonly kind: 'order'; readonly order: Int32Array; readonly waits: readonly Wait[] }
  | { readonly kind: 'none'; readonly counterexample: Counterexample }
  | { readonly kind: 'undecided'; readonly because: Exhausted; readonly unfinished: Unfinished };

/** A violation before it is explained: the operation at fault, and its part. */
export interface Found {
  readonly part: string;
  readonly operation: number;
  /** safety: a wrong answer. progress: a call waits for ever that need not. */
  readonly property: 'safety' | 'progress';
}

export interface Means {
  /** The searches to use; none: those that suit. */
  readonly searches: readonly SearchName[];
  readonly budget: Budget;
  /** Memory in the machines of all parts. */
  readonly machineBytes: () => number;
  readonly onViolation?: ((found: Found) => void) | undefined;
}

/** When to leave a part before it is decided. */
export interface Leave {
  /** Has somebody else the answer? */
  readonly isOvertaken?: () => boolean;
  /** So many steps at first; then it pauses. */
  readonly pauseAt?: number;
}

/** Steps that most parts are decided in. */
export const aLookAt = ({ history }: Part): number => 5_000 + 2 * history.columns.events.length;

/** What came of running a search. */
type Searched = Answer | Exhausted | 'overtaken' | 'paused';

/** Bytes an operation: its letter, its place in an order, and what it takes to verify that. */
const ORDER_BYTES = 20;

export class PartCheck {
  readonly #part: Part;
  readonly #means: Means;
  #search: Search | undefined;
  /** What a monitor is asked next, if it may still decide. */
  #ask: Reading['decide'] | undefined;
  /** How many times a look the search gets before that. */
  #patience = 1;

  constructor(part: Part, means: Means) {
    this.#part = part;
    this.#means = means;
    const { monitored } = part;
    if (monitored && 'reading' in monitored) this.#ask = (search) => monitored.reading.decide(search);
  }

  /** Decides the part, or goes on to: a monitor and a search in turns, as long as the monitor has more to try. */
  run(leave: Leave = {}): Finding | 'overtaken' | 'paused' {
    const met = this.#means.budget.met;
    if (met) return this.#undecided(met, this.#search);
    let refusal: Refusal | undefined;
    for (;;) {
      const finding = this.#ask && this.#rule(this.#ask);
      if (finding) return finding;
      const look = Math.min(leave.pauseAt ?? Number.POSITIVE_INFINITY, this.#patience * aLookAt(this.#part));
      const answer = refusal ?? this.#searchOn(this.#ask ? { ...leave, pauseAt: look } : leave);
      const isRefused = typeof answer === 'object' && !answer.found;
      // the monitor may still tell why in fewer words
      if (this.#ask && isRefused) refusal = answer;
      else if (!this.#ask || answer !== 'paused') return this.#conclude(answer, leave);
    }
  }

  #searchOn(leave: Leave): Searched {
    const { history } = this.#part;
    const { budget, searches, machineBytes } = this.#means;
    if (!this.#search) {
      const order = ORDER_BYTES * history.length;
      // few parts are so long that it takes a look at their events
      if (
        !budget.affords(Openings.bytesAtMost(history.columns) + order) &&
        !budget.affords(Openings.bytesFor(history.columns) + order)
      )
        return 'memory';
      this.#search = searchFor(this.#part, searches);
    }
    return budget.run(this.#search, { ...leave, otherBytes: machineBytes });
  }

  #conclude(answer: Searched, leave: Leave): Finding | 'overtaken' | 'paused' {
    const { history } = this.#part;
    if (answer === 'overtaken' || answer === 'paused') return answer;
    if (typeof answer === 'string') return this.#undecided(answer, this.#search);
    if (answer.found) {
      const order = pick(history.columns.id, answer.order);
      return history.stuck ? this.#findWaits(order, leave) : { kind: 'order', order, waits: [] };
    }
    this.#tell(history.columns.id[~history.columns.events[answer.moment]], 'safety');
    return { kind: 'none', counterexample: wrongAnswer(this.#part, answer) };
  }

  /** A monitor decides at once, or leaves it to a search. */
  #rule(ask: Reading['decide']): Finding | undefined {
    const { history, spec, monitored } = this.#part;
    const { budget, machineBytes } = this.#means;
    invariant(monitored && 'reading' in monitored, 'a monitor is asked that has not read the part');
    const { name, reading } = monitored;
    if (!budget.affords(reading.bytes)) return this.#undecided('memory', undefined);
    const ruling = ask((search) => budget.run(search, { otherBytes: machineBytes }) as Answer | Exhausted);
    this.#ask = ruling.kind === 'aside' ? ruling.again : undefined;
    if (ruling.kind === 'aside') this.#patience = ruling.patience ?? 1;
    budget.add({ steps: history.length, configurations: 0, searches: [name] });
    switch (ruling.kind) {
      case 'order':
        return { kind: 'order', order: pick(history.columns.id, ruling.order), waits: [] };
      case 'contradiction':
        this.#tell(ruling.cause.operation, 'safety');
        invariant(verifyCause(history, spec, ruling.cause), `a ${ruling.cause.kind} is not confirmed`);
        return { kind: 'none', counterexample: contradiction(this.#part, ruling) };
      case 'stops':
        this.#tell(history.columns.id[ruling.operation], 'safety');
        return { kind: 'none', counterexample: stop(this.#part, ruling) };
      case 'undecided':
        return this.#undecided(ruling.because, undefined);
      case 'aside':
        return undefined;
    }
  }

  /**
   * Nothing will ever return again.
   *
   *   S. Burckhardt, C. Dern, M. Musuvathi, R. Tan. Line-Up. PLDI 2010, section 2:
   *   each pending operation needs an order of its own of all that returned, in
   *   whose last state it has to wait; the other pending ones are left out.
   */
  #findWaits(safe: Int32Array, { isOvertaken }: Leave): Finding | 'overtaken' | 'paused' {
    const { history } = this.#part;
    const { id, return: returned, after } = history.columns;
    const complete = history.complete();
    const waits: Wait[] = [];
    for (const operation of id.filter((_, k) => returned[k] === NEVER)) {
      const search = searchForWait(this.#part, complete, operation);
      const answer = this.#means.budget.run(search, {
        otherBytes: this.#means.machineBytes,
        ...(isOvertaken && { isOvertaken }),
      });
      if (answer === 'overtaken' || answer === 'paused') return answer;
      if (typeof answer === 'string') return this.#undecided(answer, search);
      if (!answer.found) {
        this.#tell(operation, 'progress');
        return { kind: 'none', counterexample: needlessWait(this.#part, operation, answer) };
      }
      waits.push({ operation, order: pick(complete.columns.id, answer.order) });
    }
    // what returned may come "after" one that waits, which then has to stand in the order
    return { kind: 'order', order: after ? safe : (waits[0]?.order ?? safe), waits };
  }

  #tell(operation: number, property: Found['property']): void {
    this.#means.onViolation?.({ part: this.#part.name, operation, property });
  }

  #undecided(because: Exhausted, search: Search | undefined): Finding {
    const { name, history } = this.#part;
    const of = history.columns.events.length - history.length;
    return { kind: 'undecided', because, unfinished: { part: name, explained: search?.explained ?? 0, of } };
  }
}
