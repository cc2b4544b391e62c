/**
 * One execution of asynchronous code. Whoever drives it is asked at every place where more than one thing can be next:
 *
 *   which task     of those that the event loop could run next (event-loop/event-loop.ts)
 *   in one breath  after a call was made: go on, or make another call before any microtask runs, as
 *                  `Promise.all([a(), b()])` does
 *   at once        after a call has ended: make the next call of this client in the same microtask, as
 *                  `await a(); await b();` does, or later
 *   abort          where calls are aborted: one of those that are open, once in an execution
 *
 * The first alternative is always what Node would do. Microtasks run as they do in Node, so all that is seen can happen.
 * The execution is over when all calls have ended, or when no task is left: then those that are open wait for ever.
 */
import { invariant } from '../../base/errors.js';
import { EventLoop, type Task, withLoop } from '../../event-loop/event-loop.js';
import { ScenarioError } from '../../execution/memory/program-error.js';
import { errorText, OPEN, type Outcomes } from '../../execution/outcomes.js';
import { tracer } from '../../instrument/tracing/tracer.js';
import { Aborts } from './aborts.js';
import type { AsyncProgram } from './program.js';

/** One of n alternatives, n > 1. */
export type Choose = (alternatives: number) => number;

/** One of some tasks, or -1: no more of this execution. */
type Pick = (tasks: readonly Task[]) => number;

/** `uncaught`: a callback threw, which ends a process of Node. `unfinished`: given up, it did not come to an end. `left`: whoever picks the tasks did not want more of it. */
export type Ending = 'ended' | 'stuck' | 'unfinished' | 'left' | 'uncaught';

/** What becomes of operations that do not count. */
export const COUNTS = 0;
export const FAILED = 1;
export const UNKNOWN = 2;

export interface Watcher {
  called(operation: number): void;
  ended(operation: number): void;
  fires(task: Task): void;
  /** Runs the code of an operation. */
  inside(operation: number, run: () => unknown): unknown;
  onTask(task: Task): void;
  onRemove?(task: Task): void;
  onUse?(used: object): void;
}

interface RunOptions {
  /** One call at a time, none aborted? */
  readonly isSerial?: boolean;
  readonly watcher?: Watcher;
  /** Instead of `choose`, where it is about tasks; asked also where there is one. */
  readonly pick?: Pick;
}

/** Runs are given up after so many tasks: an interval never ends by itself. */
const MOST_TASKS = 100;
/** Alternatives are bits. */
const MOST_ALTERNATIVES = 30;

export class AsyncRun {
  readonly program: AsyncProgram;
  readonly outcomes: Outcomes;
  /** Operation k is called: k; it ends: ~k. */
  readonly events: number[] = [];
  /** Operation to the number of its outcome, or OPEN; and to whether it counts. */
  readonly outcome: Int32Array;
  readonly standing: Uint8Array;
  /** Operation to the error that it threw last, in whichever run. */
  readonly thrown: unknown[] = [];
  /** What was chosen, wherever there was a choice. */
  readonly schedule: number[] = [];
  /** Tasks run. */
  steps = 0;
  readonly asked: Set<string> = new Set();
  /** Did a call, in whichever run, return a promise or set up a task? */
  hasWaited = false;
  /** The first error of the current run that nothing catches, and the operation that it belongs to. */
  uncaught: { readonly operation: number; readonly error: string } | undefined;
  uncaughtError: unknown;
  /** The loop of the current run. */
  #loop: EventLoop = new EventLoop();
  #choose: Choose = () => 0;
  #pick: Pick | undefined;
  #isSerial = false;
  #watcher: Watcher | undefined;
  #object: object = {};
  #open = 0;
  #toEnd = 0;
  #aborts: Aborts;
  /** What our own code threw inside of a microtask. */
  #failure: Error | undefined;

  constructor(program: AsyncProgram, outcomes: Outcomes) {
    this.program = program;
    this.outcomes = outcomes;
    this.#aborts = new Aborts(program);
    this.outcome = new Int32Array(program.calls.length);
    this.standing = new Uint8Array(program.calls.length);
  }

  /** A fresh object, and all calls. */
  run(choose: Choose, { isSerial = false, watcher, pick }: RunOptions = {}): Ending {
    const { program } = this;
    this.#choose = choose;
    this.#pick = pick;
    this.#isSerial = isSerial;
    this.#watcher = watcher;
    this.#loop = new EventLoop();
    if (watcher) {
      this.#loop.onTask = (task) => watcher.onTask(task);
      this.#loop.onRemove = (task) => watcher.onRemove?.(task);
      this.#loop.onUse = (used) => watcher.onUse?.(used);
    }
    this.events.length = 0;
    this.schedule.length = 0;
    this.steps = 0;
    this.outcome.fill(OPEN);
    this.standing.fill(COUNTS);
    this.#open = 0;
    this.#toEnd = program.calls.length;
    this.#aborts = new Aborts(program);
    this.#failure = undefined;
    this.uncaught = undefined;
    return withLoop(this.#loop, () => {
      this.#object = this.#created(program.create());
      this.#arm(0);
      return this.#drive();
    });
  }

  /** The tasks that no run has come to, after it. */
  get left(): readonly Task[] {
    return this.#loop.tasks;
  }

  #drive(): Ending {
    const loop = this.#loop;
    while (this.#toEnd > 0) {
      if (this.steps === MOST_TASKS) return this.#ends('unfinished');
      const tasks = this.#tasks();
      const aborts = this.#aborts.possible;
      if (tasks.length === 0 && this.program.onIdle?.()) continue;
      if (tasks.length === 0) {
        const abort = aborts.length === 0 ? 0 : this.#one(aborts.length + 1);
        if (abort === 0) return this.#ends('stuck');
        this.#fire(aborts[abort - 1]);
      } else {
        const all = [...tasks, ...aborts];
        const picked = this.#one(all.length, this.#pick && (() => this.#pick!(all)));
        if (picked < 0) return this.#ends('left');
        let task = all[picked];
        this.#fire(task);
        // more in the same breath
        while (task.kind === 'call' && !this.#isSerial) {
          const others = [...loop.tasks.filter(({ kind }) => kind === 'call'), ...this.#aborts.possible];
          const taken = others.length === 0 ? 0 : this.#one(others.length + 1);
          if (taken === 0) break;
          task = others[taken - 1];
          this.#fire(task);
        }
      }
      if (!this.uncaught) this.#drain();
      if (this.#failure) throw this.#failure;
      if (this.uncaught) return this.#ends('uncaught');
    }
    return this.#ends('ended');
  }

  /** The object, also if `create` is asynchronous: its tasks run first, in the order of Node. */
  #created(made: unknown): object {
    const loop = this.#loop;
    loop.drain();
    if (!isThenable(made)) return made as object;
    let settled: { readonly value: unknown } | { readonly error: unknown } | undefined;
    made.then(
      (value) => {
        settled = { value };
      },
      (error: unknown) => {
        settled = { error };
      },
    );
    for (loop.drain(); settled === undefined; loop.drain()) {
      const [task] = loop.enabled();
      if (task === undefined)
        throw new ScenarioError('`create` never resolves; give the scenario stubs for what is outside');
      loop.fire(task);
    }
    if ('error' in settled) throw new ScenarioError(`\`create\` rejected: ${errorText(settled.error)}`);
    return settled.value as object;
  }

  /** Runs ticks and microtasks. A tick that throws ends the run, as a callback does. */
  #drain(): void {
    try {
      this.#loop.drain();
    } catch (error) {
      this.#caught('process.nextTick', error);
    }
  }

  #ends(ending: Ending): Ending {
    for (const name of this.#loop.asked) this.asked.add(name);
    return ending;
  }

  #tasks(): Task[] {
    const tasks = this.#loop.enabled();
    return this.#isSerial && this.#open > 0 ? tasks.filter(({ kind }) => kind !== 'call') : tasks;
  }

  #one(alternatives: number, choose: Choose | undefined = this.#ifSeveral): number {
    if (alternatives > MOST_ALTERNATIVES)
      throw new ScenarioError(
        `${alternatives} tasks wait at once; at most ${MOST_ALTERNATIVES} can be explored. Make the test smaller`,
      );
    const taken = choose(alternatives);
    if (alternatives > 1) this.schedule.push(taken);
    return taken;
  }

  readonly #ifSeveral: Choose = (alternatives) => (alternatives === 1 ? 0 : this.#choose(alternatives));

  #fire(task: Task): void {
    this.steps++;
    this.#watcher?.fires(task);
    try {
      if (task.kind !== 'call') this.hasWaited = true;
      if (task.kind === 'abort') task.run();
      else this.#loop.fire(task);
    } catch (error) {
      this.#caught(task.does, error, task.operation);
    }
  }

  /** Keeps the first error that nothing catches. */
  #caught(source: string, error: unknown, own?: number): void {
    if (error instanceof ScenarioError) throw error;
    if (this.uncaught) return;
    const operation = own ?? this.events.findLast((event) => event >= 0) ?? 0;
    this.uncaught = { operation, error: `${source} threw ${errorText(error)}` };
    this.uncaughtError = error;
  }

  /** From an operation on, whoever can make its first call gets ready for it. */
  #arm(from: number): void {
    const { beforeTo, afterFrom, calls } = this.program;
    if (from < beforeTo || from >= afterFrom) {
      if (from < calls.length) this.#ready(from);
      return;
    }
    for (let k = from; k < afterFrom; k++)
      if (k === from || calls[k].thread !== calls[k - 1].thread) this.#ready(k);
  }

  #ready(k: number): void {
    const { method } = this.program.calls[k];
    this.#loop.add({ kind: 'call', does: method, operation: k, run: () => this.#call(k) });
  }

  #call(k: number): void {
    const call = this.program.calls[k];
    const controller = new AbortController();
    this.#open++;
    this.events.push(k);
    this.#watcher?.called(k);
    if (!this.#isSerial) this.#aborts.opens(k, this.#object, controller);
    const run = () => call.run(this.#object, controller.signal);
    let result: unknown;
    try {
      result = this.#watcher ? this.#watcher.inside(k, run) : run();
    } catch (error) {
      if (error instanceof ScenarioError) throw error;
      this.#rejected(k, error);
      return;
    }
    if (!isThenable(result)) {
      this.#returned(k, result);
      return;
    }
    const loop = this.#loop;
    // an execution that is over has no more to say
    const ifCurrent = (end: () => void) => {
      if (loop !== this.#loop) return;
      try {
        end();
      } catch (error) {
        this.#failure ??= error as Error;
      }
    };
    this.hasWaited = true;
    tracer.a(result);
    result.then(
      (value) => ifCurrent(() => this.#returned(k, value)),
      (error) => ifCurrent(() => this.#rejected(k, error)),
    );
  }

  #returned(k: number, value: unknown): void {
    tracer.deep(value);
    this.#end(k, this.outcomes.returned(value, this.#object), COUNTS);
  }

  #rejected(k: number, error: unknown): void {
    this.thrown[k] = error;
    const classified = this.#aborts.isAborted(k) ? 'failed' : this.program.classify(error);
    this.#end(
      k,
      this.outcomes.threw(error),
      classified === 'failed' ? FAILED : classified === 'unknown' ? UNKNOWN : COUNTS,
    );
  }

  #end(k: number, outcome: number, standing: number): void {
    invariant(this.outcome[k] === OPEN, 'a call ends once');
    this.outcome[k] = outcome;
    this.standing[k] = standing;
    this.#open--;
    this.#toEnd--;
    this.events.push(~k);
    this.#watcher?.ended(k);
    this.#aborts.ends(k);
    this.#goOn(k);
  }

  /** What comes after operation k: the next of its thread, or, where that was the last, what waits for all threads. */
  #goOn(k: number): void {
    const { beforeTo, afterFrom, calls } = this.program;
    const isMain = k < beforeTo || k >= afterFrom;
    if (isMain) {
      this.#arm(k + 1);
      return;
    }
    let next = k + 1;
    // who was aborted, and says so, does not go on
    if (this.#aborts.isAborted(k) && this.standing[k] === FAILED)
      for (; next < afterFrom && calls[next].thread === calls[k].thread; next++) {
        this.#toEnd--;
        this.standing[next] = FAILED;
      }
    const hasNext = next < afterFrom && calls[next].thread === calls[k].thread;
    if (!hasNext) {
      if (this.#toEnd === calls.length - afterFrom) this.#arm(afterFrom);
    } else if (!this.#isSerial && this.#one(2) === 0) this.#call(next);
    else this.#ready(next);
  }
}

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  Object(value) === value && typeof (value as { then?: unknown }).then === 'function';
