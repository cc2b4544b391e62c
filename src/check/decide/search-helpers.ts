/**
 * Search helpers: threads that join a check that takes long.
 *
 *   G. Lowe. Testing for linearizability. CCPE 29(4), 2017, section 6 (competition parallel).
 *
 * The check is synchronous and keeps searching; it polls for results of the helpers between two slices. All
 * threads take parts from a counter in shared memory. When none is left, helpers search the part that the check
 * is searching, with other algorithms; the first result wins. The history is in shared memory as well. Specs
 * are functions, so each helper loads them from a module.
 *
 * A helper that fails costs nothing: the check decides the parts that it did not finish.
 */
import { MessageChannel, type MessagePort, receiveMessageOnPort, type Worker } from 'node:worker_threads';
import { clock } from '../../base/clock.js';
import { startWorker } from '../../base/package-file.js';
import type { History } from '../../history/history.js';
import type { Part } from '../parts/parts.js';
import type { SearchName } from '../search/choose-search.js';
import { OpenOperations } from '../search/generic/open-operations.js';
import type { PartCheck, PartCheckContext, PartResult } from './part-check.js';
import {
  type Assignment,
  CONTROL,
  type HelperMessage,
  type SentCounterexample,
  type SentResult,
  shareHistory,
} from './protocol.js';

export interface ParallelOptions {
  /** How many threads search, the calling one included. */
  readonly jobs: number;
  /** The address of a module, a text or a `URL`, whose export `specs`, called with `specData`, returns the spec, a function from objects to specs, or a promise of these. */
  readonly specModule: string | { readonly href: string };
  readonly specData?: unknown;
}

/** Milliseconds before helpers start. Most checks are shorter, and a start costs about as much. */
const START_AFTER = 400;
/** More helpers gain nothing. */
const MAX_HELPERS = 15;
/** Milliseconds without a heartbeat or a message after which the check no longer waits. */
const MAX_SILENCE = 3_000;
/** Bytes per operation of a history, or of all its parts; and bytes of an idle thread. */
const BYTES = 50;
const THREAD_BYTES = 40 * 2 ** 20;
const RIVALS: readonly SearchName[] = ['jit-breadth', 'wg-graph', 'jit-tree'];

export class SearchHelpers {
  readonly #options: ParallelOptions;
  readonly #whole: History;
  readonly #parts: readonly Part[];
  readonly #context: PartCheckContext;
  readonly #control = new Int32Array(new SharedArrayBuffer(4 * (CONTROL.beats + MAX_HELPERS)));
  readonly #startAt: number;
  /** The parts to search, and the results of all parts. */
  #tasks: readonly number[] = [];
  #results: (PartResult | undefined)[] = [];
  #hasViolation = false;
  #helpers: { worker: Worker; port: MessagePort }[] | undefined;
  #finished = 0;

  constructor(options: ParallelOptions, whole: History, parts: readonly Part[], context: PartCheckContext) {
    if (!(Number.isInteger(options.jobs) && options.jobs > 0))
      throw new TypeError(`invalid parallel.jobs ${options.jobs}; expected a whole number from 1`);
    this.#options = options;
    this.#whole = whole;
    this.#parts = parts;
    this.#context = context;
    this.#startAt = clock.now() + (context.searches.length > 1 ? 0 : START_AFTER);
  }

  /** Resumes the paused parts; adds their results. */
  resume(
    results: (PartResult | undefined)[],
    paused: Map<number, PartCheck>,
  ): readonly (PartResult | undefined)[] {
    this.#tasks = [...paused.keys()];
    this.#results = results;
    for (let number = this.#nextTask(); number >= 0; number = this.#nextTask()) {
      this.#setResult(number, paused.get(number)?.run({ isOvertaken: () => this.#isOvertaken(number) }));
      // frees its tables
      paused.delete(number);
    }
    this.#waitForHelpers();
    // parts that a helper did not finish
    for (const number of this.#tasks)
      if (!results[number] && !this.#hasViolation) this.#setResult(number, paused.get(number)?.run());
    return results;
  }

  stop(): void {
    Atomics.store(this.#control, CONTROL.stop, 1);
    for (const { worker, port } of this.#helpers ?? []) {
      port.close();
      void worker.terminate();
    }
  }

  /** A part that no thread has started; -1 if there is none, or none is needed. */
  #nextTask(): number {
    const task = this.#hasViolation ? this.#tasks.length : Atomics.add(this.#control, CONTROL.next, 1);
    const number = this.#tasks[task] ?? -1;
    Atomics.store(this.#control, CONTROL.current, number);
    return number;
  }

  /** Polled while the calling thread searches a part. */
  #isOvertaken(number: number): boolean {
    if (!this.#helpers && clock.now() > this.#startAt) this.#start();
    this.#receive();
    return this.#results[number] !== undefined || this.#hasViolation;
  }

  #setResult(number: number, result: PartResult | 'overtaken' | 'paused' | undefined): void {
    if (typeof result !== 'object' || this.#results[number]) return;
    this.#results[number] = result;
    this.#hasViolation ||= result.kind === 'violation';
  }

  /** Waits until all helpers have finished, a limit is reached, or no helper has shown activity for a while. */
  #waitForHelpers(): void {
    const isDone = () =>
      this.#hasViolation ||
      this.#context.budget.reached ||
      this.#tasks.every((number) => this.#results[number]);
    let [activity, since] = [-1, clock.now()];
    while (this.#helpers && this.#finished < this.#helpers.length && !isDone()) {
      Atomics.wait(this.#control, CONTROL.messages, this.#control[CONTROL.messages], 20);
      this.#receive();
      const now = this.#control.subarray(CONTROL.messages).reduce((sum, beats) => sum + beats, 0);
      if (now !== activity) [activity, since] = [now, clock.now()];
      else if (clock.now() - since > MAX_SILENCE) return;
    }
  }

  #start(): void {
    this.#helpers = [];
    const { searches, budget } = this.#context;
    const rivals = searches.length > 1 ? searches.slice(1) : RIVALS;
    const { jobs, specModule } = this.#options;
    const helpers = Math.min(jobs - 1, MAX_HELPERS);
    if (!budget.affordsMore(bytesForHelpers(this.#whole, helpers))) return;
    const history = shareHistory(this.#whole);
    for (let helper = 0; helper < helpers; helper++) {
      const { port1, port2 } = new MessageChannel();
      const assignment: Assignment = {
        history,
        specModule: typeof specModule === 'string' ? specModule : specModule.href,
        specData: this.#options.specData,
        control: this.#control,
        helper,
        tasks: this.#tasks,
        port: port2,
        monitors: this.#parts.some(({ monitored }) => monitored),
        searches,
        rivals: rivals.filter((_, i) => i % helpers === helper),
        share: budget.shareOf(this.#options.jobs),
      };
      try {
        const worker = startWorker('#search-helper', assignment, { transfer: [port2], isBackground: true });
        // a helper reports its end; if it cannot, the check decides its part
        worker.on('error', () => this.#finished++);
        this.#helpers.push({ worker, port: port1 });
      } catch (error) {
        // `specData` cannot be cloned: there are no helpers
        port1.close();
        if (!(error instanceof DOMException)) throw error;
        return;
      }
    }
  }

  #receive(): void {
    for (const { port } of this.#helpers ?? [])
      for (let got = receiveMessageOnPort(port); got; got = receiveMessageOnPort(port)) {
        const message = got.message as HelperMessage;
        if (message.kind === 'finished') this.#finished++;
        else if (message.kind === 'violation') this.#context.onViolation?.(message.violation);
        else if (this.#results[message.part] === undefined) {
          this.#setResult(message.part, this.#fromSent(message.part, message.result));
          this.#context.budget.add(message);
        }
      }
  }

  #fromSent(number: number, result: SentResult): PartResult {
    if (result.kind !== 'violation') return result;
    const { refutation } = result;
    return {
      kind: 'violation',
      refutation: { ...refutation, core: coreOf(this.#parts[number].history, refutation) },
    };
  }
}

/** Memory of the helpers, estimated: a copy of the history, and for each its parts and tables. */
function bytesForHelpers({ columns, length }: History, helpers: number): number {
  return BYTES * length + helpers * (THREAD_BYTES + BYTES * length + OpenOperations.bytesFor(columns));
}

/** The core of a counterexample, cut from its part again. */
function coreOf(history: History, { core, property, cause }: SentCounterexample): History {
  const { columns } = history;
  const fault = history.positionsById()[cause.operation];
  const cut = property === 'safety' ? history.prefix(columns.return[fault]) : history;
  const kept = new Set(core);
  return kept.size === cut.length ? cut : cut.select((k) => kept.has(cut.columns.id[k]));
}
