/**
 * Gate 2: a spec seen through one history, as an automaton over integers.
 *
 * Checkers walk a machine and never see a value of the user's. Letters are the
 * distinct operations of the history; transitions are filled on demand, once for
 * each state and letter. A *set* of spec states is one machine state, so the
 * choices that a spec leaves open do not reach the checkers: after an operation
 * the machine is in all states that some choice leads to (power-set construction).
 *
 * Cost: a step is one look-up in a hash table; user code runs on the first one.
 */
import { ABSENT, GrowingInts, isPrimitive, PairMap, pick, show } from '../base/index.js';
import { FAILED, type History, numberOfValue, type Outcome, PENDING, RETURNED } from '../history/index.js';
import { Alphabet } from './alphabet.js';
import { callsOf } from './called.js';
import { partKeys } from './part-keys.js';
import type { Family, PartKey, Spec } from './spec.js';
import { guarded, SpecError } from './spec-error.js';
import { StateSpace } from './state-space.js';

/** No state: the spec does not allow this operation here. */
export const DEAD = -1;

/** A letter in words. */
interface Letter {
  readonly method: string;
  readonly args: readonly unknown[];
  /** The arguments as they are spelt begin here. */
  readonly start: number;
  readonly status: number;
  readonly result: number;
}

export class Machine {
  readonly initial: number;
  readonly #history: History;
  readonly #spec: Spec;
  readonly #space: StateSpace;
  readonly #alphabet: Alphabet;
  /** Letter to whether it never changes a state. */
  readonly #readOnly: Uint8Array;
  readonly #steps = new PairMap();
  /** Machine state to the only spec state in it, or to -1 and all of them, ascending; and back. */
  readonly #single = new GrowingInts();
  readonly #several = new Map<number, readonly number[]>();
  readonly #stateOfSingle: number[] = [];
  readonly #stateOfSeveral = new Map<string, number>();

  constructor(history: History, spec: Spec) {
    this.#history = history;
    this.#spec = spec;
    this.#space = new StateSpace(spec);
    this.#alphabet = new Alphabet(history.columns);
    this.#readOnly = this.#spell();
    this.initial = this.#stateOf(this.#space.initial);
  }

  /** How much the tables take, estimated: states are the user's and weigh what they weigh. */
  get bytes(): number {
    const states = 16 * this.#single.length + 200 * this.#several.size + this.#space.bytes;
    return this.#alphabet.bytes + this.#steps.bytes + states;
  }

  /** What kind of object the spec says it is. */
  get family(): Family | undefined {
    return this.#spec.family;
  }

  /** How many letters there are. */
  get letters(): number {
    return this.#alphabet.examples.length;
  }

  /** The keys of the parts that a letter belongs to; undefined for all of them. */
  partsOf(letter: number): readonly PartKey[] | undefined {
    const { method, args } = this.#letter(letter);
    return partKeys(this.#spec, method, args);
  }

  letterOf(operation: number): number {
    return this.#alphabet.letterOf[operation];
  }

  /** The letters of the operations of a cut of the machine's history. */
  lettersOf(cut: History): Int32Array {
    const { letterOf } = this.#alphabet;
    const { id } = cut.columns;
    return id.length === letterOf.length ? letterOf : pick(letterOf, id);
  }

  /** The state after an operation, or DEAD where the spec does not allow it. */
  step(state: number, letter: number): number {
    const known = this.#steps.get(state, letter);
    if (known !== ABSENT) return known;
    const next = this.#firstStep(state, letter);
    this.#steps.add(state, letter, next);
    return next;
  }

  /** Does this letter never change a state? */
  isReadOnly(letter: number): boolean {
    return this.#readOnly[letter] === 1;
  }

  /** May a caller have to wait here, if the spec so chooses? */
  blocks(state: number, letter: number): boolean {
    const { method, args } = this.#letter(letter);
    return this.#members(state).some((member) => this.#space.waits(member, method, args));
  }

  /** Why the spec refuses a call here, in any of its states; each reason once. */
  reasonsIn(state: number, letter: number): readonly string[] {
    const { method, args } = this.#letter(letter);
    return [...new Set(this.#members(state).flatMap((member) => this.#space.reasons(member, method, args)))];
  }

  /** What the spec would have answered, in any of its states; nothing where the caller would have to wait or is refused. */
  expected(state: number, letter: number): readonly Outcome[] {
    const { method, args } = this.#letter(letter);
    return this.#members(state).flatMap((member) =>
      this.#space.apply(member, method, args).map((answer) => answer.outcome),
    );
  }

  /** The state in words. */
  describe(state: number): string {
    return this.#members(state)
      .map((member) => show(this.#space.state(member)))
      .join(' or ');
  }

  #firstStep(state: number, number: number): number {
    const letter = this.#letter(number);
    const members = this.#members(state);
    const next: number[] = [];
    for (const member of members)
      for (const answer of this.#space.apply(member, letter.method, letter.args))
        if (this.#fits(answer.outcome, letter)) next.push(answer.next);
    this.#checkArguments(letter);
    if (next.length === 0) return DEAD;
    const after =
      next.length === 1 ? this.#stateOf(next[0]) : this.#stateOfAll([...new Set(next)].sort((a, b) => a - b));
    if (this.#readOnly[number] === 1 && members.length === 1 && after !== state)
      throw new SpecError(
        `spec ${this.#spec.name}: ${letter.method} is declared readOnly with this outcome, but changes ${this.describe(state)} to ${this.describe(after)}`,
      );
    return after;
  }

  /** Arguments are shared by the whole history: a method must leave them as they are. */
  #checkArguments({ method, args, start }: Letter): void {
    args.forEach((value, i) => {
      if (!isPrimitive(value) && this.#history.tables.values.find(value) !== this.#alphabet.spelt[start + i])
        throw new SpecError(
          `spec ${this.#spec.name}: ${method} changes an argument it is given, now ${show(value)}`,
        );
    });
  }

  #fits(outcome: Outcome, { status, result }: Letter): boolean {
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

  #members(state: number): readonly number[] {
    const single = this.#single.at(state);
    return single >= 0 ? [single] : (this.#several.get(state) ?? []);
  }

  #stateOf(member: number): number {
    let state: number | undefined = this.#stateOfSingle[member];
    if (state === undefined) {
      state = this.#single.length;
      this.#single.push(member);
      this.#stateOfSingle[member] = state;
    }
    return state;
  }

  #stateOfAll(members: readonly number[]): number {
    if (members.length === 1) return this.#stateOf(members[0]);
    const key = members.join();
    let state = this.#stateOfSeveral.get(key);
    if (state === undefined) {
      state = this.#single.length;
      this.#single.push(-1);
      this.#several.set(state, members);
      this.#stateOfSeveral.set(key, state);
    }
    return state;
  }

  /** There may be millions of letters, so they are put into words when somebody asks. */
  #letter(letter: number): Letter {
    const { methods, values } = this.#history.tables;
    const { method, status, result, start, end } = this.#alphabet.spelling(letter);
    const args: unknown[] = [];
    for (let i = start; i < end; i++) args.push(values.values[this.#alphabet.spelt[i]]);
    return { method: methods[method], args, start, status, result };
  }

  /** Sees to it that the spec can cope with each letter. Gives which of them are read-only. */
  #spell(): Uint8Array {
    const history = this.#history;
    const { examples } = this.#alphabet;
    const called = callsOf(history, examples);
    return Uint8Array.from(examples, (k, letter) => {
      const { method, args, status } = this.#letter(letter);
      checkCall(this.#spec, method, args.length, whereIs(history, k));
      const readOnly = guarded(`spec ${this.#spec.name}: readOnly of ${method}`, () =>
        status === FAILED
          ? false
          : (this.#spec.readOnly?.(method, args, history.outcome(k), called) ?? false),
      );
      return readOnly ? 1 : 0;
    });
  }
}

/** A history may only call what the spec has. */
function checkCall(spec: Spec, method: string, given: number, where: string): void {
  if (!Object.hasOwn(spec.methods, method))
    throw new SpecError(
      `${where} calls ${show(method)}, but ${spec.name} has only ${Object.keys(spec.methods).join(', ')}`,
    );
  const wanted = spec.methods[method].length - 1;
  if (given < wanted) throw new SpecError(`${where} calls ${method} with ${given} of ${wanted} arguments`);
}

/** An operation, and its line where there is a file. */
function whereIs({ columns, tables }: History, k: number): string {
  const id = columns.id[k];
  return `operation ${id}${tables.lines ? ` (line ${tables.lines[id]})` : ''}`;
}
