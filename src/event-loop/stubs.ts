/**
 * Functions that stand for something outside: a database, a service, a file.
 *
 * What is called takes effect some time later, and its answer comes some time after that; or it fails, and has no
 * effect. Each is a task of its own, so that answers may come late and in any order.
 */
import { tracer } from '../instrument/tracing/tracer.js';
import { type EventLoop, outside, type Task } from './event-loop.js';

type Stub = (...args: never[]) => unknown;
export type Stubs = Readonly<Record<string, Stub>>;

/** How a call of a stub fails, where a scenario does not say otherwise. */
export class StubFailure extends Error {
  override readonly name = 'StubFailure';
}

/** `failures`: how many calls may still fail in this execution. */
export function stubsFor(
  stubs: Stubs,
  loopOf: () => EventLoop | undefined,
  failures: { left: number } = { left: Number.POSITIVE_INFINITY },
): Stubs {
  return Object.fromEntries(
    Object.entries(stubs).map(([name, stub]) => [
      name,
      tracer.z((...args: unknown[]): unknown => {
        const loop = loopOf();
        return loop ? asked(loop, name, stub, args, failures) : stub(...(args as never[]));
      }),
    ]),
  );
}

function asked(
  loop: EventLoop,
  name: string,
  stub: Stub,
  args: unknown[],
  failures: { left: number },
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const answer = (does: string, run: () => void, caller?: Task) =>
      loop.add({
        kind: 'answer',
        does: `${name} ${does}`,
        run,
        operation: caller?.operation,
        place: caller?.place,
      });
    const effect = () => {
      const settle = settled(() => outside(() => tracer.f(stub)(...(args as never[]))));
      answer('answers', () => settle(resolve, reject), working);
    };
    const failing = () => {
      loop.remove(working);
      failures.left--;
      reject(new StubFailure(`${name} has failed`));
    };
    const working = answer('takes effect', () => {
      if (broken) loop.remove(broken);
      effect();
    });
    const broken = failures.left > 0 ? answer('fails', failing) : undefined;
  });
}

/** Does something now, and gives what tells how it went. */
function settled(
  run: () => unknown,
): (resolve: (value: unknown) => void, reject: (error: unknown) => void) => void {
  try {
    const value = run();
    return (resolve) => resolve(value);
  } catch (error) {
    return (_resolve, reject) => reject(error);
  }
}
