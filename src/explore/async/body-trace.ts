/**
 * A schedule of a test body, run once more for people: the macrotasks of each part, and the await at which each part stands.
 *
 * Macrotasks and promises belong to the part whose code set them up. A promise that depends on another one is an await, or a
 * reaction of `then`; the last of a part that has not run is where the part stands. Costs a stack for each promise.
 */
import { createHook, executionAsyncId } from 'node:async_hooks';
import { relative } from 'node:path';
import { show } from '../../base/values/show.js';
import { type Foreign, foreignIn } from '../../event-loop/control.js';
import { currentOperation, inside, type Task } from '../../event-loop/event-loop.js';
import { callerPlace, callers } from '../../execution/callers.js';
import { errorText } from '../../execution/comparable.js';
import type { Schedule } from '../model/engine.js';
import { planned } from './engines.js';
import { type BodyFailure, type BodyRun, END, type PartWatcher } from './test-body.js';

/** A row of a schedule: what a part did, and where that was set up. */
interface BodyRow {
  readonly part: number;
  readonly kind: 'start' | 'task' | 'end';
  readonly text: string;
  readonly place: string;
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

export function traceOf(
  run: BodyRun,
  schedule: Schedule,
): Omit<FailedSchedule, 'failure'> & { failure: BodyFailure | undefined } {
  const watcher = new TraceWatcher();
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

class TraceWatcher implements PartWatcher {
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
    if ((part > 0 || 'error' in outcome) && !this.#isOver)
      this.rows.push({ part, kind: 'end', text, place: '' });
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
