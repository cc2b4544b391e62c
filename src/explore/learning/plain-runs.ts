/**
 * Compares learned runs with the code itself, without instrumentation: the same calls in the same order on a fresh object must have the
 * same outcomes, and leave the same visible fields. So an error of the instrumentation cannot hide behind "every schedule".
 *
 * Repeated are runs that together have every learned step. A call that a learned run blocks must not return. The files of the code
 * keep state from one run to the next, so a run that differs is repeated on files that are loaded again; only that one counts.
 *
 * Not compared: runs whose arguments cannot be made again, and code that reads the clock or random numbers, of which no claim is
 * exhaustive. Texts of errors that the engine of JavaScript throws depend on the text of the code, so only their names count.
 */
import type { NamedPlace } from '../../base/source-position.js';
import { isPrimitive } from '../../base/values/canonical.js';
import { ResultReference } from '../../base/values/result-reference.js';
import { show } from '../../base/values/show.js';
import { Memory } from '../../execution/memory/memory.js';
import type { Outcomes } from '../../execution/outcomes.js';
import { BlockedError } from '../../execution/primitives/locks.js';
import { describeOutcome } from '../../history/model/operation.js';
import type { PlainCall } from '../../instrument/instrumented-program.js';
import { SPINS, triedOften, withinTime } from '../model/limited-call.js';
import { isSequence } from '../scenario/calls.js';
import type { PlainScenarios, Scenario } from '../scenario/scenario.js';
import type { NumberedCall } from '../scenario/test-case.js';
import type { Difference } from './learned-results.js';
import type { LearnedRuns } from './learned-runs.js';

/** What was learned of instrumented code. */
export interface Learned {
  readonly runs: LearnedRuns;
  readonly outcomes: Outcomes;
  /** Node after the last call of a run to the visible fields of the object, as numbers of outcomes. */
  readonly ends: ReadonlyMap<number, ReadonlySet<number>>;
}

/** A call that a run blocks has this many milliseconds to return all the same. */
const TO_RETURN = 20;
/** Runs of a test on files that are loaded again: about 0.3 ms each. */
const MOST_LOADS = 2_000;

/** Calls that were seen to block in the code itself, by the code. */
const blocking = new WeakMap<PlainScenarios, Set<string>>();

export class PlainRuns {
  readonly #learned: Learned;
  readonly #calls: readonly NumberedCall[];
  readonly #threads: number;
  readonly #scenario: Scenario;
  readonly #plain: PlainScenarios;
  readonly #placeOf: (method: string) => NamedPlace;
  readonly #memory: Memory;
  /** How many calls of the current run have started. */
  #started = 0;
  #loads = 0;
  #keepsState = false;

  constructor(
    scenario: Scenario,
    plain: PlainScenarios,
    calls: readonly NumberedCall[],
    learned: Learned,
    placeOf: (method: string) => NamedPlace,
  ) {
    this.#scenario = scenario;
    this.#plain = plain;
    this.#calls = calls;
    this.#placeOf = placeOf;
    this.#threads = Math.max(0, ...calls.map(({ thread }) => thread + 1));
    this.#learned = learned;
    this.#memory = new Memory(this.#threads);
  }

  /** The first difference; `unknown` if the runs could not be compared. */
  compare(hasExpired: () => boolean): Difference | 'same' | 'unknown' {
    const orders = coveringRuns(this.#learned.runs);
    let next = 0;
    let found: Difference | 'unknown' | undefined;
    const all = (): void => {
      for (; found === undefined && next < orders.length; next++)
        found = hasExpired() ? 'unknown' : this.#compareRun(orders[next]);
    };
    // one that does not return is tried again, with more time
    while (withinTime(all, TOGETHER) === SPINS) {
      const order = orders[next++];
      const result = triedOften(() => () => this.#compareRun(order));
      found = result === SPINS ? this.#difference(order, 'does not return', ['returns']) : result;
    }
    return found ?? 'same';
  }

  #compareRun(order: readonly number[]): Difference | 'unknown' | undefined {
    if (!this.#keepsState) {
      const first = this.#repeat(this.#plain.loaded, order);
      if (first === undefined || first === 'unknown') return first;
    }
    if (this.#loads++ >= MOST_LOADS) return 'unknown';
    const again = this.#repeat(this.#plain.load(), order);
    if (again === undefined) this.#keepsState = true;
    return again;
  }

  /** Makes calls in an order, and looks for the learned runs that do the same. */
  #repeat(code: Scenario, order: readonly number[]): Difference | 'unknown' | undefined {
    const args = new Arguments(this.#scenario, code);
    const { runs, outcomes } = this.#learned;
    const memory = this.#memory;
    memory.reset();
    const object = code.create(undefined as never);
    let nodes: readonly number[] = [runs.root];
    this.#started = 0;
    for (const operation of order) {
      this.#started++;
      const call = this.#calls[operation];
      const given = call.args.map((arg) => args.of(arg));
      if (given.includes(UNKNOWN)) return 'unknown';
      const steps = nodes.flatMap((node) =>
        runs.edges[node]
          .filter((letter) => runs.steps[letter].operation === operation)
          .map((letter) => ({
            outcome: runs.steps[letter].delivered.get(operation),
            next: runs.child(node, letter),
          })),
      );
      const isBlocked = steps.every(({ outcome }) => outcome === undefined);
      const learned = steps.map(({ outcome }) => this.#textOf(outcome));
      memory.begin(call.thread);
      const make = (): number => outcomeOf(outcomes, object, () => callOn(code, object, call.method, given));
      const blockedBefore = BlockedError.count;
      const done = isBlocked ? this.#returning(call, make) : make();
      if (done === SPINS) return undefined;
      if (BlockedError.count > blockedBefore) {
        if (isBlocked || this.#scenario.spuriousWakeups || steps.some((step) => step.outcome === undefined))
          return undefined;
        return this.#difference(order, BLOCKED, learned);
      }
      const same = steps.filter(({ outcome }) => outcome !== undefined && isSame(outcomes, outcome, done));
      if (same.length === 0) return this.#difference(order, this.#textOf(done), learned);
      nodes = same.map(({ next }) => next);
    }
    return this.#compareEnd(nodes, object, order);
  }

  #compareEnd(nodes: readonly number[], object: object, order: readonly number[]): Difference | undefined {
    const { ends, outcomes } = this.#learned;
    const known = nodes.map((node) => ends.get(node));
    if (known.includes(undefined)) return undefined;
    const end = outcomes.returned(object);
    if (known.some((set) => set!.has(end))) return undefined;
    const learned = known.flatMap((set) => [...set!]).map((one) => `leaves ${this.#stateOf(one)}`);
    return this.#difference(order, `leaves ${this.#stateOf(end)}`, learned);
  }

  /** The outcome of a call that has to be blocked; each is made once. */
  #returning(call: NumberedCall, make: () => number): number | typeof SPINS {
    const name = textOf(call);
    const known = blocking.get(this.#plain) ?? new Set();
    blocking.set(this.#plain, known);
    if (known.has(name)) return SPINS;
    known.add(name);
    return withinTime(make, TO_RETURN);
  }

  #stateOf(end: number): string {
    return describeOutcome(this.#learned.outcomes.at(end));
  }

  #textOf(outcome: number | undefined): string {
    if (outcome === undefined) return BLOCKED;
    const known = this.#learned.outcomes.at(outcome);
    return known.kind === 'threw' ? `throws ${known.error}` : `returns ${describeOutcome(known)}`;
  }

  /** In the call that started last. */
  #difference(order: readonly number[], plain: string, instrumented: readonly string[]): Difference {
    const calls = order.slice(0, this.#started).map((operation) => this.#calls[operation]);
    const last = calls[calls.length - 1];
    return {
      call: textOf(last),
      place: this.#placeOf(last.method),
      before: calls.slice(0, -1).map(textOf),
      plain,
      instrumented: [...new Set(instrumented)].join(' or '),
    };
  }
}

const BLOCKED = 'is blocked';
/** Milliseconds in which all runs of a test usually end. */
const TOGETHER = 1_000;

const textOf = ({ method, args }: NumberedCall): string => `${method}(${args.map(show).join(', ')})`;

function callOn({ methods }: Scenario, object: object, method: string, args: readonly unknown[]): unknown {
  if (Object.hasOwn(methods, method))
    return (methods[method] as (...given: unknown[]) => unknown)(object, ...args);
  return (object as Record<string, (...given: unknown[]) => unknown>)[method](...args);
}

function outcomeOf(outcomes: Outcomes, object: object, call: () => unknown): number {
  let result: unknown;
  try {
    result = call();
  } catch (error) {
    return outcomes.threw(error);
  }
  return outcomes.returned(result, object);
}

/** Errors of the engine itself name expressions of the code. */
const OF_ENGINE = /^(TypeError|RangeError|ReferenceError|SyntaxError)\b/;

function isSame(outcomes: Outcomes, one: number, other: number): boolean {
  if (one === other) return true;
  const [a, b] = [outcomes.at(one), outcomes.at(other)];
  if (a.kind !== 'threw' || b.kind !== 'threw') return false;
  const name = OF_ENGINE.exec(a.error)?.[1];
  return name !== undefined && name === OF_ENGINE.exec(b.error)?.[1];
}

/** Runs, as orders of operations, that together have every learned step. */
function coveringRuns(runs: LearnedRuns): number[][] {
  const isCovered = runs.edges.map((letters) => letters.map(() => false));
  const found: number[][] = [];
  for (const [start, letters] of runs.edges.entries())
    for (const first of letters.keys()) {
      if (isCovered[start][first]) continue;
      const order = runs.runTo(start).map(({ operation }) => operation);
      let at = start;
      for (let edge = first; edge >= 0; ) {
        isCovered[at][edge] = true;
        const letter = runs.edges[at][edge];
        order.push(runs.steps[letter].operation);
        at = runs.child(at, letter);
        const open = isCovered[at].indexOf(false);
        edge = runs.edges[at].length === 0 ? -1 : Math.max(0, open);
      }
      found.push(order);
    }
  return found;
}

/** Is a value the same in all loads of a file? */
const isComparable = (value: unknown): boolean => isPrimitive(value) && typeof value !== 'symbol';

export const UNKNOWN: unique symbol = Symbol('unknown');

/** Arguments of a scenario to those of the same one, loaded again: the one at the same place, or a copy of plain data. */
export class Arguments {
  readonly #others = new Map<unknown, unknown>();

  constructor(scenario: Scenario, code: Scenario) {
    const [own, others] = [valuesIn(scenario), valuesIn(code)];
    if (own.length === others.length)
      for (const [i, value] of own.entries()) if (!isComparable(value)) this.#others.set(value, others[i]);
  }

  of(arg: unknown): unknown {
    if (isComparable(arg) || arg instanceof ResultReference) return arg;
    return this.#others.get(arg) ?? copyOf(arg);
  }
}

/** All arguments that a scenario lists. */
function valuesIn({ calls, before, after, test, tests }: Scenario): unknown[] {
  const listed = calls.flatMap((choice): readonly PlainCall[] =>
    isSequence(choice) ? choice : 'method' in choice ? [] : [choice],
  );
  const fixed = (tests ?? []).flatMap((one) => [...one.threads.flat(), ...one.before, ...one.after]);
  return [...listed, ...before, ...after, ...(test ?? []).flat(), ...fixed].flatMap(([, ...args]) => args);
}

/** A copy of lists and plain objects; UNKNOWN for all else. */
function copyOf(value: unknown): unknown {
  if (isComparable(value)) return value;
  const prototype = Object(value) === value ? (Object.getPrototypeOf(value) as object | null) : undefined;
  if (prototype !== Array.prototype && prototype !== Object.prototype) return UNKNOWN;
  const parts = Object.entries(value as object).map(([key, part]) => [key, copyOf(part)] as const);
  if (parts.some(([, part]) => part === UNKNOWN)) return UNKNOWN;
  return Array.isArray(value) ? parts.map(([, part]) => part) : Object.fromEntries(parts);
}
