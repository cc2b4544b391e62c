/**
 * The letters of a history in words, and which answers of a spec fit them.
 *
 * There may be millions of letters, so they are put into words when somebody asks.
 */
import { pick } from '../../base/collections/ints.js';
import { isPrimitive } from '../../base/values/interner.js';
import { show } from '../../base/values/show.js';
import type { History } from '../../history/history.js';
import { numberOfValue, PENDING, RETURNED } from '../../history/model/columns.js';
import type { Outcome } from '../../history/model/operation.js';
import { SpecError } from '../spec-error.js';
import { Alphabet } from './alphabet.js';

/** A letter in words. */
export interface Letter {
  readonly method: string;
  readonly args: readonly unknown[];
  /** The arguments as they are spelt begin here. */
  readonly start: number;
  readonly status: number;
  readonly result: number;
}

export class Letters {
  readonly #history: History;
  readonly #alphabet: Alphabet;

  constructor(history: History) {
    this.#history = history;
    this.#alphabet = new Alphabet(history.columns);
  }

  get bytes(): number {
    return this.#alphabet.bytes;
  }

  /** How many there are. */
  get length(): number {
    return this.#alphabet.examples.length;
  }

  /** Letter to the first operation that has it. */
  get examples(): Int32Array {
    return this.#alphabet.examples;
  }

  of(operation: number): number {
    return this.#alphabet.letterOf[operation];
  }

  /** The letters of the operations of a cut of the history. */
  ofCut(cut: History): Int32Array {
    const { letterOf } = this.#alphabet;
    const { id } = cut.columns;
    return id.length === letterOf.length ? letterOf : pick(letterOf, id);
  }

  at(letter: number): Letter {
    const { methods, values } = this.#history.tables;
    const { method, status, result, start, end } = this.#alphabet.spelling(letter);
    const args: unknown[] = [];
    for (let i = start; i < end; i++) args.push(values.values[this.#alphabet.spelt[i]]);
    return { method: methods[method], args, start, status, result };
  }

  /** Is it what the caller got, if anybody knows? */
  fits(outcome: Outcome, { status, result }: Letter): boolean {
    if (status === PENDING) return true;
    const { tables } = this.#history;
    if (outcome.kind === 'threw')
      return status !== RETURNED && tables.values.values[result] === outcome.error;
    if (outcome.kind !== 'returned' || status !== RETURNED) return false;
    // most values are the same or primitive, and need not be looked up
    const [given, recorded] = [outcome.value, tables.values.values[result]];
    if (given === recorded) return true;
    if (typeof given === 'boolean') return false;
    return numberOfValue(tables, given) === result;
  }

  /** Arguments are shared by the whole history: a spec must leave them as they are. */
  checkArguments({ method, args, start }: Letter, spec: string): void {
    args.forEach((value, i) => {
      if (!isPrimitive(value) && this.#history.tables.values.find(value) !== this.#alphabet.spelt[start + i])
        throw new SpecError(`spec ${spec}: ${method} changes an argument it is given, now ${show(value)}`);
    });
  }

  /** The operation that a letter was seen at first, and its line where there is a file. */
  whereIs(letter: number): string {
    const { columns, tables } = this.#history;
    const id = columns.id[this.#alphabet.examples[letter]];
    return `operation ${id}${tables.lines ? ` (line ${tables.lines[id]})` : ''}`;
  }
}
