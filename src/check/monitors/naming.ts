/** Whatever tells occurrences of a value in a container apart: what it sees of the history, and what it gives. */
import { type History, numberOfValue, RETURNED } from '../../history/index.js';
import type { Spec } from '../../spec/index.js';

/** Names for operations on one value that tell one occurrence of it from another. */
export interface Naming {
  /** The name of the value of an operation, if it is not the plain one. */
  symbolOf(k: number): symbol | undefined;
  /** These operations, and those without which the names would not be the same. */
  withOthers(operations: readonly number[]): number[];
}

/** What the operations of a history do to a container. */
export class Roles {
  readonly #history: History;
  readonly #role: readonly ('add' | 'remove' | 'peek' | undefined)[];
  readonly #nothing: number;
  /** The values inside at first. */
  readonly initial: readonly number[];

  constructor(history: History, { family }: Spec) {
    const { add, remove, peek } = family?.roles ?? {};
    const { tables } = history;
    this.#history = history;
    this.#role = tables.methods.map((name) =>
      name === add ? 'add' : name === remove ? 'remove' : name === peek ? 'peek' : undefined,
    );
    this.#nothing = numberOfValue(tables, family?.empty) ?? -1;
    this.initial = ((family?.initial ?? []) as readonly unknown[]).flatMap(
      (value) => tables.values.find(value) ?? [],
    );
  }

  of(k: number): 'add' | 'remove' | 'peek' | undefined {
    return this.#role[this.#history.columns.method[k]];
  }

  /** The value that an operation puts in or gives; negative if it does neither. */
  touched(k: number): number {
    const { argument, argumentStart, status, result } = this.#history.columns;
    if (this.of(k) === 'add') return argument[argumentStart[k]];
    return status[k] === RETURNED && result[k] !== this.#nothing ? result[k] : -1;
  }
}
