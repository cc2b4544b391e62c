/**
 * Verifies the cause of priority queues.
 *
 * An operation returns a value between its call and return, not before the value is added, and a removal not before
 * the last peek is called. If at each such moment a value with higher priority is definitely present, there is no
 * linearization.
 */
import type { MonitorCause } from '../../model/monitor-causes.js';
import { areCovered } from '../container/cause-evidence.js';
import type { Evidence } from '../container/evidence.js';

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
