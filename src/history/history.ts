/**
 * A recorded history: columns of integers inside, operations outside. Well-formed and immutable;
 * built by HistoryBuilder.
 */
import { distinct } from '../base/collections/ints.js';
import { cutColumns, partitionColumns, prefixColumns } from './cuts/columns.js';
import { afterAsTime, findNotYetEffective } from './model/after.js';
import {
  type Columns,
  FAILED,
  NEVER,
  PENDING,
  RETURNED,
  recordedValue,
  type Tables,
  THREW,
  withColumns,
} from './model/columns.js';
import type { Annotation, AnyObject, Methods, Operation, Outcome } from './model/operation.js';

/** A well-formed history of operations; `HistoryBuilder`, `sketch` and readers create it. */
export class History<T extends Methods<T> = AnyObject> implements Iterable<Operation<T>> {
  readonly columns: Columns;
  readonly tables: Tables;
  readonly annotations: readonly Annotation[];
  /**
   * No further return will come: a *stuck* history (Line-Up). Every pending call must be allowed to
   * block.
   */
  readonly stuck: boolean;
  #positions: Int32Array | undefined;

  constructor(columns: Columns, tables: Tables, annotations: readonly Annotation[] = [], stuck = false) {
    this.columns = columns;
    this.tables = tables;
    this.annotations = annotations;
    this.stuck = stuck;
  }

  get length(): number {
    return this.columns.id.length;
  }

  /** Names of the processes, in order of their first call. */
  get processes(): readonly string[] {
    return distinct(this.columns.process).map((p) => this.tables.processes[p]);
  }

  /** Names of the objects; `undefined` for the unnamed one. */
  get objects(): readonly (string | undefined)[] {
    return distinct(this.columns.object).map((object) => this.tables.objects[object]);
  }

  /** The k-th operation by call, as a new plain object; -1 is the last one. */
  at(k: number): Operation<T> {
    const position = k < 0 ? k + this.length : k;
    if (!(position >= 0 && position < this.length))
      throw new RangeError(`no operation ${k}; the history has ${this.length}`);
    const { columns, tables } = this;
    const object = tables.objects[columns.object[position]];
    const returned = columns.return[position];
    return {
      id: columns.id[position],
      ...(object !== undefined && { object }),
      process: tables.processes[columns.process[position]],
      method: tables.methods[columns.method[position]],
      args: this.args(position),
      outcome: this.outcome(position),
      call: columns.call[position],
      return: returned === NEVER ? Number.POSITIVE_INFINITY : returned,
    } as unknown as Operation<T>;
  }

  args(k: number): unknown[] {
    const { argumentStart, argument } = this.columns;
    const { values } = this.tables.values;
    const args: unknown[] = [];
    for (let i = argumentStart[k]; i < argumentStart[k + 1]; i++) args.push(values[argument[i]]);
    return args;
  }

  outcome(k: number): Outcome {
    const result = this.columns.result[k];
    const value = this.tables.values.values[result];
    switch (this.columns.status[k]) {
      case RETURNED:
        return { kind: 'returned', value };
      case THREW:
        return { kind: 'threw', error: String(value) };
      case FAILED:
        return { kind: 'failed', ...(result >= 0 && { reason: String(value) }) };
      default:
        return { kind: 'pending', ...(result >= 0 && { reason: String(value) }) };
    }
  }

  *[Symbol.iterator](): Iterator<Operation<T>> {
    for (let k = 0; k < this.length; k++) yield this.at(k);
  }

  /** True if a returned before b was called. */
  precedes(a: number, b: number): boolean {
    return this.columns.return[a] < this.columns.call[b];
  }

  /** Id to position; -1 for absent ids. */
  positionsById(): Int32Array {
    this.#positions ??= this.#computePositions();
    return this.#positions;
  }

  #computePositions(): Int32Array {
    const { id } = this.columns;
    // in a whole history, and in a prefix of one, the id of an operation is its position
    if (this.length === 0 || id[this.length - 1] === this.length - 1) return id;
    const positions = new Int32Array(id[this.length - 1] + 1).fill(-1);
    for (let k = 0; k < id.length; k++) positions[id[k]] = k;
    return positions;
  }

  /** The history of these operations only, in their order; each keeps its id. */
  select(keep: (k: number) => boolean): History<T> {
    const { events } = this.columns;
    const kept = new Int32Array(events.length);
    let count = 0;
    for (const event of events) if (keep(event >= 0 ? event : ~event)) kept[count++] = event;
    return this.#with(cutColumns(this.columns, kept.slice(0, count)));
  }

  /** Without failed operations, which never took effect. */
  withoutFailed(): History<T> {
    const { status } = this.columns;
    return status.includes(FAILED) ? this.select((k) => status[k] !== FAILED) : this;
  }

  /** Only the operations that returned: complete(H) of Herlihy and Wing. */
  complete(): History<T> {
    const { return: returned } = this.columns;
    return this.select((k) => returned[k] !== NEVER);
  }

  /**
   * The prefix up to and including the event at a moment. Operations that are open then become
   * pending but keep their outcome: if they took effect, then with that result.
   */
  prefix(moment: number): History<T> {
    const { columns } = this;
    const notYetEffective = findNotYetEffective(columns, moment);
    if (notYetEffective.size === 0) return this.#with(prefixColumns(columns, moment), false);
    const kept = columns.events.subarray(0, moment + 1).filter((event) => !notYetEffective.has(event));
    return this.#with(cutColumns(columns, kept), false);
  }

  /**
   * The window between two moments, both included: first the operations that are open at `from`,
   * then those called later; cut off as in `prefix`.
   */
  window(from: number, to: number): History<T> {
    const { call, return: returned, events } = this.columns;
    const open: number[] = [];
    for (let k = 0; k < call.length && call[k] < from; k++) if (returned[k] >= from) open.push(k);
    const since = events.subarray(from, to + 1);
    const both = new Int32Array(open.length + since.length);
    both.set(open);
    both.set(since, open.length);
    const notYetEffective = findNotYetEffective(this.columns, to);
    const kept = notYetEffective.size === 0 ? both : both.filter((event) => !notYetEffective.has(event));
    return this.#with(cutColumns(this.columns, kept), false);
  }

  /** Without some pending operations; others return after all events. */
  settled(isOmitted: (k: number) => boolean, returning: readonly number[]): History<T> {
    const { events } = this.columns;
    const kept = events.filter((event) => event < 0 || !isOmitted(event));
    const all = new Int32Array(kept.length + returning.length);
    all.set(kept);
    all.set(
      returning.map((k) => ~k),
      kept.length,
    );
    return this.#with(cutColumns(this.columns, all));
  }

  /** This history with unknown outcomes of these operations, which never returned. */
  withUnknown(operations: readonly number[]): History<T> {
    const [status, result] = [this.columns.status.slice(), this.columns.result.slice()];
    for (const k of operations) [status[k], result[k]] = [PENDING, -1];
    return this.#with(withColumns(this.columns, { status, result }));
  }

  /** This history with another outcome for one operation. */
  withOutcome(k: number, outcome: Outcome): History<T> {
    const { status, result } = this.columns;
    const [changedStatus, changedResult] = [status.slice(), result.slice()];
    changedStatus[k] = outcome.kind === 'threw' ? THREW : RETURNED;
    changedResult[k] = this.tables.values.intern(
      outcome.kind === 'threw' ? outcome.error : recordedResult(outcome, this.tables),
    );
    return this.#with(withColumns(this.columns, { status: changedStatus, result: changedResult }));
  }

  /** The same calls and returns without `after` edges: less order. */
  withoutAfter(): History<T> {
    const { after: _, ...columns } = withColumns(this.columns, {});
    return this.#with(columns);
  }

  /** The same calls and results, all of which overlap. */
  withoutOrder(): History<T> {
    const { columns } = this.withoutAfter();
    const { events } = columns;
    const calls = events.filter((event) => event >= 0);
    const all = new Int32Array(events.length);
    all.set(calls);
    all.set(
      events.filter((event) => event < 0),
      calls.length,
    );
    return this.#with(cutColumns(columns, all));
  }

  /**
   * The `after` edges as times: more order, since each earlier operation returns just before the later one is called.
   * Undefined if an earlier operation never returns, or is called later.
   */
  withAfterAsTime(): History<T> | undefined {
    const events = afterAsTime(this.columns);
    if (events === undefined) return undefined;
    const [call, returned] = [this.columns.call.slice(), this.columns.return.slice()];
    events.forEach((event, moment) => {
      if (event >= 0) call[event] = moment;
      else returned[~event] = moment;
    });
    const { after: _, ...columns } = withColumns(this.columns, { events, call, return: returned });
    return this.#with(columns);
  }

  /** Splits the history: `part` maps each operation to the number of its part, 0, 1, … without gaps. */
  partition(part: Int32Array): History<T>[] {
    let count = 0;
    for (let k = 0; k < part.length; k++) if (part[k] >= count) count = part[k] + 1;
    if (count === 1) return [this];
    return partitionColumns(this.columns, this.columns.events, part, count).map((own) => this.#with(own));
  }

  #with(columns: Columns, stuck: boolean = this.stuck): History<T> {
    return new History(columns, this.tables, this.annotations, stuck);
  }
}

/** The value of a returned outcome, as this history would have recorded it. */
const recordedResult = (outcome: Outcome, tables: Tables): unknown =>
  recordedValue(tables, outcome.kind === 'returned' ? outcome.value : undefined);

/** A history with the method names of the recording, which reports print. */
export function withRecordedMethods(history: History, nameOf: (method: string) => string): History {
  const { columns, tables, annotations, stuck } = history;
  return new History(columns, { ...tables, recordedMethods: tables.methods.map(nameOf) }, annotations, stuck);
}
