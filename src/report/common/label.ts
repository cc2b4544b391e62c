/** Labels of operations: `dequeue() → 2`. */
import { distinct } from '../../base/collections/ints.js';
import { printable, show } from '../../base/values/show.js';
import type { History } from '../../history/history.js';
import { NEVER, RETURNED } from '../../history/model/columns.js';
import type { Operation, Outcome } from '../../history/model/operation.js';

export class Labels {
  readonly #history: History;
  readonly #gives: string;
  /** Methods whose results are not printed because all of them are undefined (or its form in a file). Errors are printed. */
  readonly #silent: ReadonlySet<string>;

  constructor(history: History, gives: string) {
    this.#history = history;
    this.#gives = gives;
    this.#silent = silentMethods(history);
  }

  /** The call and its outcome; `full`: also a result that is usually left out. */
  operation(k: number, full = false): string {
    const operation = this.#history.at(k);
    const call = this.call(operation);
    if (this.#history.columns.return[k] === NEVER) return call;
    const { outcome, method } = operation;
    const described = this.#history.tables.describe?.operation(operation, outcome);
    if (described !== undefined) return printable(described);
    if (outcome.kind === 'threw') return `${call} ! ${printable(outcome.error)}`;
    if (outcome.kind !== 'returned' || (!full && this.#silent.has(method))) return call;
    return `${call} ${this.#gives} ${this.value(outcome.value, operation.object)}`;
  }

  /** Is this the result that a method returns in every recorded call, and that is not printed? */
  isSilent(method: string, outcome: Outcome): boolean {
    const nothing = this.#history.tables.undefinedIsNull ? null : undefined;
    return this.#silent.has(method) && outcome.kind === 'returned' && outcome.value === nothing;
  }

  /** An argument or a result of an object. */
  value(value: unknown, object: string | undefined): string {
    const described = this.#history.tables.describe?.value(value, object);
    return described === undefined ? show(value) : printable(described);
  }

  call(operation: Operation): string {
    const { object, method, args } = operation;
    const described = this.#history.tables.describe?.operation(operation);
    if (described !== undefined) return printable(described);
    const { methods, recordedMethods = methods } = this.#history.tables;
    const name = recordedMethods[methods.indexOf(method)] ?? method;
    return `${object === undefined ? '' : `${printable(object)}.`}${printable(name)}(${args.map((arg) => this.value(arg, object)).join(', ')})`;
  }
}

function silentMethods({ columns, tables }: History): Set<string> {
  const nothing = tables.values.find(tables.undefinedIsNull ? null : undefined);
  const silent = new Set(distinct(columns.method));
  for (let k = 0; k < columns.method.length; k++)
    if (columns.status[k] === RETURNED && columns.result[k] !== nothing) silent.delete(columns.method[k]);
  return new Set(Array.from(silent, (method) => tables.methods[method]));
}
