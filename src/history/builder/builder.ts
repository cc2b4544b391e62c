/**
 * How a history is written down by programs: calls and outcomes in, with names and values of
 * any kind. They become numbers here; what a history must be like, numbered-builder.ts sees to.
 */
import type { History } from '../history.js';
import type { AnyObject, Methods, Outcome } from '../model/operation.js';
import type { Stamp } from '../model/stamps.js';
import { type BuilderOptions, NumberedBuilder } from './numbered-builder.js';
import { type Call, STATUS } from './tables.js';

/** A call of a method that the object has, with arguments that it takes. */
export type CallOf<T extends Methods<T> = AnyObject> = Omit<Call, 'method' | 'args'> &
  {
    [M in keyof T & string]: { readonly method: M; readonly args?: Readonly<Parameters<T[M]>> | undefined };
  }[keyof T & string];

/** A whole operation as it is recorded. */
export type TimedOperation<T extends Methods<T> = AnyObject> = CallOf<T> & {
  readonly outcome: Outcome;
  readonly call: Stamp;
  /** Absent: it never ended. Of a pending one: when its caller gave up. */
  readonly return?: Stamp | undefined;
};

export class HistoryBuilder<T extends Methods<T> = AnyObject> {
  readonly #builder: NumberedBuilder;

  constructor(options: BuilderOptions = {}) {
    this.#builder = new NumberedBuilder(options);
  }

  /** How many operations have been added. */
  get length(): number {
    return this.#builder.length;
  }

  /** How much memory `finish` takes beside what there is, estimated. */
  get bytesToFinish(): number {
    return this.#builder.bytesToFinish;
  }

  /** An event: a process calls a method. Gives the entry. `at` matters only where clocks may be wrong. */
  call(call: CallOf<T>, at?: Stamp): number {
    return this.#builder.call(this.#builder.names.call(call), at);
  }

  /** An event: a call ends. */
  end(entry: number, outcome: Outcome, at?: Stamp): void {
    const result = this.#builder.names.result(outcome);
    this.#builder.end(entry, STATUS[outcome.kind], result, at);
  }

  /** A whole operation. Gives the entry. */
  operation(operation: TimedOperation<T>): number {
    const { outcome, call, return: end } = operation;
    const numbered = this.#builder.names.call(operation);
    const result = this.#builder.names.result(outcome);
    return this.#builder.operation(numbered, STATUS[outcome.kind], result, call, end);
  }

  /** The `earlier` entries took effect before this one, though time does not show it. */
  after(entry: number, earlier: readonly number[]): void {
    this.#builder.after(entry, earlier);
  }

  /** Something else that happened; among events it happens now. */
  annotate(text: string, at?: Stamp): void {
    this.#builder.annotate(text, at);
  }

  /** Nothing will ever return again. */
  markStuck(): void {
    this.#builder.markStuck();
  }

  /** `lineOf` tells, for histories from files, where an entry stands. */
  finish(lineOf?: (entry: number) => number): History<T> {
    return this.#builder.finish(lineOf) as unknown as History<T>;
  }
}
