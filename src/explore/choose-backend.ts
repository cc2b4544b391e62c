/**
 * The back end of a scenario that names none: real threads if it has `attach`, async if a method returns a promise.
 *
 * Synchronous calls cannot interleave on one event loop. They are explored as threads only if threads were requested: by
 * instrumented code, by `instrument`, by a primitive for threads, or by a call that spins until another thread acts. Otherwise
 * they run on the event loop, and the report says that they cannot interleave.
 *
 * Async and instrumented functions are recognised without a call. Any other function is called once on a fresh object.
 */

import type { AnyFunction } from '../base/any-function.js';
import { usedResults } from '../base/values/result-reference.js';
import { control } from '../event-loop/control.js';
import { EventLoop, withLoop } from '../event-loop/event-loop.js';
import { stubsFor } from '../event-loop/stubs.js';
import { primitiveUses } from '../execution/memory/memory.js';
import { ScenarioError } from '../execution/memory/program-error.js';
import { isInstrumented, type PlainCall } from '../instrument/instrumented-program.js';
import { AsyncBackend } from './async-backend.js';
import type { Backend } from './backend.js';
import { Arguments, UNKNOWN } from './learning/plain-code.js';
import { SPINS, triedOften } from './model/deadline.js';
import type { BackendName, Scenario } from './scenario/scenario.js';
import { randomTests, type TestCase } from './scenario/test-case.js';
import { ThreadBackend } from './thread-backend.js';

/** Random tests from which the calls are collected. */
const SAMPLES = 20;

/** The back end of a test. A scenario that names none has threads. */
export function backendFor(scenario: Scenario, test: TestCase): Backend {
  const { backend, fair, spec, exclusive } = scenario;
  if (fair && (spec !== undefined || exclusive !== undefined || backend !== 'async'))
    throw new ScenarioError(
      '`fair` applies to asynchronous code without a spec; remove it from the scenario',
    );
  const calls = [...test.before, ...test.threads.flat(), ...test.after];
  if (backend !== 'async' && (exclusive !== undefined || calls.some((call) => usedResults(call).length > 0)))
    throw new ScenarioError(
      '`result()` and `exclusive()` apply to asynchronous code; threads cannot use results of their calls',
    );
  return backend === 'async' ? new AsyncBackend(scenario, test) : new ThreadBackend(scenario, test);
}

/** A test of the scenario as it is loaded again; undefined if that, or an argument, is not possible. */
export function reloaded(scenario: Scenario, matrix: TestCase): Backend | undefined {
  const code = scenario.plain?.load();
  if (code === undefined) return undefined;
  const args = new Arguments(scenario, code);
  const copied = (calls: TestCase['before']): TestCase['before'] =>
    calls.map(([method, ...own]) => [method, ...own.map((arg) => args.of(arg))]);
  const { before, threads, after } = matrix;
  const own = { before: copied(before), threads: threads.map(copied), after: copied(after) };
  const isKnown = [...own.before, ...own.threads.flat(), ...own.after].every(
    (call) => !call.includes(UNKNOWN),
  );
  return isKnown ? backendFor({ ...code, backend: scenario.backend }, own) : undefined;
}

export function backendNameOf(scenario: Scenario): BackendName {
  if (scenario.backend !== undefined) return scenario.backend;
  const { methods, before, after, test, attach } = scenario;
  if (attach) return 'threads';
  const tests = test ? [test] : randomTests(scenario, scenario, SAMPLES, 1).map(({ threads }) => threads);
  const calls = new Map<string, PlainCall>();
  for (const call of [...before, ...tests.flat(2), ...after])
    if (!calls.has(call[0]) && usedResults(call).length === 0) calls.set(call[0], call);
  control();
  const loop = new EventLoop();
  const create = () => (scenario.create as AnyFunction)(stubsFor(scenario.stubs, () => loop)) as object;
  const uses = primitiveUses();
  return withLoop(loop, () => {
    const object = create();
    if (isPromise(object)) return 'async';
    const functionOf = (method: string): unknown =>
      Object.hasOwn(methods, method) ? methods[method] : (object as Record<string, unknown>)[method];
    const functions = [...calls.keys()].map(functionOf);
    if (functions.some((called) => Object.prototype.toString.call(called) === '[object AsyncFunction]'))
      return 'async';
    if (functions.some(isInstrumented)) return 'instrumented';
    const results = Array.from(calls.values(), ([method, ...args]) => {
      return triedOften(() => {
        const fresh = create();
        return () =>
          orNothing(() =>
            Object.hasOwn(methods, method)
              ? (methods[method] as AnyFunction)(fresh, ...args)
              : (fresh as Record<string, AnyFunction>)[method](...args),
          );
      });
    });
    if (results.map(isPromise).includes(true)) return 'async';
    const isForThreads =
      results.includes(SPINS) || primitiveUses() > uses || scenario.instrument !== undefined;
    return isForThreads ? 'instrumented' : 'async';
  });
}

/** The result of a call; undefined if it throws. */
function orNothing(call: () => unknown): unknown {
  try {
    return call();
  } catch {
    return undefined;
  }
}

function isPromise(value: unknown): boolean {
  if (!(value instanceof Promise)) return false;
  // the result is not used, so a rejection must not count as unhandled
  value.catch(() => {});
  return true;
}
