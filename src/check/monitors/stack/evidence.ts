/**
 * Verifies the cause of stacks.
 *
 * Of some values of a stack, the one that was pushed first was alone when it was pushed, and whenever it was
 * returned. So if each of them has an operation during which others were present all the time, there is no
 * linearization.
 */
import type { MonitorCause, ValueInterval } from '../../model/monitor-causes.js';
import { areCovered, type SlotRange } from '../container/cause-evidence.js';
import type { Evidence, ValueEvidence } from '../container/evidence.js';

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
