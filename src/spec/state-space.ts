/**
 * The states of a spec as integers. User code runs here and nowhere else.
 *
 * A spec promises that its methods are functions of state and arguments. The
 * promise is checked where it is used: after each call the state and the
 * arguments must be what they were (found by content, so a changed one is not
 * found), and the first calls of each method, then one in 64, are made twice.
 */
import { Interner, isPrimitive, show } from '../base/index.js';
import type { Outcome } from '../history/index.js';
import { blocked, OneOf, type Spec, type Step, Threw } from './spec.js';
import { SpecError } from './spec-error.js';

/** One way in which a call can go. */
export interface Answer {
  readonly next: number;
  readonly outcome: Outcome;
}

const TWICE_AT_FIRST = 8;
const TWICE_EVERY = 64;

export class StateSpace {
  readonly initial: number;
  readonly #spec: Spec;
  /** State number to the state itself. */
  readonly #states: unknown[] = [];
  /** The keys of the states; a state's number is its key's. */
  readonly #keys = new Interner();
  readonly #callsOf = new Map<string, number>();

  constructor(spec: Spec) {
    this.#spec = spec;
    this.initial = this.#number(spec.initial);
  }

  get size(): number {
    return this.#states.length;
  }

  state(number: number): unknown {
    return this.#states[number];
  }

  /** All ways in which a call may go in a state; none where it has to wait. */
  apply(number: number, method: string, args: readonly unknown[]): readonly Answer[] {
    const state = this.#states[number];
    const steps = this.#run(state, method, args);
    if (!isPrimitive(state) && this.#keys.find(this.#keyOf(state)) !== number)
      throw this.#error(method, args, 'changes the state it is given; it must give a new one');
    const answers = steps.map((step) => this.#answer(step, method, args));

    const calls = (this.#callsOf.get(method) ?? 0) + 1;
    this.#callsOf.set(method, calls);
    if (calls <= TWICE_AT_FIRST || calls % TWICE_EVERY === 0) {
      const again = this.#run(state, method, args).map((step) => this.#answer(step, method, args));
      if (!sameAnswers(answers, again))
        throw this.#error(
          method,
          args,
          'answers differently when called again in the same state; it must depend on nothing else',
        );
    }
    return answers;
  }

  #run(state: unknown, method: string, args: readonly unknown[]): readonly Step<unknown, unknown>[] {
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
    if (given === blocked) return [];
    const steps = given instanceof OneOf ? given.steps : [given];
    for (const step of steps)
      if (!Array.isArray(step) || step.length !== 2)
        throw this.#error(
          method,
          args,
          `gave ${show(step)}; expected [next state, result], oneOf(…) or blocked`,
        );
    return steps as readonly Step<unknown, unknown>[];
  }

  #answer([state, result]: Step<unknown, unknown>, method: string, args: readonly unknown[]): Answer {
    if (result instanceof Promise || state instanceof Promise)
      throw this.#error(method, args, 'gave a promise; a spec is sequential and answers at once');
    const outcome: Outcome =
      result instanceof Threw ? { kind: 'threw', error: result.error } : { kind: 'returned', value: result };
    return { next: this.#number(state), outcome };
  }

  #number(state: unknown): number {
    const number = this.#keys.intern(this.#keyOf(state));
    if (number === this.#states.length) this.#states.push(state);
    return number;
  }

  #keyOf(state: unknown): unknown {
    return this.#spec.key ? this.#spec.key(state) : state;
  }

  #error(method: string, args: readonly unknown[], what: string, cause?: unknown): SpecError {
    return new SpecError(`spec ${this.#spec.name}: ${method}(${args.map(show).join(', ')}) ${what}`, {
      cause,
    });
  }
}

const equal = new Interner();

function sameAnswers(answers: readonly Answer[], again: readonly Answer[]): boolean {
  return (
    answers.length === again.length &&
    answers.every(
      ({ next, outcome }, i) =>
        next === again[i].next && equal.intern(outcome) === equal.intern(again[i].outcome),
    )
  );
}
