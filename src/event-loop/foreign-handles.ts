/**
 * Handles that the event loop of an execution does not know: a socket, a file, a timer from before it was replaced.
 *
 * What waits for one would wait for ever here, though it need not in Node. They are found by Node's own hooks, which cost
 * too much to be on in every execution.
 */
import { createHook } from 'node:async_hooks';
import { callerPlace } from '../execution/callers.js';

export interface Foreign {
  /** Node's name for it. */
  readonly type: string;
  /** Where it was made. */
  readonly place: string;
}

/** What Node itself does later by means of the system, as it names it; and its own timers. */
const NATIVE = /^(?!PROMISE$)[A-Z]+$|^(Timeout|Immediate)$/;

/** The first handle that is made while something runs. */
export function foreignIn(run: () => void): Foreign | undefined {
  let found: Foreign | undefined;
  const hook = createHook({
    init(_id, type) {
      if (found === undefined && NATIVE.test(type)) found = { type, place: callerPlace() };
    },
  });
  hook.enable();
  try {
    run();
  } finally {
    hook.disable();
  }
  return found;
}
