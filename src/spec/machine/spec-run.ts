/**
 * Runs the methods of a spec along an order of operations, and compares each outcome with the recorded one.
 *
 * States are user values and are not numbered, so a long run stores one state per part. A nondeterministic spec is in
 * all states that its choices leave.
 *
 * Cost: one call of a method per operation and state.
 */
import { UnionFind } from '../../base/collections/int-set.js';
import { Interner } from '../../base/values/interner.js';
import type { History } from '../../history/history.js';
import { fieldsSeenBy, type PartKey, partKeys, type Spec } from '../spec.js';
import { contextOf, matchesRecorded } from './letters.js';
import { effectsOf, runMethod } from './state-space.js';

export class SpecRun {
  readonly #history: History;
  readonly #spec: Spec;
  /** For each operation, the number of its part. */
  readonly #part: Int32Array;
  /** For each part, its possible states. */
  readonly #states = new Map<number, readonly unknown[]>();

  /** `isOwn`: whether the operation at a position belongs to the object. */
  constructor(history: History, spec: Spec, isOwn: (k: number) => boolean) {
    this.#history = history;
    this.#spec = spec;
    this.#part = numberParts(history, spec, isOwn);
  }

  /** Lets the operation at position k take effect; false if the methods do not allow its outcome here. */
  step(k: number): boolean {
    const { columns, tables } = this.#history;
    const part = this.#part[k];
    const states = this.#states.get(part) ?? [this.#spec.initial];
    const method = tables.methods[columns.method[k]];
    const args = this.#history.args(k);
    const context = contextOf(this.#history, k, fieldsSeenBy(this.#spec, method));
    const next: unknown[] = [];
    for (const state of states)
      for (const effect of effectsOf(
        this.#spec,
        runMethod(this.#spec, state, method, args, context),
        method,
        args,
      ))
        if (matchesRecorded(effect.outcome, columns.status[k], columns.result[k], this.#history))
          next.push(effect.state);
    this.#states.set(part, next.length > 1 ? this.#distinct(next) : next);
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

/** For each operation, the number of its part; parts that share an operation are one. */
function numberParts(history: History, spec: Spec, isOwn: (k: number) => boolean): Int32Array {
  const numbers = new Int32Array(history.length);
  if (!spec.part) return numbers;
  const known = new Map<PartKey, number>();
  const { method } = history.columns;
  const { methods } = history.tables;
  const ties: (readonly [number, number])[] = [];
  for (let k = 0; k < history.length; k++) {
    if (!isOwn(k)) continue;
    const keys = partKeys(spec, methods[method[k]], history.args(k));
    if (keys === undefined || keys.length === 0) return new Int32Array(history.length);
    keys.forEach((key, i) => {
      const number = known.get(key) ?? known.size;
      known.set(key, number);
      if (i === 0) numbers[k] = number;
      else ties.push([numbers[k], number]);
    });
  }
  if (ties.length === 0) return numbers;
  const sets = new UnionFind(known.size);
  for (const [a, b] of ties) sets.union(a, b);
  return numbers.map((number) => sets.find(number));
}
