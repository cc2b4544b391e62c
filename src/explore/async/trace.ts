/**
 * A schedule run again, for people: what happened and whose doing it was.
 *
 * Of calls it gives the history (`asyncTrace`), of a test body the macrotasks of each part and the await at which each part stands
 * (`bodyTrace`). Macrotasks and promises belong to the call or part whose code set them up. A promise that depends on another one is an
 * await, or a reaction of `then`; the last of a part that has not run is where the part stands. Costs a stack for each promise.
 */
import { createHook, executionAsyncId } from 'node:async_hooks';
import { relative } from 'node:path';
import { ResultReference, targetOf } from '../../base/values/result-reference.js';
import { show } from '../../base/values/show.js';
import { type Foreign, foreignIn } from '../../event-loop/control.js';
import { currentOperation, inside, type Task } from '../../event-loop/event-loop.js';
import { callerPlace, callers } from '../../execution/callers.js';
import { errorText } from '../../execution/comparable.js';
import { NOTHING } from '../../execution/memory/access.js';
import type { Level } from '../../execution/memory/call-frames.js';
import { Outcomes } from '../../execution/outcomes.js';
import { HistoryBuilder } from '../../history/builder/builder.js';
import type { Outcome } from '../../history/model/operation.js';
import { FAILED, UNKNOWN } from '../automata/configurations.js';
import type { Schedule } from '../model/engine.js';
import type { Trace, TraceStep } from '../model/trace-types.js';
import { Awaits, NO_SITE } from './awaits.js';
import { planned } from './engines.js';
import type { AsyncProgram, Watcher } from './program.js';
import { COUNTS } from './program.js';
import { AsyncRun } from './run.js';
import { type BodyFailure, type BodyRun, END, type PartWatcher } from './test-body.js';

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
  const watcher = new CallWatcher(run);
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

class CallWatcher implements Watcher {
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

// ── test bodies ──

/** A row of a schedule: what a part did, and where that was set up. */
interface BodyRow {
  readonly part: number;
  readonly kind: 'start' | 'task' | 'end';
  readonly text: string;
  readonly place: string;
  /** Of the end of a part. */
  readonly outcome?: Outcome;
}

/** A failing schedule, run once more. */
export interface FailedSchedule {
  readonly failure: BodyFailure;
  readonly schedule: Schedule;
  /** Names of the parts; part 0 is the body. */
  readonly parts: readonly string[];
  readonly rows: readonly BodyRow[];
  /** Parts that have not ended, and the awaits at which they stand; empty if that is unknown. */
  readonly waiting: readonly { readonly part: number; readonly place: string }[];
  /** Of a deadlock: a handle outside of the virtual event loop, which the test may wait for. */
  readonly foreign: Foreign | undefined;
  /** Of a deadlock: repeating timers are left, which fired several times without an end of the test. */
  readonly isRepeating: boolean;
  /** The macrotasks, to notice that the code has changed. */
  readonly steps: readonly BodyStep[];
}

/** A macrotask of a part, to notice that the code has changed. */
interface BodyStep {
  readonly thread: number;
  readonly access: string;
  readonly place: string;
}

export function bodyTrace(
  run: BodyRun,
  schedule: Schedule,
): Omit<FailedSchedule, 'failure'> & { failure: BodyFailure | undefined } {
  const watcher = new BodyWatcher();
  const foreign = foreignIn(() => watcher.during(() => run.watched(planned(schedule), watcher)));
  const { failure } = run;
  return {
    failure,
    schedule: [...run.schedule],
    parts: run.parts.map(({ name }) => name),
    rows: watcher.rows,
    waiting: run.parts.flatMap(({ state }, part) =>
      state === 'running' ? [{ part, place: watcher.waitOf(part) }] : [],
    ),
    foreign: failure?.kind === 'deadlock' ? foreign : undefined,
    isRepeating: failure?.kind === 'deadlock' && run.loop.tasks.some(({ handle }) => handle?.isRepeated),
    steps: watcher.steps,
  };
}

/** An await that has begun. `turn`: the number of synchronous turns of its part before it. */
interface Wait {
  readonly part: number;
  readonly turn: number;
  readonly place: string;
}

/** The one of Node: an execution with starts between microtasks counts microtasks by one of its own. */
const realQueueMicrotask = queueMicrotask;

class BodyWatcher implements PartWatcher {
  readonly rows: BodyRow[] = [];
  readonly steps: BodyStep[] = [];
  /** By the number that Node gives to the promise. */
  readonly #waits = new Map<number, Wait>();
  readonly #turns: number[] = [];
  /** Has a part started in this synchronous turn? */
  #isSameTurn = false;
  /** The part whose macrotask came last. */
  #fired = 0;
  /** Rows after a failure are not shown. */
  #isOver = false;

  during<T>(run: () => T): T {
    const hook = createHook({
      init: (id, type, trigger) => {
        const part = currentOperation();
        // a promise that depends on another one: an await, or `then`
        if (type !== 'PROMISE' || part === undefined || trigger === executionAsyncId()) return;
        const [inner, ...outer] = callers().map(({ file, line }) => `${relative('.', file)}:${line}`);
        if (inner === undefined) return;
        const start = outer.findLast((place) => place !== inner);
        const place = start === undefined ? inner : `${inner}, called at ${start}`;
        this.#waits.set(id, { part, turn: this.#turns[part] ?? 0, place });
      },
      before: (id) => {
        const wait = this.#waits.get(id);
        if (wait === undefined) return;
        this.#waits.delete(id);
        this.#turns[wait.part] = (this.#turns[wait.part] ?? 0) + 1;
      },
    });
    hook.enable();
    try {
      return run();
    } finally {
      hook.disable();
    }
  }

  /** The innermost await of a part: the first of its last turn that left one. */
  waitOf(part: number): string {
    const own = [...this.#waits.values()].filter((wait) => wait.part === part);
    const last = Math.max(...own.map(({ turn }) => turn));
    return own.find(({ turn }) => turn === last)?.place ?? '';
  }

  started(part: number): void {
    const isInMacrotask = this.#fired === part;
    const how = isInMacrotask ? (this.#isSameTurn ? ' (same turn)' : '') : ' (between microtasks)';
    if (part > 0 && !this.#isOver) this.rows.push({ part, kind: 'start', text: `starts${how}`, place: '' });
    this.#isSameTurn = part > 0;
    realQueueMicrotask(() => {
      this.#isSameTurn = false;
    });
  }

  ended(part: number, outcome: { readonly value: unknown } | { readonly error: unknown }): void {
    const text = 'error' in outcome ? `! ${errorText(outcome.error)}` : show(outcome.value);
    if ((part === 0 && !('error' in outcome)) || this.#isOver) return;
    const reported: Outcome =
      'error' in outcome
        ? { kind: 'threw', error: errorText(outcome.error).split('\n')[0] }
        : { kind: 'returned', value: outcome.value };
    this.rows.push({ part, kind: 'end', text, place: '', outcome: reported });
  }

  failed(error: unknown): void {
    this.rows.push({
      part: this.rows.at(-1)?.part ?? 0,
      kind: 'end',
      text: `! ${errorText(error)}`,
      place: '',
    });
    this.#isOver = true;
  }

  onTask(task: Task): void {
    const part = task.operation ?? currentOperation() ?? 0;
    task.operation = part;
    task.place ??= callerPlace();
    const { run } = task;
    // what a callback sets up belongs to its part
    Object.assign(task, { run: () => inside(part, run) });
  }

  fires({ kind, does, operation: part = 0, place = '' }: Task): void {
    this.#fired = part;
    if (does === END) return;
    this.steps.push({ thread: part, access: does, place });
    if (kind !== 'call' && !this.#isOver) this.rows.push({ part, kind: 'task', text: does, place });
  }
}
