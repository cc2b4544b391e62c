/**
 * What a history says of single values of a container, looked up plainly: for those who check a cause.
 *
 * Independent of the monitors' readings on purpose: a slip there must not confirm itself.
 */
import { type History, NEVER, numberOfValue, PENDING, RETURNED } from '../../history/index.js';
import type { Spec } from '../../spec/index.js';

/** The calls and returns that tell of a value. */
export interface Life {
  /** How often it was put in, what was there at first included. */
  readonly puts: number;
  /** The first of them was called, and the value was surely inside; before all moments if it was there at first. */
  readonly put: number;
  readonly inside: number;
  /** Who gave it: the first return, the last call; NEVER and -1 if nobody did. */
  readonly seen: number;
  readonly asked: number;
  readonly removals: number;
}

const NOBODY = {
  role: undefined,
  value: undefined,
  call: NEVER,
  return: NEVER,
  more: undefined,
  isOpen: false,
  isEmpty: false,
};

export class Evidence {
  readonly #history: History;
  readonly #spec: Spec;

  constructor(history: History, spec: Spec) {
    this.#history = history;
    this.#spec = spec;
  }

  /** The method of an operation by its role, and the value that it puts in or gives. */
  at(k: number): {
    role: 'add' | 'remove' | 'peek' | undefined;
    value: unknown;
    call: number;
    return: number;
    /** What else is told of the value that is put in. */
    more: unknown;
    /** Nobody knows what it gave. */
    isOpen: boolean;
    /** It found nothing. */
    isEmpty: boolean;
  } {
    const { method, args, outcome, call } = this.#history.at(k);
    const { add, remove, peek } = this.#spec.family?.roles ?? {};
    const role = method === add ? 'add' : method === remove ? 'remove' : method === peek ? 'peek' : undefined;
    const value = role === 'add' ? args[0] : outcome.kind === 'returned' ? outcome.value : undefined;
    const { columns, tables } = this.#history;
    const isEmpty =
      role !== 'add' &&
      outcome.kind === 'returned' &&
      columns.result[k] === numberOfValue(tables, this.#spec.family?.empty);
    return {
      role,
      value,
      call,
      return: columns.return[k],
      more: args[1],
      isOpen: outcome.kind === 'pending',
      isEmpty,
    };
  }

  /** The operation of this id; one that plays no role, if there is none. */
  of(id: number | undefined): ReturnType<Evidence['at']> {
    const k = id === undefined ? -1 : (this.#history.positionsById()[id] ?? -1);
    return k < 0 ? NOBODY : this.at(k);
  }

  isInitial(value: unknown): boolean {
    const { initial } = this.#spec.family ?? {};
    return Array.isArray(initial) && initial.some((own) => this.areSame(own, value));
  }

  lifeOf(value: unknown): Life {
    return this.livesOf([value])[0];
  }

  livesOf(sought: readonly unknown[]): Life[] {
    const { values } = this.#history.tables;
    const initial = (this.#spec.family?.initial ?? []) as readonly unknown[];
    const byNumber = new Map<number, Mutable<Life>>();
    const lives = sought.map((value) => {
      const place = initial.findIndex((own) => this.areSame(own, value));
      const before = place < 0 ? NEVER : place - initial.length;
      const life = {
        puts: place < 0 ? 0 : 1,
        put: before,
        inside: before,
        seen: NEVER,
        asked: -1,
        removals: 0,
      };
      const number = values.find(value);
      if (number !== undefined) byNumber.set(number, life);
      return life;
    });
    for (const [k, number] of this.#touching(byNumber)) this.#look(k, byNumber.get(number) as Mutable<Life>);
    return lives;
  }

  /** Are two values one to this history? */
  areSame(one: unknown, other: unknown): boolean {
    const { values } = this.#history.tables;
    const number = values.find(one);
    return Object.is(one, other) || (number !== undefined && values.find(other) === number);
  }

  #look(k: number, life: Mutable<Life>): void {
    const { role, call, return: returned } = this.at(k);
    if (role === 'add') {
      life.puts++;
      life.put = Math.min(life.put, call);
    } else {
      life.seen = Math.min(life.seen, returned);
      life.asked = Math.max(life.asked, call);
      if (role === 'remove') life.removals++;
    }
    life.inside = Math.min(life.inside, returned);
  }

  /** How many removals had been called before a moment, and never returned. */
  openBefore(moment: number): number {
    const { status, call } = this.#history.columns;
    let open = 0;
    for (let k = 0; k < this.#history.length; k++)
      if (status[k] === PENDING && call[k] < moment && this.at(k).role === 'remove') open++;
    return open;
  }

  /** When the first of them was called; NEVER if there is none. */
  firstOpen(): number {
    const { status, call } = this.#history.columns;
    const first = status.findIndex((own, k) => own === PENDING && this.at(k).role === 'remove');
    return first < 0 ? NEVER : call[first];
  }

  /** The operations that put one of these values in or gave it, each with the number of the value. */
  *#touching(numbers: ReadonlyMap<number, unknown>): Generator<readonly [operation: number, number: number]> {
    const { status, result, argument, argumentStart } = this.#history.columns;
    for (let k = 0; k < this.#history.length; k++) {
      const isCalledWith = argumentStart[k] < argumentStart[k + 1];
      if (!isCalledWith && status[k] !== RETURNED) continue;
      const number = isCalledWith ? argument[argumentStart[k]] : result[k];
      if (numbers.has(number)) yield [k, number];
    }
  }
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };
