/**
 * An ordinary test as the program of an asynchronous run: one call, which runs the test body.
 *
 * The body starts concurrent *parts* with `spawn`. A part starts in a macrotask of its own, as the call of a client does, so the
 * run explores when each part starts, and every order of the macrotasks that follow. Part 0 is the body itself. The run
 * ends when the body has settled and only repeating or unref'd timers are left.
 */
import type { AnyFunction } from '../../base/any-function.js';
import { currentLoop, inside, type Task } from '../../event-loop/event-loop.js';
import { StubFailures, stubsFor } from '../../event-loop/stubs.js';
import { ScenarioError } from '../../execution/memory/program-error.js';
import { Outcomes } from '../../execution/outcomes.js';
import {
  type AsyncProgram,
  type Choose,
  type Ending,
  isThenable,
  REJECTED,
  type Watcher,
} from './program.js';
import { AsyncRun } from './run.js';

/** What the body of an `everySchedule` test receives. */
export interface ScheduleContext {
  /**
   * Starts a concurrent part of the test and returns its result. The part starts when the schedule says so. Its name
   * heads its column in reports; without a name it is A, B, C and so on.
   */
  spawn<T>(name: string, part: () => T): Promise<Awaited<T>>;
  spawn<T>(part: () => T): Promise<Awaited<T>>;
  /** A function that takes effect some time after its call, and answers some time after that. */
  stub<A extends unknown[], R>(name: string, answer: (...args: A) => R): (...args: A) => Promise<Awaited<R>>;
  /** Resolves when nothing else can happen but repeating timers: whatever is pending then waits for the test. */
  settled(): Promise<void>;
}

export type TestBody = (context: ScheduleContext) => unknown;

export interface BodyFailure {
  /**
   * `rejected`: the body threw or rejected. `deadlock`: no macrotask is left, and the body has not settled. `thrown`: a
   * timer, an immediate or a tick threw. `unhandled`: a rejection was not handled. `pending`: with `strict`, a part
   * has not ended when the test ends.
   */
  readonly kind: 'rejected' | 'deadlock' | 'thrown' | 'unhandled' | 'pending';
  readonly error: unknown;
}

interface Part {
  readonly name: string;
  state: 'ready' | 'running' | 'ended';
}

/** Hears of the parts of a run, for people. */
export interface PartWatcher {
  started(part: number): void;
  ended(part: number, outcome: { readonly value: unknown } | { readonly error: unknown }): void;
  /** The execution has failed, not by a rejection of the body. */
  failed(error: unknown): void;
  onTask(task: Task): void;
  fires(task: Task): void;
}

interface BodyOptions {
  /** How many calls of stubs may fail in an execution. */
  readonly failures: number;
  readonly isStrict: boolean;
  /** How many parts of an execution may start between microtasks. */
  readonly maxMicrotaskStarts: number;
}

/** One execution of the body: its parts, and the first failure. */
class Execution implements ScheduleContext {
  readonly parts: Part[] = [{ name: 'test', state: 'ready' }];
  failure: BodyFailure | undefined;
  readonly #watcher: PartWatcher | undefined;
  readonly #stubFailures: StubFailures;
  readonly #settled: (() => void)[] = [];
  readonly #onEnd: () => void;
  #end: () => void = () => {};

  /** `onEnd`: called when a part has ended, in the same microtask. */
  constructor({ failures }: BodyOptions, watcher: PartWatcher | undefined, onEnd: () => void) {
    this.#onEnd = onEnd;
    this.#stubFailures = new StubFailures(failures);
    this.#watcher = watcher;
  }

  readonly spawn = <T>(named: string | (() => T), given?: () => T): Promise<Awaited<T>> => {
    const run = given ?? (named as () => T);
    const number = this.parts.length;
    const name = typeof named === 'string' ? named : String.fromCharCode(64 + number);
    this.parts.push({ name, state: 'ready' });
    return new Promise<Awaited<T>>((resolve, reject) => {
      const start = () => this.#run(number, run, resolve as (value: unknown) => void, reject);
      loopOf('spawn').add({ kind: 'call', does: `${name} starts`, operation: number, run: start });
    });
  };

  readonly stub = <A extends unknown[], R>(
    name: string,
    answer: (...args: A) => R,
  ): ((...args: A) => Promise<Awaited<R>>) =>
    stubsFor({ [name]: answer as AnyFunction }, currentLoop, this.#stubFailures)[name] as never;

  readonly settled = (): Promise<void> =>
    new Promise((resolve) => {
      this.#settled.push(resolve);
    });

  /** Runs the body; the promise resolves when the execution has ended. */
  start(body: TestBody): Promise<void> {
    return new Promise((resolve) => {
      this.#end = resolve;
      const failed = (error: unknown) => {
        this.fail('rejected', error);
        resolve();
      };
      this.#run(
        0,
        () => body(this),
        () => {},
        failed,
      );
    });
  }

  fail(kind: BodyFailure['kind'], error?: unknown): void {
    if (this.failure) return;
    this.failure = { kind, error };
    if (kind === 'thrown' || kind === 'unhandled') this.#watcher?.failed(error);
  }

  /** No macrotask is left that Node would wait for. Returns whether the execution continues. */
  onIdle(): boolean {
    const settled = this.#settled.shift();
    const run = settled ?? (this.parts[0].state === 'ended' ? this.#end : undefined);
    if (run === undefined) return false;
    loopOf('settled').add({ kind: 'answer', does: settled ? 'settled' : END, operation: 0, run });
    return true;
  }

  #run(number: number, run: () => unknown, resolve: (value: unknown) => void, reject: AnyFunction): void {
    const part = this.parts[number];
    const watcher = this.#watcher;
    part.state = 'running';
    watcher?.started(number);
    const returned = (value: unknown) => {
      part.state = 'ended';
      watcher?.ended(number, { value });
      resolve(value);
      this.#onEnd();
    };
    const threw = (error: unknown) => {
      part.state = 'ended';
      watcher?.ended(number, { error });
      reject(error);
      this.#onEnd();
    };
    let result: unknown;
    try {
      result = watcher ? inside(number, run) : run();
    } catch (error) {
      if (error instanceof ScenarioError) throw error;
      threw(error);
      return;
    }
    if (isThenable(result)) result.then(returned, threw);
    else returned(result);
  }
}

/** The last macrotask of an execution; not shown. */
export const END = 'the test ends';

function loopOf(name: string): NonNullable<ReturnType<typeof currentLoop>> {
  const loop = currentLoop();
  if (loop === undefined)
    throw new ScenarioError(`${name} was called after its execution; call it in the test body only`);
  return loop;
}

interface CurrentExecution {
  current: Execution;
  watcher: PartWatcher | undefined;
}

/** Runs a test body, once for each schedule. */
export class BodyRun extends AsyncRun {
  /** The failure of the last run. */
  failure: BodyFailure | undefined;
  /** Could two macrotasks run in either order, in whichever run? */
  isConcurrent = false;
  /** Names of parts that had not ended when the last run ended. */
  pending: readonly string[] = [];
  /** What each macrotask of the last run was, and the number of alternatives at each choice. */
  #labels: string[] = [];
  #forks: number[] = [];
  readonly #options: BodyOptions;
  readonly #execution: CurrentExecution;

  constructor(body: TestBody, options: BodyOptions) {
    const execution: CurrentExecution = {
      current: new Execution(options, undefined, () => {}),
      watcher: undefined,
    };
    const create = () => {
      execution.current = new Execution(options, execution.watcher, () => this.clientRan());
      return execution.current;
    };
    super({ ...programOf(body, create), maxMicrotaskStarts: options.maxMicrotaskStarts }, new Outcomes());
    this.#options = options;
    this.#execution = execution;
  }

  get parts(): readonly Readonly<Part>[] {
    return this.#execution.current.parts;
  }

  override run(choose: Choose): Ending {
    return this.watched(choose, undefined);
  }

  /** `run`, and reports what happens to a watcher. */
  watched(choose: Choose, watcher: PartWatcher | undefined): Ending {
    this.#execution.watcher = watcher;
    const before = { labels: this.#labels, forks: this.#forks, schedule: [...this.schedule] };
    this.#labels = [];
    this.#forks = [];
    let isSame = before.labels.length > 0;
    const chosen: Choose = (alternatives) => {
      const place = this.#forks.length;
      this.isConcurrent ||= (currentLoop()?.enabled().length ?? 0) > 1;
      if (isSame && alternatives !== before.forks[place]) throw this.#differs(before.labels);
      this.#forks.push(alternatives);
      const taken = choose(alternatives);
      isSame &&= taken === before.schedule[place];
      return taken;
    };
    const observe: Watcher = {
      called() {},
      ended() {},
      inside: (_operation, run) => run(),
      onTask: (task) => watcher?.onTask(task),
      fires: (task) => {
        if (isSame && before.labels[this.#labels.length] !== task.does) throw this.#differs(before.labels);
        this.#labels.push(task.does);
        watcher?.fires(task);
      },
    };
    const ending = super.run(chosen, { watcher: observe });
    if (isSame && this.#labels.length < before.labels.length) throw this.#differs(before.labels);
    const { current } = this.#execution;
    this.pending = current.parts.filter(({ state }) => state !== 'ended').map(({ name }) => name);
    if (this.uncaught)
      current.fail(this.uncaught.error.startsWith(REJECTED) ? 'unhandled' : 'thrown', this.uncaughtError);
    if (ending === 'stuck') current.fail('deadlock');
    if (ending === 'ended' && this.#options.isStrict && this.pending.length > 0) current.fail('pending');
    this.failure = current.failure;
    return ending;
  }

  #differs(before: readonly string[]): ScenarioError {
    const step = this.#labels.length;
    const was = before[step] === undefined ? 'nothing' : `"${before[step]}"`;
    return new ScenarioError(
      `the test body is not deterministic: after the same ${step} macrotasks, ${was} came next in one execution, and something else in another. The body must create everything that it uses: module variables, shared objects and \`beforeEach\` keep state from one schedule to the next`,
    );
  }
}

const programOf = (body: TestBody, create: () => Execution): AsyncProgram => {
  let execution: Execution | undefined;
  return {
    calls: [{ method: 'test', args: [], thread: 0, run: (object) => (object as Execution).start(body) }],
    threads: 1,
    beforeTo: 0,
    afterFrom: 1,
    create: () => {
      execution = create();
      return execution;
    },
    onIdle: () => execution?.onIdle() ?? false,
    abort: undefined,
    classify: () => 'threw',
    hasErrorsByName: false,
    isRecorded: false,
  };
};
