/**
 * The trust boundary for rendezvous: a `SyncSpec` over one history, as an automaton over integers.
 *
 * As in `Machine`, letters are the operation classes of the history, and a machine state is a *set*
 * of spec states. A rendezvous is a mode and the letters of its calls, in the order of the mode's
 * roles. Each one is tried once in each state and cached.
 *
 * Cost: a rendezvous is two look-ups in hash tables. User code runs only at the first one.
 */
import { ABSENT, PairMap } from '../../base/collections/int-set.js';
import { ListInterner } from '../../base/collections/interners.js';
import { Interner } from '../../base/values/interner.js';
import { show } from '../../base/values/show.js';
import type { History } from '../../history/history.js';
import { FAILED } from '../../history/model/columns.js';
import type { Outcome } from '../../history/model/operation.js';
import { Letters } from '../machine/letters.js';
import { DEAD } from '../machine/machine.js';
import { StateSets, StateSpace } from '../machine/state-space.js';
import { runUserCode, type Spec, SpecError, surplusArguments, Threw } from '../spec.js';
import { type RendezvousMode, rendezvousModes, type SyncSpec } from './sync-spec.js';

/** No partner, group or key. */
const NONE = -1;

export class SyncMachine {
  readonly initial: number;
  readonly modes: readonly RendezvousMode[];
  readonly #spec: SyncSpec;
  readonly #space: RendezvousSpace;
  readonly #letters: Letters;
  readonly #sets = new StateSets();
  /** Interns a rendezvous, which is a list of mode and letters. */
  readonly #rendezvous = new ListInterner();
  #list: Int32Array = new Int32Array(16);
  readonly #steps = new PairMap();
  /** Spec state and mode to the allowed sizes. */
  readonly #sizes = new Map<string, readonly number[]>();

  constructor(history: History, spec: SyncSpec) {
    this.#spec = spec;
    this.modes = rendezvousModes(spec);
    this.#space = new RendezvousSpace(spec);
    this.#letters = new Letters(history);
    this.#checkCalls();
    this.initial = this.#sets.singleton(this.#space.initial);
  }

  get bytes(): number {
    const rendezvous = 40 * this.#rendezvous.size;
    return this.#letters.bytes + this.#steps.bytes + this.#sets.bytes + this.#space.bytes + rendezvous;
  }

  /** The number of letters. */
  get letterCount(): number {
    return this.#letters.length;
  }

  /** The letters of the operations of a cut of the machine's history. */
  lettersOf(cut: History): Int32Array {
    return this.#letters.lettersOf(cut);
  }

  letterOf(operation: number): number {
    return this.#letters.letterOf(operation);
  }

  methodOf(letter: number): string {
    return this.#letters.at(letter).method;
  }

  /** The state after a rendezvous of the first `length` letters, or DEAD if the spec does not allow it. */
  synchronise(
    state: number,
    mode: number,
    letters: ArrayLike<number>,
    length: number = letters.length,
  ): number {
    if (length >= this.#list.length) this.#list = new Int32Array(2 * length + 1);
    const list = this.#list;
    list[0] = mode;
    for (let i = 0; i < length; i++) list[i + 1] = letters[i];
    const rendezvous = this.#rendezvous.intern(list, length + 1);
    const known = this.#steps.get(state, rendezvous);
    if (known !== ABSENT) return known;
    const next = this.#firstStep(
      state,
      mode,
      Array.from({ length }, (_, i) => letters[i]),
    );
    this.#steps.add(state, rendezvous, next);
    return next;
  }

  /** The allowed numbers of calls of the starred method, in any of the spec states; ascending. */
  allowedSizes(state: number, mode: number): readonly number[] {
    const all = this.#sets.members(state).flatMap((member) => this.#sizesIn(member, mode));
    return [...new Set(all)].sort((a, b) => a - b);
  }

  /** The reasons why the spec refuses a rendezvous in any of the spec states, each once. */
  refusalReasons(state: number, mode: number, letters: readonly number[]): readonly string[] {
    const calls = letters.map((letter) => this.#letters.at(letter).args);
    const reasons = this.#sets
      .members(state)
      .flatMap((member) => this.#space.refusalReasons(member, this.modes[mode].name, calls));
    return [...new Set(reasons)];
  }

  /** Every possible effect of a rendezvous here, independent of the recorded results. */
  possibleSteps(state: number, mode: number, letters: readonly number[]): readonly RendezvousStep[] {
    return this.#allSteps(state, mode, letters).map(({ next, outcomes }) => ({
      next: this.#sets.singleton(next),
      outcomes,
    }));
  }

  /** The outcomes that the call at `position` could have, given the recorded outcomes of the other calls. */
  allowedOutcomes(
    state: number,
    mode: number,
    letters: readonly number[],
    position: number,
  ): readonly Outcome[] {
    const matching = this.#allSteps(state, mode, letters).filter(({ outcomes }) =>
      outcomes.every(
        (outcome, i) => i === position || this.#letters.allowsOutcome(outcome, this.#letters.at(letters[i])),
      ),
    );
    return matching.map(({ outcomes }) => outcomes[position]);
  }

  /** The spec states of a set, each as a set of its own. */
  alternatives(state: number): readonly number[] {
    return this.#sets.members(state).map((member) => this.#sets.singleton(member));
  }

  /** The state as text, for messages. */
  describe(state: number): string {
    return this.#sets
      .members(state)
      .map((member) => show(this.#space.state(member)))
      .join(' or ');
  }

  /**
   * Letter to its own key and to the key of its partner, as the spec's `pairs` determines them.
   * NONE for a call without a partner or without a return. Undefined if the spec has no `pairs`.
   */
  pairKeys(): { readonly own: Int32Array; readonly other: Int32Array } | undefined {
    const { pairs } = this.#spec;
    if (!pairs) return undefined;
    const keys = new Interner();
    const other = new Int32Array(this.letterCount).fill(NONE);
    const own = this.#numberReturned((method, args, outcome, letter) => {
      const pair = runUserCode(`spec ${this.#spec.name}: pairs of ${method}`, () =>
        pairs(method, args, outcome),
      );
      if (!pair) return NONE;
      other[letter] = keys.intern(pair[1]);
      return keys.intern(pair[0]);
    });
    return { own, other };
  }

  /** True if the spec determines which calls synchronised. */
  get hasGroups(): boolean {
    return this.#spec.group !== undefined;
  }

  /**
   * Letter to the number of its group, as the spec's `group` determines it; NONE for a call without
   * a group or without a return.
   */
  groupKeys(): Int32Array {
    const { group = () => undefined } = this.#spec;
    const keys = new Interner();
    return this.#numberReturned((method, args, outcome) => {
      const own = runUserCode(`spec ${this.#spec.name}: group of ${method}`, () =>
        group(method, args, outcome),
      );
      return own === undefined ? NONE : keys.intern(own);
    });
  }

  /** Letter to the number that `numberOf` gives to a call with a known outcome; NONE for others. */
  #numberReturned(
    numberOf: (method: string, args: readonly unknown[], outcome: Outcome, letter: number) => number,
  ): Int32Array {
    const numbers = new Int32Array(this.letterCount).fill(NONE);
    this.#letters.examples.forEach((_, letter) => {
      const { method, args } = this.#letters.at(letter);
      const outcome = this.#letters.outcomeOf(letter);
      if (outcome.kind !== 'pending' && outcome.kind !== 'failed')
        numbers[letter] = numberOf(method, args, outcome, letter);
    });
    return numbers;
  }

  #firstStep(state: number, mode: number, letters: readonly number[]): number {
    const calls = letters.map((letter) => this.#letters.at(letter));
    const matching = this.#allSteps(state, mode, letters).filter(({ outcomes }) =>
      outcomes.every((outcome, i) => this.#letters.allowsOutcome(outcome, calls[i])),
    );
    for (const letter of calls) this.#letters.checkArgumentsUnchanged(letter, this.#spec.name);
    return matching.length === 0 ? DEAD : this.#sets.setOf(matching.map(({ next }) => next));
  }

  /** Every possible effect of a rendezvous in any of the spec states. */
  #allSteps(state: number, mode: number, letters: readonly number[]): RendezvousStep[] {
    const { name, roles, starred } = this.modes[mode];
    const calls = letters.map((letter) => this.#letters.at(letter).args);
    return this.#sets
      .members(state)
      .filter((member) => !starred || this.#sizesIn(member, mode).includes(letters.length - roles.length))
      .flatMap((member) => this.#space.apply(member, name, calls));
  }

  #sizesIn(member: number, mode: number): readonly number[] {
    const key = `${member} ${mode}`;
    let sizes = this.#sizes.get(key);
    if (!sizes) {
      const { name } = this.modes[mode];
      sizes = runUserCode(
        `spec ${this.#spec.name}: sizes of ${name}`,
        () => this.#spec.sizes?.(this.#space.state(member), name) ?? [],
      );
      if (!Array.isArray(sizes) || !sizes.every((size) => Number.isInteger(size) && size > 0))
        throw new SpecError(
          `spec ${this.#spec.name}: sizes of ${name} returned ${show(sizes)}; expected a list of whole numbers from 1`,
        );
      this.#sizes.set(key, sizes);
    }
    return sizes;
  }

  /** Throws if no rendezvous of the spec has a method of the history. */
  #checkCalls(): void {
    const methods = new Set(
      this.modes.flatMap(({ roles, starred }) => (starred ? [...roles, starred] : roles)),
    );
    for (let letter = 0; letter < this.letterCount; letter++) {
      const { method, args, status } = this.#letters.at(letter);
      if (status === FAILED) continue;
      const fault = methods.has(method)
        ? surplusArguments(this.#spec, method, args)
        : `unknown method ${show(method)}; spec ${this.#spec.name} defines ${[...methods].join(', ')}`;
      if (fault !== undefined) throw this.#letters.errorAt(letter, fault);
    }
  }
}

/*
 * The states of a SyncSpec as integers, and the effects of rendezvous in them. A rendezvous is treated as a method of a
 * plain spec; its arguments are the argument lists of the calls.
 */

/** One possible effect of a rendezvous: the next state, and the outcome of each call. */
export interface RendezvousStep {
  readonly next: number;
  readonly outcomes: readonly Outcome[];
}

/** The argument list of each call. */
type CallArguments = readonly (readonly unknown[])[];

export class RendezvousSpace {
  readonly #spec: SyncSpec;
  readonly #space: StateSpace;

  constructor(spec: SyncSpec) {
    this.#spec = spec;
    this.#space = new StateSpace({ ...spec, methods: spec.rendezvous } as unknown as Spec);
  }

  get initial(): number {
    return this.#space.initial;
  }

  get bytes(): number {
    return this.#space.bytes;
  }

  state(number: number): unknown {
    return this.#space.state(number);
  }

  /** All possible effects of a rendezvous in a state. */
  apply(state: number, rendezvous: string, calls: CallArguments): RendezvousStep[] {
    return this.#space
      .apply(state, rendezvous, calls)
      .map(({ next, outcome }) => ({ next, outcomes: this.#outcomes(outcome, rendezvous, calls.length) }));
  }

  /** The reasons why a rendezvous, or a choice of it, is refused in a state. */
  refusalReasons(state: number, rendezvous: string, calls: CallArguments): readonly string[] {
    return this.#space.refusalReasons(state, rendezvous, calls);
  }

  /** Splits a list of results into one outcome for each call. */
  #outcomes(outcome: Outcome, rendezvous: string, length: number): Outcome[] {
    const results = outcome.kind === 'returned' ? outcome.value : undefined;
    if (!Array.isArray(results) || results.length !== length)
      throw new SpecError(
        `spec ${this.#spec.name}: ${rendezvous} returned ${show(outcome.kind === 'returned' ? outcome.value : outcome)} as results; expected a list of ${length}, one for each call`,
      );
    return results.map((result: unknown) =>
      result instanceof Threw ? { kind: 'threw', error: result.error } : { kind: 'returned', value: result },
    );
  }
}
