/**
 * Decides prefixes of a history, as histories are decided: by a monitor or a search.
 *
 * An operation that is open at the end of a prefix, but whose result is known, is *cut off*: it has taken effect with
 * that result, or not at all. A monitor cannot read it. If it changes no state, it is omitted: it need not take effect.
 *
 * A container is drained. Each removal that is cut off returns after all events, and each value that is left then has a
 * removal that is called after all events (but before these returns):
 *
 *   Claim: the prefix has a linearization exactly if the drained history has one.
 *   Proof: append what has not taken effect to a linearization of the prefix: each add that is still open, with a
 *   removal of its value; then the removals of all values, in the order in which the container gives them. All these
 *   removals are open at the end. Conversely, a linearization of the drained history up to the last operation that has
 *   returned in the prefix has no added removal, so it is one of the prefix.
 *
 * If there are more removals of a value than values to remove, those called last have not taken effect: of two that are
 * cut off, the earlier call can take the place of the later.
 *
 * Any other operation that is cut off is first taken as pending with an unknown result, which allows more. If that is
 * linearizable, but not with its recorded result, it either returns after all events or is omitted. A refutation of one
 * choice excludes all choices that agree on the operations that it names.
 *
 * Cost: one decision for a container without pending removals; else two, and more if choices exclude each other.
 */
import { History } from '../../history/history.js';
import { type Columns, NEVER, PENDING, RETURNED, recordedValue } from '../../history/model/columns.js';
import type { Machine } from '../../spec/machine/machine.js';
import { SpecRun } from '../../spec/machine/spec-run.js';
import type { Spec } from '../../spec/spec.js';
import type { Budget } from '../model/budget.js';
import type { MonitorCause, ValueInterval } from '../model/causes.js';
import type { Search, SearchResult } from '../model/search.js';
import type { LimitReason } from '../model/verdict.js';
import type { MonitorRefutation } from '../monitors/common/monitor.js';
import { ContainerRoles } from '../monitors/duplicates/epochs.js';
import { monitored, monitorOf } from '../monitors/registry.js';
import type { Part } from '../parts/parts.js';
import { searchFor } from '../search/choose-search.js';

/** Steps of a search that decides a prefix, if no monitor does. */
const PREFIX_STEPS = 30_000;

/** What a monitor says of a history. */
export interface Refutation {
  readonly history: History;
  readonly refutation: MonitorRefutation;
}

/** Whether the values of a part can be omitted: it is a container. */
export const isContainer = ({ spec }: Part): boolean => monitorOf(spec)?.leaves !== undefined;

/**
 * A linearization of a prefix, as ids; refutations, one for each choice of operations that are cut off; or that it is
 * unknown. A refutation by a search is no data, so the list may be empty.
 */
export function decidePrefix(
  part: Part,
  prefix: History,
  machineOf: () => Machine,
  budget: Budget,
): Int32Array | readonly Refutation[] | 'unknown' {
  if (!prefix.columns.after && monitorOf(part.spec)) {
    const answer = decideByMonitor(part, prefix, budget);
    if (answer !== 'unknown') return answer;
  }
  const machine = machineOf();
  const search = searchFor({ history: prefix, machine }, []);
  const answer = budget.run(search, { pauseAt: PREFIX_STEPS, otherBytes: () => machine.bytes });
  if (typeof answer === 'string') return 'unknown';
  return answer.kind === 'linearizable' ? answer.witness.map((k) => prefix.columns.id[k]) : [];
}

/** The same by the monitor of the object, if it can read the prefix. */
export function decideByMonitor(
  part: Part,
  prefix: History,
  budget: Budget,
): Int32Array | readonly Refutation[] | 'unknown' {
  const { id, status, return: returned } = prefix.columns;
  const { machine } = part;
  const isCutOff = (k: number): boolean => returned[k] === NEVER && status[k] !== PENDING;
  const read = (history: History) => {
    budget.add({ steps: history.length, configurations: 0, searches: [] });
    const own = monitored(history, part.spec);
    if (!own || 'obstacle' in own) return undefined;
    const run = (search: Search) => budget.run(search) as SearchResult | LimitReason;
    return { history, result: own.reading.decide(run) };
  };
  // a monitor of a container reads a cut-off add as a pending one
  const roles = isContainer(part) ? new ContainerRoles(prefix, part.spec) : undefined;
  const changing: number[] = [];
  const omitted = new Uint8Array(prefix.length);
  for (let k = 0; k < prefix.length; k++) {
    if (!isCutOff(k) || roles?.of(k) === 'add') continue;
    if (machine.isReadOnly(machine.letterOf(id[k]))) omitted[k] = 1;
    else changing.push(k);
  }
  const isOmitted = (k: number): boolean => omitted[k] === 1;
  const drained = roles && changing.length > 0 ? drain(prefix, roles, isOmitted) : undefined;
  if (drained) {
    const result = read(drained.history)?.result;
    if (result?.kind === 'linearizable') return drained.prefixOf(result.witness);
    if (result?.kind === 'violation')
      return [{ history: drained.history, refutation: drained.withoutAdded(result.refutation) }];
  }
  if (changing.length > 0) {
    const relaxed = read(prefix.withUnknown(changing).settled(isOmitted, []));
    if (relaxed?.result.kind === 'violation')
      return [{ history: relaxed.history, refutation: relaxed.result.refutation }];
    if (relaxed?.result.kind === 'linearizable') {
      const order = relaxed.result.witness.map((k) => relaxed.history.columns.id[k]);
      if (isAllowed(prefix, part.spec, order)) return order;
    }
  }

  const refutations: Refutation[] = [];
  /** `returning` took effect, the others did not; `fixed` must stay so. */
  const decide = (
    returning: readonly number[],
    fixed: readonly number[],
  ): Int32Array | 'none' | 'unknown' => {
    if (budget.reached) return 'unknown';
    const isOut = (k: number): boolean => isOmitted(k) || (changing.includes(k) && !returning.includes(k));
    const history = prefix.settled(isOut, returning);
    const result = read(history)?.result;
    if (result?.kind === 'linearizable') return result.witness.map((k) => history.columns.id[k]);
    if (result?.kind !== 'violation') return 'unknown';
    refutations.push({ history, refutation: result.refutation });
    const isNamed = touchedBy(result.refutation, history, roles);
    const decided = [...fixed];
    for (const k of changing) {
      if (decided.includes(k) || !isNamed(k)) continue;
      decided.push(k);
      const isIn = returning.includes(k);
      const answer = decide(isIn ? returning.filter((own) => own !== k) : [...returning, k], decided);
      if (answer !== 'none') return answer;
    }
    return 'none';
  };
  const answer = decide([], []);
  return answer === 'none' ? refutations : answer;
}

/* Containers are drained. */

interface Drained {
  readonly history: History;
  /** The part of a linearization (positions) that is one of the prefix, as ids. */
  readonly prefixOf: (order: Int32Array) => Int32Array;
  /** A refutation that names no added removal. */
  readonly withoutAdded: (refutation: MonitorRefutation) => MonitorRefutation;
}

/** Undefined if removals are pending whose values are unknown, which may have removed what is left; or returned what may be a value. */
function drain(
  prefix: History,
  roles: ContainerRoles,
  isOmitted: (k: number) => boolean,
): Drained | undefined {
  if (roles.hasNothingAsValue()) return undefined;
  const { status, return: returned } = prefix.columns;
  const { tables } = prefix;
  /** For each value, how often more it was added than removed. */
  const left = new Map<number, number>();
  const count = (value: number, by: number) => left.set(value, (left.get(value) ?? 0) + by);
  for (const value of (roles.family?.initial ?? []) as readonly unknown[])
    count(tables.values.intern(recordedValue(tables, value)), 1);
  const open: number[] = [];
  for (let k = 0; k < prefix.length; k++) {
    const role = roles.of(k);
    if (role === 'add') count(roles.touched(k), 1);
    if (role !== 'remove' || isOmitted(k)) continue;
    if (status[k] === PENDING) return undefined;
    if (returned[k] === NEVER) open.push(k);
    else if (roles.touched(k) >= 0) count(roles.touched(k), -1);
  }
  const late = new Set<number>();
  for (const k of open)
    if ((left.get(roles.touched(k)) ?? 0) > 0) count(roles.touched(k), -1);
    else late.add(k);
  const values = [...left].flatMap(([value, times]) => new Array<number>(Math.max(times, 0)).fill(value));
  const removals = Array.from(values.keys(), (i) => prefix.length + i);
  const history = withRemovals(prefix, values, open[0]).settled(
    (k) => isOmitted(k) || late.has(k),
    [...open.filter((k) => !late.has(k)), ...removals],
  );
  const { id } = history.columns;
  const own = history.length - values.length;
  const isOwn = (removal: number): boolean => history.positionsById()[removal] < own;
  return {
    history,
    prefixOf: (order) => {
      const position = prefix.positionsById();
      const last = order.findLastIndex((k) => k < own && returned[position[id[k]]] !== NEVER);
      return order.subarray(0, last + 1).map((k) => id[k]);
    },
    withoutAdded: (refutation) =>
      'cause' in refutation
        ? {
            ...refutation,
            operations: refutation.operations.filter((k) => k < own),
            cause: withRemovalsIf(isOwn, refutation.cause),
          }
        : refutation,
  };
}

/** A history with removals of these values, called after all events, that resemble operation `like`. */
function withRemovals({ columns, tables }: History, values: readonly number[], like: number): History {
  const { id, object, process, method, argumentStart, status, result, call, events } = columns;
  const more = (column: Int32Array, valueAt: (i: number) => number): Int32Array => {
    const longer = new Int32Array(column.length + values.length);
    longer.set(column);
    for (let i = 0; i < values.length; i++) longer[column.length + i] = valueAt(i);
    return longer;
  };
  const longer: Columns = {
    id: more(id, (i) => id[id.length - 1] + 1 + i),
    object: more(object, () => object[like]),
    process: more(process, () => process[like]),
    method: more(method, () => method[like]),
    argumentStart: more(argumentStart, () => argumentStart[id.length]),
    argument: columns.argument,
    status: Uint8Array.from(more(Int32Array.from(status), () => RETURNED)),
    result: more(result, (i) => values[i]),
    call: more(call, (i) => events.length + i),
    return: more(columns.return, () => NEVER),
    events: more(events, (i) => id.length + i),
  };
  return new History(longer, tables);
}

/** A cause without the removals that do not hold: their values were never removed. */
function withRemovalsIf(holds: (removal: number) => boolean, cause: MonitorCause): MonitorCause {
  const own = (interval: ValueInterval): ValueInterval =>
    interval.taken === undefined || holds(interval.taken) ? interval : { ...interval, taken: undefined };
  switch (cause.kind) {
    case 'overtaken': {
      const { first, second, between, left } = cause;
      return {
        ...cause,
        first: own(first),
        second: own(second),
        between: between.map(own),
        left: left.map(own),
      };
    }
    case 'not the first':
      return { ...cause, interval: own(cause.interval), intervals: cause.intervals.map(own) };
    case 'two at the front':
    case 'never empty':
    case 'cyclic core':
      return { ...cause, intervals: cause.intervals.map(own) };
    default:
      return cause;
  }
}

/**
 * Whether an operation that is cut off could matter for a refutation: in a container, if it removes one of the values
 * that the refutation names, or an initial value, which no operation names. Other values can be omitted, and the
 * contradiction stays.
 */
function touchedBy(
  refutation: MonitorRefutation,
  history: History,
  roles: ContainerRoles | undefined,
): (k: number) => boolean {
  if (!roles || !('cause' in refutation)) return () => true;
  const own = new ContainerRoles(history, { family: roles.family });
  const values = new Set([...roles.initial, ...refutation.operations.map((k) => own.touched(k))]);
  return (k) => values.has(roles.touched(k));
}

/** Whether the methods of a spec allow operations (ids) in sequence, with their recorded results. */
function isAllowed(history: History, spec: Spec, order: Int32Array): boolean {
  const run = new SpecRun(history, spec, () => true);
  const position = history.positionsById();
  return order.every((id) => run.step(position[id]));
}
