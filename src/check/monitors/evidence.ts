/**
 * What a history says of single values of a container, looked up plainly: for those who check a cause.
 *
 * Independent of the monitors' readings on purpose: a slip there must not confirm itself.
 */
import { type History, NEVER, PENDING, RETURNED } from '../../history/index.js';
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
  } {
    const { method, args, outcome, call } = this.#history.at(k);
    const { add, remove, peek } = this.#spec.family?.roles ?? {};
    const role = method === add ? 'add' : method === remove ? 'remove' : method === peek ? 'peek' : undefined;
    const value = role === 'add' ? args[0] : outcome.kind === 'returned' ? outcome.value : undefined;
    return { role, value, call, return: this.#history.columns.return[k] };
  }

  of(id: number): ReturnType<Evidence['at']> {
    return this.at(this.#history.positionsById()[id]);
  }

  lifeOf(value: unknown): Life {
    const { values } = this.#history.tables;
    const number = values.find(value);
    const initial = (this.#spec.family?.initial ?? []) as readonly unknown[];
    const place = initial.findIndex(
      (own) => Object.is(own, value) || (number !== undefined && values.find(own) === number),
    );
    const life = { puts: 0, put: NEVER, inside: NEVER, seen: NEVER, asked: -1, removals: 0 };
    if (place >= 0)
      Object.assign(life, { puts: 1, put: place - initial.length, inside: place - initial.length });
    for (const k of number === undefined ? [] : this.#touching(number)) {
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
    return life;
  }

  /** How many removals had been called before a moment, and never returned. */
  openBefore(moment: number): number {
    const { status, call } = this.#history.columns;
    let open = 0;
    for (let k = 0; k < this.#history.length; k++)
      if (status[k] === PENDING && call[k] < moment && this.at(k).role === 'remove') open++;
    return open;
  }

  /** The operations that put a value in or gave it. */
  *#touching(number: number): Generator<number> {
    const { status, result, argument, argumentStart } = this.#history.columns;
    for (let k = 0; k < this.#history.length; k++)
      if (
        (argumentStart[k] < argumentStart[k + 1] && argument[argumentStart[k]] === number) ||
        (status[k] === RETURNED && result[k] === number && argumentStart[k] === argumentStart[k + 1])
      )
        yield k;
  }
}
