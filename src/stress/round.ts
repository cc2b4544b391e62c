/** One round of a stress run: all clients at once, until they are done or nothing has moved for a while. */

import type { AnyFunction } from '../base/any-function.js';
import type { Random } from '../base/random.js';
import { ScenarioError } from '../execution/memory/program-error.js';
import { noMethod } from '../execution/program.js';
import type { Scenario, Signal } from '../explore/scenario/scenario.js';
import type { TestCase } from '../explore/scenario/test-case.js';
import type { TimedOperation } from '../history/builder/builder.js';
import type { Outcome } from '../history/model/operation.js';
import type { PlainCall } from '../instrument/instrumented-program.js';
import { type ErrorMeaning, type Log, outcomeOfError } from '../record/log.js';

/**
 * When a round is over: all its clients are done, or nothing moves any more.
 *
 *   J. Lawrence, G. Lowe. Synchronisation: specification and testing. 2025, section 6: threads are interrupted after a
 *   delay.
 *
 * If the delay is too short, a slow call counts as stuck. If it is long, most rounds of objects whose calls wait for
 * each other take long. So there are two delays, and the spec chooses:
 *
 *   no progress for           the round is over
 *   `settle`                  if the spec allows all open calls to block forever
 *   `stallTimeout`            in any case: a call is blocked that should not be
 *
 * The round also ends at the time limit.
 */
export interface Stillness {
  /** Milliseconds. */
  readonly settle: number;
  readonly stallTimeout: number;
}

/** What is known of a running round. */
interface Watched {
  /** A number that any progress changes. */
  readonly moves: () => number;
  /** Called at the first check without progress: may the round end in this state? */
  readonly mayRest: () => boolean;
  readonly isOver: () => boolean;
}

/** Why a round is over, when it is. */
export function stillness(
  work: Promise<unknown>,
  { settle, stallTimeout }: Stillness,
  { moves, mayRest, isOver }: Watched,
): Promise<'done' | 'stuck' | 'cut off'> {
  return new Promise((resolve, reject) => {
    let last = Number.NaN;
    // checks without progress: counted, not timed, since a process that was suspended gave no client time to progress
    let still = 0;
    const isStuck = (): boolean => {
      const now = moves();
      still = now === last ? still + 1 : 0;
      last = now;
      return (still === 1 && mayRest()) || still * settle >= stallTimeout;
    };
    const timer = setInterval(() => {
      try {
        if (isStuck()) done(() => resolve('stuck'));
        else if (isOver()) done(() => resolve('cut off'));
      } catch (error) {
        done(() => reject(error as Error));
      }
    }, settle);
    const done = (settleIt: () => void): void => {
      clearInterval(timer);
      settleIt();
    };
    work.then(
      () => done(() => resolve('done')),
      (error: unknown) => done(() => reject(error as Error)),
    );
  });
}

/** What each client has done. */
export type Logs = readonly (readonly TimedOperation[])[];

export interface Ended {
  readonly operations: Logs;
  readonly annotations: readonly { readonly text: string; readonly at: bigint }[];
  /** No client makes progress any more. */
  readonly isStuck: boolean;
}

export interface Round {
  readonly matrix: TestCase;
  /** Which one it is, from 0. */
  readonly number: number;
  readonly chance: Random;
  /** May all pending calls be blocked forever? */
  readonly mayRest: (operations: Logs) => boolean;
  /** Has time run out? */
  readonly isOver: () => boolean;
  /** Called now and then while threads get ready. */
  readonly onWait: () => void;
}

/** Runs rounds: with asynchronous clients, or with threads. */
export interface Rounds {
  /** Undefined if the time limit is reached during the round. */
  run(scenario: Scenario, round: Round): Promise<Ended | undefined>;
  close(): Promise<void>;
  /** Errors that the scenario does not classify, by name, and their number. */
  readonly unknown: ReadonlyMap<string, number>;
}

/* One client of a round: makes its calls in sequence and logs them. The results show whether the object is asynchronous. */

export interface ClientOptions {
  /** Called with errors that the scenario does not classify. */
  readonly onUnknown?: (error: unknown) => void;
  /** Interrupts the pending call; nothing is logged after that. */
  readonly signal?: Signal;
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
