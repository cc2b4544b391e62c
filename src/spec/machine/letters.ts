/**
 * The letters of a history in words, and which answers of a spec fit them.
 *
 * There may be millions of letters, so they are put into words when somebody asks.
 */
import { GrowingInts } from '../../base/collections/growing.js';
import { grown, pick } from '../../base/collections/ints.js';
import { ListNumbers } from '../../base/collections/list-interner.js';
import { isPrimitive } from '../../base/values/interner.js';
import { show } from '../../base/values/show.js';
import type { History } from '../../history/history.js';
import { type Columns, numberOfValue, PENDING, RETURNED } from '../../history/model/columns.js';
import type { Outcome } from '../../history/model/operation.js';
import { SpecError } from '../spec.js';

/*
 * The distinct operations of a history: those with the same method, arguments
 * and outcome are one *letter*, since no spec can tell them apart.
 *
 * Letters are found by hashing integers; no value is looked at. A failed
 * operation has a letter too, but nobody asks for it. How letters are spelt is kept
 * in one place: who asks for one after another would else look all over the history.
 * Cost: O(n); 4 bytes an operation, and 16 a letter with 4 for each argument.
 */

/** A letter by numbers of the history's tables; its arguments are those from `start` up to `end`. */
interface Spelling {
  readonly method: number;
  readonly status: number;
  readonly result: number;
  readonly start: number;
  readonly end: number;
}

class Alphabet {
  /** Operation id to letter. */
  readonly letterOf: Int32Array;
  /** Letter to the first operation (by position) that has it. */
  readonly examples: Int32Array;
  /** All letters, one behind another: method and status as one number, result, arguments. */
  readonly spelt: Int32Array;
  /** Letter to where it begins there. */
  readonly #start: Int32Array;

  constructor(columns: Columns) {
    const { id, method, argumentStart, argument, status, result } = columns;
    const examples = new GrowingInts();
    const spelt = new GrowingInts();
    const starts = new GrowingInts();
    const letterOf = new Int32Array(id.length === 0 ? 0 : id[id.length - 1] + 1);
    const letters = new ListNumbers();
    let spelling: Int32Array = new Int32Array(16);
    for (let k = 0; k < id.length; k++) {
      const start = argumentStart[k];
      const length = 2 + argumentStart[k + 1] - start;
      if (length > spelling.length) spelling = grown(spelling, length);
      spelling[0] = 4 * method[k] + status[k];
      spelling[1] = result[k];
      for (let i = 2; i < length; i++) spelling[i] = argument[start + i - 2];
      const letter = letters.numberOf(spelling, length);
      letterOf[id[k]] = letter;
      if (letter < examples.length) continue;
      examples.push(k);
      starts.push(spelt.length);
      for (let i = 0; i < length; i++) spelt.push(spelling[i]);
    }
    starts.push(spelt.length);
    this.letterOf = letterOf;
    this.examples = examples.toArray();
    this.spelt = spelt.toArray();
    this.#start = starts.toArray();
  }

  get bytes(): number {
    const lists = [this.letterOf, this.examples, this.spelt, this.#start];
    return lists.reduce((bytes, { byteLength }) => bytes + byteLength, 0);
  }

  spelling(letter: number): Spelling {
    const { spelt } = this;
    const start = this.#start[letter];
    return {
      method: spelt[start] >>> 2,
      status: spelt[start] & 3,
      result: spelt[start + 1],
      start: start + 2,
      end: this.#start[letter + 1],
    };
  }
}

/** A letter in words. */
interface Letter {
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
