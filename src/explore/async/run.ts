/**
 * One execution of asynchronous code. Its driver chooses wherever more than one thing can be next:
 *
 *   macrotask         one of those that Node's event loop could run next (event-loop/event-loop.ts)
 *   synchronous turn  after a call: whether another call starts before any microtask, as in `Promise.all([a(), b()])`
 *   next call         after a return: whether the client's next call starts in the same microtask, as in
 *                     `await a(); await b()`, or later
 *   abort             where calls are aborted: one of those that are pending, once in an execution
 *
 * The first alternative is Node's own order. Microtasks run as in Node, so every execution can happen. An execution ends
 * when all calls have ended, or when no macrotask is left: then the pending calls are blocked forever.
 */
import { invariant } from '../../base/errors.js';
import { EventLoop, type Task, withLoop } from '../../event-loop/event-loop.js';
import { runMicrotasks, unhandledRejections } from '../../event-loop/own-task.js';
import { ScenarioError } from '../../execution/memory/program-error.js';
import { errorText, OPEN, type Outcomes } from '../../execution/outcomes.js';
import { tracer } from '../../instrument/tracing/tracer.js';
import { FAILED, UNKNOWN } from '../model/automaton.js';
import {
  Aborts,
  type AsyncProgram,
  callsFrom,
  createObject,
  isNeeded,
  isThenable,
  type Pick,
  REJECTED,
  type RunOptions,
  type Watcher,
} from './program.js';

/** One of n alternatives, n > 1. */
export type Choose = (alternatives: number) => number;

/** `uncaught`: a callback threw, which ends a process of Node. `unfinished`: given up, it did not come to an end. `left`: whoever picks the tasks did not want more of it. */
export type Ending = 'ended' | 'stuck' | 'unfinished' | 'left' | 'uncaught';

/** The outcome of an operation is its result. Otherwise its standing is FAILED or UNKNOWN. */
export const COUNTS = 0;

/** Runs with more macrotasks are abandoned. */
const MOST_TASKS = 100;
/** A repeating timer fires up to so often while another macrotask is enabled, and so often in sequence if none is. */
const MOST_FIRINGS = 2;
const MOST_IDLE_FIRINGS = 10;
/** Alternatives are bits. */
const MOST_ALTERNATIVES = 30;

export class AsyncRun {
  readonly program: AsyncProgram;
  readonly outcomes: Outcomes;
  /** Operation k is called: k; it ends: ~k. */
  readonly events: number[] = [];
  /** Operation to the number of its outcome, or OPEN; and to whether it counts. */
  readonly outcome: Int32Array;
  readonly standing: Int8Array;
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
  #isQuiescent = false;
  #watcher: Watcher | undefined;
  #object: object = {};
  #toEnd = 0;
  /** Repeating timers that fired in sequence without an effect. */
  #idle = 0;
  #left: readonly Task[] = [];
  #aborts: Aborts;
  /** What our own code threw inside of a microtask. */
  #failure: Error | undefined;

  constructor(program: AsyncProgram, outcomes: Outcomes) {
    this.program = program;
    this.outcomes = outcomes;
    this.#aborts = new Aborts(program);
    this.outcome = new Int32Array(program.calls.length);
    this.standing = new Int8Array(program.calls.length);
  }

  /** A fresh object, and all calls. */
  run(choose: Choose, { isQuiescent = false, watcher, pick }: RunOptions = {}): Ending {
    const { program } = this;
    this.#choose = choose;
    this.#pick = pick;
    this.#isQuiescent = isQuiescent;
    this.#watcher = watcher;
    this.#loop = new EventLoop();
    if (watcher) {
      this.#loop.onTask = (task) => watcher.onTask(task);
      this.#loop.onRemove = (task) => watcher.onRemove?.(task);
      this.#loop.onUse = (resource, isRead) => watcher.onUse?.(resource, isRead);
    }
    this.events.length = 0;
    this.schedule.length = 0;
    this.steps = 0;
    this.outcome.fill(OPEN);
    this.standing.fill(COUNTS);
    this.#toEnd = program.calls.length;
    this.#aborts = new Aborts(program);
    this.#failure = undefined;
    this.#idle = 0;
    this.#left = this.#loop.tasks;
    this.uncaught = undefined;
    return withLoop(this.#loop, () => {
      this.#object = createObject(program, this.#loop);
      this.#arm(0);
      return this.#drive();
    });
  }

  /** The tasks that were pending when all calls had ended, or are pending now. */
  get left(): readonly Task[] {
    return this.#left;
  }

  #drive(): Ending {
    const loop = this.#loop;
    while (this.#toEnd > 0) {
      if (this.steps === MOST_TASKS) return this.#ends('unfinished');
      const tasks = this.#tasks();
      const aborts = loop.hasExternal ? this.#aborts.possible : [];
      if (!tasks.some(isNeeded) && this.program.onIdle?.()) continue;
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
        while (task.kind === 'call' && !this.#isQuiescent) {
          const others = [...loop.tasks.filter(({ kind }) => kind === 'call'), ...this.#aborts.possible];
          const taken = others.length === 0 ? 0 : this.#one(others.length + 1);
          if (taken === 0) break;
          task = others[taken - 1];
          this.#fire(task);
        }
      }
      if (!this.uncaught) this.#drain();
      if (this.#failure) throw this.#failure;
      if (this.uncaught) return this.#abandon();
    }
    return this.#finish();
  }

  /** All calls have ended. Runs the tasks that are left in the order of Node, until only repeating or unref'd timers are pending. */
  #finish(): Ending {
    const loop = this.#loop;
    this.#left = [...loop.tasks];
    this.#watcher?.finishes?.();
    for (let rest = MOST_TASKS; rest > 0 && loop.tasks.some(isNeeded); rest--) {
      const tasks = loop.enabled();
      this.#fire(tasks.find(isNeeded) ?? tasks[0]);
      if (!this.uncaught) this.#drain();
      if (this.uncaught) return this.#abandon();
    }
    return this.#ends('ended');
  }

  /** Runs the microtasks that an uncaught error left, so that no later run does. */
  #abandon(): Ending {
    const loop = this.#loop;
    this.#loop = new EventLoop();
    do {
      loop.ticks.length = 0;
      runMicrotasks();
    } while (loop.ticks.length > 0);
    unhandledRejections();
    for (const name of loop.usedInputs) this.asked.add(name);
    return 'uncaught';
  }

  /** Runs ticks and microtasks. A tick that throws, or a rejection that nothing handles, ends the run, as in Node. */
  #drain(): void {
    try {
      for (const reason of this.#loop.drain()) this.#caught(REJECTED, reason);
    } catch (error) {
      this.#caught('process.nextTick threw', error);
    }
  }

  #ends(ending: Ending): Ending {
    for (const name of this.#loop.usedInputs) this.asked.add(name);
    return ending;
  }

  /** The tasks that can be next. Repeating timers are limited, or else they could fire forever before the next call. */
  #tasks(): Task[] {
    const tasks = this.#loop.enabled();
    const immediate = this.#isQuiescent ? tasks.find(({ kind }) => kind === 'immediate') : undefined;
    if (immediate) return [immediate];
    const others = tasks.filter(({ handle }) => !handle?.isRepeated || handle.firings < MOST_FIRINGS);
    if (others.length > 0 || this.#loop.tasks.some(({ handle }) => !handle?.isRepeated)) {
      this.#idle = 0;
      return others.length > 0 ? others : tasks;
    }
    return ++this.#idle > MOST_IDLE_FIRINGS ? [] : tasks;
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
      const { operation } = task;
      if (task.kind === 'call' || operation === undefined || !this.#watcher) this.#loop.fire(task);
      else this.#watcher.inside(operation, () => this.#loop.fire(task));
    } catch (error) {
      this.#caught(`${task.does} threw`, error, task.operation);
    }
  }

  /** Keeps the first error that nothing catches. */
  #caught(event: string, error: unknown, own?: number): void {
    if (error instanceof ScenarioError) throw error;
    if (this.uncaught) return;
    const operation = own ?? this.events.findLast((event) => event >= 0) ?? 0;
    this.uncaught = { operation, error: `${event} ${errorText(error)}` };
    this.uncaughtError = error;
  }

  #arm(from: number): void {
    for (const k of callsFrom(this.program, from)) this.#ready(k);
  }

  #ready(k: number): void {
    const { method } = this.program.calls[k];
    this.#loop.add({ kind: 'call', does: method, operation: k, run: () => this.#call(k) });
  }

  #call(k: number): void {
    const call = this.program.calls[k];
    const controller = this.program.abort && new AbortController();
    this.events.push(k);
    this.#watcher?.called(k);
    if (controller && !this.#isQuiescent) this.#aborts.opens(k, this.#object, controller);
    const run = () => call.run(this.#object, controller?.signal);
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
    } else if (!this.#isQuiescent && this.#one(2) === 0) this.#call(next);
    else this.#ready(next);
  }
}
