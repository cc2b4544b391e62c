/**
 * Judges an execution of asynchronous code: its events go through the sets of configurations one by one.
 *
 * A call that failed had no effect. A call of unknown outcome stays open. If no task is left, two rules apply to the
 * pending calls. One run must block all of them. And if the other calls can return the same results without them, one such run
 * must block them when they start last; otherwise their wake-up was lost.
 */
import { OPEN } from '../../execution/outcomes.js';
import type { Configurations } from '../automata/configurations.js';
import { DEAD, FAILED, UNKNOWN } from '../model/automaton.js';
import type { ScheduleViolation } from '../model/engine.js';
import { type AsyncRun, COUNTS, type Ending } from './run.js';

export class AsyncJudge {
  readonly #run: AsyncRun;
  readonly #configurations: Configurations;

  constructor(run: AsyncRun, configurations: Configurations) {
    this.#run = run;
    this.#configurations = configurations;
  }

  judge(ending: Ending): ScheduleViolation | undefined {
    const { events, outcome, uncaught } = this.#run;
    if (uncaught) return { kind: 'uncaught', ...uncaught, schedule: [...this.#run.schedule] };
    const { set, unexplained } = this.#after(events);
    if (set === DEAD) return this.#found('outcome', unexplained);
    const pending = ending === 'stuck' ? events.filter((k) => k >= 0 && outcome[k] === OPEN) : [];
    if (pending.length === 0) return undefined;
    const others = events.filter((k) => outcome[k < 0 ? ~k : k] !== OPEN);
    const last = this.#after([...others, ...pending]).set;
    const together = this.#configurations.needlessWait(set, pending);
    if (together >= 0) return this.#found('wait', together);
    const lost = last === DEAD ? -1 : this.#configurations.needlessWait(last, pending);
    return lost < 0 ? undefined : { ...this.#found('wait', lost), isLostWakeUp: true };
  }

  /** The set after some events; DEAD if no run explains the event of `unexplained`. */
  #after(events: readonly number[]): { set: number; unexplained: number } {
    const { outcome, standing } = this.#run;
    let set = this.#configurations.initial;
    for (const event of events) {
      const k = event < 0 ? ~event : event;
      if (event >= 0) set = this.#configurations.call(set, k);
      else if (standing[k] !== UNKNOWN)
        set = this.#configurations.return(set, k, standing[k] === COUNTS ? outcome[k] : FAILED);
      if (set === DEAD) return { set, unexplained: k };
    }
    return { set, unexplained: -1 };
  }

  #found(kind: ScheduleViolation['kind'], operation: number): ScheduleViolation {
    return { kind, operation, schedule: [...this.#run.schedule] };
  }
}
