/**
 * One operation as Jepsen spells it: the event of its call, and that of its end.
 *
 * The adapter says how. Its word is not enough, though: each event is read back,
 * and must mean the same call with the same answer. What has no spelling is an
 * error that names the operation: one that threw, a process that is no whole
 * number, order by `after`.
 */
import { show } from '../../base/values/show.js';
import type { History } from '../../history/history.js';
import { NEVER, PENDING } from '../../history/model/columns.js';
import { defaultAdapter, type JepsenAdapter } from '../common/adapter.js';
import { unwritable, type WriteError } from '../common/format-error.js';

export interface SpeltEvent {
  /** Its process is a whole number; another's is a name, as `nemesis`. */
  readonly isClient: boolean;
  readonly process: string;
  readonly type: 'invoke' | 'ok' | 'fail' | 'info';
  readonly f: string;
  readonly value: unknown;
  readonly key?: unknown;
  readonly error?: string;
}

export interface JepsenWriteOptions {
  /** How the calls of an object are spelt; undefined: as the default adapter says. */
  readonly jepsen?: ((object: string | undefined) => JepsenAdapter | undefined) | undefined;
  /** Write `[object value]` as each value: each object is a key. */
  readonly independent?: boolean | undefined;
}

export class Spelling {
  readonly #history: History;
  readonly #options: JepsenWriteOptions;

  constructor(history: History, options: JepsenWriteOptions) {
    this.#history = history;
    this.#options = options;
  }

  call(k: number): SpeltEvent {
    const { after, process } = this.#history.columns;
    const name = this.#history.tables.processes[process[k]];
    if (!/^(0|-?[1-9]\d*)$/.test(name))
      throw this.#unwritable(k, `process ${show(name)} is no whole number, as Jepsen's are`);
    if (after && after.start[k] < after.start[k + 1])
      throw this.#unwritable(k, 'it comes "after" others, which Jepsen has no word for');
    return this.#event(k, 'invoke', undefined);
  }

  end(k: number): SpeltEvent {
    const { return: returned } = this.#history.columns;
    const outcome = this.#history.outcome(k);
    if (outcome.kind === 'failed' || outcome.kind === 'pending') {
      const type = outcome.kind === 'failed' ? 'fail' : 'info';
      return {
        ...this.#event(k, type, undefined),
        ...(outcome.reason !== undefined && { error: outcome.reason }),
      };
    }
    if (returned[k] === NEVER) return { ...this.#event(k, 'info', undefined), error: 'it returned later' };
    if (outcome.kind === 'threw')
      throw this.#unwritable(k, `it threw ${show(outcome.error)}, which Jepsen has no word for`);
    return this.#event(k, 'ok', { result: outcome.value });
  }

  /** Is there more to tell of a call that no event ends? */
  hasMore(k: number): boolean {
    const { status, result } = this.#history.columns;
    return status[k] !== PENDING || result[k] >= 0;
  }

  #event(k: number, type: SpeltEvent['type'], outcome: { readonly result: unknown } | undefined): SpeltEvent {
    const { columns, tables } = this.#history;
    const object = tables.objects[columns.object[k]];
    const adapter = this.#options.jepsen?.(object) ?? defaultAdapter;
    const { method, args, process } = this.#history.at(k);
    const spelt = adapter.event(method, args, outcome);
    if (!spelt || !this.#readsAs(k, adapter, spelt, outcome !== undefined))
      throw this.#unwritable(
        k,
        `${outcome ? `the answer ${show(outcome.result)}` : 'the call'} has no form in a Jepsen history`,
      );
    const { independent } = this.#options;
    if (independent !== true && object !== undefined)
      throw this.#unwritable(
        k,
        `it is of object ${show(object)}; only independent keys can be written (--independent)`,
      );
    if (independent && object === undefined)
      throw this.#unwritable(k, 'it is of no object; independent keys are objects');
    return { isClient: true, process, type, ...spelt, ...(independent && { value: [object, spelt.value] }) };
  }

  /** Would reading the event give the operation again? */
  #readsAs(
    k: number,
    adapter: JepsenAdapter,
    { f, value, key }: NonNullable<ReturnType<JepsenAdapter['event']>>,
    isReturn: boolean,
  ): boolean {
    const { columns, tables } = this.#history;
    const args = this.#history.args(k);
    try {
      if (isReturn) return tables.values.find(adapter.result(f, value, args)) === columns.result[k];
      const call = adapter.call(f, value, key);
      const isArgument = (own: unknown, i: number) =>
        tables.values.find(own) === columns.argument[columns.argumentStart[k] + i];
      return (
        call?.method === tables.methods[columns.method[k]] &&
        call.args.length === args.length &&
        call.args.every(isArgument)
      );
    } catch (error) {
      if (error instanceof RangeError) return false;
      throw error;
    }
  }

  #unwritable(k: number, why: string): WriteError {
    return unwritable(this.#history, k, why);
  }
}
