/** Numbers for the values of a container while they are in use, and the last operation that added each. */

import type { Outcome } from '../../history/model/operation.js';
import { OnlineOperation, type Steps, type Values } from './steps.js';

/** The number of the result of an empty container. */
export const NOTHING = 0;

interface Numbered {
  readonly key: unknown;
  readonly item: unknown;
  readonly number: number;
  adder: OnlineOperation | undefined;
}

export class ValueNumbering {
  readonly #values: Values;
  readonly #byKey = new Map<unknown, Numbered>();
  readonly #byNumber = new Map<number, Numbered>();
  #next = NOTHING;

  /** `empty`: the result of an empty container, which gets the number NOTHING. */
  constructor(values: Values, empty: unknown) {
    this.#values = values;
    this.add(empty);
  }

  get size(): number {
    return this.#byKey.size;
  }

  /** `adder`: the operation that adds it; undefined for an initial value. */
  add(item: unknown, adder?: OnlineOperation): number {
    const key = this.#values.keyOf(item);
    const numbered = this.#byKey.get(key) ?? { key, item, number: this.#next++, adder };
    numbered.adder = adder;
    this.#byKey.set(key, numbered);
    this.#byNumber.set(numbered.number, numbered);
    return numbered.number;
  }

  find(item: unknown): number | undefined {
    return this.#byKey.get(this.#values.keyOf(item))?.number;
  }

  itemOf(number: number): unknown {
    return this.#byNumber.get(number)?.item;
  }

  /** The last operation that added it. */
  adderOf(number: number): OnlineOperation | undefined {
    return this.#byNumber.get(number)?.adder;
  }

  /** Drops all other values. */
  retain(numbers: ReadonlySet<number>): void {
    for (const { number, key } of this.#byNumber.values()) {
      if (number === NOTHING || numbers.has(number)) continue;
      this.#byNumber.delete(number);
      this.#byKey.delete(key);
    }
  }
}

/* How a removal or a peek ended: without effect, with unknown outcome, or with the number of a value. */

export type NumberedOutcome = 'failed' | 'pending' | number;

/** The number of a value that was never added. */
const ABSENT = -1;

/** Numbers the outcome of an operation that did not throw. */
export function numberOutcome(
  outcome: Exclude<Outcome, { kind: 'threw' }>,
  numbering: ValueNumbering,
): NumberedOutcome {
  return outcome.kind === 'returned' ? (numbering.find(outcome.value) ?? ABSENT) : outcome.kind;
}

/* The initial content of a container: the values in order of removal, and as operations that added them. */

/** The values in a state, in order of removal; undefined if it does not behave like a container. */
export function contentOf(
  steps: Steps,
  remove: string,
  from: number = steps.initial,
): readonly unknown[] | undefined {
  const items: unknown[] = [];
  for (let state = from; ; ) {
    const [answer] = steps.apply(state, remove, []);
    if (answer?.outcome.kind !== 'returned') return undefined;
    if (answer.next === state) return items;
    items.push(answer.outcome.value);
    state = answer.next;
  }
}

/** The values in a state, if the family has both roles and no value equals the result of an empty container. */
export function distinctContent(steps: Steps, from?: number): readonly unknown[] | undefined {
  const { roles, empty } = steps.spec.family ?? {};
  if (roles?.add === undefined || roles.remove === undefined) return undefined;
  const nothing = new Set([steps.values.keyOf(empty)]);
  const items = contentOf(steps, roles.remove, from);
  return items?.some((item) => nothing.has(steps.values.keyOf(item))) ? undefined : items;
}

/** Sequential operations before all events that add the initial values. */
export function initialAdds(items: readonly unknown[], add: string): OnlineOperation[] {
  return items.map((value, i) => {
    const time = 2 * (i - items.length);
    const operation = new OnlineOperation(undefined, 'initial', add, [value], time, undefined);
    operation.return = time + 1;
    operation.outcome = { kind: 'returned', value: undefined };
    return operation;
  });
}

/* The role of a method in its family. */

export type RoleOf = (method: string) => string | undefined;

const known = new WeakMap<object, ReadonlyMap<string, string>>();

export function rolesOf({ spec: { family } }: Steps): RoleOf {
  if (!family) return () => undefined;
  let roles = known.get(family);
  if (!roles) {
    roles = new Map(Object.entries(family.roles).map(([role, method]) => [method, role]));
    known.set(family, roles);
  }
  const found = roles;
  return (method) => found.get(method);
}
