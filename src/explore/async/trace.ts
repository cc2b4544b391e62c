/** A schedule of tasks run again, for people: what happened, whose doing it was, and the history. */

import { ResultReference, targetOf } from '../../base/values/result-reference.js';
import { currentOperation, inside, type Task } from '../../event-loop/event-loop.js';
import { callerPlace } from '../../execution/callers.js';
import { errorText } from '../../execution/comparable.js';
import { NOTHING } from '../../execution/memory/access.js';
import type { Level } from '../../execution/memory/call-frames.js';
import { Outcomes } from '../../execution/outcomes.js';
import { HistoryBuilder } from '../../history/builder/builder.js';
import { FAILED, UNKNOWN } from '../automata/configurations.js';
import type { Schedule } from '../model/engine.js';
import type { Trace, TraceStep } from '../model/trace-types.js';
import { Awaits, NO_SITE } from './awaits.js';
import { planned } from './engines.js';
import type { AsyncProgram, Watcher } from './program.js';
import { COUNTS } from './program.js';
import { AsyncRun } from './run.js';

/** A schedule is of a run that ended, so a limit matters only if the code has changed. */
const MOST_TRACED = 10_000;

interface TraceOptions {
  readonly maxTasks?: number;
  readonly isQuiescent?: boolean;
}

export function asyncTrace(
  program: AsyncProgram,
  schedule: Schedule,
  { maxTasks = MOST_TRACED, isQuiescent = false }: TraceOptions = {},
): Trace {
  const run = new AsyncRun(program, new Outcomes(program.hasErrorsByName));
  run.maxTasks = maxTasks;
  const watcher = new TraceWatcher(run);
  let followed = schedule.length;
  const choose = planned(schedule, () => {
    followed = Math.min(followed, run.schedule.length);
  });
  const ending = watcher.awaits.during(() => run.run(choose, { watcher, isQuiescent }));
  if (ending === 'stuck') watcher.builder.markStuck();
  return {
    steps: watcher.steps,
    history: watcher.builder.finish(),
    idOf: watcher.entries,
    endOf: watcher.ends,
    errors: run.thrown.map(errorText),
    isStuck: ending === 'stuck',
    waiting: [],
    ...watcher.awaits.steps(),
    uncaught: run.uncaught?.error,
    isWhole: ending !== 'unfinished',
    followed: Math.min(followed, run.schedule.length),
    schedule: [...run.schedule],
  };
}

/** Who makes the calls before and after is called main. */
const processOf = ({ threads }: AsyncProgram, thread: number): string =>
  thread === threads ? 'main' : String.fromCharCode(65 + thread);

class TraceWatcher implements Watcher {
  readonly builder: HistoryBuilder = new HistoryBuilder();
  readonly entries: number[] = [];
  readonly ends: number[] = [];
  readonly steps: TraceStep[] = [];
  readonly awaits: Awaits;
  readonly #run: AsyncRun;
  #last = 0;

  constructor(run: AsyncRun) {
    this.#run = run;
    this.awaits = new Awaits(run.program, currentOperation);
  }

  called(operation: number): void {
    const { program } = this.#run;
    const { method, thread } = program.calls[operation];
    this.awaits.called(operation);
    const args = this.#argsOf(operation);
    this.entries[operation] = this.builder.call({ process: processOf(program, thread), method, args });
    // one that is made at once is no task
    if (this.steps.at(-1)?.operation !== operation) this.#step(operation, undefined);
  }

  /** The arguments, with results instead of references to them. */
  #argsOf(operation: number): readonly unknown[] {
    const { outcome, outcomes, program } = this.#run;
    const { method, args, uses = [] } = program.calls[operation];
    const used = uses.slice(targetOf(method) ? 1 : 0).values();
    return args.map((arg) => {
      const given = arg instanceof ResultReference && outcomes.at(outcome[used.next().value!]);
      return given && given.kind === 'returned' ? given.value : arg;
    });
  }

  ended(operation: number): void {
    this.awaits.ended(operation);
    const { outcome, outcomes, standing } = this.#run;
    const given = outcomes.at(outcome[operation]);
    const reason = given.kind === 'threw' ? { reason: given.error } : {};
    const reported = {
      [COUNTS]: given,
      [FAILED]: { kind: 'failed', ...reason } as const,
      [UNKNOWN]: { kind: 'pending', ...reason } as const,
    }[standing[operation]];
    this.ends[operation] = this.steps.length - 1;
    this.builder.end(this.entries[operation], reported ?? given);
  }

  fires(task: Task): void {
    const { kind, does, operation, place = '' } = task;
    const levels = this.awaits.fires(task);
    this.#step(operation ?? this.#last, kind === 'call' ? undefined : { does, place }, levels);
  }

  inside(operation: number, run: () => unknown): unknown {
    return inside(operation, run);
  }

  onTask(task: Task): void {
    task.operation ??= currentOperation();
    if (task.kind === 'call') return;
    const stack = this.awaits.callers();
    task.place ??= callerPlace(stack);
    this.awaits.setUp(task, stack);
  }

  #step(operation: number, task: TraceStep['task'], levels: readonly Level[] = []): void {
    const { thread } = this.#run.program.calls[operation];
    this.#last = operation;
    this.steps.push({
      thread,
      operation,
      kind: NOTHING,
      location: undefined,
      site: levels.at(-1)?.site ?? NO_SITE,
      levels,
      alternative: 0,
      value: undefined,
      task,
    });
  }
}
