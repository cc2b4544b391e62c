/**
 * What a history says of a container, read plainly to verify causes. Deliberately independent of the monitors, whose
 * errors must not verify themselves.
 */
import type { History } from '../../../history/history.js';
import { NEVER, numberOfValue, PENDING, RETURNED } from '../../../history/model/columns.js';
import type { Spec } from '../../../spec/spec.js';

/* The role of an operation in a container. */

interface ObservedRole {
  readonly role: 'add' | 'remove' | 'peek' | undefined;
  /** The value that it adds or returns. */
  readonly value: unknown;
  readonly call: number;
  readonly return: number;
  /** The second argument of an add. */
  readonly more: unknown;
  /** Whether its result is unknown. */
  readonly isOpen: boolean;
  /** Whether it found the container empty. */
  readonly isEmpty: boolean;
}

/** An operation without a role. */
const NO_OPERATION: ObservedRole = {
  role: undefined,
  value: undefined,
  call: NEVER,
  return: NEVER,
  more: undefined,
  isOpen: false,
  isEmpty: false,
};

function roleAt(history: History, { family }: Spec, k: number): ObservedRole {
  const { method, args, outcome, call } = history.at(k);
  const { add, remove, peek } = family?.roles ?? {};
  const role = method === add ? 'add' : method === remove ? 'remove' : method === peek ? 'peek' : undefined;
  const hasAnswer = role !== 'add' && outcome.kind === 'returned';
  const { columns, tables } = history;
  return {
    role,
    value: role === 'add' ? args[0] : hasAnswer ? outcome.value : undefined,
    call,
    return: columns.return[k],
    more: args[1],
    isOpen: outcome.kind === 'pending',
    isEmpty: hasAnswer && columns.result[k] === numberOfValue(tables, family?.empty),
  };
}

/* Which values are equal in a history, and which are initial. */

function areSame({ tables }: History, one: unknown, other: unknown): boolean {
  const number = numberOfValue(tables, one);
  return Object.is(one, other) || (number !== undefined && numberOfValue(tables, other) === number);
}

/** A moment before all others, in the order of the initial values; NEVER if the value is not initial. */
function initialMoment(history: History, { family }: Spec, value: unknown): number {
  const initial: readonly unknown[] = Array.isArray(family?.initial) ? family.initial : [];
  const place = initial.findIndex((own) => areSame(history, own, value));
  return place < 0 ? NEVER : place - initial.length;
}

/*
 * The calls and returns of operations on single values of a container. Cost: O(n) for all that are requested
 * together.
 */

export interface ValueEvidence {
  /** How often it was added, its initial presence included. */
  readonly puts: number;
  /**
   * The call of the first add, and when the value was definitely present; before all moments for an initial value.
   */
  readonly put: number;
  readonly inside: number;
  /** The first return and the last call of the operations that returned it; NEVER and -1 if there are none. */
  readonly seen: number;
  readonly lastCall: number;
  readonly removals: number;
}

function evidenceOf(history: History, spec: Spec, sought: readonly unknown[]): ValueEvidence[] {
  const byNumber = new Map<number, Mutable<ValueEvidence>>();
  const found = sought.map((value) => {
    const before = initialMoment(history, spec, value);
    const puts = before === NEVER ? 0 : 1;
    const own = { puts, put: before, inside: before, seen: NEVER, lastCall: -1, removals: 0 };
    const number = numberOfValue(history.tables, value);
    if (number !== undefined) byNumber.set(number, own);
    return own;
  });
  for (const [k, number] of touching(history, byNumber))
    recordCall(roleAt(history, spec, k), byNumber.get(number) as Mutable<ValueEvidence>);
  return found;
}

function recordCall({ role, call, return: returned }: ObservedRole, own: Mutable<ValueEvidence>): void {
  if (role === 'add') {
    own.puts++;
    own.put = Math.min(own.put, call);
  } else {
    own.seen = Math.min(own.seen, returned);
    own.lastCall = Math.max(own.lastCall, call);
    if (role === 'remove') own.removals++;
  }
  own.inside = Math.min(own.inside, returned);
}

/** The operations that added or returned one of these values, each with the number of the value. */
function* touching(
  { columns, length }: History,
  numbers: ReadonlyMap<number, unknown>,
): Generator<readonly [operation: number, number: number]> {
  const { status, result, argument, argumentStart } = columns;
  for (let k = 0; k < length; k++) {
    const isCalledWith = argumentStart[k] < argumentStart[k + 1];
    if (!isCalledWith && status[k] !== RETURNED) continue;
    const number = isCalledWith ? argument[argumentStart[k]] : result[k];
    if (numbers.has(number)) yield [k, number];
  }
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

export class Evidence {
  readonly #history: History;
  readonly #spec: Spec;
  /** The calls of pending removals, in order. */
  #open: number[] | undefined;

  constructor(history: History, spec: Spec) {
    this.#history = history;
    this.#spec = spec;
  }

  /** The operation of this id; one without a role if there is none. */
  of(id: number | undefined): ObservedRole {
    const k = id === undefined ? -1 : (this.#history.positionsById()[id] ?? -1);
    return k < 0 ? NO_OPERATION : roleAt(this.#history, this.#spec, k);
  }

  /** Whether two values are equal in this history. */
  areSame(one: unknown, other: unknown): boolean {
    return areSame(this.#history, one, other);
  }

  isInitial(value: unknown): boolean {
    return initialMoment(this.#history, this.#spec, value) !== NEVER;
  }

  ofValue(value: unknown): ValueEvidence {
    return this.ofValues([value])[0];
  }

  ofValues(sought: readonly unknown[]): ValueEvidence[] {
    return evidenceOf(this.#history, this.#spec, sought);
  }

  /** How many pending removals had been called before a moment. */
  openBefore(moment: number): number {
    return this.#openCalls().filter((call) => call < moment).length;
  }

  /** When the first of them was called; NEVER if there is none. */
  firstOpen(): number {
    return this.#openCalls()[0] ?? NEVER;
  }

  #openCalls(): readonly number[] {
    if (this.#open) return this.#open;
    this.#open = [];
    const { status, call } = this.#history.columns;
    for (let k = 0; k < this.#history.length; k++)
      if (status[k] === PENDING && roleAt(this.#history, this.#spec, k).role === 'remove')
        this.#open.push(call[k]);
    return this.#open;
  }
}
