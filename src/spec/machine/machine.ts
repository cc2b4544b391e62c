/**
 * The trust boundary between specs and checkers: a spec over one history, as an automaton over
 * integers.
 *
 * Checkers walk a machine and never handle a value of the user. Letters are the operation classes
 * of the history (`Letters`). Transitions are computed on demand, once for each state and letter. A
 * machine state is a *set* of spec states (power-set construction), so nondeterministic specs need
 * no special case: after an operation the machine is in all states that some choice leads to.
 *
 * Cost: a step is one look-up in a hash table. User code runs only at the first step of each pair.
 */
import { ABSENT, PairMap } from '../../base/collections/int-set.js';
import { ListInterner } from '../../base/collections/interners.js';
import { Interner } from '../../base/values/interner.js';
import { show } from '../../base/values/show.js';
import type { History } from '../../history/history.js';
import { FAILED, numberOfValue } from '../../history/model/columns.js';
import type { Outcome } from '../../history/model/operation.js';
import {
  fieldsSeenBy,
  type IsCalled,
  type PartKey,
  partKeys,
  runUserCode,
  type Spec,
  SpecError,
  surplusArguments,
} from '../spec.js';
import { Letters } from './letters.js';
import { StateSets, StateSpace } from './state-space.js';

/**
 * Answers which calls the history makes; collects them at the first question. Every call occurs in
 * `examples`.
 */
function createIsCalled(history: History, examples: Int32Array): IsCalled {
  let calls: ListInterner | undefined;
  return (method, ...args) => {
    calls ??= internCalls(history, examples);
    const { tables } = history;
    const values = args.map((value) => numberOfValue(tables, value) ?? -1);
    return calls.has(Int32Array.of(tables.methods.indexOf(method), ...values), 1 + args.length);
  };
}

/** Interns each call as method and argument values, with every prefix of its arguments. */
function internCalls({ columns }: History, examples: Int32Array): ListInterner {
  const { method, argumentStart, argument } = columns;
  const calls = new ListInterner();
  for (const k of examples) {
    const args = argument.subarray(argumentStart[k], argumentStart[k + 1]);
    const call = new Int32Array(1 + args.length);
    call[0] = method[k];
    call.set(args, 1);
    for (let length = 1; length <= call.length; length++) calls.intern(call, length);
  }
  return calls;
}

/** An outcome that the spec allows, and the state after it. */
export interface MachineResult {
  readonly outcome: Outcome;
  readonly next: number;
}

/** A history from a file has null for undefined. */
const asRecorded = (outcome: Outcome, undefinedIsNull: boolean): Outcome =>
  undefinedIsNull && outcome.kind === 'returned' && outcome.value === undefined
    ? { kind: 'returned', value: null }
    : outcome;

/** The part of a machine that a search needs. */
export interface Automaton {
  readonly initial: number;
  step(state: number, letter: number): number;
  isReadOnly(letter: number): boolean;
  lettersOf(cut: History): Int32Array;
}

/** The state after an operation that the spec does not allow. */
export const DEAD = -1;

export class Machine implements Automaton {
  readonly initial: number;
  readonly #history: History;
  readonly #spec: Spec;
  readonly #space: StateSpace;
  readonly #letters: Letters;
  /** Letter to 1 if it never changes a state. */
  readonly #readOnly: Uint8Array;
  readonly #steps = new PairMap();
  /** Machine state to its spec states. */
  readonly #sets = new StateSets();

  constructor(history: History, spec: Spec) {
    this.#history = history;
    this.#spec = spec;
    this.#space = new StateSpace(spec);
    this.#letters = new Letters(history, (method) => fieldsSeenBy(spec, method));
    this.#readOnly = this.#checkLetters();
    this.initial = this.#sets.singleton(this.#space.initial);
  }

  /** Estimated memory of the tables. States are user values of unknown size. */
  get bytes(): number {
    return this.#letters.bytes + this.#steps.bytes + this.#sets.bytes + this.#space.bytes;
  }

  get spec(): Spec {
    return this.#spec;
  }

  /** The number of letters. */
  get letterCount(): number {
    return this.#letters.length;
  }

  /** The parts that a letter belongs to; undefined for all parts. */
  partsOf(letter: number): readonly PartKey[] | undefined {
    const { method, args } = this.#letters.at(letter);
    return partKeys(this.#spec, method, args);
  }

  letterOf(operation: number): number {
    return this.#letters.letterOf(operation);
  }

  /** The letters of the operations of a cut of the machine's history. */
  lettersOf(cut: History): Int32Array {
    return this.#letters.lettersOf(cut);
  }

  /** The state after an operation, or DEAD if the spec does not allow it. */
  step(state: number, letter: number): number {
    const known = this.#steps.get(state, letter);
    if (known !== ABSENT) return known;
    const next = this.#firstStep(state, letter);
    this.#steps.add(state, letter, next);
    return next;
  }

  /** True if this letter never changes a state. */
  isReadOnly(letter: number): boolean {
    return this.#readOnly[letter] === 1;
  }

  /** True if a caller blocks in at least one of the spec states. */
  mayBlock(state: number, letter: number): boolean {
    const { method, args, context } = this.#letters.at(letter);
    return this.#sets.members(state).some((member) => this.#space.isBlocked(member, method, args, context));
  }

  /** The distinct reasons why the spec refuses a call in any of the spec states. */
  refusalReasons(state: number, letter: number): readonly string[] {
    const { method, args, context } = this.#letters.at(letter);
    return [
      ...new Set(
        this.#sets
          .members(state)
          .flatMap((member) => this.#space.refusalReasons(member, method, args, context)),
      ),
    ];
  }

  /** True if the method of a letter sees the recorded outcome: then `results` need not have all outcomes. */
  seesOutcome(letter: number): boolean {
    return this.#letters.at(letter).context?.outcome !== undefined;
  }

  /** The outcomes that the spec allows in any of the spec states; none if the caller blocks or is refused. */
  allowedOutcomes(state: number, letter: number): readonly Outcome[] {
    return this.#sets
      .members(state)
      .flatMap((member) => this.#effects(member, letter).map((transition) => transition.outcome));
  }

  /**
   * The effects of a call with any outcome. A method that sees the outcome is shown the recorded one and an unknown
   * one. An outcome that it then returns is allowed if the method also returns it when that outcome is shown to it.
   */
  #effects(member: number, letter: number): ReturnType<StateSpace['apply']> {
    const { method, args, context } = this.#letters.at(letter);
    if (context?.outcome === undefined) return this.#space.apply(member, method, args, context);
    const { undefinedIsNull } = this.#history.tables;
    const known = new Interner();
    const numberOf = (outcome: Outcome): number => known.intern(asRecorded(outcome, undefinedIsNull));
    const shown = (outcome: Outcome) => this.#space.apply(member, method, args, { ...context, outcome });
    for (const outcome of [context.outcome, { kind: 'pending' } as const])
      for (const proposed of shown(outcome)) numberOf(proposed.outcome);
    return (known.values as Outcome[]).flatMap((outcome, number) =>
      shown(outcome).filter((transition) => numberOf(transition.outcome) === number),
    );
  }

  /** The outcomes that the spec allows here, and the state after each. */
  results(state: number, letter: number): readonly MachineResult[] {
    const { undefinedIsNull } = this.#history.tables;
    const outcomes = new Interner();
    const next: number[][] = [];
    for (const member of this.#sets.members(state))
      for (const transition of this.#effects(member, letter)) {
        const number = outcomes.intern(asRecorded(transition.outcome, undefinedIsNull));
        next[number] = [...(next[number] ?? []), transition.next];
      }
    return next.map((states, number) => ({
      outcome: outcomes.values[number] as Outcome,
      next: this.#sets.setOf(states),
    }));
  }

  /** The state as text, for messages. */
  describe(state: number): string {
    return this.#sets
      .members(state)
      .map((member) => this.#describeMember(this.#space.state(member)))
      .join(' or ');
  }

  #describeMember(state: unknown): string {
    const { name, describeState } = this.#spec;
    if (!describeState) return show(state);
    const text: unknown = runUserCode(`spec ${name}: describeState`, () => describeState(state));
    if (typeof text === 'string') return text;
    throw new SpecError(`spec ${name}: describeState returned ${show(text)}; expected a string`);
  }

  #firstStep(state: number, number: number): number {
    const letter = this.#letters.at(number);
    const members = this.#sets.members(state);
    const next: number[] = [];
    for (const member of members)
      for (const transition of this.#space.apply(member, letter.method, letter.args, letter.context))
        if (this.#letters.allowsOutcome(transition.outcome, letter)) next.push(transition.next);
    this.#letters.checkArgumentsUnchanged(letter, this.#spec.name);
    if (next.length === 0) return DEAD;
    const after = this.#sets.setOf(next);
    if (this.#readOnly[number] === 1 && members.length === 1 && after !== state)
      throw new SpecError(
        `spec ${this.#spec.name}: ${letter.method} is declared readOnly with this outcome, but changes ${this.describe(state)} to ${this.describe(after)}`,
      );
    return after;
  }

  /** Checks that the spec defines each letter, and returns which letters are read-only. */
  #checkLetters(): Uint8Array {
    const { examples } = this.#letters;
    const isCalled = createIsCalled(this.#history, examples);
    return Uint8Array.from(examples, (_, letter) => {
      const { method, args, status } = this.#letters.at(letter);
      const fault = callFault(this.#spec, method, args);
      if (fault !== undefined) throw this.#letters.errorAt(letter, fault);
      const readOnly = runUserCode(`spec ${this.#spec.name}: readOnly of ${method}`, () =>
        status === FAILED
          ? false
          : (this.#spec.readOnly?.(method, args, this.#letters.outcomeOf(letter), isCalled) ?? false),
      );
      return readOnly ? 1 : 0;
    });
  }
}

/** Why a spec cannot judge a call: it does not define the method, or for other arguments; undefined if it can. */
function callFault(spec: Spec, method: string, args: readonly unknown[]): string | undefined {
  if (!Object.hasOwn(spec.methods, method))
    return `unknown method ${show(method)}; spec ${spec.name} defines ${Object.keys(spec.methods).join(', ')}`;
  const required = spec.methods[method].length - 1;
  if (args.length >= required) return surplusArguments(spec, method, args);
  const [first] = args;
  const hint =
    Array.isArray(first) && first.length === required
      ? `: the list ${show(first)}. If the file was converted from a Jepsen history, convert it again with --spec ${spec.name}, which splits lists into arguments`
      : '';
  return `${method} has ${args.length} of ${required} arguments${hint}`;
}
