/**
 * The states of a spec as integers. User code runs here and nowhere else.
 *
 * A spec promises that its methods are functions of state and arguments. The
 * promise is checked where it is used: after the first calls of each method,
 * and then after one in 16, the state must be what it was (found by content, so
 * a changed one is not found); and some calls are made twice.
 *
 * Whoever watches an object for ever lets go of the states that are over: `retain`.
 */
import { GrowingInts } from '../../base/collections/growing.js';
import { Canonical } from '../../base/values/canonical.js';
import { Interner, isPrimitive } from '../../base/values/interner.js';
import { show } from '../../base/values/show.js';
import type { Outcome } from '../../history/model/operation.js';
import {
  blocked,
  guarded,
  isPromise,
  OneOf,
  Refused,
  type Spec,
  SpecError,
  type Step,
  Threw,
} from '../spec.js';

/*
 * Sets of spec states as integers: what a machine stands in where a spec leaves a choice.
 *
 * Most sets have one member, and those have a table of their own.
 */

export class StateSets {
  /** Set to its only member, or to -1 and all of them, ascending; and back. */
  readonly #single = new GrowingInts();
  readonly #several = new Map<number, readonly number[]>();
  readonly #setOfSingle: number[] = [];
  readonly #setOfSeveral = new Map<string, number>();

  /** Memory taken, estimated. */
  get bytes(): number {
    return 16 * this.#single.length + 200 * this.#several.size;
  }

  members(set: number): readonly number[] {
    const single = this.#single.at(set);
    return single >= 0 ? [single] : (this.#several.get(set) ?? []);
  }

  /** The set of one member. */
  of(member: number): number {
    let set: number | undefined = this.#setOfSingle[member];
    if (set === undefined) {
      set = this.#single.length;
      this.#single.push(member);
      this.#setOfSingle[member] = set;
    }
    return set;
  }

  /** The set of these, of which there may be equal ones; at least one. */
  ofAll(members: readonly number[]): number {
    if (members.length === 1) return this.of(members[0]);
    const distinct = [...new Set(members)].sort((a, b) => a - b);
    if (distinct.length === 1) return this.of(distinct[0]);
    const key = distinct.join();
    let set = this.#setOfSeveral.get(key);
    if (set === undefined) {
      set = this.#single.length;
      this.#single.push(-1);
      this.#several.set(set, distinct);
      this.#setOfSeveral.set(key, set);
    }
    return set;
  }
}

/** One way in which a call can go. */
interface Answer {
  readonly next: number;
  readonly outcome: Outcome;
}

const A_PROMISE = 'gave a promise; a spec is sequential and answers at once';
/** A state of some ten values, beside its key. */
const STATE_BYTES = 150;
const WATCHED_AT_FIRST = 256;
const WATCHED_EVERY = 16;
const TWICE_AT_FIRST = 8;
const TWICE_EVERY = 64;

export class StateSpace {
  readonly initial: number;
  readonly #spec: Spec;
  /** State number to the state itself. */
  #states: unknown[] = [];
  /** The keys of the states; a state's number is its key's. */
  #keys = new Interner();
  readonly #callsOf = new Map<string, { calls: number }>();
  /** For comparing the answers of calls made twice. */
  #canonical = new Canonical();

  constructor(spec: Spec) {
    this.#spec = spec;
    this.initial = this.#number(spec.initial);
  }

  /** How many states there are. */
  get size(): number {
    return this.#states.length;
  }

  /** How much the states take, estimated. */
  get bytes(): number {
    return this.#keys.bytes + STATE_BYTES * this.#states.length;
  }

  state(number: number): unknown {
    return this.#states[number];
  }

  /** Forgets all states but these and the initial one, which keeps its number; gives the new numbers of the others. */
  retain(numbers: Iterable<number>): ReadonlyMap<number, number> {
    const states = this.#states;
    this.#states = [];
    this.#keys = new Interner();
    this.#canonical = new Canonical();
    this.#number(states[this.initial]);
    const renumbered = new Map<number, number>();
    for (const number of numbers)
      if (!renumbered.has(number)) renumbered.set(number, this.#number(states[number]));
    return renumbered;
  }

  /** All ways in which a call may go in a state; none where it has to wait or is refused. */
  apply(number: number, method: string, args: readonly unknown[]): readonly Answer[] {
    const state = this.#states[number];
    const calls = this.#count(method);
    const given = this.#run(state, method, args);
    const answers = this.#answers(given, number, method, args);
    const isWatched = calls <= WATCHED_AT_FIRST || calls % WATCHED_EVERY === 0;
    if (isWatched && !isPrimitive(state) && this.#keys.find(this.#keyOf(state)) !== number)
      throw this.#error(method, args, 'changes the state it is given; it must give a new one');
    if (calls <= TWICE_AT_FIRST || calls % TWICE_EVERY === 0) {
      const again = this.#run(state, method, args);
      const reasons = [given, again].map((own) => JSON.stringify(this.#reasons(own, method, args)));
      if (reasons[0] !== reasons[1] || !this.#areSame(answers, this.#answers(again, number, method, args)))
        throw this.#error(
          method,
          args,
          'answers differently when called again in the same state; it must depend on nothing else',
        );
    }
    return answers;
  }

  /** Why a call, or some choice of it, is refused in a state. */
  reasons(number: number, method: string, args: readonly unknown[]): readonly string[] {
    return this.#reasons(this.#run(this.#states[number], method, args), method, args);
  }

  /** Does a call have to wait in a state? */
  waits(number: number, method: string, args: readonly unknown[]): boolean {
    const given = this.#run(this.#states[number], method, args);
    return given === blocked || (given instanceof OneOf && given.steps.length + given.refused.length === 0);
  }

  /** How many calls of a method there have been, with this one. */
  #count(method: string): number {
    const counter = this.#callsOf.get(method);
    if (counter) return ++counter.calls;
    this.#callsOf.set(method, { calls: 1 });
    return 1;
  }

  #answers(given: unknown, number: number, method: string, args: readonly unknown[]): Answer[] {
    if (Array.isArray(given)) return [this.#answer(given, number, method, args)];
    if (given === blocked) return [];
    this.#reasons(given, method, args);
    if (given instanceof Refused) return [];
    if (given instanceof OneOf) return given.steps.map((step) => this.#answer(step, number, method, args));
    return [this.#answer(given, number, method, args)];
  }

  #reasons(given: unknown, method: string, args: readonly unknown[]): string[] {
    const refused = given instanceof OneOf ? given.refused : given instanceof Refused ? [given] : [];
    return refused.map(({ reason }) => {
      if (typeof reason === 'string') return reason;
      throw this.#error(method, args, `refuses for the reason ${show(reason)}; expected a text`);
    });
  }

  #run(state: unknown, method: string, args: readonly unknown[]): unknown {
    let given: unknown;
    try {
      given = (this.#spec.methods[method] as (...all: unknown[]) => unknown)(state, ...args);
    } catch (error) {
      if (error instanceof SpecError) throw error;
      throw this.#error(
        method,
        args,
        `threw in state ${show(state)}: ${error instanceof Error ? `${error.name}: ${error.message}` : show(error)}`,
        error,
      );
    }
    if (isPromise(given)) throw this.#error(method, args, A_PROMISE);
    return given;
  }

  /** A step from state `from`, in numbers. */
  #answer(step: unknown, from: number, method: string, args: readonly unknown[]): Answer {
    if (!Array.isArray(step) || step.length !== 2)
      throw this.#error(
        method,
        args,
        `gave ${show(step)}; expected [next state, result], oneOf(…), refuse(…) or blocked`,
      );
    const [state, result] = step as unknown as Step<unknown, unknown>;
    if (isPromise(result) || isPromise(state)) throw this.#error(method, args, A_PROMISE);
    if (result instanceof Refused || result === blocked)
      throw this.#error(
        method,
        args,
        `gave [next state, ${result === blocked ? 'blocked' : 'refuse(…)'}]; expected ${result === blocked ? 'blocked' : 'refuse(…)'} alone, since there is no next state`,
      );
    const outcome: Outcome =
      result instanceof Threw ? { kind: 'threw', error: result.error } : { kind: 'returned', value: result };
    return { next: state === this.#states[from] ? from : this.#number(state), outcome };
  }

  #number(state: unknown): number {
    const number = this.#intern(state);
    if (number === this.#states.length) this.#states.push(state);
    return number;
  }

  #intern(state: unknown): number {
    if (isPrimitive(state) && !this.#spec.key) return this.#keys.intern(state);
    return guarded(`spec ${this.#spec.name}: the key of a state`, () =>
      this.#keys.intern(this.#keyOf(state)),
    );
  }

  #keyOf(state: unknown): unknown {
    return this.#spec.key ? this.#spec.key(state) : state;
  }

  #error(method: string, args: readonly unknown[], what: string, cause?: unknown): SpecError {
    return new SpecError(`spec ${this.#spec.name}: ${method}(${args.map(show).join(', ')}) ${what}`, {
      cause,
    });
  }

  #areSame(these: readonly Answer[], those: readonly Answer[]): boolean {
    if (these.length !== those.length) return false;
    return these.every(({ next, outcome }, i) => {
      const other = those[i];
      if (next !== other.next || outcome.kind !== other.outcome.kind) return false;
      const [value, again] = [outcome, other.outcome].map((own) =>
        own.kind === 'returned' ? own.value : own,
      );
      return Object.is(value, again) || this.#canonical.key(value) === this.#canonical.key(again);
    });
  }
}
