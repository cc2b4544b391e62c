/**
 * Builds histories from calls and outcomes with names and values of any kind.
 *
 * Names and values are interned here; `NumberedBuilder` checks that the history is well-formed.
 */
import type { History } from '../history.js';
import type { AnyObject, Methods, Outcome } from '../model/operation.js';
import type { Timestamp } from '../model/timestamps.js';
import { type Call, STATUS } from './entries.js';
import { type BuilderOptions, NumberedBuilder } from './numbered-builder.js';

/** A call of a method of the object, with arguments of its types. */
export type CallOf<T extends Methods<T> = AnyObject> = Omit<Call, 'method' | 'args'> &
  {
    [M in keyof T & string]: { readonly method: M; readonly args?: Readonly<Parameters<T[M]>> | undefined };
  }[keyof T & string];

/** A complete operation with its times. */
export type TimedOperation<T extends Methods<T> = AnyObject> = CallOf<T> & {
  readonly outcome: Outcome;
  readonly call: Timestamp;
  /** Absent if the operation never ended. For a pending operation: when its caller gave up. */
  readonly return?: Timestamp | undefined;
};

/** Builds a history from operations with times, or from calls and their ends. */
export class HistoryBuilder<T extends Methods<T> = AnyObject> {
  readonly #builder: NumberedBuilder;

  constructor(options: BuilderOptions = {}) {
    this.#builder = new NumberedBuilder(options);
  }

  /** The number of operations. */
  get length(): number {
    return this.#builder.length;
  }

  /** Estimated additional memory of `finish`. */
  get bytesToFinish(): number {
    return this.#builder.bytesToFinish;
  }

  /** Adds the event of a call and returns its entry. `at` is needed only with a clock error. */
  call(call: CallOf<T>, at?: Timestamp): number {
    return this.#builder.call(this.#builder.tables.internCall(call), at);
  }

  /** Adds the event that ends a call. */
  end(entry: number, outcome: Outcome, at?: Timestamp): void {
    const result = this.#builder.tables.internResult(outcome);
    this.#builder.end(entry, STATUS[outcome.kind], result, at);
  }

  /** Adds an operation and returns its entry. */
  operation(operation: TimedOperation<T>): number {
    const { outcome, call, return: end } = operation;
    const numbered = this.#builder.tables.internCall(operation);
    const result = this.#builder.tables.internResult(outcome);
    return this.#builder.operation(numbered, STATUS[outcome.kind], result, call, end);
  }

  /** Declares that the `earlier` entries took effect before this one, although their times do not show it. */
  after(entry: number, earlier: readonly number[]): void {
    this.#builder.after(entry, earlier);
  }

  /** Adds an annotation; without a time it follows the last event. A fault that lasts has an `until`. */
  annotate(text: string, at?: Timestamp, until?: Timestamp): void {
    this.#builder.annotate(text, at, until);
  }

  /** Declares the history stuck: no further return will come. */
  markStuck(): void {
    this.#builder.markStuck();
  }

  /** Returns the history. `lineOf` maps an entry to its line, for histories from files. */
  finish(lineOf?: (entry: number) => number): History<T> {
    return this.#builder.finish(lineOf) as unknown as History<T>;
  }
}
