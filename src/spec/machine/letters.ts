/**
 * The alphabet of a history: operations with equal method, arguments and outcome form one *letter*.
 * A method that sees the process has a letter for each process, and one that sees the interval has a
 * letter for each operation.
 *
 * No spec can distinguish two operations of one letter, so an automaton over letters decides the
 * history. Letters are numbered by hashing integers; no user value is compared. A failed operation
 * has a letter too, which no search uses.
 *
 * There may be millions of letters. They are stored as integers in one array and decoded on demand.
 * Cost: O(n) time; 4 bytes per operation, and 20 per letter plus 4 per argument.
 */
import { GrowingInts } from '../../base/collections/growing.js';
import { ListInterner } from '../../base/collections/interners.js';
import { grown, pick } from '../../base/collections/ints.js';
import { isPrimitive } from '../../base/values/canonical.js';
import { show } from '../../base/values/show.js';
import type { History } from '../../history/history.js';
import { type Columns, numberOfValue, PENDING, placeOf, RETURNED } from '../../history/model/columns.js';
import type { Outcome } from '../../history/model/operation.js';
import { type OperationContext, SpecError, withExactNull } from '../spec.js';

/** A letter with its method and arguments as user values. */
interface Letter {
  readonly method: string;
  readonly args: readonly unknown[];
  /** Index of the first argument in `Alphabet.encoded`. */
  readonly start: number;
  readonly status: number;
  readonly result: number;
  /** What the method sees of the operation, if it sees anything. */
  readonly context?: OperationContext;
}

/** The fields that a method sees. */
type SeenBy = (method: string) => readonly (keyof OperationContext)[];

export class Letters {
  readonly #history: History;
  readonly #alphabet: Alphabet;
  readonly #seenBy: SeenBy;

  constructor(history: History, seenBy: SeenBy = () => []) {
    this.#history = history;
    this.#seenBy = seenBy;
    this.#alphabet = new Alphabet(history.columns, history.tables.methods.map(seenBy).map(distinguishedBy));
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
    return outcomeForSpec(this.#history, this.examples[letter]);
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
    const name = methods[method];
    const context = contextOf(this.#history, this.examples[letter], this.#seenBy(name));
    return { method: name, args, start, status, result, ...(context && { context }) };
  }

  /** True if the recorded outcome equals this one, or is unknown. */
  allowsOutcome(outcome: Outcome, { status, result }: Letter): boolean {
    return matchesRecorded(outcome, status, result, this.#history);
  }

  /** Throws if the spec mutated an argument or the result: the whole history shares one copy of each value. */
  checkArgumentsUnchanged({ method, args, start, result, context }: Letter, spec: string): void {
    const { outcome } = context ?? {};
    if (
      outcome?.kind === 'returned' &&
      !isPrimitive(outcome.value) &&
      this.#history.tables.values.find(outcome.value) !== result
    )
      throw new SpecError(
        `spec ${spec}: ${method} mutates the recorded result, which is now ${show(outcome.value)}`,
      );
    args.forEach((value, i) => {
      if (
        !isPrimitive(value) &&
        this.#history.tables.values.find(value) !== this.#alphabet.encoded[start + i]
      )
        throw new SpecError(`spec ${spec}: ${method} mutates its argument, which is now ${show(value)}`);
    });
  }

  /** An error of the first operation of a letter, with its line if the history comes from a file. */
  errorAt(letter: number, detail: string): SpecError {
    const { columns, tables } = this.#history;
    const id = columns.id[this.#alphabet.examples[letter]];
    const place = placeOf(tables, id);
    const { lines, files } = tables;
    return new SpecError(`operation ${id}${place === undefined ? '' : ` (${place})`}: ${detail}`, {
      place: lines && {
        line: lines[id],
        file: files?.names[files.of[id]],
        detail: `operation ${id}: ${detail}`,
      },
    });
  }
}

/** The outcome at a position, for functions of the spec. */
function outcomeForSpec(history: History, k: number): Outcome {
  const outcome = history.outcome(k);
  return history.tables.undefinedIsNull ? outcome : withExactNull(outcome);
}

/** The fields of the operation at a position that its method sees, and no others; undefined if it sees none. */
export function contextOf(
  history: History,
  k: number,
  sees: readonly (keyof OperationContext)[],
): OperationContext | undefined {
  if (sees.length === 0) return undefined;
  const { columns, tables } = history;
  return {
    ...(sees.includes('outcome') && { outcome: outcomeForSpec(history, k) }),
    ...(sees.includes('process') && { process: tables.processes[columns.process[k]] }),
    ...(sees.includes('interval') && { interval: intervalOf(history, k) }),
  } as OperationContext;
}

/**
 * The recorded interval, widened by the clock error: it contains the true one. In a prefix, an operation that is still open
 * keeps its outcome, and therefore its interval.
 */
function intervalOf({ columns, tables }: History, k: number): OperationContext['interval'] {
  const { times } = tables;
  const [id, method] = [columns.id[k], tables.methods[columns.method[k]]];
  if (!times)
    throw new SpecError(
      `${method} sees the interval of its operation, but the history has no times; build or read it with keepTimes: true`,
    );
  const call = times.call[id];
  const end = columns.status[k] === PENDING ? Number.POSITIVE_INFINITY : times.return[id];
  if (Number.isNaN(call) || Number.isNaN(end))
    throw new SpecError(
      `${method} sees the interval of its operation, but operation ${id} has no time of its ${Number.isNaN(call) ? 'call' : 'return'}`,
    );
  return [widened(call, -(times.error ?? 0)), widened(end, times.error ?? 0)];
}

/** A time moved by a clock error. If doubles round the sum, they must not make the interval shorter. */
function widened(time: number, by: number): number {
  const sum = time + by;
  if (by === 0 || Number.isSafeInteger(sum) || !Number.isFinite(sum)) return sum;
  return sum + Math.sign(by) * Math.abs(sum) * Number.EPSILON;
}

/** What distinguishes operations of a method beside arguments and outcome. */
const distinguishedBy = (sees: readonly (keyof OperationContext)[]): 'nothing' | 'process' | 'operation' =>
  sees.includes('interval') ? 'operation' : sees.includes('process') ? 'process' : 'nothing';

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

/** Integers of a letter before its arguments. */
const HEAD = 3;

class Alphabet {
  /** Operation id to letter. */
  readonly letterOf: Int32Array;
  /** Letter to the position of its first operation. */
  readonly examples: Int32Array;
  /** All letters, concatenated: method and status in one integer, result, process or operation or 0, arguments. */
  readonly encoded: Int32Array;
  /** Letter to its first index in `encoded`. */
  readonly #start: Int32Array;

  /** `distinguished`: for each method, what distinguishes its operations beside arguments and outcome. */
  constructor(columns: Columns, distinguished: readonly ReturnType<typeof distinguishedBy>[]) {
    const { id, process, method, argumentStart, argument, status, result } = columns;
    const examples = new GrowingInts();
    const encoded = new GrowingInts();
    const starts = new GrowingInts();
    const letterOf = new Int32Array(id.length === 0 ? 0 : id[id.length - 1] + 1);
    const letters = new ListInterner();
    let code: Int32Array = new Int32Array(16);
    for (let k = 0; k < id.length; k++) {
      const start = argumentStart[k];
      const length = HEAD + argumentStart[k + 1] - start;
      const by = distinguished[method[k]];
      if (length > code.length) code = grown(code, length);
      code[0] = 4 * method[k] + status[k];
      code[1] = result[k];
      code[2] = by === 'nothing' ? 0 : by === 'process' ? process[k] : id[k];
      for (let i = HEAD; i < length; i++) code[i] = argument[start + i - HEAD];
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
      start: start + HEAD,
      end: this.#start[letter + 1],
    };
  }
}
