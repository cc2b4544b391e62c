/**
 * Judges an execution of asynchronous code: its events go through the sets of configurations one by one.
 *
 * A call that failed had no effect. A call of unknown outcome stays open. Each of them may have had no effect although every run
 * that makes it shows one, so an execution with such calls is reported only if no run without some of them explains it. If no task is left, two rules apply to the
 * pending calls. One run must block all of them. And if the other calls can return the same results without them, one such run
 * must block them when they start last; otherwise their wake-up was lost.
 */
import { ResultReference } from '../../base/values/result-reference.js';
import { OPEN } from '../../execution/outcomes.js';
import { describeOutcome } from '../../history/model/operation.js';
import type { Exclusive } from '../../objects/locks/mutex.js';
import { type Configurations, DEAD, FAILED, type ThreadOrder, UNKNOWN } from '../automata/configurations.js';
import type { ScheduleViolation } from '../model/engine.js';
import type { JudgeMemory } from './client-names.js';
import { COUNTS, type Ending } from './program.js';
import type { AsyncRun } from './run.js';

/** Configurations of runs that omit these operations; undefined if nothing was learned. */
type Relearn = (omitted: readonly number[]) => Configurations | undefined;

interface JudgeOptions {
  readonly relearn?: Relearn;
  readonly fair?: Configurations | undefined;
  readonly scope?: JudgeMemory['scope'];
}

export class AsyncJudge implements JudgeMemory {
  readonly #run: AsyncRun;
  readonly #configurations: Configurations;
  readonly #relearn: Relearn;
  readonly #fair: Configurations | undefined;
  readonly #scope: JudgeMemory['scope'];

  /** `fair`: of runs in which calls start when they are called. `scope`: of histories in which every call counts. */
  constructor(
    run: AsyncRun,
    configurations: Configurations,
    { relearn = () => undefined, fair, scope = 'none' }: JudgeOptions = {},
  ) {
    this.#run = run;
    this.#configurations = configurations;
    this.#relearn = relearn;
    this.#fair = fair;
    this.#scope = scope;
  }

  /** Of a history with calls that failed, or whose outcome is unknown, all is remembered. */
  get scope(): JudgeMemory['scope'] {
    return this.#run.standing.some((one) => one !== COUNTS) ? 'none' : this.#scope;
  }

  /**
   * What later verdicts depend on, as text: the set of configurations.
   *
   * Calls that turn out to be blocked are also judged without their events. The set without the call p follows from the set with
   * it: it has those configurations in which p has not started, because no move depends on a call that has not started. A fair call
   * starts when it is called, so there the set is written for each set of open calls.
   */
  memoryIn(order: ThreadOrder): string {
    const { events, outcome } = this.#run;
    const { scope } = this;
    if (scope === 'none') return historyText(this.#run);
    const sets = [this.#setIn(this.#configurations, events, order)];
    const open = this.#fair ? events.filter((k) => k >= 0 && outcome[k] === OPEN) : [];
    open.sort((a, b) => order.roleOf[a] - order.roleOf[b]);
    if (this.#fair)
      for (let bits = 0; bits < 1 << open.length; bits++) {
        const omitted = open.filter((_, i) => bits & (1 << i));
        const others = events.filter((event) => !omitted.includes(event));
        sets.push(this.#setIn(this.#fair, others, order));
      }
    return sets.join();
  }

  #setIn(configurations: Configurations, events: readonly number[], order: ThreadOrder): number {
    const { set } = this.#after(configurations, events);
    return set === DEAD ? DEAD : configurations.renamed(set, order, []);
  }

  judge(ending: Ending): ScheduleViolation | undefined {
    const { outcome, standing, schedule, uncaught } = this.#run;
    if (uncaught) return { kind: 'uncaught', ...uncaught, schedule: [...schedule] };
    const found = this.#judge(this.#configurations, ending);
    const isFailed = standing.some((one) => one !== COUNTS);
    if (found === undefined) {
      const unfair = isFailed || !this.#fair ? undefined : this.#judge(this.#fair, ending);
      return unfair && { ...unfair, isUnfair: true };
    }
    const failed = [...outcome.keys()].filter((k) => outcome[k] !== OPEN && standing[k] !== COUNTS);
    for (let bits = (1 << failed.length) - 1; bits > 0; bits--) {
      const configurations = this.#relearn(failed.filter((_, i) => bits & (1 << i)));
      if (configurations && this.#judge(configurations, ending) === undefined) return undefined;
    }
    return found;
  }

  #judge(configurations: Configurations, ending: Ending): ScheduleViolation | undefined {
    const { events, outcome } = this.#run;
    const { set, unexplained } = this.#after(configurations, events);
    if (set === DEAD) return this.#found('outcome', unexplained);
    const pending = ending === 'stuck' ? events.filter((k) => k >= 0 && outcome[k] === OPEN) : [];
    if (pending.length === 0) return undefined;
    const together = configurations.needlessWait(set, pending);
    if (together >= 0) return this.#found('wait', together);
    const others = events.filter((k) => outcome[k < 0 ? ~k : k] !== OPEN);
    const last = this.#after(configurations, [...others, ...pending]).set;
    const lost = last === DEAD ? -1 : configurations.needlessWait(last, pending);
    return lost < 0 ? undefined : { ...this.#found('wait', lost), isLostWakeUp: true };
  }

  /** The set after some events; DEAD if no run explains the event of `unexplained`. */
  #after(configurations: Configurations, events: readonly number[]): { set: number; unexplained: number } {
    const { outcome, standing } = this.#run;
    let set = configurations.initial;
    for (const event of events) {
      const k = event < 0 ? ~event : event;
      if (event >= 0) set = configurations.call(set, k);
      else if (standing[k] !== UNKNOWN)
        set = configurations.return(set, k, standing[k] === COUNTS ? outcome[k] : FAILED);
      if (set === DEAD) return { set, unexplained: k };
    }
    return { set, unexplained: -1 };
  }

  #found(kind: ScheduleViolation['kind'], operation: number): ScheduleViolation {
    return { kind, operation, schedule: [...this.#run.schedule] };
  }
}

/**
 * Judges an execution by the resources that its calls hold. A resource is held from the return of the call that took it to
 * the call that gives it back; any linearization holds it at least as long. Cost: O(events · resources held).
 */
export class ExclusiveJudge implements JudgeMemory {
  readonly #run: AsyncRun;
  readonly #spec: Exclusive;
  readonly scope = 'none';
  /** What is held: the number of its outcome, and the operation that took it. */
  #held: { readonly resource: number; readonly operation: number }[] = [];

  constructor(run: AsyncRun, spec: Exclusive) {
    this.#run = run;
    this.#spec = spec;
  }

  memoryIn(): string {
    return historyText(this.#run);
  }

  judge(ending: Ending): ScheduleViolation | undefined {
    const { events, outcome, standing, schedule, uncaught } = this.#run;
    if (uncaught) return { kind: 'uncaught', ...uncaught, schedule: [...schedule] };
    this.#held = [];
    for (const event of events) {
      const found = event >= 0 ? this.#called(event) : this.#ended(~event);
      if (found) return found;
    }
    // a call of unknown effect may hold something
    if (ending !== 'stuck' || standing.includes(UNKNOWN)) return undefined;
    const blocked = events.find((k) => k >= 0 && outcome[k] === OPEN && !this.#mayWait(k));
    return blocked === undefined ? undefined : this.#found('wait', blocked, '', this.#held);
  }

  #mayWait(k: number): boolean {
    const { method } = this.#run.program.calls[k];
    if (method !== this.#spec.take) return method !== this.#spec.give;
    return this.#held.length >= (this.#spec.max ?? 1);
  }

  #called(k: number): undefined {
    const { method, uses = [], args } = this.#run.program.calls[k];
    if (method !== this.#spec.give) return;
    const { argument } = this.#spec;
    const before = args.slice(0, argument ?? 0).filter((arg) => arg instanceof ResultReference).length;
    const taken = uses[argument === undefined ? 0 : before];
    this.#held = this.#held.filter(({ operation }) => operation !== taken);
  }

  #ended(k: number): ScheduleViolation | undefined {
    const { outcome, outcomes, standing, program } = this.#run;
    const { method } = program.calls[k];
    if (standing[k] !== COUNTS) return undefined;
    const ended = outcomes.at(outcome[k]);
    if (method === this.#spec.give && ended.kind === 'threw') return this.#found('outcome', k, '', []);
    if (method !== this.#spec.take || ended.kind !== 'returned' || isNothing(ended.value)) return undefined;
    const resource = outcome[k];
    const same = this.#held.find((one) => one.resource === resource);
    if (same) return this.#found('outcome', k, describeOutcome(ended), [same]);
    if (this.#held.length >= (this.#spec.max ?? Number.POSITIVE_INFINITY))
      return this.#found('outcome', k, describeOutcome(ended), this.#held);
    this.#held.push({ resource, operation: k });
    return undefined;
  }

  #found(
    kind: ScheduleViolation['kind'],
    operation: number,
    resource: string,
    held: readonly { readonly resource: number; readonly operation: number }[],
  ): ScheduleViolation {
    const isSame = held.some((one) => one.resource === this.#run.outcome[operation]);
    const holders = held.map((one) => one.operation);
    const { max } = this.#spec;
    return {
      kind,
      operation,
      schedule: [...this.#run.schedule],
      exclusive: { resource, isSame, holders, ...(max !== undefined && { max }) },
    };
  }
}

const isNothing = (value: unknown): boolean => value === undefined || value === null || value === false;

const historyText = ({ events, outcome, standing }: AsyncRun): string =>
  [events, [...outcome], [...standing]].map((list) => list.join()).join(';');
