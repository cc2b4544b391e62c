/**
 * Verifies the causes of containers: those of all (a value from nowhere, removed twice or at the wrong time, or an
 * "empty" result), then those of stacks, queues and priority queues.
 */
import type { History } from '../../../history/history.js';
import { NEVER } from '../../../history/model/columns.js';
import type { Spec } from '../../../spec/spec.js';
import type { MonitorCause, ValueInterval } from '../../model/causes.js';
import { Evidence, type ValueEvidence } from './evidence.js';

/*
 * Whether the value intervals of a cause are as stated: distinct values, each added and removed by the named
 * operations.
 */

function areIntervals(evidence: Evidence, cause: MonitorCause): boolean {
  const intervals = intervalsIn(cause);
  const isNew = (interval: ValueInterval, i: number): boolean =>
    intervals.slice(0, i).every((earlier) => !evidence.areSame(earlier.value, interval.value));
  return intervals.every((interval, i) => isNew(interval, i) && isInterval(evidence, interval));
}

function isInterval(evidence: Evidence, { value, put, taken }: ValueInterval): boolean {
  const [adder, remover] = [evidence.of(put), evidence.of(taken)];
  const isPut =
    put === undefined
      ? evidence.isInitial(value)
      : adder.role === 'add' && evidence.areSame(adder.value, value);
  const isTaken =
    taken === undefined ||
    (remover.role === 'remove' && (remover.isOpen || evidence.areSame(remover.value, value)));
  return isPut && isTaken;
}

/** All value intervals of a cause. */
function intervalsIn(cause: MonitorCause): readonly ValueInterval[] {
  switch (cause.kind) {
    case 'overtaken':
      return [cause.first, cause.second, ...cause.between, ...cause.left];
    case 'not the first':
      return [cause.interval, ...cause.intervals];
    case 'two at the front':
    case 'never empty':
    case 'cyclic core':
      return cause.intervals;
    case 'taken twice':
    case 'too early':
    case 'too late':
      return [cause.interval];
    default:
      return [];
  }
}

/** Verifies the causes of a kind of container: its own, and those of all containers. */
export function containerCauses(
  verifyOwn: (evidence: Evidence, cause: MonitorCause) => boolean | undefined,
): (history: History, spec: Spec, cause: MonitorCause) => boolean {
  return (history, spec, cause) => {
    const evidence = new Evidence(history, spec);
    return (
      areIntervals(evidence, cause) && (verifyOwn(evidence, cause) ?? verifyContainerCause(evidence, cause))
    );
  };
}

/* When a value is definitely present. */

/** The slots after the events from `begin` up to `end`. */
interface SlotRange {
  readonly begin: number;
  readonly end: number;
}

/** Whether one of these values is definitely present in each of the slots. */
function areCovered({ begin, end }: SlotRange, by: readonly ValueEvidence[], evidence: Evidence): boolean {
  const firstOpen = evidence.firstOpen();
  const until = ({ removals, lastCall }: ValueEvidence): number =>
    removals > 0 ? lastCall : Math.max(lastCall, firstOpen);
  let needed = begin;
  for (let next = begin; needed < end; needed = next) {
    for (const value of by) if (value.inside <= needed && until(value) > next) next = until(value);
    if (next === needed) return false;
  }
  return true;
}

function verifyContainerCause(evidence: Evidence, cause: MonitorCause): boolean {
  const own = evidence.of(cause.operation);
  const gives = own.role === 'remove' || own.role === 'peek';
  if (!gives || own.return === NEVER || own.isEmpty !== (cause.kind === 'never empty')) return false;
  const { puts } = evidence.ofValue(own.value);
  switch (cause.kind) {
    case 'from nowhere':
      return puts === 0;
    case 'taken twice': {
      const other = evidence.of(cause.interval.taken);
      return (
        puts === 1 &&
        own.role === 'remove' &&
        other.role === 'remove' &&
        cause.operation !== cause.interval.taken &&
        Object.is(other.value, own.value)
      );
    }
    case 'too early': {
      const put = evidence.of(cause.interval.put);
      return puts === 1 && put.role === 'add' && Object.is(put.value, own.value) && own.return < put.call;
    }
    case 'too late': {
      const taken = evidence.of(cause.interval.taken);
      return (
        puts === 1 && taken.role === 'remove' && Object.is(taken.value, own.value) && taken.return < own.call
      );
    }
    case 'never empty':
      return isNeverEmpty(evidence, own, cause.intervals);
    default:
      return false;
  }
}

/** Whether a value is present after each event from the call up to the return. */
function isNeverEmpty(
  evidence: Evidence,
  { call, return: returned }: { readonly call: number; readonly return: number },
  intervals: readonly ValueInterval[],
): boolean {
  const values = intervals.map(({ value }) => evidence.ofValue(value));
  if (values.some(({ puts }) => puts !== 1)) return false;
  for (let moment = call; moment < returned; moment++) {
    const present = values.filter(({ inside }) => inside <= moment);
    const isSure = present.some(({ removals, lastCall }) => removals > 0 && lastCall > moment);
    const left = present.filter(({ removals, lastCall }) => removals === 0 && lastCall <= moment).length;
    const seenLater = present.some(({ removals, lastCall }) => removals === 0 && lastCall > moment);
    if (!isSure && !seenLater && left <= evidence.openBefore(moment + 1)) return false;
  }
  return true;
}

/*
 * Stacks. Of some values of a stack, the one that was pushed first was alone when it was pushed, and whenever it was
 * returned. So if each of them has an operation during which others were present all the time, there is no
 * linearization.
 */

/** Undefined if the cause is not specific to stacks. */
export function verifyStackCause(evidence: Evidence, cause: MonitorCause): boolean | undefined {
  if (cause.kind !== 'cyclic core') return undefined;
  const { intervals, blocked } = cause;
  const values = evidence.ofValues(intervals.map(({ value }) => value));
  const isBlocked = (interval: ValueInterval, i: number): boolean => {
    const slots = slotsOf(evidence, blocked[i], interval, values[i]);
    const others = values.filter((own) => own !== values[i]);
    return slots !== undefined && areCovered(slots, others, evidence);
  };
  return (
    values.length > 1 &&
    values.every(({ puts }) => puts === 1) &&
    blocked.includes(cause.operation) &&
    intervals.every(isBlocked)
  );
}

/** When an operation on a value can have taken effect; undefined if it is not on this value. */
function slotsOf(
  evidence: Evidence,
  id: number | undefined,
  { value }: ValueInterval,
  times: ValueEvidence,
): SlotRange | undefined {
  // an initial value: it is above the initial values before it
  if (id === undefined) return times.inside < 0 ? { begin: times.inside - 1, end: times.inside } : undefined;
  const { role, call, return: returned, value: own } = evidence.of(id);
  if (role === undefined || !evidence.areSame(own, value)) return undefined;
  if (role === 'add') return { begin: times.put, end: times.inside };
  return { begin: role === 'remove' ? Math.max(times.lastCall, times.put) : call, end: returned };
}

/*
 * Queues. If x is seen at the front before the last removal or peek of y is called, then x is in front of y: otherwise y
 * would have left by then. If x is definitely present before y is enqueued, x is in front of y as well. A cycle of
 * these relations is a contradiction.
 */

/** Undefined if the cause is not specific to queues. */
export function verifyQueueCause(evidence: Evidence, cause: MonitorCause): boolean | undefined {
  const isSeenBefore = (one: ValueEvidence, other: ValueEvidence): boolean =>
    one.seen < outAfter(evidence, other);
  if (cause.kind === 'two at the front') {
    if (cause.intervals.length !== 2) return false;
    const [one, other] = cause.intervals.map(({ value }) => evidence.ofValue(value));
    const isFaulty = evidence.of(cause.operation).return === Math.max(one.seen, other.seen);
    return areOnce([one, other]) && isFaulty && isSeenBefore(one, other) && isSeenBefore(other, one);
  }
  if (cause.kind !== 'overtaken') return undefined;
  const [first, second] = [cause.first, cause.second].map(({ value }) => evidence.ofValue(value));
  const between = cause.between.map(({ value }) => evidence.ofValue(value));
  const left = cause.left.map(({ value }) => evidence.ofValue(value));
  if (!areOnce([first, second, ...between, ...left]) || !(first.inside < second.put)) return false;
  if (second.seen === NEVER || evidence.of(cause.operation).return !== second.seen) return false;

  const chain = [second, ...between];
  if (!chain.every((value, i) => i === 0 || isSeenBefore(chain[i - 1], value))) return false;
  if (first.removals > 0) return isSeenBefore(chain[chain.length - 1], first);
  // all of `left` must be out before the first of the chain is seen, but too few removals were called by then
  const seen = Math.min(...chain.map((value) => value.seen));
  return (
    left.every(({ inside, removals }) => inside < second.put && removals === 0) &&
    evidence.openBefore(seen) <= left.length
  );
}

const areOnce = (values: readonly ValueEvidence[]): boolean => values.every(({ puts }) => puts === 1);

/** Until when a value is definitely present. */
const outAfter = (evidence: Evidence, { removals, lastCall, put }: ValueEvidence): number =>
  removals === 0 && evidence.openBefore(NEVER) === 0 ? NEVER : Math.max(lastCall, put);

/*
 * Priority queues. An operation returns a value between its call and return, not before the value is added, and a removal not before
 * the last peek is called. If at each such moment a value with higher priority is definitely present, there is no
 * linearization.
 */

/** Undefined if the cause is not specific to priority queues. */
export function verifyPriorityQueueCause(evidence: Evidence, cause: MonitorCause): boolean | undefined {
  if (cause.kind !== 'not the first') return undefined;
  const { operation, interval, intervals } = cause;
  const { role, value, call, return: returned } = evidence.of(operation);
  if ((role !== 'remove' && role !== 'peek') || !evidence.areSame(value, interval.value)) return false;
  const [own, ...others] = evidence.ofValues([interval.value, ...intervals.map((other) => other.value)]);
  if ([own, ...others].some(({ puts }) => puts !== 1)) return false;
  const priority = priorityOf(evidence, interval);
  if (!intervals.every((other) => priorityOf(evidence, other) < priority)) return false;
  const begin = Math.max(own.put, role === 'peek' ? call : own.lastCall);
  return areCovered({ begin, end: returned }, others, evidence);
}

/** The priority of a value. */
function priorityOf(
  evidence: Evidence,
  { value, put }: { readonly value: unknown; readonly put: number | undefined },
): number {
  const given = put === undefined ? undefined : evidence.of(put).more;
  return (given === undefined ? value : given) as number;
}
