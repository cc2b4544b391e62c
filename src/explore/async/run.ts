/**
 * One execution of asynchronous code. Its driver chooses wherever more than one thing can be next:
 *
 *   macrotask         one of those that Node's event loop could run next (event-loop/event-loop.ts)
 *   synchronous turn  after a call: whether another call starts before any microtask, as in `Promise.all([a(), b()])`
 *   next call         after a return: whether the client's next call starts in the same microtask, as in
 *                     `await a(); await b()`, or later
 *   abort             where calls are aborted: one of those that are pending, once in an execution
 *
 * The first alternative is Node's own order. Microtasks run as in Node. If no macrotask is left, pending calls are blocked.
 */
import { invariant, isInstance } from '../../base/errors.js';
import { EventLoop, RepeatLimit, type Task, withLoop } from '../../event-loop/event-loop.js';
import { MicrotaskProbes, withJobsNoted } from '../../event-loop/own-task.js';
import { errorText, type Identities } from '../../execution/comparable.js';
import { ScenarioError } from '../../execution/memory/program-error.js';
import { OPEN, type Outcomes } from '../../execution/outcomes.js';
import { tracer } from '../../instrument/tracing/tracer.js';
import { FAILED, UNKNOWN } from '../automata/configurations.js';
import { DEFAULT_MAX_STEPS, type Schedule } from '../model/engine.js';
import {
  Aborts,
  type AsyncProgram,
  type Choose,
  COUNTS,
  callsFrom,
  canStart,
  checkAlternatives,
  createObject,
  type Ending,
  isNeeded,
  isThenable,
  OperationReference,
  REJECTED,
  type RunOptions,
  readyCalls,
  type Watcher,
  watchTasks,
} from './program.js';

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
  /** Tasks run. Runs with more than `maxTasks` are abandoned. */
  steps = 0;
  maxTasks: number = DEFAULT_MAX_STEPS.async;
  /** The first run that was abandoned, to find out what it did. */
  firstAbandoned: { readonly schedule: Schedule; readonly isQuiescent: boolean } | undefined;
  readonly asked: Set<string> = new Set();
  /** Did a call, in whichever run, return a promise, or set up a task or microtask? */
  hasWaited = false;
  /** Events before nothing was left to do in the current run, if the scenario then let calls end. */
  blockedAt: number | undefined;
  /** The first error of the current run that nothing catches, and the operation that it belongs to. */
  uncaught: { readonly operation: number; readonly error: string } | undefined;
  uncaughtError: unknown;
  /** The tasks that were pending when all calls had ended, or are pending now. */
  left: readonly Task[] = [];
  /** Of the current run: its loop, its object, and the identities of its results. */
  loop: EventLoop = new EventLoop();
  object: object = {};
  identities: Identities | undefined;
  #choose: Choose = () => 0;
  #pick: RunOptions['pick'];
  #start: NonNullable<RunOptions['start']> = this.#choose;
  #isQuiescent = false;
  #watcher: Watcher | undefined;
  /** Operation to what it returned. */
  results: unknown[] = [];
  toEnd = 0;
  #repeats = new RepeatLimit();
  /** Calls that may still start between microtasks. */
  #starts = 0;
  readonly #probes = new MicrotaskProbes();
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
  run(choose: Choose, { isQuiescent = false, watcher, pick, start = choose }: RunOptions = {}): Ending {
    const { program } = this;
    this.#choose = choose;
    [this.#pick, this.#start] = [pick, start];
    this.#isQuiescent = isQuiescent;
    this.#watcher = watcher;
    this.loop = new EventLoop();
    if (watcher) watchTasks(this.loop, watcher);
    this.events.length = this.schedule.length = this.steps = 0;
    this.outcome.fill(OPEN);
    this.standing.fill(COUNTS);
    this.results = [];
    this.toEnd = program.calls.length;
    this.#aborts = new Aborts(program);
    this.#repeats = new RepeatLimit();
    this.left = this.loop.tasks;
    this.uncaught = this.blockedAt = this.#failure = undefined;
    this.#starts = isQuiescent ? 0 : (program.maxMicrotaskStarts ?? 0);
    const execute = () =>
      withLoop(this.loop, () => {
        this.object = createObject(program, this.loop);
        this.identities = program.identitiesOf?.(this.object);
        this.#arm(0);
        return this.hasWaited ? this.#drive() : withJobsNoted(this, () => this.#drive());
      });
    return tracer.running(() => (this.#starts > 0 ? this.#probes.during(execute) : execute()));
  }

  #drive(): Ending {
    const { loop } = this;
    while (this.toEnd > 0) {
      if (this.steps >= this.maxTasks) return this.#ends('unfinished');
      const tasks = this.#tasks();
      const aborts = loop.hasExternal ? this.#aborts.possible : [];
      if (!tasks.some(isNeeded) && this.program.onIdle?.(this.object, false)) continue;
      if (tasks.length === 0) {
        const abort = aborts.length === 0 ? 0 : this.#one(aborts.length + 1);
        if (abort > 0) this.#fire(aborts[abort - 1]);
        else if (!this.program.onIdle?.(this.object, true)) return this.#ends('stuck');
        else this.blockedAt ??= this.events.length;
      } else {
        const all = [...tasks, ...aborts];
        const picked = this.#one(all.length, this.#pick && (() => this.#pick!(all)));
        if (picked < 0) return this.#ends('left');
        let task = this.#fire(all[picked]);
        // more in the same synchronous turn
        while (task.kind === 'call' && !this.#isQuiescent) {
          const others = [...loop.tasks.filter(({ kind }) => kind === 'call'), ...this.#aborts.possible];
          const taken = others.length > 0 && this.#one(others.length + 1, (n) => this.#start(n, 0));
          if (!taken) break;
          task = this.#fire(others[taken - 1]);
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
    const { loop } = this;
    this.left = [...loop.tasks];
    this.#watcher?.finishes?.();
    for (let rest = DEFAULT_MAX_STEPS.async; rest > 0 && loop.tasks.some(isNeeded); rest--) {
      const tasks = loop.enabled();
      this.#fire(tasks.find(isNeeded) ?? tasks[0]);
      if (!this.uncaught) this.#drain();
      if (this.uncaught) return this.#abandon();
    }
    this.#repeats.ends(loop);
    return this.#ends('ended');
  }

  /** Runs the microtasks that an uncaught error left, so that no later run does. */
  #abandon(): Ending {
    const loop = this.loop;
    this.loop = new EventLoop();
    loop.discard();
    return this.#ends('uncaught', loop);
  }

  /** Runs ticks and microtasks. A tick that throws, or a rejection that nothing handles, ends the run, as in Node. */
  #drain(): void {
    this.hasWaited ||= this.loop.ticks.length > 0;
    try {
      for (const reason of this.loop.drain()) this.#caught(REJECTED, reason);
    } catch (error) {
      this.#caught('process.nextTick threw', error);
    }
  }

  #ends(ending: Ending, loop: EventLoop = this.loop): Ending {
    if (ending === 'unfinished')
      this.firstAbandoned ??= { schedule: [...this.schedule], isQuiescent: this.#isQuiescent };
    for (const name of loop.usedInputs) this.asked.add(name);
    return ending;
  }

  #tasks(): readonly Task[] {
    const tasks = this.loop.enabled();
    const immediate = this.#isQuiescent ? tasks.find(({ kind }) => kind === 'immediate') : undefined;
    return immediate ? [immediate] : this.#repeats.limit(tasks, this.loop, this.#watcher?.polls);
  }

  #one(alternatives: number, choose: Choose | undefined = this.#ifSeveral): number {
    checkAlternatives(alternatives);
    const taken = choose(alternatives);
    if (alternatives > 1) this.schedule.push(taken);
    return taken;
  }

  readonly #ifSeveral: Choose = (alternatives) => (alternatives === 1 ? 0 : this.#choose(alternatives));

  #fire(task: Task): Task {
    this.steps++;
    this.#repeats.fires(task);
    this.#watcher?.fires(task);
    try {
      if (task.kind !== 'call') this.hasWaited = true;
      if (task.kind === 'call' || task.operation === undefined || !this.#watcher) this.loop.fire(task);
      else this.#watcher.inside(task.operation, () => this.loop.fire(task));
    } catch (error) {
      this.#caught(`${task.does} threw`, error, task.operation);
    }
    if (task.kind === 'call') this.#probe();
    return task;
  }

  /** Keeps the first error that nothing catches. */
  #caught(event: string, error: unknown, own?: number): void {
    if (isInstance(error, ScenarioError)) throw error;
    if (this.uncaught) return;
    const operation = own ?? this.events.findLast((one) => one >= 0) ?? 0;
    this.uncaught = { operation, error: `${event} ${errorText(error)}` };
    this.uncaughtError = error;
  }

  #arm(from: number): void {
    for (const k of callsFrom(this.program, from))
      if (canStart(this.program.calls[k], this.results)) this.#ready(k);
      else {
        this.toEnd--;
        this.#arm(k + 1);
      }
  }

  #ready(k: number): void {
    const { method: does } = this.program.calls[k];
    this.loop.add({ kind: 'call', does, operation: k, run: () => this.#call(k) });
  }

  #call(k: number): void {
    const controller = this.program.abort && new AbortController();
    this.events.push(k);
    this.#watcher?.called(k);
    if (controller && !this.#isQuiescent) this.#aborts.opens(k, this.object, controller);
    const run = () => this.program.calls[k].run(this.object, controller?.signal, this.results);
    let result: unknown;
    try {
      result = this.#watcher ? this.#watcher.inside(k, run) : run();
    } catch (error) {
      this.#rejected(k, error);
      return;
    }
    if (isThenable(result)) this.#settles(k, result);
    else this.#returned(k, result);
  }

  #settles(k: number, result: PromiseLike<unknown>): void {
    this.hasWaited = true;
    const [loop, held] = [this.loop, [() => new OperationReference(k)]];
    tracer.a(result).then(
      tracer.c((value) => this.#inMicrotask(loop, () => this.#returned(k, value)), 'return', held),
      tracer.c((error) => this.#inMicrotask(loop, () => this.#rejected(k, error)), 'throw', held),
    );
  }

  /** Runs code of our own in a microtask of an execution that has not ended. Returns true if the code does. */
  #inMicrotask(loop: EventLoop, run: () => unknown): boolean {
    try {
      return loop === this.loop && run() === true;
    } catch (error) {
      this.#failure ??= error as Error;
      return false;
    }
  }

  #returned(k: number, value: unknown): void {
    this.results[k] = tracer.deep(value);
    const { isHandle } = this.program.calls[k];
    this.#end(k, this.outcomes.returned(value, this.identities ?? this.object, isHandle), COUNTS);
  }

  #rejected(k: number, error: unknown): void {
    if (isInstance(error, ScenarioError)) throw error;
    this.thrown[k] = error;
    const classified = this.#aborts.classify(k, error);
    this.#end(k, this.outcomes.threw(error), { threw: COUNTS, failed: FAILED, unknown: UNKNOWN }[classified]);
  }

  #end(k: number, outcome: number, standing: number): void {
    invariant(this.outcome[k] === OPEN, 'a call ends once');
    this.outcome[k] = outcome;
    this.standing[k] = standing;
    this.toEnd--;
    this.events.push(~k);
    this.#watcher?.ended(k);
    this.#aborts.ends(k);
    const { beforeTo, afterFrom } = this.program;
    if (k < beforeTo || k >= afterFrom) this.#arm(k + 1);
    else this.#continueClient(k);
  }

  /** After operation k: the next call of its client, unless k was aborted, or the calls that wait for all clients. */
  #continueClient(k: number): void {
    const { afterFrom, calls } = this.program;
    let next = k + 1;
    const hasNext = () => next < afterFrom && calls[next].thread === calls[k].thread;
    const isOver = this.#aborts.isAborted(k) && this.standing[k] === FAILED;
    for (; hasNext() && (isOver || !canStart(calls[next], this.results)); next++) {
      this.toEnd--;
      if (isOver) this.standing[next] = FAILED;
    }
    if (!hasNext()) {
      if (this.toEnd === calls.length - afterFrom) this.#arm(afterFrom);
    } else if (!this.#isQuiescent && this.#one(2, (n) => this.#start(n, 1)) === 0) this.#call(next);
    else this.#ready(next);
    this.clientRan();
  }

  /** A client runs in this microtask, after a return: a call may start now, or any number of microtasks later. */
  protected clientRan(): void {
    if (this.#inMicrotask(this.loop, () => this.#startCall())) this.#probe();
  }

  /** A client ran here, with a call or after a return: a client may start a call any number of microtasks later. */
  #probe(loop: EventLoop = this.loop): void {
    if (this.#starts > 0) this.#probes.start(() => this.#inMicrotask(loop, () => this.#startCall()));
  }

  /** Starts a call that is ready, or none. Returns whether another one may follow. */
  #startCall(): boolean {
    const ready = this.#starts > 0 ? readyCalls(this.program, this.loop) : [];
    if (ready.length === 0) return false;
    const taken = this.#one(ready.length + 1);
    if (taken === 0) return true;
    this.#starts--;
    this.loop.remove(ready[taken - 1]);
    ready[taken - 1].run();
    return this.#starts > 0;
  }
}
