/** What the operations of a history do to a container, and to which value. */
import type { History } from '../../../history/history.js';
import { NEVER, numberOfValue, RETURNED } from '../../../history/model/columns.js';
import type { Spec } from '../../../spec/spec.js';

export class Roles {
  readonly history: History;
  readonly #role: readonly ('add' | 'remove' | 'peek' | undefined)[];
  readonly #nothing: number;
  /** The values inside at first. */
  readonly initial: readonly number[];

  constructor(history: History, { family }: Spec) {
    const { add, remove, peek } = family?.roles ?? {};
    const { tables } = history;
    this.history = history;
    this.#role = tables.methods.map((name) =>
      name === add ? 'add' : name === remove ? 'remove' : name === peek ? 'peek' : undefined,
    );
    this.#nothing = numberOfValue(tables, family?.empty) ?? -1;
    this.initial = ((family?.initial ?? []) as readonly unknown[]).flatMap(
      (value) => tables.values.find(value) ?? [],
    );
  }

  of(k: number): 'add' | 'remove' | 'peek' | undefined {
    return this.#role[this.history.columns.method[k]];
  }

  /** The value that an operation puts in or gives; negative if it does neither. */
  touched(k: number): number {
    const { argument, argumentStart, status, result } = this.history.columns;
    if (this.of(k) === 'add') return argument[argumentStart[k]];
    return status[k] === RETURNED && result[k] !== this.#nothing ? result[k] : -1;
  }

  /** A prefix has cut it off: it never returned, but its result is known, though not of which copy. */
  isCutOff(k: number): boolean {
    return this.isOpenRemoval(k) && this.history.columns.status[k] === RETURNED;
  }

  /** It never returned, and may have taken out anything. */
  isOpenRemoval(k: number): boolean {
    return this.of(k) === 'remove' && this.history.columns.return[k] === NEVER;
  }
}
