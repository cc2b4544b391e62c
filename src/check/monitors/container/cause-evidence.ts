/**
 * Verifies the causes of all containers: a value from nowhere, removed twice or at the wrong time, or an "empty"
 * result.
 */

import type { History } from '../../../history/history.js';
import { NEVER } from '../../../history/model/columns.js';
import type { Spec } from '../../../spec/spec.js';
import type { MonitorCause, ValueInterval } from '../../model/monitor-causes.js';
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
export interface SlotRange {
  readonly begin: number;
  readonly end: number;
}

/** Whether one of these values is definitely present in each of the slots. */
export function areCovered(
  { begin, end }: SlotRange,
  by: readonly ValueEvidence[],
  evidence: Evidence,
): boolean {
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
