/** A schedule of tasks run again, for people: what happened, whose doing it was, and the history. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { HistoryBuilder } from '../../history/index.js';
import { NOTHING } from '../access.js';
import type { Schedule } from '../engine.js';
import { Outcomes } from '../outcomes.js';
import type { Trace, TraceStep } from '../traced.js';
import { planned } from './async-engines.js';
import type { AsyncProgram } from './async-program.js';
import { AsyncRun, COUNTS, FAILED, UNKNOWN, type Watcher } from './async-run.js';
import type { Task } from './event-loop.js';
import { callerPlace } from './place.js';

/** The operation whose code runs, through all its awaits. */
const operations = new AsyncLocalStorage<number>();

export function asyncTrace(program: AsyncProgram, schedule: Schedule): Trace {
  const run = new AsyncRun(program, new Outcomes());
  const watcher = new TraceWatcher(run);
  let followed = schedule.length;
  const choose = planned(schedule, () => {
    followed = Math.min(followed, run.schedule.length);
  });
  const ending = run.run(choose, { watcher });
  if (ending === 'stuck') watcher.builder.markStuck();
  return {
    steps: watcher.steps,
    history: watcher.builder.finish(),
    idOf: watcher.entries,
    endOf: watcher.ends,
    isStuck: ending === 'stuck',
    waiting: [],
    isWhole: ending !== 'unfinished',
    followed: Math.min(followed, run.schedule.length),
    schedule: [...run.schedule],
  };
}

/** Who makes the calls before and after is called main. */
export const processOf = ({ threads }: AsyncProgram, thread: number): string =>
  thread === threads ? 'main' : String.fromCharCode(65 + thread);

class TraceWatcher implements Watcher {
  readonly builder: HistoryBuilder = new HistoryBuilder();
  readonly entries: number[] = [];
  readonly ends: number[] = [];
  readonly steps: TraceStep[] = [];
  readonly #run: AsyncRun;
  #last = 0;

  constructor(run: AsyncRun) {
    this.#run = run;
  }

  called(operation: number): void {
    const { program } = this.#run;
    const { method, args, thread } = program.calls[operation];
    this.entries[operation] = this.builder.call({ process: processOf(program, thread), method, args });
    // one that is made at once is no task
    if (this.steps.at(-1)?.operation !== operation) this.#step(operation, undefined);
  }

  ended(operation: number): void {
    const { outcome, outcomes, standing } = this.#run;
    const given = outcomes.at(outcome[operation]);
    const reason = given.kind === 'threw' ? { reason: given.error } : {};
    const told = {
      [COUNTS]: given,
      [FAILED]: { kind: 'failed', ...reason } as const,
      [UNKNOWN]: { kind: 'pending', ...reason } as const,
    }[standing[operation]];
    this.ends[operation] = this.steps.length - 1;
    this.builder.end(this.entries[operation], told ?? given);
  }

  fires({ kind, does, operation, place = '' }: Task): void {
    this.#step(operation ?? this.#last, kind === 'call' ? undefined : { does, place });
  }

  inside(operation: number, run: () => unknown): unknown {
    return operations.run(operation, run);
  }

  onTask(task: Task): void {
    task.operation ??= operations.getStore();
    task.place ??= callerPlace();
  }

  #step(operation: number, task: TraceStep['task']): void {
    const { thread } = this.#run.program.calls[operation];
    this.#last = operation;
    this.steps.push({
      thread,
      operation,
      kind: NOTHING,
      location: undefined,
      site: 0,
      levels: [],
      alternative: 0,
      value: undefined,
      task,
    });
  }
}
