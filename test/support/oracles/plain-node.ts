/**
 * All outcomes of asynchronous code, without any code of the explorer: Node itself runs it, macrotask by macrotask, in every
 * order of the macrotasks.
 *
 * The code gets timers, immediates and stubs of this file, which only collect callbacks. Each callback runs in a macrotask
 * of Node, which then runs ticks and microtasks, and reports rejections that nothing handles. So nothing of promises,
 * generators, events or aborts is modelled here. One rule of Node's event loop is: the immediates of a round run without other
 * macrotasks in between. Timers have one duration, so they fire in their order. Code that has both is not accepted.
 */
import { setImmediate as immediateOfNode } from 'node:timers';

type Callback = (...args: unknown[]) => unknown;
type Made = Record<string, () => unknown>;
type Run = Record<string, (...args: never[]) => unknown>;

/** What the code exports: the object of an execution, and the function behind its stub. */
interface Module {
  make(io: { readonly ask: Callback }): Made;
  ask(n: number): unknown;
}

/** The standing of a call that a stub failed. */
const UNKNOWN = -4;
/** How a stub fails. */
class Failure extends Error {
  override readonly name = 'StubFailure';
}

interface Task {
  readonly kind: 'call' | 'timer' | 'immediate' | 'answer';
  readonly run: () => void;
  isNeeded: boolean;
}

const nextTick: typeof process.nextTick = process.nextTick.bind(process);

/** One execution: the callbacks that wait, and a choice wherever more than one thing can be next. */
class Execution {
  readonly #choices: number[];
  readonly counts: number[] = [];
  readonly tasks: Task[] = [];
  /** Immediates of the current round that have not run. */
  #batch = 0;
  #failures: number;
  uncaught = false;
  readonly #ask: Module['ask'];

  constructor(choices: number[], failures: number, ask: Module['ask']) {
    this.#choices = choices;
    this.#failures = failures;
    this.#ask = ask;
  }

  choose(count: number): number {
    if (count === 1) return 0;
    const place = this.counts.push(count) - 1;
    this.#choices[place] ??= 0;
    return this.#choices[place];
  }

  add(kind: Task['kind'], run: () => void): Task {
    const task = { kind, run, isNeeded: true };
    this.tasks.push(task);
    return task;
  }

  remove(task: Task | undefined): void {
    const at = task ? this.tasks.indexOf(task) : -1;
    if (at < 0) return;
    if (task!.kind === 'immediate' && this.tasks.slice(0, at).filter(isImmediate).length < this.#batch)
      this.#batch--;
    this.tasks.splice(at, 1);
  }

  /** Those that Node could run next. */
  get enabled(): Task[] {
    const immediate = this.tasks.find(isImmediate);
    if (this.#batch > 0) return [immediate!];
    const timer = this.tasks.find(({ kind }) => kind === 'timer');
    return this.tasks.filter(
      (task) => !['timer', 'immediate'].includes(task.kind) || task === timer || task === immediate,
    );
  }

  /** Runs a task in a macrotask of Node; other calls may start in the same synchronous turn. */
  async fire(task: Task): Promise<void> {
    await new Promise<void>((resolve) => {
      immediateOfNode(() => {
        this.#take(task);
        for (let last = task; last.kind === 'call'; ) {
          const others = this.tasks.filter(({ kind }) => kind === 'call');
          const taken = others.length === 0 ? 0 : this.choose(others.length + 1);
          if (taken === 0) break;
          last = others[taken - 1];
          this.#take(last);
        }
        immediateOfNode(resolve);
      });
    });
  }

  #take(task: Task): void {
    if (task.kind === 'immediate' && this.#batch === 0) this.#batch = this.tasks.filter(isImmediate).length;
    this.remove(task);
    task.run();
  }

  readonly ask = (n: number): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const effect = this.add('answer', () => {
        this.remove(failing);
        const value = this.#ask(n);
        this.add('answer', () => resolve(value));
      });
      const failing = this.#failures > 0 ? this.add('answer', () => this.#fails(effect, reject)) : undefined;
      if (failing) this.#mayFail.push(failing);
    });
  readonly #mayFail: Task[] = [];

  #fails(effect: Task, reject: (error: Error) => void): void {
    this.remove(effect);
    this.#failures--;
    if (this.#failures === 0) for (const other of this.#mayFail) this.remove(other);
    reject(new Failure('ask has failed'));
  }

  /** What the code gets for names of Node. */
  readonly globals: Run = {
    setTimeout: (run: Callback, _ms: number, ...args: unknown[]) => this.add('timer', () => run(...args)),
    setImmediate: (run: Callback, ...args: unknown[]) => this.add('immediate', () => run(...args)),
    clearTimeout: (task: Task) => this.remove(task),
    timeout: () => {
      const controller = new AbortController();
      const abort = () =>
        controller.abort(new DOMException('The operation was aborted due to timeout', 'TimeoutError'));
      this.add('timer', abort).isNeeded = false;
      return controller.signal;
    },
    sleep: (_ms: number, value: unknown) => new Promise((resolve) => this.add('timer', () => resolve(value))),
    nextRound: (value: unknown) => new Promise((resolve) => this.add('immediate', () => resolve(value))),
  };
}

const isImmediate = ({ kind }: Task): boolean => kind === 'immediate';
const isNeeded = (task: Task): boolean => task.isNeeded;

let current: Execution;
/** A name of Node, for whichever execution is the current one. */
const delegate =
  (name: string) =>
  (...args: never[]): unknown =>
    current.globals[name](...args);

/** The exports of a module, whose names of Node are those of the current execution. */
function evaluatePlain(code: string): Module {
  const promises = { setTimeout: delegate('sleep'), setImmediate: delegate('nextRound') };
  const names = {
    setTimeout: delegate('setTimeout'),
    setImmediate: delegate('setImmediate'),
    clearTimeout: delegate('clearTimeout'),
    AbortSignal: { any: AbortSignal.any.bind(AbortSignal), timeout: delegate('timeout') },
    process: {
      nextTick,
      getBuiltinModule: (name: string) =>
        name === 'node:timers/promises' ? promises : process.getBuiltinModule(name),
    },
  };
  const text = `'use strict'; ${code.replaceAll('export const', 'const')}; return { make, ask };`;
  return new Function(...Object.keys(names), text)(...Object.values(names)) as Module;
}

/** Runs something for every sequence of choices; undefined if there are more than `most`. */
async function everyExecution(
  { ask }: Module,
  { failures, most }: PlainOptions,
  run: () => Promise<string>,
): Promise<string[] | undefined> {
  const found = new Set<string>();
  const listener = () => {
    current.uncaught = true;
  };
  const own = [
    ['unhandledRejection', listener],
    ['rejectionHandled', () => {}],
  ] as const;
  const others = own.map(([event]) => process.rawListeners(event));
  for (const [event, handler] of own) process.removeAllListeners(event).on(event, handler);
  try {
    const choices: number[] = [];
    for (let executions = 0; executions < most; executions++) {
      current = new Execution(choices, failures, ask);
      found.add(await run());
      const { counts } = current;
      while (choices.length > 0 && choices.at(-1)! + 1 >= counts[choices.length - 1]) choices.pop();
      if (choices.length === 0) return [...found].sort();
      choices[choices.length - 1]++;
    }
    return undefined;
  } finally {
    for (const [k, [event, handler]] of own.entries()) {
      process.removeListener(event, handler);
      for (const other of others[k]) process.on(event, other as never);
    }
  }
}

interface PlainOptions {
  readonly failures: number;
  readonly most: number;
}

/** The histories of clients that call methods in sequence, as text (see `historyOf`). */
export async function plainHistories(
  code: string,
  threads: readonly (readonly string[])[],
  options: PlainOptions,
): Promise<string[] | undefined> {
  const module = evaluatePlain(code);
  const methods = threads.flat();
  const isLast = threads.flatMap((list) => list.map((_, i) => i + 1 === list.length));
  return everyExecution(module, options, async () => {
    const execution = current;
    const object = module.make({ ask: execution.ask as Callback });
    const events: number[] = [];
    const outcomes = methods.map(() => 'open');
    const start = (k: number): void => {
      events.push(k);
      const end = (outcome: object, standing = 0) => {
        outcomes[k] = `${JSON.stringify(outcome)}${standing}`;
        events.push(~k);
        if (isLast[k]) return;
        if (execution.choose(2) === 0) start(k + 1);
        else execution.add('call', () => start(k + 1));
      };
      (object[methods[k]]() as Promise<unknown>).then(
        (value) => end({ kind: 'returned', value }),
        (error: Error) =>
          end(
            { kind: 'threw', error: `${error.name}: ${error.message}` },
            error instanceof Failure ? UNKNOWN : 0,
          ),
      );
    };
    for (const [k] of methods.entries()) if (k === 0 || isLast[k - 1]) execution.add('call', () => start(k));
    const isOver = () => events.length === 2 * methods.length;
    const ending = (): string => {
      if (execution.uncaught) return 'uncaught';
      return isOver() ? 'ended' : 'stuck';
    };
    while (!execution.uncaught && !isOver() && execution.tasks.length > 0) {
      const { enabled } = execution;
      await execution.fire(enabled[execution.choose(enabled.length)]);
    }
    // what is left over runs in the order in which it was set
    while (!execution.uncaught && isOver() && execution.tasks.some(isNeeded))
      await execution.fire(execution.enabled.find(isNeeded) ?? execution.enabled[0]);
    const orders = events.flatMap((event, i) =>
      event < 0 ? events.slice(i + 1).flatMap((later) => (later >= 0 ? [`${~event}<${later}`] : [])) : [],
    );
    return `${ending()}: ${outcomes.join()}; ${orders.sort().join()}`;
  });
}

/** What a test body needs of `everySchedule`. */
export interface BodyContext {
  spawn(part: () => Promise<unknown>): Promise<unknown>;
  stub(name: string, answer: (n: number) => unknown): (n: number) => Promise<unknown>;
}

/** A test body that makes the same calls, and gives their outcomes as text. */
export const bodyOf =
  ({ make, ask }: Module, threads: readonly (readonly string[])[]) =>
  async ({ spawn, stub }: BodyContext): Promise<string> => {
    const object = make({ ask: stub('ask', ask) as Callback });
    const client = async (methods: readonly string[]): Promise<unknown[]> => {
      const results: unknown[] = [];
      for (const method of methods)
        try {
          results.push(await object[method]());
        } catch (error) {
          results.push(String(error));
        }
      return results;
    };
    return JSON.stringify(await Promise.all(threads.map((methods) => spawn(() => client(methods)))));
  };

/** The outcomes of such a test body; `deadlock` and `unhandled` are outcomes too. */
export async function plainBodies(
  code: string,
  threads: readonly (readonly string[])[],
  options: PlainOptions,
): Promise<string[] | undefined> {
  const module = evaluatePlain(code);
  const body = bodyOf(module, threads);
  return everyExecution(module, options, async () => {
    const execution = current;
    let outcome: string | undefined;
    let isOver = false;
    const spawn: BodyContext['spawn'] = (part) =>
      new Promise((resolve, reject) => execution.add('call', () => void part().then(resolve, reject)));
    execution.add('call', () => {
      void body({ spawn, stub: () => execution.ask }).then((text) => {
        outcome = text;
      });
    });
    while (!execution.uncaught && !isOver) {
      if (outcome !== undefined && !execution.enabled.some(isNeeded))
        execution.add('answer', () => {
          isOver = true;
        });
      const { enabled } = execution;
      if (enabled.length === 0) break;
      await execution.fire(enabled[execution.choose(enabled.length)]);
    }
    if (execution.uncaught) return 'unhandled';
    return outcome ?? 'deadlock';
  });
}
