/**
 * The states of a spec as integers. All spec methods run here.
 *
 * Methods must be functions of state and arguments. This is verified while they run: after the
 * first 256 calls of a method, and then after every 16th, the state must still have its key, so a
 * mutation is found. The first 8 calls, and then every 64th, are repeated and must give equal
 * results.
 *
 * `retain` forgets states, so that a monitor can run indefinitely.
 */
import { GrowingInts } from '../../base/collections/growing.js';
import { Canonical, isPrimitive } from '../../base/values/canonical.js';
import { Interner } from '../../base/values/interner.js';

import { show, showThrown } from '../../base/values/show.js';
import type { Outcome } from '../../history/model/operation.js';
import {
  blocked,
  contextMethod,
  isPromise,
  OneOf,
  type OperationContext,
  Refused,
  runUserCode,
  type Spec,
  SpecError,
  Threw,
  type Transition,
} from '../spec.js';

/**
 * Sets of spec states as integers: the states of a machine whose spec is nondeterministic. Most
 * sets have one member; left have their own table.
 */

export class StateSets {
  /** Set to its only member, or -1 if it has several; left are in `#several`, ascending. */
  readonly #single = new GrowingInts();
  readonly #several = new Map<number, readonly number[]>();
  readonly #setOfSingle: number[] = [];
  readonly #setOfSeveral = new Map<string, number>();

  /** Estimated memory. */
  get bytes(): number {
    return 16 * this.#single.length + 200 * this.#several.size;
  }

  members(set: number): readonly number[] {
    const single = this.#single.at(set);
    return single >= 0 ? [single] : (this.#several.get(set) ?? []);
  }

  /** The set with this one member. */
  singleton(member: number): number {
    let set: number | undefined = this.#setOfSingle[member];
    if (set === undefined) {
      set = this.#single.length;
      this.#single.push(member);
      this.#setOfSingle[member] = set;
    }
    return set;
  }

  /** The set of left members: at least one, duplicates allowed. */
  setOf(members: readonly number[]): number {
    if (members.length === 1) return this.singleton(members[0]);
    const distinct = [...new Set(members)].sort((a, b) => a - b);
    if (distinct.length === 1) return this.singleton(distinct[0]);
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

/** One possible effect of a call. */
interface NumberedTransition {
  readonly next: number;
  readonly outcome: Outcome;
}

const PROMISE_PROBLEM = 'returned a promise; spec methods are synchronous';
/** Estimate for a state of about ten values, without its key. */
const STATE_BYTES = 150;
const FIRST_MUTATION_CHECKS = 256;
const MUTATION_CHECK_INTERVAL = 16;
const FIRST_REPEATED_CALLS = 8;
const REPEATED_CALL_INTERVAL = 64;

/** One possible effect of a call: the next state and the outcome, as user values. */
export interface Effect {
  readonly state: unknown;
  readonly outcome: Outcome;
}

/** How often methods of specs have run in this thread. Differences measure the work that a spec causes. */
export const specCalls = { count: 0 };

/** What a method returns in a state. */
export function runMethod(
  spec: Spec,
  state: unknown,
  method: string,
  args: readonly unknown[],
  context?: OperationContext,
): unknown {
  const own = spec.methods[method];
  let returned: unknown;
  specCalls.count++;
  try {
    const seeing = context && contextMethod(own);
    returned = seeing ? seeing.run(state, context, ...args) : own.call(spec.methods, state, ...args);
  } catch (error) {
    throw methodThrew(spec, state, method, args, error);
  }
  if (isPromise(returned)) throw methodError(spec, method, args, PROMISE_PROBLEM);
  return returned;
}

/** The error to report if a method throws. */
export function methodThrew(
  spec: Spec,
  state: unknown,
  method: string,
  args: readonly unknown[],
  error: unknown,
): SpecError {
  if (error instanceof SpecError) return error;
  const what = showThrown(error);
  return methodError(spec, method, args, `threw in state ${show(state)}: ${what}`, error);
}

/** The effects that a method has returned; none if the call blocks or is refused. */
export function effectsOf(
  spec: Spec,
  returned: unknown,
  method: string,
  args: readonly unknown[],
): readonly Effect[] {
  if (Array.isArray(returned)) return [effectOf(spec, returned, method, args)];
  if (isPromise(returned)) throw methodError(spec, method, args, PROMISE_PROBLEM);
  if (returned === blocked) return [];
  reasonsOf(spec, returned, method, args);
  if (returned instanceof Refused) return [];
  if (returned instanceof OneOf)
    return returned.transitions.map((step) => effectOf(spec, step, method, args));
  return [effectOf(spec, returned, method, args)];
}

function effectOf(spec: Spec, step: unknown, method: string, args: readonly unknown[]): Effect {
  if (!Array.isArray(step) || step.length !== 2)
    throw methodError(
      spec,
      method,
      args,
      `returned ${show(step)}; expected [next state, result], oneOf(…), refuse(…) or blocked`,
    );
  const [state, result] = step as unknown as Transition<unknown, unknown>;
  if (isPromise(result) || isPromise(state)) throw methodError(spec, method, args, PROMISE_PROBLEM);
  if (result instanceof Refused || result === blocked)
    throw methodError(
      spec,
      method,
      args,
      `returned [next state, ${result === blocked ? 'blocked' : 'refuse(…)'}]; expected ${result === blocked ? 'blocked' : 'refuse(…)'} alone, since there is no next state`,
    );
  return {
    state,
    outcome:
      result instanceof Threw ? { kind: 'threw', error: result.error } : { kind: 'returned', value: result },
  };
}

function reasonsOf(spec: Spec, returned: unknown, method: string, args: readonly unknown[]): string[] {
  const refused =
    returned instanceof OneOf ? returned.refused : returned instanceof Refused ? [returned] : [];
  return refused.map(({ reason }) => {
    if (typeof reason === 'string') return reason;
    throw methodError(spec, method, args, `is refused with the reason ${show(reason)}; expected a string`);
  });
}

const methodError = (
  { name }: Spec,
  method: string,
  args: readonly unknown[],
  what: string,
  cause?: unknown,
): SpecError => new SpecError(`spec ${name}: ${method}(${args.map(show).join(', ')}) ${what}`, { cause });

export class StateSpace {
  readonly initial: number;
  readonly #spec: Spec;
  /** State number to state. */
  #states: unknown[] = [];
  /** State keys. The number of a state is the number of its key. */
  #keys = new Interner();
  readonly #callsOf = new Map<string, { calls: number }>();
  /** Compares the results of repeated calls. */
  #canonical = new Canonical();

  constructor(spec: Spec) {
    this.#spec = spec;
    this.initial = this.#number(spec.initial);
  }

  /** The number of states. */
  get size(): number {
    return this.#states.length;
  }

  /** Estimated memory of the states. */
  get bytes(): number {
    return this.#keys.bytes + STATE_BYTES * this.#states.length;
  }

  state(number: number): unknown {
    return this.#states[number];
  }

  /**
   * Forgets all states except left and the initial one, which keeps its number. Returns the new
   * numbers of the others.
   */
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

  /** All possible effects of a call in a state; none if it blocks or is refused. */
  apply(
    number: number,
    method: string,
    args: readonly unknown[],
    context?: OperationContext,
  ): readonly NumberedTransition[] {
    const state = this.#states[number];
    const calls = this.#count(method);
    const returned = this.#run(state, method, args, context);
    const transitions = this.#transitions(returned, number, method, args);
    const checksMutation = calls <= FIRST_MUTATION_CHECKS || calls % MUTATION_CHECK_INTERVAL === 0;
    if (checksMutation && !isPrimitive(state) && this.#keys.find(this.#keyOf(state)) !== number)
      throw this.#error(method, args, 'mutates its state; it must return a new state');
    if (calls <= FIRST_REPEATED_CALLS || calls % REPEATED_CALL_INTERVAL === 0) {
      const again = this.#run(state, method, args, context);
      const reasons = [returned, again].map((own) =>
        JSON.stringify(reasonsOf(this.#spec, own, method, args)),
      );
      if (
        reasons[0] !== reasons[1] ||
        !this.#areSame(transitions, this.#transitions(again, number, method, args))
      )
        throw this.#error(
          method,
          args,
          'is not deterministic: a second call in the same state gave another result; it must depend only on state and arguments',
        );
    }
    return transitions;
  }

  /** The reasons why a call, or a choice of it, is refused in a state. */
  refusalReasons(
    number: number,
    method: string,
    args: readonly unknown[],
    context?: OperationContext,
  ): readonly string[] {
    return reasonsOf(this.#spec, this.#run(this.#states[number], method, args, context), method, args);
  }

  /** True if a call blocks in a state. */
  isBlocked(number: number, method: string, args: readonly unknown[], context?: OperationContext): boolean {
    const returned = this.#run(this.#states[number], method, args, context);
    return (
      returned === blocked ||
      (returned instanceof OneOf && returned.transitions.length + returned.refused.length === 0)
    );
  }

  /** Counts this call and returns the number of calls of its method. */
  #count(method: string): number {
    const counter = this.#callsOf.get(method);
    if (counter) return ++counter.calls;
    this.#callsOf.set(method, { calls: 1 });
    return 1;
  }

  #transitions(
    returned: unknown,
    number: number,
    method: string,
    args: readonly unknown[],
  ): NumberedTransition[] {
    return effectsOf(this.#spec, returned, method, args).map(({ state, outcome }) => ({
      next: state === this.#states[number] ? number : this.#number(state),
      outcome,
    }));
  }

  #run(state: unknown, method: string, args: readonly unknown[], context?: OperationContext): unknown {
    return runMethod(this.#spec, state, method, args, context);
  }

  #number(state: unknown): number {
    const number = this.#intern(state);
    if (number === this.#states.length) this.#states.push(state);
    return number;
  }

  #intern(state: unknown): number {
    if (isPrimitive(state) && !this.#spec.key) return this.#keys.intern(state);
    return runUserCode(`spec ${this.#spec.name}: the key of a state`, () =>
      this.#keys.intern(this.#keyOf(state)),
    );
  }

  #keyOf(state: unknown): unknown {
    return this.#spec.key ? this.#spec.key(state) : state;
  }

  #error(method: string, args: readonly unknown[], what: string): SpecError {
    return methodError(this.#spec, method, args, what);
  }

  #areSame(left: readonly NumberedTransition[], right: readonly NumberedTransition[]): boolean {
    if (left.length !== right.length) return false;
    return left.every(({ next, outcome }, i) => {
      const other = right[i];
      if (next !== other.next || outcome.kind !== other.outcome.kind) return false;
      const [value, again] = [outcome, other.outcome].map((own) =>
        own.kind === 'returned' ? own.value : own,
      );
      return Object.is(value, again) || this.#canonical.key(value) === this.#canonical.key(again);
    });
  }
}
