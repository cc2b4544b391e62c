/** One client of a round: makes its calls, one after another, and has them logged. Whether the object is asynchronous, it is told by its answers. */
import { type Classified, type Log, rejection } from '../../record/index.js';
import type { Scenario } from '../scenario.js';
import { ScenarioError } from '../scenario-error.js';
import type { PlainCall } from '../transform/index.js';

type AnyFunction = (...args: unknown[]) => unknown;

/** Tells of errors whose meaning nobody has said. */
export type OnUnknown = (error: unknown) => void;

export class Client {
  readonly #scenario: Scenario;
  readonly #object: object;
  readonly #log: Log;
  readonly #process: string;
  readonly #onUnknown: OnUnknown;

  constructor(
    scenario: Scenario,
    object: object,
    log: Log,
    process: string,
    onUnknown: OnUnknown = () => {},
  ) {
    this.#scenario = scenario;
    this.#object = object;
    this.#log = log;
    this.#process = process;
    this.#onUnknown = onUnknown;
  }

  async run(calls: readonly PlainCall[]): Promise<void> {
    for (const call of calls) await this.#call(call);
  }

  async #call([method, ...args]: PlainCall): Promise<void> {
    const called = this.#functionOf(method);
    const number = this.#log.call({ process: this.#process, method, args });
    try {
      const result = called(...args);
      // a value that is there needs no wait
      const value: unknown = result instanceof Promise ? await result : result;
      this.#log.end(number, { kind: 'returned', value });
    } catch (error) {
      this.#log.end(number, rejection(error, this.#classified(error)));
    }
  }

  #functionOf(method: string): AnyFunction {
    const { methods } = this.#scenario;
    if (Object.hasOwn(methods, method))
      return (...args) => (methods[method] as AnyFunction)(this.#object, ...args);
    const own = (this.#object as Record<string, unknown>)[method];
    if (typeof own !== 'function') throw new ScenarioError(`the object has no method ${method}`);
    return (own as AnyFunction).bind(this.#object);
  }

  #classified(error: unknown): Classified {
    const { outcome, remote } = this.#scenario;
    if (outcome) return outcome(error);
    if (!remote) return 'threw';
    this.#onUnknown(error);
    return 'unknown';
  }
}
