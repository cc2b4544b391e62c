/**
 * Functions that stand for something outside: a database, a service, a file.
 *
 * A call takes effect some time later and is answered some time after that, or it fails without an effect. Each is a
 * macrotask of its own, so answers may be late and come in any order.
 */
import { tracer } from '../instrument/tracing/tracer.js';
import { type EventLoop, outside, type Task } from './event-loop.js';

type Stub = (...args: never[]) => unknown;
export type Stubs = Readonly<Record<string, Stub>>;

/** How a call of a stub fails, where a scenario does not say otherwise. */
export class StubFailure extends Error {
  override readonly name = 'StubFailure';
}

/** How many calls of stubs may fail in an execution. */
export class StubFailures {
  readonly #possible = new Set<Task>();
  #left: number;

  constructor(most: number) {
    this.#left = most;
  }

  /** How many more calls may fail. */
  get left(): number {
    return this.#left;
  }

  /** Sets up the failure of a call, if there may be one more. */
  add(loop: EventLoop, setUp: (fail: () => void) => Task, fail: () => void): Task | undefined {
    if (this.#left === 0) return undefined;
    const task = setUp(() => {
      this.#left--;
      this.#possible.delete(task);
      if (this.#left === 0) for (const other of this.#possible) loop.remove(other);
      fail();
    });
    this.#possible.add(task);
    return task;
  }

  remove(loop: EventLoop, task: Task | undefined): void {
    if (task === undefined) return;
    this.#possible.delete(task);
    loop.remove(task);
  }
}

export function stubsFor(
  stubs: Stubs,
  loopOf: () => EventLoop | undefined,
  failures: StubFailures = new StubFailures(Number.POSITIVE_INFINITY),
): Stubs {
  return Object.fromEntries(
    Object.entries(stubs).map(([name, stub]) => {
      const called = (...args: unknown[]): unknown => {
        const loop = loopOf();
        return loop ? asked(loop, name, stub, args, failures) : stub(...(args as never[]));
      };
      return [name, tracer.c(tracer.z(called), `stub ${name}`, [() => failures.left])];
    }),
  );
}

function asked(
  loop: EventLoop,
  name: string,
  stub: Stub,
  args: unknown[],
  failures: StubFailures,
): Promise<unknown> {
  const promise: Promise<unknown> = new Promise((resolve, reject) => {
    const answer = (does: string, run: () => void, caller?: Task, value?: unknown) =>
      loop.add({
        held: [() => promise, ...args.map((arg) => () => arg), () => value],
        kind: 'answer',
        does: `${name} ${does}`,
        run,
        operation: caller?.operation,
        place: caller?.place,
      });
    const effect = () => {
      const result = resultOf(() => outside(() => tracer.f(stub)(...(args as never[])), working.operation));
      const settle = result.isError ? reject : resolve;
      answer('answers', () => settle(result.value), working, result);
    };
    const failing = () => {
      loop.remove(working);
      reject(new StubFailure(`${name} has failed`));
    };
    const working = answer('takes effect', () => {
      failures.remove(loop, broken);
      effect();
    });
    const broken = failures.add(loop, (fail) => answer('fails', fail), failing);
  });
  return promise;
}

/** What code returns or throws. */
function resultOf(run: () => unknown): { readonly value: unknown; readonly isError: boolean } {
  try {
    const value = run();
    // it is handled when the stub answers, which is later
    if (value instanceof Promise) value.catch(() => {});
    return { value, isError: false };
  } catch (value) {
    return { value, isError: true };
  }
}
