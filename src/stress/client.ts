/** One client of a round: makes its calls in sequence and logs them. The results show whether the object is asynchronous. */

import type { AnyFunction } from '../base/any-function.js';
import { ScenarioError } from '../execution/memory/program-error.js';
import { noMethod } from '../execution/program.js';
import type { Scenario } from '../explore/scenario/scenario.js';
import type { Outcome } from '../history/model/operation.js';
import type { PlainCall } from '../instrument/instrumented-program.js';
import { type ErrorMeaning, type Log, outcomeOfError } from '../record/log.js';

export interface ClientOptions {
  /** Called with errors that the scenario does not classify. */
  readonly onUnknown?: (error: unknown) => void;
  /** Interrupts the pending call; nothing is logged after that. */
  readonly signal?: AbortSignal;
  /** Awaited before each call, if it returns a promise. */
  readonly pause?: () => Promise<unknown> | undefined;
}

export class Client {
  readonly #scenario: Scenario;
  readonly #object: object;
  readonly #log: Log;
  readonly #process: string;
  readonly #options: ClientOptions;

  constructor(scenario: Scenario, object: object, log: Log, process: string, options: ClientOptions = {}) {
    this.#scenario = scenario;
    this.#object = object;
    this.#log = log;
    this.#process = process;
    this.#options = options;
  }

  /** One function, so that the next call comes in the microtask in which the last one has ended, as in `await a(); await b()`. */
  async run(calls: readonly PlainCall[]): Promise<void> {
    const { signal, pause } = this.#options;
    for (const call of calls) {
      const turn = pause?.();
      if (turn) await turn;
      if (signal?.aborted) return;
      const { begin, end, fail, close } = this.#open(call);
      try {
        const result = begin();
        // a value that is there needs no wait
        end({ kind: 'returned', value: result instanceof Promise ? await result : result });
      } catch (error) {
        fail(error);
      } finally {
        close();
      }
    }
  }

  /** A call that is logged, and about to begin. */
  #open([method, ...args]: PlainCall) {
    const { signal } = this.#options;
    const called = this.#functionOf(method);
    const number = this.#log.call({ process: this.#process, method, args });
    const end = (outcome: Outcome): void => {
      if (!signal?.aborted) this.#log.end(number, outcome);
    };
    const interrupt = signal && this.#interruptOf(method, args);
    if (interrupt) signal.addEventListener('abort', interrupt, { once: true });
    return {
      begin: () => called(...args, ...(signal && this.#scenario.cancel === true ? [{ signal }] : [])),
      end,
      fail: (error: unknown): void => {
        if (!signal?.aborted) end(outcomeOfError(error, this.#classified(error)));
      },
      close: (): void => {
        if (interrupt) signal.removeEventListener('abort', interrupt);
      },
    };
  }

  /** How a scenario interrupts a call without a signal. */
  #interruptOf(method: string, args: readonly unknown[]): (() => void) | undefined {
    const { cancel } = this.#scenario;
    if (typeof cancel !== 'function') return undefined;
    return () => void (cancel as AnyFunction)(this.#object, method, ...args);
  }

  #functionOf(method: string): AnyFunction {
    const { methods } = this.#scenario;
    if (Object.hasOwn(methods, method))
      return (...args) => (methods[method] as AnyFunction)(this.#object, ...args);
    const own = (this.#object as Record<string, unknown>)[method];
    if (typeof own !== 'function') throw new ScenarioError(`the object ${noMethod(this.#object, method)}`);
    return (own as AnyFunction).bind(this.#object);
  }

  #classified(error: unknown): ErrorMeaning {
    const { outcome, remote } = this.#scenario;
    if (outcome) return outcome(error);
    if (!remote) return 'threw';
    this.#options.onUnknown?.(error);
    return 'unknown';
  }
}
