/**
 * Ready-made record maps: the operations that the robustness tests of etcd leave, and operations and events of Porcupine
 * with its key-value model. Both become calls of the object `map`.
 *
 * A request that may write and that `map` cannot express is an error: without it, correct reads would look incorrect.
 * Requests that only read, or that change no value, are left out.
 */
import { show } from '../base/values/show.js';
import type { HistoryRecord, RecordMap } from './common/reader.js';

/* etcd: tests/robustness/model/types.go. Go omits empty fields. */

interface EtcdValue {
  readonly Value?: string;
  readonly Hash?: number;
}

interface EtcdOperation {
  readonly Type: 'range-operation' | 'put-operation' | 'delete-operation';
  readonly Range?: EtcdRange;
  readonly Put?: { readonly Key: string; readonly Value?: EtcdValue };
  readonly Delete?: { readonly Key: string };
}

interface EtcdRange {
  readonly Start: string;
  readonly End?: string;
  readonly Limit?: number;
  readonly Revision?: number;
}

interface EtcdResult {
  readonly KVs?: readonly { readonly Value?: EtcdValue }[];
  readonly Deleted?: number;
}

interface EtcdRecord {
  readonly ClientId: number;
  readonly Call: number | bigint;
  readonly Return: number | bigint;
  readonly Input?: {
    readonly Type: string;
    readonly Range?: EtcdRange & { readonly RangeOptions?: EtcdRange };
    readonly Txn?: {
      readonly OperationsOnSuccess?: readonly EtcdOperation[];
      readonly OperationsOnFailure?: readonly EtcdOperation[];
    };
  };
  readonly Output?: {
    readonly Range?: EtcdResult;
    readonly Txn?: { readonly Failure?: boolean; readonly Results?: readonly EtcdResult[] };
    readonly ClientError?: string;
    readonly Error?: string;
    readonly Persisted?: boolean;
  };
}

/** Requests that change no value. */
const WITHOUT_EFFECT = ['leaseGrant', 'defragment', 'compact'];

/**
 * A transaction counts as the operation of the branch that it took; its conditions are not checked. If its outcome is
 * unknown, it may have taken either branch.
 */
function etcd({ ClientId, Input, Output = {}, Call, Return }: EtcdRecord): HistoryRecord | undefined {
  if (Input === undefined) throw new RangeError('not an operation of etcd: no Input');
  const { Error: error, ClientError: refused, Persisted: isPersisted } = Output;
  const isUnknown = isPersisted === true || (error !== undefined && error !== '');
  const at = { process: ClientId, call: Call, return: Return };
  const unknown = { unknown: error === undefined || error === '' ? 'persisted, without an answer' : error };
  if (Input.Type === 'range') {
    const range = Input.Range?.RangeOptions ?? Input.Range;
    if (!range || isUnknown || (refused !== undefined && refused !== '')) return undefined;
    return readOf(range, Input.Range?.Revision, Output.Range, at);
  }
  if (WITHOUT_EFFECT.includes(Input.Type)) return undefined;
  const { OperationsOnSuccess: success = [], OperationsOnFailure: failure = [] } = Input.Txn ?? {};
  const operations = isUnknown
    ? [...success, ...failure].filter(({ Type }) => Type !== 'range-operation')
    : Output.Txn?.Failure
      ? failure
      : success;
  if (Input.Type !== 'txn' || operations.length > 1)
    throw new RangeError(
      Input.Type === 'txn'
        ? 'a transaction of several operations; write a record map and a spec for it'
        : `a request of type ${show(Input.Type)}, which may change several keys; write a record map and a spec for it`,
    );
  const [operation] = operations;
  const [result] = Output.Txn?.Results ?? [];
  switch (operation?.Type) {
    case 'range-operation':
      return operation.Range && readOf(operation.Range, undefined, result, at);
    case 'put-operation':
      return {
        ...at,
        method: 'put',
        args: [operation.Put?.Key, textOf(operation.Put?.Value)],
        ...(isUnknown ? unknown : { result: null }),
      };
    case 'delete-operation':
      return {
        ...at,
        method: 'remove',
        args: [operation.Delete?.Key],
        ...(isUnknown ? unknown : { result: (result?.Deleted ?? 0) > 0 }),
      };
    default:
      return undefined;
  }
}

/** A read of one key at the newest revision; others are left out. */
function readOf(
  { Start, End = '', Limit = 0 }: EtcdRange,
  revision: number | undefined,
  result: EtcdResult | undefined,
  at: Pick<HistoryRecord, 'process' | 'call' | 'return'>,
): HistoryRecord | undefined {
  if (End !== '' || Limit !== 0 || (revision ?? 0) !== 0) return undefined;
  const [found] = result?.KVs ?? [];
  return { ...at, method: 'get', args: [Start], result: found ? textOf(found.Value) : null };
}

/** etcd records a long value by its hash. */
const textOf = ({ Value = '', Hash }: EtcdValue = {}): string => (Hash === undefined ? Value : `#${Hash}`);

/* Porcupine: `Operation` and `Event` as Go writes them, with the input and output of the key-value model. */

interface PorcupineInput {
  readonly Op: number;
  readonly Key: string;
  readonly Value?: string;
}

interface PorcupineRecord {
  readonly ClientId: number;
  readonly Input?: PorcupineInput;
  readonly Output?: { readonly Value?: string };
  readonly Call?: number | bigint;
  readonly Return?: number | bigint;
  /** Of an event: false for a call, true for a return. */
  readonly Kind?: boolean;
  readonly Id?: number;
  readonly Value?: unknown;
}

const METHODS = ['get', 'put', 'append'];

/** `openReads` has the ids of open calls that read, in a stream of events. */
function porcupine(record: PorcupineRecord, openReads: Map<unknown, unknown>): HistoryRecord {
  const { ClientId: process, Id: id, Kind: isReturn, Value: value } = record;
  if (isReturn === undefined) {
    const { Input: input, Output: output, Call: call, Return: end } = record;
    return { process, ...callOf(input), call, return: end, result: resultOf(isRead(input), output) };
  }
  if (id === undefined) throw new RangeError('an event without Id');
  if (!isReturn) {
    const input = value as PorcupineInput;
    if (isRead(input)) openReads.set(id, true);
    else openReads.delete(id);
    return { type: 'call', process, id, ...callOf(input) };
  }
  return { type: 'return', process, id, result: resultOf(openReads.delete(id), value as { Value?: string }) };
}

const isRead = (input: PorcupineInput | undefined): boolean => input?.Op === 0;

function callOf(input: PorcupineInput | undefined): Pick<HistoryRecord, 'method' | 'args'> {
  const method = METHODS[input?.Op ?? -1];
  if (!input || method === undefined)
    throw new RangeError(
      `unknown input ${show(input)}; expected that of a key-value store: Op 0 (get), 1 (put) or 2 (append), Key and Value`,
    );
  return { method, args: method === 'get' ? [input.Key] : [input.Key, input.Value ?? ''] };
}

const resultOf = (isGet: boolean, output: { readonly Value?: string } | undefined): string | null =>
  isGet ? (output?.Value ?? '') : null;

/**
 * Ready-made record maps by name, for files of other tools.
 *
 * @example
 * const load = (path: string) => readHistory(path, { recordMap: recordMaps.etcd });
 */
export const recordMaps: { readonly etcd: RecordMap; readonly porcupine: RecordMap } = { etcd, porcupine };
