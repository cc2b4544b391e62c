/** What engines say of a row of the matrix of races, compared with its model. */
import { untilValid } from '../../../src/execution/memory/program-error.js';
import { runtime } from '../../../src/instrument/runtime/runtime.js';
import { loadScript, programOn } from '../fixtures/instrumented.js';
import type { Row } from '../generators/constructs.js';
import { maximalOrders } from './brute-force.js';
import { resultsByDpor, resultsByStates } from './engines.js';
import { interleavings } from './interleaver.js';

/** Runs a program. What it leaves on the global object is not there when the next one begins. */
export function apart<T>(run: () => T): T {
  const globals = new Set(Object.keys(globalThis));
  runtime.atomic.clear();
  try {
    return run();
  } finally {
    runtime.leave();
    runtime.failure = undefined;
    for (const name of Object.keys(globalThis))
      if (!globals.has(name)) Reflect.deleteProperty(globalThis, name);
  }
}

/** What each engine says of a row: nothing if its results are those of the model. `make` makes its object. */
export function explored({ code, threads, model }: Row, make?: () => object): string[] {
  const expected = maximalOrders(interleavings(() => [0, 0, 0, 0], model)).join();
  const run = (): string[] => {
    const program = programOn(make ?? loadScript(code), { threads });
    const byClasses = maximalOrders(untilValid(() => resultsByDpor(program))).join();
    const byStates = untilValid(() => resultsByStates(program));
    const isObserved = [...runtime.atomic.values()].every((called) => called.isObserved);
    return [
      ...(byClasses === expected ? [] : ['wrong by classes']),
      ...(byStates === undefined || maximalOrders(byStates).join() === expected ? [] : ['wrong by states']),
      ...(byStates === undefined ? ['no states'] : []),
      ...(isObserved ? [] : ['not observed']),
    ];
  };
  try {
    return apart(run);
  } catch (error) {
    return [(error as Error).message.includes('cannot be suspended') ? 'refused' : String(error)];
  }
}
