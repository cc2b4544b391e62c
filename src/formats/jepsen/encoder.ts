/**
 * Encodes operations as Jepsen events: the invocation and the completion.
 *
 * The adapter determines the encoding, and each event is decoded again to verify that it means the
 * same call and result. Operations without an encoding are errors that name the operation: one that
 * threw, a process that is not an integer, `after` edges.
 */
import { show } from '../../base/values/show.js';
import type { History } from '../../history/history.js';
import { NEVER, PENDING } from '../../history/model/columns.js';
import { defaultAdapter, type JepsenAdapter } from '../common/adapter.js';
import { createWriteError, type WriteError } from '../common/reader.js';

export interface EncodedEvent {
  /** True if the process is an integer; others have names, such as `nemesis`. */
  readonly isClient: boolean;
  readonly process: string;
  readonly type: 'invoke' | 'ok' | 'fail' | 'info';
  readonly f: string;
  readonly value: unknown;
  readonly key?: unknown;
  readonly error?: string;
}

export interface JepsenWriteOptions {
  /** The adapter of an object; undefined for the default adapter. */
  readonly jepsen?: ((object: string | undefined) => JepsenAdapter | undefined) | undefined;
  /** Write each value as `[object value]`: each object is a key. */
  readonly independent?: boolean | undefined;
}

export class JepsenEncoder {
  readonly #history: History;
  readonly #options: JepsenWriteOptions;

  constructor(history: History, options: JepsenWriteOptions) {
    this.#history = history;
    this.#options = options;
  }

  call(k: number): EncodedEvent {
    const { after, process } = this.#history.columns;
    const name = this.#history.tables.processes[process[k]];
    if (!/^(0|-?[1-9]\d*)$/.test(name))
      throw this.#error(k, `process ${show(name)} is not an integer, which Jepsen requires`);
    if (after && after.start[k] < after.start[k + 1])
      throw this.#error(k, 'it has "after", which Jepsen cannot express');
    return this.#event(k, 'invoke', undefined);
  }

  end(k: number): EncodedEvent {
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
      throw this.#error(k, `it threw ${show(outcome.error)}, which Jepsen cannot express`);
    return this.#event(k, 'ok', { result: outcome.value });
  }

  /** True if a call without a return still has an outcome or a reason to write. */
  hasUnwrittenEnd(k: number): boolean {
    const { status, result } = this.#history.columns;
    return status[k] !== PENDING || result[k] >= 0;
  }

  #event(
    k: number,
    type: EncodedEvent['type'],
    outcome: { readonly result: unknown } | undefined,
  ): EncodedEvent {
    const { columns, tables } = this.#history;
    const object = tables.objects[columns.object[k]];
    const adapter = this.#options.jepsen?.(object) ?? defaultAdapter;
    const { method, args, process } = this.#history.at(k);
    const encoded = adapter.event(method, args, outcome);
    if (!encoded || !this.#decodesTo(k, adapter, encoded, outcome !== undefined))
      throw this.#error(
        k,
        `${outcome ? `the result ${show(outcome.result)}` : 'the call'} cannot be expressed in a Jepsen history`,
      );
    const { independent } = this.#options;
    if (independent !== true && object !== undefined)
      throw this.#error(
        k,
        `it calls object ${show(object)}; write objects as independent keys (--independent)`,
      );
    if (independent && object === undefined)
      throw this.#error(k, 'it has no object, which independent keys require');
    return {
      isClient: true,
      process,
      type,
      ...encoded,
      ...(independent && { value: [object, encoded.value] }),
    };
  }

  /** True if decoding the event gives the operation again. */
  #decodesTo(
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

  #error(k: number, why: string): WriteError {
    return createWriteError(this.#history, k, why);
  }
}
