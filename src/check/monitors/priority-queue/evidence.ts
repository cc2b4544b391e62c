/**
 * Checks the cause of priority queues.
 *
 * Who gives a value does so between call and return, not before the value is put in, and a removal not before the last peek is
 * called. If at each such moment a more urgent value is surely inside, there is no order.
 */
import type { MonitorCause } from '../../model/monitor-causes.js';
import { areCovered } from '../container/cause-evidence.js';
import type { Evidence } from '../container/evidence.js';

/** Undefined if the cause is not one of priority queues alone. */
export function verifyPriorityQueueCause(evidence: Evidence, cause: MonitorCause): boolean | undefined {
  if (cause.kind !== 'not the first') return undefined;
  const { operation, stay, stays } = cause;
  const { role, value, call, return: returned } = evidence.of(operation);
  if ((role !== 'remove' && role !== 'peek') || !evidence.areSame(value, stay.value)) return false;
  const [own, ...others] = evidence.livesOf([stay.value, ...stays.map((other) => other.value)]);
  if ([own, ...others].some(({ puts }) => puts !== 1)) return false;
  const priority = priorityOf(evidence, stay);
  if (!stays.every((other) => priorityOf(evidence, other) < priority)) return false;
  const begin = Math.max(own.put, role === 'peek' ? call : own.asked);
  return areCovered({ begin, end: returned }, others, evidence);
}

/** What a value is compared by. */
function priorityOf(
  evidence: Evidence,
  { value, put }: { readonly value: unknown; readonly put: number | undefined },
): number {
  const given = put === undefined ? undefined : evidence.of(put).more;
  return (given === undefined ? value : given) as number;
}
