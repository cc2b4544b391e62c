/**
 * The alphabet of a history: operations with equal method, arguments and outcome form one *letter*.
 *
 * No spec can distinguish two operations of one letter, so an automaton over letters decides the
 * history. Letters are numbered by hashing integers; no user value is compared. A failed operation
 * has a letter too, which no search uses.
 *
 * There may be millions of letters. They are stored as integers in one array and decoded on demand.
 * Cost: O(n) time; 4 bytes per operation, and 16 per letter plus 4 per argument.
 */
import { GrowingInts } from '../../base/collections/growing.js';
import { ListInterner } from '../../base/collections/interners.js';
import { grown, pick } from '../../base/collections/ints.js';
import { isPrimitive } from '../../base/values/interner.js';
import { show } from '../../base/values/show.js';
import type { History } from '../../history/history.js';
import { type Columns, numberOfValue, PENDING, placeOf, RETURNED } from '../../history/model/columns.js';
import type { Outcome } from '../../history/model/operation.js';
import { SpecError, withExactNull } from '../spec.js';

/** A letter with its method and arguments as user values. */
interface Letter {
  readonly method: string;
  readonly args: readonly unknown[];
  /** Index of the first argument in `Alphabet.encoded`. */
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

  /** The number of letters. */
  get length(): number {
    return this.#alphabet.examples.length;
  }

  /** Letter to the position of its first operation. */
  get examples(): Int32Array {
    return this.#alphabet.examples;
  }

  /** The outcome of a letter, for functions of the spec. */
  outcomeOf(letter: number): Outcome {
    const outcome = this.#history.outcome(this.examples[letter]);
    return this.#history.tables.undefinedIsNull ? outcome : withExactNull(outcome);
  }

  letterOf(operation: number): number {
    return this.#alphabet.letterOf[operation];
  }

  /** The letters of the operations of a cut of the history. */
  lettersOf(cut: History): Int32Array {
    const { letterOf } = this.#alphabet;
    const { id } = cut.columns;
    return id.length === letterOf.length ? letterOf : pick(letterOf, id);
  }

  at(letter: number): Letter {
    const { methods, values } = this.#history.tables;
    const { method, status, result, start, end } = this.#alphabet.decode(letter);
    const args: unknown[] = [];
    for (let i = start; i < end; i++) args.push(values.values[this.#alphabet.encoded[i]]);
    return { method: methods[method], args, start, status, result };
  }

  /** True if the recorded outcome equals this one, or is unknown. */
  allowsOutcome(outcome: Outcome, { status, result }: Letter): boolean {
    return matchesRecorded(outcome, status, result, this.#history);
  }

  /** Throws if the spec mutated an argument: the whole history shares one copy of each value. */
  checkArgumentsUnchanged({ method, args, start }: Letter, spec: string): void {
    args.forEach((value, i) => {
      if (
        !isPrimitive(value) &&
        this.#history.tables.values.find(value) !== this.#alphabet.encoded[start + i]
      )
        throw new SpecError(`spec ${spec}: ${method} mutates its argument, which is now ${show(value)}`);
    });
  }

  /** The first operation of a letter, with its line if the history comes from a file. */
  locate(letter: number): string {
    const { columns, tables } = this.#history;
    const id = columns.id[this.#alphabet.examples[letter]];
    const place = placeOf(tables, id);
    return `operation ${id}${place === undefined ? '' : ` (${place})`}`;
  }
}

/** True if an outcome equals the recorded one, which is given by its columns, or that one is unknown. */
export function matchesRecorded(
  outcome: Outcome,
  status: number,
  result: number,
  { tables }: History,
): boolean {
  if (status === PENDING) return true;
  if (outcome.kind === 'threw') return status !== RETURNED && tables.values.values[result] === outcome.error;
  if (outcome.kind !== 'returned' || status !== RETURNED) return false;
  // most values are identical or primitive and need no look-up
  const [given, recorded] = [outcome.value, tables.values.values[result]];
  if (given === recorded) return true;
  if (typeof given === 'boolean') return false;
  return numberOfValue(tables, given) === result;
}

/** A letter as indices of the history's tables; its arguments are `encoded[start]` to `encoded[end - 1]`. */
interface EncodedLetter {
  readonly method: number;
  readonly status: number;
  readonly result: number;
  readonly start: number;
  readonly end: number;
}

class Alphabet {
  /** Operation id to letter. */
  readonly letterOf: Int32Array;
  /** Letter to the position of its first operation. */
  readonly examples: Int32Array;
  /** All letters, concatenated: method and status in one integer, result, arguments. */
  readonly encoded: Int32Array;
  /** Letter to its first index in `encoded`. */
  readonly #start: Int32Array;

  constructor(columns: Columns) {
    const { id, method, argumentStart, argument, status, result } = columns;
    const examples = new GrowingInts();
    const encoded = new GrowingInts();
    const starts = new GrowingInts();
    const letterOf = new Int32Array(id.length === 0 ? 0 : id[id.length - 1] + 1);
    const letters = new ListInterner();
    let code: Int32Array = new Int32Array(16);
    for (let k = 0; k < id.length; k++) {
      const start = argumentStart[k];
      const length = 2 + argumentStart[k + 1] - start;
      if (length > code.length) code = grown(code, length);
      code[0] = 4 * method[k] + status[k];
      code[1] = result[k];
      for (let i = 2; i < length; i++) code[i] = argument[start + i - 2];
      const letter = letters.intern(code, length);
      letterOf[id[k]] = letter;
      if (letter < examples.length) continue;
      examples.push(k);
      starts.push(encoded.length);
      for (let i = 0; i < length; i++) encoded.push(code[i]);
    }
    starts.push(encoded.length);
    this.letterOf = letterOf;
    this.examples = examples.toArray();
    this.encoded = encoded.toArray();
    this.#start = starts.toArray();
  }

  get bytes(): number {
    const lists = [this.letterOf, this.examples, this.encoded, this.#start];
    return lists.reduce((bytes, { byteLength }) => bytes + byteLength, 0);
  }

  decode(letter: number): EncodedLetter {
    const { encoded } = this;
    const start = this.#start[letter];
    return {
      method: encoded[start] >>> 2,
      status: encoded[start] & 3,
      result: encoded[start + 1],
      start: start + 2,
      end: this.#start[letter + 1],
    };
  }
}
