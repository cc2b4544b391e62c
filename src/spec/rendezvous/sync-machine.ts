/**
 * Gate 2 for calls that meet: a SyncSpec seen through one history, over integers.
 *
 * As in `Machine`, letters are the distinct calls of the history, and a machine state is a
 * *set* of spec states. A meeting is a mode and the letters of those who take part, in order; each is
 * tried once in each state, and remembered.
 *
 * Cost: a meeting is two look-ups in hash tables; user code runs on the first one.
 */
import { ListNumbers } from '../../base/collections/list-interner.js';
import { ABSENT, PairMap } from '../../base/collections/pair-map.js';
import { Interner } from '../../base/values/interner.js';
import { show } from '../../base/values/show.js';
import type { History } from '../../history/history.js';
import { FAILED } from '../../history/model/columns.js';
import type { Outcome } from '../../history/model/operation.js';
import { Letters } from '../machine/letters.js';
import { DEAD } from '../machine/machine.js';
import { StateSets } from '../machine/state-space.js';
import { guarded, SpecError } from '../spec.js';
import { MeetingSpace, type Way } from './rendezvous-space.js';
import { type Mode, modesOf, type SyncSpec } from './sync-spec.js';

/** A number that stands for nothing: the letter does not meet another. */
const NONE = -1;

export class SyncMachine {
  readonly initial: number;
  readonly modes: readonly Mode[];
  readonly #spec: SyncSpec;
  readonly #history: History;
  readonly #space: MeetingSpace;
  readonly #letters: Letters;
  readonly #sets = new StateSets();
  /** A mode and letters as one number. */
  readonly #meetings = new ListNumbers();
  #list: Int32Array = new Int32Array(16);
  readonly #steps = new PairMap();
  /** Spec state and mode to sizes. */
  readonly #sizes = new Map<string, readonly number[]>();

  constructor(history: History, spec: SyncSpec) {
    this.#spec = spec;
    this.#history = history;
    this.modes = modesOf(spec);
    this.#space = new MeetingSpace(spec);
    this.#letters = new Letters(history);
    this.#checkCalls();
    this.initial = this.#sets.of(this.#space.initial);
  }

  get bytes(): number {
    const meetings = 40 * this.#meetings.size;
    return this.#letters.bytes + this.#steps.bytes + this.#sets.bytes + this.#space.bytes + meetings;
  }

  /** How many letters there are. */
  get letters(): number {
    return this.#letters.length;
  }

  /** The letters of the operations of a cut of the machine's history. */
  lettersOf(cut: History): Int32Array {
    return this.#letters.ofCut(cut);
  }

  letterOf(operation: number): number {
    return this.#letters.of(operation);
  }

  methodOf(letter: number): string {
    return this.#letters.at(letter).method;
  }

  /** The state after the first `length` of these have met in their order, or DEAD where the spec does not allow it. */
  meet(state: number, mode: number, letters: ArrayLike<number>, length: number = letters.length): number {
    if (length >= this.#list.length) this.#list = new Int32Array(2 * length + 1);
    const list = this.#list;
    list[0] = mode;
    for (let i = 0; i < length; i++) list[i + 1] = letters[i];
    const meeting = this.#meetings.numberOf(list, length + 1);
    const known = this.#steps.get(state, meeting);
    if (known !== ABSENT) return known;
    const next = this.#firstMeeting(
      state,
      mode,
      Array.from({ length }, (_, i) => letters[i]),
    );
    this.#steps.add(state, meeting, next);
    return next;
  }

  /** How many of the last method may meet, in any of the states of a set; ascending. */
  sizes(state: number, mode: number): readonly number[] {
    const all = this.#sets.members(state).flatMap((member) => this.#sizesIn(member, mode));
    return [...new Set(all)].sort((a, b) => a - b);
  }

  /** Why the spec refuses a meeting here, in any of its states; each reason once. */
  reasonsIn(state: number, mode: number, letters: readonly number[]): readonly string[] {
    const calls = letters.map((letter) => this.#letters.at(letter).args);
    const reasons = this.#sets
      .members(state)
      .flatMap((member) => this.#space.reasons(member, this.modes[mode].name, calls));
    return [...new Set(reasons)];
  }

  /** Every way in which these may meet here: the state after it, and what each gets, whatever was recorded. */
  ways(state: number, mode: number, letters: readonly number[]): readonly Way[] {
    return this.#answers(state, mode, letters).map(({ next, outcomes }) => ({
      next: this.#sets.of(next),
      outcomes,
    }));
  }

  /** What one of those who meet here would have got, where the others got what was recorded. */
  allowed(state: number, mode: number, letters: readonly number[], place: number): readonly Outcome[] {
    const fitting = this.#answers(state, mode, letters).filter(({ outcomes }) =>
      outcomes.every(
        (outcome, i) => i === place || this.#letters.fits(outcome, this.#letters.at(letters[i])),
      ),
    );
    return fitting.map(({ outcomes }) => outcomes[place]);
  }

  /** The states that a set leaves open, each as a set of its own. */
  alternatives(state: number): readonly number[] {
    return this.#sets.members(state).map((member) => this.#sets.of(member));
  }

  /** The state in words. */
  describe(state: number): string {
    return this.#sets
      .members(state)
      .map((member) => show(this.#space.state(member)))
      .join(' or ');
  }

  /**
   * Letter to what it is and to what it must have met, as numbers; NONE for one that did not meet
   * another, or did not return. Undefined where the spec does not say.
   */
  pairs(): { readonly own: Int32Array; readonly other: Int32Array } | undefined {
    const { pairs } = this.#spec;
    if (!pairs) return undefined;
    const keys = new Interner();
    const other = new Int32Array(this.letters).fill(NONE);
    const own = this.#ofReturned((method, args, outcome, letter) => {
      const pair = guarded(`spec ${this.#spec.name}: pairs of ${method}`, () => pairs(method, args, outcome));
      if (!pair) return NONE;
      other[letter] = keys.intern(pair[1]);
      return keys.intern(pair[0]);
    });
    return { own, other };
  }

  /** Does the spec tell who met? */
  get hasGroups(): boolean {
    return this.#spec.group !== undefined;
  }

  /** Letter to a number that those who met have in common; NONE for one that met nobody, or did not return. */
  groups(): Int32Array {
    const { group = () => undefined } = this.#spec;
    const keys = new Interner();
    return this.#ofReturned((method, args, outcome) => {
      const own = guarded(`spec ${this.#spec.name}: group of ${method}`, () => group(method, args, outcome));
      return own === undefined ? NONE : keys.intern(own);
    });
  }

  /** Letter to what is told of one that returned; NONE of others. */
  #ofReturned(
    tell: (method: string, args: readonly unknown[], outcome: Outcome, letter: number) => number,
  ): Int32Array {
    const told = new Int32Array(this.letters).fill(NONE);
    this.#letters.examples.forEach((k, letter) => {
      const { method, args } = this.#letters.at(letter);
      const outcome = this.#history.outcome(k);
      if (outcome.kind !== 'pending' && outcome.kind !== 'failed')
        told[letter] = tell(method, args, outcome, letter);
    });
    return told;
  }

  #firstMeeting(state: number, mode: number, letters: readonly number[]): number {
    const words = letters.map((letter) => this.#letters.at(letter));
    const fitting = this.#answers(state, mode, letters).filter(({ outcomes }) =>
      outcomes.every((outcome, i) => this.#letters.fits(outcome, words[i])),
    );
    for (const letter of words) this.#letters.checkArguments(letter, this.#spec.name);
    return fitting.length === 0 ? DEAD : this.#sets.ofAll(fitting.map(({ next }) => next));
  }

  /** Every way in which these may meet, in any of the states. */
  #answers(state: number, mode: number, letters: readonly number[]): Way[] {
    const { name, roles, many } = this.modes[mode];
    const calls = letters.map((letter) => this.#letters.at(letter).args);
    return this.#sets
      .members(state)
      .filter((member) => !many || this.#sizesIn(member, mode).includes(letters.length - roles.length))
      .flatMap((member) => this.#space.ways(member, name, calls));
  }

  #sizesIn(member: number, mode: number): readonly number[] {
    const key = `${member} ${mode}`;
    let sizes = this.#sizes.get(key);
    if (!sizes) {
      const { name } = this.modes[mode];
      sizes = guarded(
        `spec ${this.#spec.name}: sizes of ${name}`,
        () => this.#spec.sizes?.(this.#space.state(member), name) ?? [],
      );
      if (!Array.isArray(sizes) || !sizes.every((size) => Number.isInteger(size) && size > 0))
        throw new SpecError(
          `spec ${this.#spec.name}: sizes of ${name} gave ${show(sizes)}; expected a list of whole numbers from 1`,
        );
      this.#sizes.set(key, sizes);
    }
    return sizes;
  }

  /** A history may only call what some meeting has. */
  #checkCalls(): void {
    const methods = new Set(this.modes.flatMap(({ roles, many }) => (many ? [...roles, many] : roles)));
    for (let letter = 0; letter < this.letters; letter++) {
      const { method, status } = this.#letters.at(letter);
      if (status !== FAILED && !methods.has(method))
        throw new SpecError(
          `${this.#letters.whereIs(letter)} calls ${show(method)}, but ${this.#spec.name} has only ${[...methods].join(', ')}`,
        );
    }
  }
}
