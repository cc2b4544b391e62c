/**
 * Compares learned runs with the code itself, without instrumentation: the same calls in the same order on a fresh object must have the
 * same outcomes, and leave the same visible fields. So an error of the instrumentation cannot hide behind "every schedule".
 *
 * Repeated are runs that together have every learned step. A call that a learned run blocks must not return. The files of the code
 * keep state from one run to the next, so a run that differs is repeated on files that are loaded again; only that one counts.
 *
 * What cannot be compared is said, and no claim about it is exhaustive. Texts of errors that the engine of JavaScript throws depend on
 * the text of the code, so only their names count.
 */
import { thrownText } from '../../base/errors.js';
import type { NamedPlace } from '../../base/source-position.js';
import { show } from '../../base/values/show.js';
import { Memory } from '../../execution/memory/memory.js';
import type { Outcomes } from '../../execution/outcomes.js';
import { BlockedError } from '../../execution/primitives/locks.js';
import { describeOutcome } from '../../history/model/operation.js';
import { runtime } from '../../instrument/runtime/runtime.js';
import { SPINS, triedOften, withinTime } from '../model/deadline.js';
import type { Difference } from '../model/trace-types.js';
import type { PlainScenarios, Scenario } from '../scenario/scenario.js';
import type { NumberedCall } from '../scenario/test-case.js';
import type { LearnedRuns } from './learned-runs.js';
import { Arguments, holdsInstrumented, UNKNOWN } from './plain-code.js';

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

/** Why runs could not be compared, in words. */
export interface Unknown {
  readonly unknown: string;
}

export type Comparison = Difference | Unknown | 'same';

export const NO_TIME: Unknown = { unknown: 'there was no time' };
const OUTSIDE: Unknown = {
  unknown: '`create` or `methods` use instrumented code that they did not import',
};

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

  /** The first difference. */
  compare(hasExpired: () => boolean): Comparison {
    try {
      return this.#compareAll(hasExpired);
    } catch (error) {
      // code of the user's that cannot be loaded, or makes no object, on its own
      return { unknown: `the code itself fails: ${thrownText(error, 'both')}` };
    } finally {
      this.#plain.end?.();
    }
  }

  #compareAll(hasExpired: () => boolean): Comparison {
    const orders = coveringRuns(this.#learned.runs);
    const { loaded } = this.#plain;
    let next = 0;
    const together = (): Difference | Unknown | undefined => {
      for (; next < orders.length; next++) {
        const found = hasExpired() ? NO_TIME : this.#repeat(loaded, orders[next]);
        if (found !== undefined) return found;
      }
      return undefined;
    };
    for (let keepsState = false; next < orders.length; next++) {
      const first: Difference | Unknown | typeof SPINS | undefined = keepsState
        ? undefined
        : withinTime(together, TOGETHER);
      if (next === orders.length) break;
      if (first !== undefined && first !== SPINS && 'unknown' in first) return first;
      if (hasExpired()) return NO_TIME;
      const again = this.#repeatOnNewFiles(orders[next]);
      if (again !== undefined) return again;
      // nothing of the first time counts
      keepsState = first !== SPINS;
    }
    return 'same';
  }

  /** One that does not return is tried again, with more time. */
  #repeatOnNewFiles(order: readonly number[]): Difference | Unknown | undefined {
    if (this.#loads++ >= MOST_LOADS) return { unknown: 'its files keep state, and there are too many runs' };
    const result = triedOften(() => {
      const code = this.#plain.load();
      return () => this.#repeat(code, order);
    });
    return result === SPINS ? this.#difference(order, 'does not return', ['returns']) : result;
  }

  /** Makes calls in an order, and looks for the learned runs that do the same. */
  #repeat(code: Scenario, order: readonly number[]): Difference | Unknown | undefined {
    const args = new Arguments(this.#scenario, code);
    const { runs, outcomes } = this.#learned;
    const memory = this.#memory;
    memory.reset();
    runtime.hasFinished = false;
    const object = code.create(undefined as never);
    if (runtime.hasFinished || holdsInstrumented(object)) return OUTSIDE;
    let nodes: readonly number[] = [runs.root];
    this.#started = 0;
    for (const operation of order) {
      this.#started++;
      const call = this.#calls[operation];
      const given = call.args.map((arg) => args.of(arg));
      if (given.includes(UNKNOWN)) return { unknown: `an argument of ${call.method} cannot be made again` };
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
      if (runtime.hasFinished) return OUTSIDE;
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
