/**
 * Is what an execution came to explained by the automaton? Its events go through the sets of configurations one by one.
 *
 * A call that failed has not happened. One of which nobody knows stays open. Where no task is left, each call that waits must
 * be able to wait after an order of all that ended (Line-Up, definition 2), those of which nobody
 * knows having happened or not.
 */
import { OPEN } from '../../execution/outcomes.js';
import type { Configurations } from '../automata/configurations.js';
import { DEAD } from '../model/automaton.js';
import type { ScheduleViolation } from '../model/engine.js';
import { type AsyncRun, COUNTS, type Ending, FAILED } from './run.js';

export class AsyncJudge {
  readonly #run: AsyncRun;
  readonly #configurations: Configurations;

  constructor(run: AsyncRun, configurations: Configurations) {
    this.#run = run;
    this.#configurations = configurations;
  }

  judge(ending: Ending): ScheduleViolation | undefined {
    const { outcome, uncaught } = this.#run;
    if (uncaught) return { kind: 'uncaught', ...uncaught, schedule: [...this.#run.schedule] };
    const { unexplained } = this.#after(() => true);
    if (unexplained >= 0) return this.#found('outcome', unexplained);
    if (ending !== 'stuck') return undefined;
    const waiting = this.pending();
    const { set, unexplained: isNeeded } = this.#after((k) => outcome[k] !== OPEN);
    if (waiting.length === 0) return undefined;
    const needless = isNeeded >= 0 ? waiting[0] : this.#configurations.needlessWaitWhatever(set, waiting);
    return needless < 0 ? undefined : this.#found('wait', needless);
  }

  /** The operations that were called and have not ended. */
  pending(): number[] {
    const { events, outcome } = this.#run;
    return events.filter((event) => event >= 0 && outcome[event] === OPEN);
  }

  /** Where the events of some operations lead, and the operation whose return nothing explains, or -1. */
  #after(counts: (operation: number) => boolean): { set: number; unexplained: number } {
    const { events, outcome, standing } = this.#run;
    let set = this.#configurations.initial;
    for (const event of events) {
      const k = event < 0 ? ~event : event;
      if (standing[k] === FAILED || !counts(k)) continue;
      if (event >= 0) set = this.#configurations.call(set, k);
      else if (standing[k] === COUNTS) {
        set = this.#configurations.return(set, k, outcome[k]);
        if (set === DEAD) return { set, unexplained: k };
      }
    }
    return { set, unexplained: -1 };
  }

  #found(kind: ScheduleViolation['kind'], operation: number): ScheduleViolation {
    return { kind, operation, schedule: [...this.#run.schedule] };
  }
}
