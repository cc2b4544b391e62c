/**
 * Runs the methods of a spec along an order of operations, and compares each outcome with the recorded one.
 *
 * States are user values and are not numbered, so a long run stores one state per part. A nondeterministic spec is in
 * all states that its choices leave.
 *
 * Almost every call returns [next state, result] with a primitive result that is the recorded one. `step` handles this
 * case alone, without a list of arguments, of effects or of states; `#continue` handles every other case, and reports
 * the errors of a spec.
 *
 * Cost: one call of a method per operation and state.
 */
import { UnionFind } from '../../base/collections/int-set.js';
import { isPrimitive } from '../../base/values/canonical.js';
import { Interner } from '../../base/values/interner.js';
import type { History } from '../../history/history.js';
import { RETURNED } from '../../history/model/columns.js';
import { blocked, fieldsSeenBy, isPromise, type PartKey, partKeys, type Spec } from '../spec.js';
import { contextOf, matchesRecorded } from './letters.js';
import { effectsOf, methodThrew, runMethod, specCalls } from './state-space.js';

/** A method with its state and arguments. */
type AnyMethod = (state: unknown, ...args: unknown[]) => unknown;

/** Several states of a part. */
class States {
  readonly list: readonly unknown[];
  constructor(list: readonly unknown[]) {
    this.list = list;
  }
}

export class SpecRun {
  readonly #history: History;
  readonly #spec: Spec;
  /** For each operation, the number of its part. */
  readonly #part: Int32Array;
  /** For each part, its state, or all its possible states. */
  readonly #states: unknown[];
  /** Method to its function; undefined if it sees more than its arguments. */
  readonly #functions: readonly (AnyMethod | undefined)[];

  /** `isOwn`: whether the operation at a position belongs to the object. */
  constructor(history: History, spec: Spec, isOwn: (k: number) => boolean) {
    this.#history = history;
    this.#spec = spec;
    const { numbers, count } = numberParts(history, spec, isOwn);
    this.#part = numbers;
    this.#states = new Array(count).fill(spec.initial);
    this.#functions = history.tables.methods.map((method) =>
      fieldsSeenBy(spec, method).length === 0 ? (spec.methods[method] as AnyMethod) : undefined,
    );
  }

  /** Lets the operation at position k take effect; false if the methods do not allow its outcome here. */
  step(k: number): boolean {
    const { columns, tables } = this.#history;
    const part = this.#part[k];
    const state = this.#states[part];
    if (state instanceof States)
      return this.#continue(
        k,
        state.list.map((own) => this.#call(k, own)),
      );
    const returned = this.#call(k, state);
    if (columns.status[k] !== RETURNED || !Array.isArray(returned) || returned.length !== 2)
      return this.#continue(k, [returned]);
    const result: unknown = returned[1];
    const recorded = tables.values.values[columns.result[k]];
    const isRecorded =
      result === recorded || (result === undefined && recorded === null && tables.undefinedIsNull);
    if (!isRecorded || !isPrimitive(result) || result === blocked || isPromise(returned[0]))
      return this.#continue(k, [returned]);
    this.#states[part] = returned[0];
    return true;
  }

  /** What the method of an operation returns in a state. */
  #call(k: number, state: unknown): unknown {
    const { argumentStart, argument, method } = this.#history.columns;
    const { values } = this.#history.tables.values;
    const { methods } = this.#spec;
    const run = this.#functions[method[k]];
    if (!run) return this.#callSeeing(k, state);
    const start = argumentStart[k];
    specCalls.count++;
    try {
      switch (argumentStart[k + 1] - start) {
        case 0:
          return run.call(methods, state);
        case 1:
          return run.call(methods, state, values[argument[start]]);
        case 2:
          return run.call(methods, state, values[argument[start]], values[argument[start + 1]]);
        default:
          return run.call(methods, state, ...this.#history.args(k));
      }
    } catch (error) {
      throw methodThrew(
        this.#spec,
        state,
        this.#history.tables.methods[method[k]],
        this.#history.args(k),
        error,
      );
    }
  }

  /** The same for a method that sees the outcome, process or interval of its operation. */
  #callSeeing(k: number, state: unknown): unknown {
    const method = this.#history.tables.methods[this.#history.columns.method[k]];
    const context = contextOf(this.#history, k, fieldsSeenBy(this.#spec, method));
    return runMethod(this.#spec, state, method, this.#history.args(k), context);
  }

  /** The same as `step` for any outcome and any number of states; `returned`: what the method gave in each. */
  #continue(k: number, returned: readonly unknown[]): boolean {
    const { columns, tables } = this.#history;
    const method = tables.methods[columns.method[k]];
    const args = this.#history.args(k);
    const next: unknown[] = [];
    for (const one of returned)
      for (const effect of effectsOf(this.#spec, one, method, args))
        if (matchesRecorded(effect.outcome, columns.status[k], columns.result[k], this.#history))
          next.push(effect.state);
    const distinct = next.length > 1 ? this.#distinct(next) : next;
    this.#states[this.#part[k]] = distinct.length === 1 ? distinct[0] : new States(distinct);
    return next.length > 0;
  }

  #distinct(states: readonly unknown[]): readonly unknown[] {
    const keys = new Interner();
    return states.filter((state) => {
      const known = keys.values.length;
      return keys.intern(this.#spec.key ? this.#spec.key(state) : state) === known;
    });
  }
}
interface Parts {
  /** For each operation, the number of its part; parts that share an operation are one. */
  readonly numbers: Int32Array;
  readonly count: number;
}

function numberParts(history: History, spec: Spec, isOwn: (k: number) => boolean): Parts {
  const numbers = new Int32Array(history.length);
  const { part } = spec;
  if (!part) return { numbers, count: 1 };
  const known = new Map<PartKey, number>();
  const numberOf = (key: PartKey): number => {
    const number = known.get(key) ?? known.size;
    if (number === known.size) known.set(key, number);
    return number;
  };
  const { method, argumentStart, argument } = history.columns;
  const { methods, values } = history.tables;
  // most calls have one argument: method and argument to the number of their part + 1
  const ofOne = methods.map(() => new Int32Array(values.values.length));
  const ties: (readonly [number, number])[] = [];
  for (let k = 0; k < history.length; k++) {
    if (!isOwn(k)) continue;
    const start = argumentStart[k];
    const isOne = argumentStart[k + 1] === start + 1;
    const number = isOne ? ofOne[method[k]][argument[start]] : 0;
    if (number > 0) {
      numbers[k] = number - 1;
      continue;
    }
    const keys = partKeys(spec, methods[method[k]], history.args(k));
    if (keys === undefined || keys.length === 0) return { numbers: numbers.fill(0), count: 1 };
    numbers[k] = numberOf(keys[0]);
    for (let i = 1; i < keys.length; i++) ties.push([numbers[k], numberOf(keys[i])]);
    if (isOne) ofOne[method[k]][argument[start]] = numbers[k] + 1;
  }
  const count = known.size;
  if (ties.length === 0) return { numbers, count };
  const sets = new UnionFind(count);
  for (const [a, b] of ties) sets.union(a, b);
  return { numbers: numbers.map((number) => sets.find(number)), count };
}
