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
import { ListNumbers } from '../../base/collections/list-interner.js';
import { ABSENT, PairMap } from '../../base/collections/pair-map.js';
import { show } from '../../base/values/show.js';
import type { History } from '../../history/history.js';
import { FAILED, numberOfValue } from '../../history/model/columns.js';
import type { Outcome } from '../../history/model/operation.js';
import { type Called, type Family, guarded, type PartKey, partKeys, type Spec, SpecError } from '../spec.js';
import { Letters } from './letters.js';
import { StateSets, StateSpace } from './state-space.js';

/* Which calls a history makes, by method and first arguments; gathered when somebody asks. */

/** `examples` are operations that between them make every call. */
function callsOf(history: History, examples: Int32Array): Called {
  let calls: ListNumbers | undefined;
  return (method, ...args) => {
    calls ??= gather(history, examples);
    const { tables } = history;
    const values = args.map((value) => numberOfValue(tables, value) ?? -1);
    return calls.has(Int32Array.of(tables.methods.indexOf(method), ...values), 1 + args.length);
  };
}

/** The method and the values of each call, and each beginning of that. */
function gather({ columns }: History, examples: Int32Array): ListNumbers {
  const { method, argumentStart, argument } = columns;
  const calls = new ListNumbers();
  for (const k of examples) {
    const args = argument.subarray(argumentStart[k], argumentStart[k + 1]);
    const call = new Int32Array(1 + args.length);
    call[0] = method[k];
    call.set(args, 1);
    for (let length = 1; length <= call.length; length++) calls.numberOf(call, length);
  }
  return calls;
}

/** No state: the spec does not allow this operation here. */
export const DEAD = -1;

export class Machine {
  readonly initial: number;
  readonly #history: History;
  readonly #spec: Spec;
  readonly #space: StateSpace;
  readonly #letters: Letters;
  /** Letter to whether it never changes a state. */
  readonly #readOnly: Uint8Array;
  readonly #steps = new PairMap();
  /** Machine state to the spec states in it. */
  readonly #sets = new StateSets();

  constructor(history: History, spec: Spec) {
    this.#history = history;
    this.#spec = spec;
    this.#space = new StateSpace(spec);
    this.#letters = new Letters(history);
    this.#readOnly = this.#spell();
    this.initial = this.#sets.of(this.#space.initial);
  }

  /** How much the tables take, estimated: states are the user's and weigh what they weigh. */
  get bytes(): number {
    return this.#letters.bytes + this.#steps.bytes + this.#sets.bytes + this.#space.bytes;
  }

  /** What kind of object the spec says it is. */
  get family(): Family | undefined {
    return this.#spec.family;
  }

  /** How many letters there are. */
  get letters(): number {
    return this.#letters.length;
  }

  /** The keys of the parts that a letter belongs to; undefined for all of them. */
  partsOf(letter: number): readonly PartKey[] | undefined {
    const { method, args } = this.#letters.at(letter);
    return partKeys(this.#spec, method, args);
  }

  letterOf(operation: number): number {
    return this.#letters.of(operation);
  }

  /** The letters of the operations of a cut of the machine's history. */
  lettersOf(cut: History): Int32Array {
    return this.#letters.ofCut(cut);
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
    const { method, args } = this.#letters.at(letter);
    return this.#sets.members(state).some((member) => this.#space.waits(member, method, args));
  }

  /** Why the spec refuses a call here, in any of its states; each reason once. */
  reasonsIn(state: number, letter: number): readonly string[] {
    const { method, args } = this.#letters.at(letter);
    return [
      ...new Set(this.#sets.members(state).flatMap((member) => this.#space.reasons(member, method, args))),
    ];
  }

  /** What the spec would have answered, in any of its states; nothing where the caller would have to wait or is refused. */
  expected(state: number, letter: number): readonly Outcome[] {
    const { method, args } = this.#letters.at(letter);
    return this.#sets
      .members(state)
      .flatMap((member) => this.#space.apply(member, method, args).map((answer) => answer.outcome));
  }

  /** The state in words. */
  describe(state: number): string {
    return this.#sets
      .members(state)
      .map((member) => show(this.#space.state(member)))
      .join(' or ');
  }

  #firstStep(state: number, number: number): number {
    const letter = this.#letters.at(number);
    const members = this.#sets.members(state);
    const next: number[] = [];
    for (const member of members)
      for (const answer of this.#space.apply(member, letter.method, letter.args))
        if (this.#letters.fits(answer.outcome, letter)) next.push(answer.next);
    this.#letters.checkArguments(letter, this.#spec.name);
    if (next.length === 0) return DEAD;
    const after = this.#sets.ofAll(next);
    if (this.#readOnly[number] === 1 && members.length === 1 && after !== state)
      throw new SpecError(
        `spec ${this.#spec.name}: ${letter.method} is declared readOnly with this outcome, but changes ${this.describe(state)} to ${this.describe(after)}`,
      );
    return after;
  }

  /** Sees to it that the spec can cope with each letter. Gives which of them are read-only. */
  #spell(): Uint8Array {
    const { examples } = this.#letters;
    const called = callsOf(this.#history, examples);
    return Uint8Array.from(examples, (k, letter) => {
      const { method, args, status } = this.#letters.at(letter);
      checkCall(this.#spec, method, args, this.#letters.whereIs(letter));
      const readOnly = guarded(`spec ${this.#spec.name}: readOnly of ${method}`, () =>
        status === FAILED
          ? false
          : (this.#spec.readOnly?.(method, args, this.#history.outcome(k), called) ?? false),
      );
      return readOnly ? 1 : 0;
    });
  }
}

/** A history may only call what the spec has. */
function checkCall(spec: Spec, method: string, args: readonly unknown[], where: string): void {
  if (!Object.hasOwn(spec.methods, method))
    throw new SpecError(
      `${where} calls ${show(method)}, but ${spec.name} has only ${Object.keys(spec.methods).join(', ')}`,
    );
  const wanted = spec.methods[method].length - 1;
  if (args.length >= wanted) return;
  const [first] = args;
  const hint =
    Array.isArray(first) && first.length === wanted
      ? `: the list ${show(first)}. If it was converted from a Jepsen history, convert it again with --spec ${spec.name}, which takes lists apart`
      : '';
  throw new SpecError(`${where} calls ${method} with ${args.length} of ${wanted} arguments${hint}`);
}
